"""`amb bench experience`: a later run of a made-up clerk has before its calls what an earlier run has read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from amb_bench.benches import BENCHES, BenchOptions

from amb_core.errors import UnreadableSource

_USER = {"role": "user", "content": "Cancel booking BK-771 for me."}


def _turn(number: int, tool: str, arguments: dict[str, Any], output: str) -> list[dict[str, Any]]:
    called = {"name": tool, "arguments": json.dumps(arguments)}
    return [
        {"role": "assistant", "content": None, "tool_calls": [{"id": f"c{number}", "function": called}]},
        {"role": "tool", "tool_call_id": f"c{number}", "content": output},
    ]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    seat = '{"booking": "BK-771", "seat": "SEAT-%s", "fee": "FEE-20"}'
    runs = [
        [_USER, *_turn(1, "get", {"id": "BK-771"}, seat % 14), *_turn(2, "free", {"seat": "SEAT-14"}, "done")],
        [_USER, *_turn(1, "get", {"id": "BK-771"}, seat % 15), *_turn(2, "pay", {"fee": "FEE-20"}, "done")],
        [_USER, *_turn(1, "pay", {"fee": "FEE-20"}, "done")],
    ]
    rows = [{"id": f"t{number}", "task": 0, "trial": number, "messages": run} for number, run in enumerate(runs)]
    (tmp_path / "traces").mkdir()
    (tmp_path / "traces" / "made_trials.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return tmp_path


def test_what_an_earlier_run_read_is_there_and_nothing_stale(folder: Path) -> None:
    alone, _ = BENCHES["experience"].tables(BenchOptions(data=folder))
    rows = {name: cells for name, *cells in alone.rows}
    assert rows["no experience"][1] == "0.0 (n=1)"
    assert rows["AMB experience"][:2] == ["100.0 (n=2)", "100.0 (n=1)"]
    assert rows["AMB experience"][3:] == [0, 0]
    assert rows["BM25 passages"][3] > 0


def test_a_folder_without_trials_is_told(tmp_path: Path) -> None:
    with pytest.raises(UnreadableSource, match="trials"):
        list(BENCHES["experience"].tables(BenchOptions(data=tmp_path)))
