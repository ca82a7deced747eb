"""`amb doctor` says which chat model is set, and asks it only when told to."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from amb_bench.doubles.chat_server import ChatServer

from amb_chat import ScriptedChatModel
from amb_cli.doctor import settings_kinds
from amb_cli.model_trial import tried_roles
from amb_core.chat_io import ChatReply, ChatRequest

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.slow
KEY = {"LLM_API_KEY": "sk-0123456789"}
SUMMARIES = {
    "en": "The survey of 14 March covered 212 wells in the Ardra valley; in 37 the nitrate level was above 50 mg/l. "
    "The wells beside the pig farms at Tolm were the worst. Water is fetched from the school until the end of May.",
    "zh": "陈立峰教授的团队在青海湖东岸布设了二十六个监测点；湖水位平均每年上升十二厘米，"
    "冰川融水只占两成左右，北岸两处码头需要在二〇二七年以前加高。",
}


def test_without_a_model_nothing_is_wrong(amb: Any) -> None:
    ran = amb("doctor", "--verbose")
    assert ran.returncode == 0, ran.stdout
    assert "chat model: none set (optional): set LLM_MODEL and LLM_API_KEY" in ran.stdout
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    assert re.findall(r"extra (\S+): ", ran.stdout) == sorted(extras)


def test_three_lines_say_that_all_is_well(amb_here: Any) -> None:
    ran = amb_here("doctor")
    assert (ran.returncode, ran.stdout.count("\n")) == (0, 3), ran.stdout
    assert "checks are well: Python 3." in ran.stdout


def test_a_misspelt_variable_is_named_with_the_one_that_is_meant(amb_here: Any) -> None:
    (amb_here.folder / ".env").write_text("AMB_STRIKT=1\nMEMORY_LIMIT=2g\nAMB_OF_OTHERS=1\n", "utf-8")
    known = ("AMB_DATA", "AMB_CACHE", "AMB_FOLDER", "AMB_MCP_TOKEN", "AMB_PROXY_TOKEN", "AMB_BENCH_PYTHON_MEM0")
    amb_here.environment = {"AMB_PROMPT_BUDGET_TOKEN": "5", "MEMORY_BACKENT": "x", "amb_alpha": ".5"} | dict.fromkeys(
        known, "1"
    )

    ran = amb_here("doctor")

    said = re.findall(r"(\S+) +environment: nothing reads (\w+)(?:; did you mean (\w+)\?)?", ran.stdout)
    assert ran.returncode == 1
    assert said == [
        ("ok", "AMB_OF_OTHERS", ""),
        ("FAIL", "AMB_PROMPT_BUDGET_TOKEN", "AMB_PROMPT_BUDGET_TOKENS"),
        ("FAIL", "AMB_STRIKT", "AMB_STRICT"),
        ("FAIL", "MEMORY_BACKENT", "MEMORY_BACKEND"),
    ]


def test_every_kind_of_settings_is_looked_at() -> None:
    files = [
        *(ROOT / "amb_core").rglob("*.py"),
        *(ROOT / "integrations").rglob("*.py"),
        *(ROOT / "tools").rglob("*.py"),
    ]
    kinds = {name for file in files for name in re.findall(r"class (\w+)\(CheckedSettings\)", file.read_text("utf-8"))}
    assert kinds == {settings.__name__ for settings in settings_kinds()}


def test_checks_are_data_for_programs(amb_here: Any) -> None:
    checks = json.loads(amb_here("doctor", "--json").stdout)
    assert {"python", "settings", "SQLite round trip"} <= {check["name"] for check in checks if check["ok"]}


def test_a_model_that_is_set_is_asked_only_on_demand(amb_here: Any, endpoint: ChatServer) -> None:
    told = f"LLM_MODEL=m\nLLM_BASE_URL={endpoint.url}\nLLM_API_KEY=sk-0123456789\n"
    (amb_here.folder / ".env").write_text(told, "utf-8")

    said = amb_here("doctor")
    assert (said.returncode, endpoint.requests) == (0, 0)
    assert "`amb doctor --call` asks it for a word" in said.stdout
    asked = amb_here("doctor", "--call")
    assert (asked.returncode, endpoint.requests) == (0, 1)
    assert "answers; the question cost" in asked.stdout
    assert "sk-0123456789" not in said.stdout + asked.stdout


def test_a_model_that_cannot_be_reached_is_a_failure(amb_here: Any, endpoint: ChatServer) -> None:
    endpoint.vanish()
    amb_here.environment = {"LLM_MODEL": "m", "LLM_BASE_URL": endpoint.url}

    ran = amb_here("doctor", "--call")

    assert ran.returncode == 1
    assert "FAIL  chat model: " in ran.stdout


def test_a_model_that_babbles_fits_no_role(amb_here: Any) -> None:
    amb_here.environment = KEY
    with ChatServer(ScriptedChatModel(lambda _: ChatReply(text="Well, well."))) as babbling:
        ran = amb_here("doctor", "--model", "m", "--base-url", babbling.url, "--json")
    trials = json.loads(ran.stdout)
    assert ran.returncode == 1
    assert not any(trial["fits"] for trial in trials)
    assert sum(trial["cases"] for trial in trials) == sum(trial["refused"] for trial in trials) == 10
    assert babbling.requests <= 20


def judging(request: ChatRequest) -> ChatReply:
    """Answers as a model that knows the statements of the trial, and nothing else."""
    if request.schema_name != "JudgeShape":
        return ChatReply(text="{}")
    shown = json.loads(str(request.messages[-1]["content"]))
    earlier, later = shown["earlier"][0]["text"], shown["later"]["text"]
    relation = next((each for word, each in {"moved": "changed", "下午": "same"}.items() if word in later), "neither")
    told = {"n": 1, "about_earlier": "home", "about_later": "home", "only_one": True, "relation": relation}
    verdict = {**told, "quote_earlier": earlier, "quote_later": later}
    return ChatReply(text=json.dumps({"verdicts": [verdict]}, ensure_ascii=False))


def competent(request: ChatRequest) -> ChatReply:
    """Answers every case of the trial rightly."""
    shown = json.loads(str(request.messages[-1]["content"]))
    match request.schema_name:
        case "ClassificationShape":
            told: Any = {"topics": [{"paragraphs": [n], "topic": ""} for n in (1, 2)]}
        case "StructureShape":
            told = {"summary": SUMMARIES["zh" if "青海湖" in shown["content"] else "en"]}
        case "AnalysisShape":
            new, old = shown["new"]["text"], shown["candidates"][0]["text"]
            differ = "1931" in old
            judged = {"same_subject": True, "same_attribute": differ, "incompatible": differ, "related": True}
            quotes = {"quote_new": new, "quote_candidate": old, "reason": "one bridge"}
            told = {"candidates": [{**judged, **quotes, "id": shown["candidates"][0]["id"]}]}
        case "ReadingShape":
            lit = {"subject": "Orla lighthouse", "attribute": "first lit", "value": "March 1844"}
            told = {"statements": [{**lit, "quote": "Its lamp was first lit in March 1844"}]}
        case _:
            return judging(request)
    return ChatReply(text=json.dumps(told, ensure_ascii=False))


@pytest.mark.parametrize(
    ("language", "left"),
    [
        ("en", "Leave to the local agents, by not naming them: classification, structure, analysis, curator."),
        ("zh", "以下角色请留给本地智能体，不写出来即可：classification, structure, analysis, curator。"),
    ],
)
def test_a_role_is_recommended_where_the_model_does_it_better_and_the_others_stay_local(
    amb_here: Any, language: str, left: str
) -> None:
    amb_here.environment = KEY | {"AMB_LANGUAGE": language}
    with ChatServer(ScriptedChatModel(judging)) as served:
        ran = amb_here("doctor", "--model", "m", "--base-url", served.url)
    assert ran.returncode == 0, ran.stderr
    assert "LongTermMemory(judge=PromptedJudge(chat))" in ran.stdout
    assert "agents=llm_agents(" not in ran.stdout
    assert left in ran.stdout


def test_a_model_that_does_every_case_is_recommended_for_every_role(amb_here: Any) -> None:
    amb_here.environment = KEY
    with ChatServer(ScriptedChatModel(competent)) as served:
        ran = amb_here("doctor", "--model", "m", "--base-url", served.url)
    assert ran.returncode == 0, ran.stderr
    assert 'agents=llm_agents({"classification": chat, "structure": chat, "analysis": chat})' in ran.stdout
    assert "LongTermMemory(judge=PromptedJudge(chat))" in ran.stdout
    assert "TeamMemory(task, curator=PromptedCurator(chat))" in ran.stdout
    assert "Leave to the local agents" not in ran.stdout
    assert served.requests <= 20


@pytest.mark.parametrize("relation", ["same", "changed", "conflict", "neither"])
def test_a_model_that_gives_every_two_statements_one_verdict_is_not_recommended_as_judge(relation: str) -> None:
    def always(request: ChatRequest) -> ChatReply:
        if request.schema_name != "JudgeShape":
            return ChatReply(text="{}")
        return ChatReply(text=re.sub(r'"relation": "\w+"', f'"relation": "{relation}"', judging(request).text))

    (judge,) = (trial for trial in tried_roles(ScriptedChatModel(always)) if trial.role == "judge")
    assert not judge.fits
    assert judge.refused == 0


def test_an_endpoint_that_is_not_there_is_named_and_says_nothing_of_the_model(
    amb_here: Any, endpoint: ChatServer
) -> None:
    endpoint.vanish()
    amb_here.environment = KEY
    ran = amb_here("doctor", "--model", "m", "--base-url", endpoint.url)
    assert ran.returncode != 0
    assert "cannot be reached" in ran.stderr
    assert "cases" not in ran.stdout


def test_a_model_that_is_gone_after_its_first_answers_has_no_usable_answer_for_the_rest() -> None:
    trials = tried_roles(ScriptedChatModel(["{}", "{}"]))
    assert sum(trial.refused for trial in trials) == sum(trial.cases for trial in trials) == 10
