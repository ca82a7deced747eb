"""The example of a supervisor: its second session uses what the first one learnt."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "supervisor.py"
ANSWER = "North 175.00 EUR, South 99.10 EUR, West 174.75 EUR"


def _session(folder: Path) -> str:
    path = os.pathsep.join([str(EXAMPLE.parents[1]), *sys.path])
    program = [sys.executable, str(EXAMPLE), str(folder)]
    environment = os.environ | {"PYTHONPATH": path, "PYTHONUTF8": "1"}
    return subprocess.run(program, capture_output=True, text=True, check=True, env=environment, cwd=folder).stdout


@pytest.mark.slow
def test_the_second_session_knows_the_preference_the_definition_and_the_query(tmp_path: Path) -> None:
    first, later = _session(tmp_path), _session(tmp_path)
    assert "nothing is remembered yet" in first
    assert "found one that works" in first
    assert "7 memories are kept" in first
    assert ANSWER in first
    assert "user: Show net revenue by region.\n" in later
    assert "amounts in EUR" in later
    assert "Net revenue means amount minus refund." in later
    assert "reused the query that worked before" in later
    assert ANSWER in later
