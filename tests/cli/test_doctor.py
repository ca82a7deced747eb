"""`amb doctor` says which chat model is set, and asks it only when told to."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from amb_bench.doubles.chat_server import ChatServer

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.slow


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
