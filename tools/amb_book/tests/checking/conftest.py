"""A small book to check drafts against."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from amb_book.checking import ConsistencyChecker, Finding
from amb_book.facts import FactGraph
from amb_book.graph import RecordGraph
from amb_book.plan import PlanGraph

from amb_core.stores import InMemoryStore

EXAMPLES = json.loads((Path(__file__).parent / "examples.json").read_text(encoding="utf-8"))


@dataclass(frozen=True)
class SmallBook:
    facts: FactGraph
    plan: PlanGraph

    def check(self, draft: str) -> list[Finding]:
        return ConsistencyChecker().check(draft, facts=self.facts, plan=self.plan)


@pytest.fixture(scope="session")
def book() -> Callable[[str], SmallBook]:
    made: dict[str, SmallBook] = {}

    def of(language: str) -> SmallBook:
        if language not in made:
            made[language] = _made(language)
        return made[language]

    return of


def _made(language: str) -> SmallBook:
    store = InMemoryStore()
    facts, plan = FactGraph(RecordGraph(store, "book:facts")), PlanGraph(RecordGraph(store, "book:plan"))
    for chapter, statements in EXAMPLES["book"][language]:
        facts.settle(chapter=chapter, statements=statements)
    plan.add("general_outline", id="g", title="g")
    plan.add("long_outline", id="l", title="l")
    plan.add("short_outline", id="o", title="o")
    for step, title, text in EXAMPLES["steps"][language]:
        plan.add("step", id=step, title=title, text=text, within="o")
    return SmallBook(facts, plan)
