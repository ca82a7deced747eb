"""Builds memory items without a bank."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from amb_core.models import QueryNode, Span
from amb_core.protocols import Hit
from amb_core.rendering import MemoryItem
from amb_core.rendering.memory_items import Dispute

MakeItem = Callable[..., MemoryItem]


@pytest.fixture
def make_item() -> MakeItem:
    """An item of one passage; `number` gives its ids and its age, `score` its rank."""

    def make(
        number: int,
        text: str = "",
        *,
        score: float = 1.0,
        topic: str = "",
        keywords: tuple[str, ...] = (),
        source: str = "",
        summary: str = "",
        disputes: tuple[Dispute, ...] = (),
        heading: str = "",
        stale: bool = False,
    ) -> MemoryItem:
        node = QueryNode(
            id=f"n{number}",
            summary=summary or text,
            context=topic,
            keywords=keywords,
            timestamp=float(number),
            stale=stale,
        )
        passages = ((Span(entry_id=f"e{number}", start=10, end=10 + len(text)), text),) if text else ()
        hit = Hit(node.id, score, reason="matches the query")
        return MemoryItem(node, hit, passages, disputes, source, heading)

    return make
