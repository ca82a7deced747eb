"""A book without files, for tests of what is in it."""

from __future__ import annotations

import pytest
from amb_book.facts import FactGraph
from amb_book.graph import RecordGraph
from amb_book.plan import PlanGraph

from amb_core.stores import InMemoryStore


@pytest.fixture
def facts() -> FactGraph:
    return FactGraph(RecordGraph(InMemoryStore(), "book:facts"))


@pytest.fixture
def plan() -> PlanGraph:
    return PlanGraph(RecordGraph(InMemoryStore(), "book:plan"))
