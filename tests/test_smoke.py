"""The fifteen lines every new user starts with, and the command; also run against the built wheel."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from amb_core import MemoryBank, ToolResult

REPORT = "The LFP cell keeps 80 % of its capacity after 4,200 cycles. It was measured at 25 °C by Kestrel."


def test_fifteen_lines_keep_a_memory(tmp_path: Path) -> None:
    bank = MemoryBank("Which battery chemistry should we choose?")
    bank.read("Lithium iron phosphate (LFP) contains no cobalt.", source="report.txt")
    call = ToolResult(tool="search", arguments={"query": "LFP"}, output=REPORT, call_id="c1")
    report = bank.absorb(call)
    block = bank.recall("cycle life of LFP", budget_tokens=800)
    assert "4,200 cycles" in block.text
    assert {receipt.node_id for receipt in block.receipts} & set(report.node_ids)
    (entry,) = bank.host.deep_retrieval(report.node_ids[0])
    assert entry.text == REPORT
    assert entry.metadata["tool"] == "search"
    bank.export(tmp_path / "memory.json")
    bank.close()
    with_same = MemoryBank.load(tmp_path / "memory.json")
    assert with_same.recall("cycle life of LFP", budget_tokens=800).text == block.text
    with_same.close()


@pytest.mark.slow
def test_the_command_finds_itself_in_order(tmp_path: Path) -> None:
    command = Path(sys.executable).with_name("amb")
    if not command.exists():
        pytest.skip("AMB is on the path but not installed, so there is no `amb` command")
    ran = subprocess.run([command, "doctor"], cwd=tmp_path, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
