"""Changed values taken in by a bank: is the second text kept as news, and is the contradiction seen?"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from amb_bench.value_changes import Pair
from amb_core.bank import MemoryBank
from amb_core.models import ToolResult

__all__ = ["Swallowed", "measure_swallowed"]


@dataclass(frozen=True, slots=True)
class Swallowed:
    """Pairs whose second text was taken in after the first: how many there were, how many second texts were taken for
    a repeat or left without a node, and how many contradictions the bank recorded.
    """

    name: str
    pairs: int
    repeats: int
    without_node: int
    conflicts: int


def measure_swallowed(name: str, pairs: Iterable[Pair]) -> Swallowed:
    """Both texts of every contradicting pair through `MemoryBank.absorb`, each pair in a bank of its own."""
    told = repeats = lost = seen = 0
    for pair in pairs:
        if not pair.conflict:
            continue
        bank = MemoryBank("What do the sources say?")
        try:
            bank.absorb(ToolResult(tool="read", output=pair.a, call_id="1", source="first"))
            report = bank.absorb(ToolResult(tool="read", output=pair.b, call_id="2", source="second"))
        finally:
            bank.close()
        told += 1
        repeats += report.repeat_of is not None
        lost += not report.node_ids
        seen += bool(report.conflicts)
    return Swallowed(name, told, repeats, lost, seen)
