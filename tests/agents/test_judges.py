"""Agents are opened by name, and another distribution brings one with a module and an entry point."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from amb_agents import LocalAnalysis
from amb_agents.judges import open_agents
from amb_agents.prompted import PromptedAnalysis
from amb_core import InvalidParameter

STRICT = """
from dataclasses import replace
from amb_agents import local_agents

class Analysis:
    def analyse(self, request):
        raise SystemExit(f"asked about {request.new_node.text}")

def open_named(model, *, settings):
    return replace(local_agents(settings), analysis=Analysis()) if model == "very" else None
"""


def test_the_local_agents_and_those_that_ask_a_model_have_names(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("openai", reason='openai is not installed: pip install "amb[openai]"')
    monkeypatch.setenv("LLM_API_KEY", "sk-0123456789")
    assert isinstance(open_agents("local").analysis, LocalAnalysis)
    assert isinstance(open_agents("prompted:some-model").analysis, PromptedAnalysis)


@pytest.mark.parametrize("name", ["", "magic", "local:large"])
def test_an_unknown_name_is_refused_with_the_known_ones(name: str) -> None:
    with pytest.raises(InvalidParameter, match="known are local, prompted"):
        open_agents(name)


def test_a_model_that_nobody_named_is_refused() -> None:
    with pytest.raises(InvalidParameter, match="set LLM_MODEL"):
        open_agents("prompted")


@pytest.mark.slow
def test_another_distribution_brings_a_judge(tmp_path: Path) -> None:
    """Asked of a fresh interpreter, with a distribution as an installer leaves it."""
    about = tmp_path / "strict-1.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: strict\nVersion: 1\n")
    (about / "entry_points.txt").write_text("[amb.judges]\nstrict = strict:open_named\n")
    (tmp_path / "strict.py").write_text(STRICT)
    code = """
from amb_agents.judges import open_agents
from amb_cli.doctor import checks
print(*(check.detail for check in checks() if check.name == "judges"))
print(type(open_agents("strict:very").analysis).__module__)
"""
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    ran = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, env=environment, text=True, capture_output=True)
    assert ran.stdout.splitlines() == ["known (installed or not): local, prompted, strict", "strict"], ran.stderr
