"""What a block says of the results read so far: right after every change, at the same cost however many there are."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from types import FrameType

import pytest

from amb_core import MemoryBank, Settings, ToolResult

__all__: list[str] = []


def _absorb(bank: MemoryBank, first: int, last: int) -> None:
    for number in range(first, last):
        text = f"Pier {number} of the harbour is {number} metres long and was built in {1800 + number}."
        bank.absorb(ToolResult(tool="read", arguments={"page": f"p{number}"}, output=text, source=f"page {number}"))


def _entries_read(bank: MemoryBank) -> int:
    calls: Counter[str] = Counter()

    def count(frame: FrameType, event: str, argument: object) -> None:
        if event == "call" and frame.f_code.co_filename.endswith("records.py"):
            calls[frame.f_code.co_name] += 1

    sys.setprofile(count)
    try:
        bank.host.enhance(query="pier 3", budget_tokens=300)
    finally:
        sys.setprofile(None)
    return calls["__getitem__"]


@pytest.mark.slow
def test_a_block_reads_no_more_entries_when_there_are_more() -> None:
    with MemoryBank("How long are the piers?") as bank:
        _absorb(bank, 1, 40)
        few = _entries_read(bank)
        _absorb(bank, 40, 120)
        assert _entries_read(bank) <= few + 20


def test_the_count_of_results_is_right_after_forgetting_and_reopening(tmp_path: Path) -> None:
    store, settings = f"sqlite:///{tmp_path / 'bank.db'}", Settings(index_file_from=1)
    with MemoryBank("How long are the piers?", store=store, settings=settings) as bank:
        _absorb(bank, 1, 6)
        bank.forget("e2")
        said = bank.host.enhance().text
        assert "4" in said.split("</task>")[0]
        assert "p5" in said.split("</task>")[0]
    with MemoryBank.resume(store, settings=settings) as bank:
        assert bank.host.enhance().text == said
