"""The example of a supervisor: its second session uses what the first one learnt."""

from __future__ import annotations

import io
import runpy
import sys
from contextlib import redirect_stdout
from pathlib import Path

import pytest

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "supervisor.py"
ANSWER = "North 175.00 EUR, South 99.10 EUR, West 174.75 EUR"


def _session(folder: Path) -> str:
    before, sys.argv = sys.argv, [str(EXAMPLE), str(folder)]
    try:
        with redirect_stdout(io.StringIO()) as said:
            runpy.run_path(str(EXAMPLE), run_name="__main__")
    finally:
        sys.argv = before
    return said.getvalue()


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
