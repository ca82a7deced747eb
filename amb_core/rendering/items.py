"""What goes into a memory block and what comes out of the renderer."""

from __future__ import annotations

from dataclasses import dataclass

from amb_core.models import QueryNode, Receipt, Span
from amb_core.protocols import Hit

__all__ = ["MemoryBlock", "MemoryItem"]


@dataclass(frozen=True, slots=True)
class MemoryItem:
    """One candidate node: how well it matched, and the raw text under its spans, in order.

    A node without passages is shown by its summary. `dispute` is the description of the conflict a disputed node is
    in, shown when it is short.
    """

    node: QueryNode
    hit: Hit
    passages: tuple[tuple[Span, str], ...] = ()
    disputed: bool = False
    source: str = ""
    dispute: str = ""


@dataclass(frozen=True, slots=True)
class MemoryBlock:
    """A rendered block; `tokens` is its estimate, tags included, and `receipts` say what is in it, best first."""

    text: str
    receipts: tuple[Receipt, ...]
    tokens: int
    query: str
