"""Forgetting leaves alone what is not ours: the patterns that the program around a bank has compiled."""

from __future__ import annotations

import re

from amb_core import MemoryBank, ToolResult

__all__: list[str] = []


def test_forgetting_a_text_leaves_the_patterns_of_the_host_in_their_cache() -> None:
    pattern = re.compile(r"a pattern of the host, \d+")
    with MemoryBank("How long is the pier?") as bank:
        report = bank.absorb(ToolResult(tool="read", output="The pier is 412 metres long.", source="a"))
        bank.forget(report.entry_ids[0])
    assert re.compile(r"a pattern of the host, \d+") is pattern
