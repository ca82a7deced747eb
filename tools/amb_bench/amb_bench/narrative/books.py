"""The test stories: chapters with what was settled in them, and drafts with one planted error or near-miss each."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from amb_book.checking import ConsistencyChecker, Finding
from amb_book.episodes import EpisodeArchive
from amb_book.facts import FactGraph
from amb_book.graph import RecordGraph
from amb_book.lore import LoreBase
from amb_book.plan import PlanGraph

from amb_core.clock import SystemClock
from amb_core.stores import InMemoryStore

__all__ = ["LANGUAGES", "LONG", "READ", "UNREAD", "Book", "TestDraft", "load_book", "load_drafts"]

LANGUAGES = ("en", "zh")
LONG = {"en": "ninth_rope", "zh": "homeward_lamp"}
"""The long story of each language."""
READ = {
    "en": (
        *("crime", "heist", "ice", "manor", "princes", "saga", "school", "seance", "siege", "smugglers", "space"),
        *("town", "ward"),
    ),
    "zh": (
        *("campus", "clan", "escort", "firm", "inn", "knight", "mars", "palace", "police", "salt", "spy", "waste"),
        *("xianxia",),
    ),
}
"""The short stories on which the checker's rules were worked out."""
UNREAD = {"en": ("abbey", "caravan", "restaurant"), "zh": ("desert", "fleet", "hospital")}
"""The short stories that nobody who wrote its rules has read."""


@dataclass(frozen=True, slots=True)
class TestDraft:
    """A draft to follow chapter `at`: with an error of a `kind`, concerning `entities`, in
    the sentence text[start:end], or with what only looks like one."""

    __test__ = False

    id: str
    at: int
    text: str
    planted: bool
    kind: str
    start: int
    end: int
    entities: tuple[str, ...] = ()
    difficulty: str = ""
    """`plain` or `indirect`; "" where nobody said."""


@dataclass(frozen=True, slots=True)
class Book:
    """A story in the parts of a book's memory, and its chapters as (number, text)."""

    facts: FactGraph
    plan: PlanGraph
    episodes: EpisodeArchive
    lore: LoreBase
    chapters: tuple[tuple[int, str], ...]

    def findings(self, checker: ConsistencyChecker, draft: str, *, at: int) -> list[Finding]:
        """What a checker reports of a draft that follows a chapter."""
        return checker.check(draft, facts=self.facts, plan=self.plan, episodes=self.episodes, lore=self.lore, at=at)


@cache
def _read(story: str | Path, name: str) -> Any:
    place = story if isinstance(story, Path) else files("amb_bench.narrative") / "stories" / story
    return json.loads((place / name).read_text(encoding="utf-8"))


def load_book(story: str | Path) -> Book:
    """A test story by its name, such as `en/crime`, or its folder: all chapters settled, the plan as it then stands."""
    told = _read(story, "story.json")
    store = InMemoryStore()
    facts, plan = FactGraph(RecordGraph(store, "book:facts")), PlanGraph(RecordGraph(store, "book:plan"))
    episodes = EpisodeArchive(store, clock=SystemClock())
    for chapter in told["chapters"]:
        facts.settle(chapter=chapter["id"], title=chapter["title"], statements=chapter["settled"])
        names = [entity.name for entity in facts.entities(at=chapter["id"])]
        episodes.put_chapter(chapter["id"], chapter["text"], title=chapter["title"], entities=names)
    _plan(plan, told["plan"])
    lore = LoreBase(store, clock=SystemClock())
    for entry in told["lore"]:
        lore.put(entry["key"], entry["text"], kind=entry["kind"])
    return Book(facts, plan, episodes, lore, tuple((chapter["id"], chapter["text"]) for chapter in told["chapters"]))


def load_drafts(story: str | Path) -> list[TestDraft]:
    """The drafts of a story with their key."""
    found = []
    for each in _read(story, "drafts.json"):
        start = max(0, each["text"].find(each["sentence"]))
        end = start + len(each["sentence"])
        found.append(
            TestDraft(
                id=each["id"],
                at=each["at_chapter"],
                text=each["text"],
                planted=each["planted"],
                kind=each["kind"],
                start=start,
                end=end,
                entities=tuple(each["entities"]),
                difficulty=each.get("difficulty", ""),
            )
        )
    return found


def _plan(plan: PlanGraph, told: Mapping[str, Any]) -> None:
    general = told["general_outline"]
    plan.add("general_outline", id=general["id"], title=general["title"], text=general.get("text", ""))
    for long in told["long_outlines"]:
        plan.add("long_outline", id=long["id"], title=long["title"], text=long.get("text", ""), within=general["id"])
        for short in long["short_outlines"]:
            plan.add(
                "short_outline", id=short["id"], title=short["title"], within=long["id"], storyline=short["storyline"]
            )
            _steps(plan, short["id"], short["steps"])


def _steps(plan: PlanGraph, outline: str, steps: Sequence[Mapping[str, Any]]) -> None:
    for step in steps:
        plan.add("step", id=step["id"], title=step["title"], text=step.get("text", ""), within=outline)
        if step["status"] != "Pending":
            plan.start(step["id"])
        if step["status"] == "Completed":
            plan.complete(step["id"])
