"""`amb doctor` says which chat model is set, and asks it only when told to."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from amb_bench.doubles.chat_server import ChatServer

from amb_core.chat import ScriptedChatModel
from amb_core.chat_io import ChatReply

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.slow
KEY = {"LLM_API_KEY": "sk-0123456789"}


def test_without_a_model_nothing_is_wrong(amb: Any) -> None:
    ran = amb("doctor", "--verbose")
    assert ran.returncode == 0, ran.stdout
    assert "chat model: none set (optional): set LLM_MODEL and LLM_API_KEY" in ran.stdout
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    assert re.findall(r"extra (\S+): ", ran.stdout) == sorted(extras)


def test_three_lines_say_that_all_is_well(amb: Any) -> None:
    ran = amb("doctor")
    assert (ran.returncode, ran.stdout.count("\n")) == (0, 3), ran.stdout
    assert "checks are well: Python 3." in ran.stdout


def test_checks_are_data_for_programs(amb: Any) -> None:
    checks = json.loads(amb("doctor", "--json").stdout)
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


def test_a_model_that_babbles_fits_no_role(amb: Any) -> None:
    amb.environment = KEY
    with ChatServer(ScriptedChatModel(lambda _: ChatReply(text="Well, well."))) as babbling:
        ran = amb("doctor", "--model", "m", "--base-url", babbling.url, "--json")
    trials = json.loads(ran.stdout)
    assert ran.returncode == 1
    assert not any(trial["fits"] for trial in trials)
    assert sum(trial["cases"] for trial in trials) == sum(trial["refused"] for trial in trials) == 10
    assert babbling.requests <= 20


def test_a_model_that_does_as_well_as_the_local_agents_is_recommended_for_their_roles(
    amb: Any, endpoint: ChatServer
) -> None:
    amb.environment = KEY | {"AMB_LANGUAGE": "zh"}
    ran = amb("doctor", "--model", "m", "--base-url", endpoint.url)
    assert ran.returncode == 0, ran.stderr
    assert 'agents=llm_agents({"structure": chat, "analysis": chat})' in ran.stdout
    assert "本地代理做对" in ran.stdout
