"""`amb demo`: its facts stand in its material, and its figures are those of what each way sent."""

from __future__ import annotations

import json
from typing import Any

import pytest

from amb_cli import main
from amb_cli.user_language import choose_language
from amb_replay.demo.demo_material import Fact
from amb_replay.demo.demo_run import QUESTIONS, evidence, talk_of

FACT = Fact("sendcmd", "Send a command and return the response.", "What does ftplib.py say that sendcmd does?")


@pytest.mark.slow
@pytest.mark.parametrize("language", [pytest.param("en", marks=pytest.mark.nightly), "zh"])
def test_each_fact_is_told_by_one_large_result_and_the_talk_is_always_the_same(language: Any) -> None:
    talk = talk_of(language)
    assert len(talk.results) >= 25
    assert min(len(one.text) for one in talk.results) >= 6_000
    assert len(talk.asked) == QUESTIONS
    for fact in talk.asked.values():
        telling = [one for one in talk.results if evidence([{"role": "tool", "content": one.text}], fact)]
        assert len(telling) == 1, fact
        assert fact.answer not in fact.question
    if language == "zh":
        assert talk_of(language).trace == talk.trace


def test_a_fact_is_there_only_where_its_subject_stands_beside_its_answer() -> None:
    def found(*texts: str) -> bool:
        return bool(evidence([{"role": "tool", "content": text} for text in texts], FACT))

    assert found("def sendcmd(self, cmd):\n    '''Send a command and return\n    the response.'''")
    assert not found("def sendcmd(self, cmd): pass", "'''Send a command and return the response.'''")
    assert not found(
        "def sendcmd(self, cmd):\n" + "    x = 1\n" * 100 + "'''Send a command and return the response.'''"
    )
    assert not found(f"{FACT.question} Send a command and return the response.")


@pytest.mark.slow
def test_the_demo_tells_what_each_way_still_has_and_keeps_its_bound(capsys: Any) -> None:
    assert main(["demo", "--json"]) == 0
    said = capsys.readouterr()
    told = json.loads(said.out)
    ways, count = told["ways"], len(told["questions"])
    assert ways["full"]["facts"] == count == QUESTIONS
    assert max(way["largest"] for name, way in ways.items() if name != "full") <= told["bound"] == 8_000
    assert ways["clear-tool-uses"]["facts"] <= 3
    assert ways["amb"]["facts"] >= max(ways["window+bm25"]["facts"], 15)
    assert ways["amb"]["cost"] < 0.5
    assert sum("amb" in one["there"] for one in told["questions"]) == ways["amb"]["facts"]
    assert f"{ways['amb']['facts']} of {count}" in said.err


@pytest.mark.nightly
def test_the_demo_speaks_chinese(capsys: Any) -> None:
    try:
        assert main(["demo", "--zh", "--all", "--budget", "16000"]) == 0
    finally:
        choose_language(["--language", "en"])
    said = capsys.readouterr().out
    assert "每个请求最多 16,000 个 token。" in said
    assert said.count("✓") + said.count("✗") == QUESTIONS
