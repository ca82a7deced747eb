"""Odd input that is no error: it is taken as it is, memory stays whole, and what was known stays known."""

from __future__ import annotations

import contextlib
import runpy
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from amb_core import ManualClock, MemoryBank, ToolResult
from amb_core.memory.snapshots import damage, read_snapshot

HERE = Path(__file__).parent
ODD = runpy.run_path(str(HERE / "odd_calls.py"))
TABLE = SimpleNamespace(**runpy.run_path(str(HERE / "test_bad_input_table.py")))
HEAVY = ("html: ", "output: one long", "output: patterns", "output: deep", "embedder: ", "forget: everything")
ROWS = [
    pytest.param(
        *row[1:], id=row[0], marks=[pytest.mark.slow] if row[0].startswith(HEAVY) or "as long as" in row[0] else []
    )
    for row in ODD["ROWS"]
]


@pytest.fixture
def at(tmp_path: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A place with a bank of its own."""
    monkeypatch.chdir(tmp_path)
    with contextlib.ExitStack() as stack:
        yield TABLE.Place(tmp_path, capsys, stack)


@pytest.mark.sampled(4)
@pytest.mark.parametrize(("call", "holds"), ROWS)
def test_odd_input_is_taken_and_memory_stays_whole(at: Any, call: Any, holds: Any) -> None:
    value = call(at)

    assert holds(at, value)
    assert damage(at.bank.snapshot()) is None
    assert isinstance(at.bank.host.enhance().text, str)
    at.bank.host.enhance().text.encode("utf-8")
    assert read_snapshot(at.exported()).entries == at.bank.snapshot().entries


@pytest.mark.slow
@pytest.mark.parametrize(
    "output",
    [
        pytest.param("pier" * 250_000, id="word", marks=pytest.mark.nightly),
        pytest.param("pier " * 200_000, id="words"),
        pytest.param("栈桥" * 500_000, id="zh", marks=pytest.mark.nightly),
    ],
)
def test_a_line_of_a_megabyte_is_taken_in_whole(output: str) -> None:
    with MemoryBank("How long is the pier?", clock=ManualClock()) as bank:
        bank.absorb(ToolResult(tool="read", output=output))
        assert bank.snapshot().entries[0].text == output
        assert bank.host.enhance(query="pier").tokens <= 1_200


@pytest.mark.slow
def test_a_file_of_fifty_megabytes_is_refused_or_read_but_never_in_part(tmp_path: Path) -> None:
    path = tmp_path / "big.txt"
    path.write_text("The pier is 80 metres long.\n" * 1_800_000)
    with MemoryBank("How long is the pier?") as bank, pytest.raises(Exception, match="over the limit of 20,000,000"):
        bank.attach(path, type="document")
    assert bank.host.waiting == ()
