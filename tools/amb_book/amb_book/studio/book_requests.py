"""What the page asks of the book's memory: position, facts, plan, hooks, lore and checks, as of a chapter."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Annotated, Any, Literal

from pydantic import Field

from amb_book import Fact
from amb_book.checking import Finding
from amb_book.statements import PlanKind
from amb_book.studio.page_requests import Asked, At, ExplainingChecker, Json, Name, OpenBook, Text
from amb_inspector.payload import BrowserOffsets

__all__ = ["About", "CheckDraft", "Entities", "Graph", "Hooks", "Lore", "NewPart", "Plan", "StepPlan", "Where"]

_MOST_FACTS = 400
_MOST_ENTITIES = 2_000
_FOUND = 20


class Where(Asked):
    """Where every storyline stands."""

    def answer(self, book: OpenBook) -> Json:
        """The position, and of how many chapters there is text."""
        position = book.story.position()
        return {
            "chapter": position.chapter,
            "title": position.chapter_title,
            "storylines": [asdict(each) for each in position.storylines],
            "texts": len(book.story.episodes.chapters()),
        }


class Entities(At):
    """Everybody and everything told of by then."""

    def answer(self, book: OpenBook) -> Json:
        """Them, and how many more there are than are shown."""
        found = book.story.facts.entities(at=self.at)
        shown = [asdict(each) for each in found[:_MOST_ENTITIES]]
        return {"entities": shown, "more": len(found) - len(shown)}


class About(At):
    """What holds of somebody or something, and how it came to that."""

    name: Name

    def answer(self, book: OpenBook) -> Json:
        """The facts and the timeline; UnknownId for one of whom no chapter has told by then."""
        told = book.story.facts.about(self.name, at=self.at)
        return {
            "entity": asdict(told.entity),
            "at": told.at,
            "status": told.status,
            "place": told.place,
            "properties": told.properties,
            "facts": [_fact(each) for each in told.facts],
            "timeline": [_fact(each) for each in book.story.facts.timeline(told.entity.id, at=self.at)],
        }


class Graph(At):
    """Facts that hold as nodes and edges, around one entity or of all, the newest first."""

    name: Name = ""

    def answer(self, book: OpenBook) -> Json:
        """The facts, and the entities between which they stand."""
        facts = book.story.facts
        found: Iterable[Fact] = facts.about(self.name, at=self.at).facts if self.name else facts.facts(at=self.at)
        newest = sorted(found, key=lambda fact: -fact.since)
        kinds = {entity.name: entity.kind for entity in facts.entities(at=self.at)}
        shown = newest[:_MOST_FACTS]
        names = dict.fromkeys(name for fact in shown for name in (fact.subject, fact.object) if name in kinds)
        return {
            "at": self.at if self.at is not None else facts.last_chapter,
            "facts": [_fact(each) for each in shown],
            "entities": [{"name": name, "kind": kinds[name]} for name in names],
            "more": len(newest) - len(shown),
        }


class Hooks(At):
    """All hooks laid by then, with what became of them."""

    def answer(self, book: OpenBook) -> Json:
        """The hooks in the order in which they were laid."""
        return {"hooks": [asdict(each) for each in book.story.facts.hooks(at=self.at)]}


class Plan(Asked):
    """All parts of the plan."""

    def answer(self, book: OpenBook) -> Json:
        """The parts; steps in their order within their outlines."""
        return {"parts": [asdict(each) for each in book.story.plan.ordered()]}


class StepPlan(Asked):
    """A part of the plan that begins, ends, is taken up again, or put off."""

    id: Name
    action: Literal["start", "complete", "reopen", "put_off"]

    def answer(self, book: OpenBook) -> Json:
        """The plan after it."""
        getattr(book.story.plan, self.action)(self.id)
        return Plan().answer(book)


class NewPart(Asked):
    """A new part of the plan."""

    kind: PlanKind
    title: Annotated[str, Field(min_length=1, max_length=400)]
    text: Text = ""
    within: Name = ""
    after: Name = ""
    storyline: Name = ""

    def answer(self, book: OpenBook) -> Json:
        """The plan after it."""
        book.story.plan.add(**self.model_dump())
        return Plan().answer(book)


class Lore(Asked):
    """Entries of lore that fit, the best first; all of them for an empty query."""

    query: Name = ""

    def answer(self, book: OpenBook) -> Json:
        """The entries."""
        lore = book.story.lore
        found = lore.search(self.query, k=_FOUND) if self.query.strip() else lore.entries()[:_MOST_ENTITIES]
        return {"entries": [asdict(each) for each in found]}


class CheckDraft(At):
    """A draft to be checked against the facts."""

    draft: Text

    def answer(self, book: OpenBook) -> Json:
        """Where it contradicts the book, with places as a browser counts them, and why a model had no say."""
        story, checker, problem = book.story, book.checker, ""
        parts: Any = {"facts": story.facts, "plan": story.plan, "episodes": story.episodes, "lore": story.lore}
        findings: Sequence[Finding]
        if checker is None:
            findings = story.check(self.draft, at=self.at)
        elif isinstance(checker, ExplainingChecker):
            findings, problem = checker.looked_over(self.draft, at=self.at, **parts)
        else:
            findings = checker.check(self.draft, at=self.at, **parts)
        at = BrowserOffsets(self.draft)
        told = [{**asdict(each), "start": at.of(each.start), "end": at.of(each.end)} for each in findings]
        return {"draft": self.draft, "findings": told, "problem": problem[:1_000]}


def _fact(fact: Fact) -> Json:
    """One fact; `origin` is the settlement it came with."""
    told = asdict(fact)
    return {**told, "origin": told.pop("settlement")}
