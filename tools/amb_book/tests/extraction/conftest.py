"""A small book whose people a text may speak of."""

from __future__ import annotations

import pytest
from amb_book.facts import FactGraph


@pytest.fixture
def book(facts: FactGraph) -> FactGraph:
    facts.settle(
        chapter=1,
        statements=[
            {"entity": "Lin Yue", "kind": "character", "aliases": ["the Fox"]},
            {"entity": "Garrod", "kind": "character"},
            {"entity": "the Jade Seal", "kind": "item"},
            {"entity": "the Azure Sect", "kind": "faction"},
            {"entity": "Sarn", "kind": "location"},
            {"entity": "the Harbour", "kind": "location"},
            {"subject": "Lin Yue", "relation": "IS_AT", "object": "Sarn"},
            {"hook": "the broken jade", "status": "Unresolved"},
            {"entity": "林月", "kind": "character"},
            {"entity": "沈砚", "kind": "character"},
            {"entity": "青云门", "kind": "faction"},
            {"entity": "照夜灯", "kind": "item"},
            {"entity": "望江城", "kind": "location"},
            {"hook": "玉佩的秘密", "status": "Unresolved"},
        ],
    )
    return facts
