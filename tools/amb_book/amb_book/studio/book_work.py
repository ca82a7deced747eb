"""Position, facts, plan, hooks, lore and checks: what the page asks of the book's memory."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any, Protocol, Unpack, runtime_checkable

from amb_book import Fact, Story
from amb_book.checking import DraftChecker, Finding
from amb_book.checking.findings import BookParts
from amb_book.studio.page_requests import At, Check, Graph, Lore, Named, NewPart, StepPlan
from amb_book.studio.told import told_fact, told_findings

__all__ = ["BookWork", "DraftChecker"]

Json = dict[str, Any]
_MOST_FACTS = 400
_MOST_ENTITIES = 2_000
_FOUND = 20


@runtime_checkable
class TellingChecker(DraftChecker, Protocol):
    """One with a model, which says why that had no say; "" where it had."""

    def looked_over(self, draft: str, **book: Unpack[BookParts]) -> tuple[Sequence[Finding], str]: ...


class BookWork:
    """Looks at a book as of a chapter, by default where it stands."""

    def __init__(self, story: Story, *, checker: DraftChecker | None = None) -> None:
        self._story, self._checker = story, checker

    def position(self) -> Json:
        """Where every storyline stands."""
        position = self._story.position()
        return {
            "chapter": position.chapter,
            "title": position.chapter_title,
            "storylines": [asdict(each) for each in position.storylines],
            "texts": len(self._story.episodes.chapters()),
        }

    def entities(self, asked: At) -> Json:
        """Everybody and everything told of by then."""
        found = self._story.facts.entities(at=asked.at)
        shown = [asdict(each) for each in found[:_MOST_ENTITIES]]
        return {"entities": shown, "more": len(found) - len(shown)}

    def about(self, asked: Named) -> Json:
        """What holds of somebody or something, and how it came to that."""
        told = self._story.facts.about(asked.name, at=asked.at)
        return {
            "entity": asdict(told.entity),
            "at": told.at,
            "status": told.status,
            "place": told.place,
            "properties": told.properties,
            "facts": [told_fact(each) for each in told.facts],
            "timeline": [told_fact(each) for each in self._story.facts.timeline(told.entity.id, at=asked.at)],
        }

    def graph(self, asked: Graph) -> Json:
        """Facts that hold, the newest first, and the entities between which they stand."""
        facts = self._story.facts
        found: Iterable[Fact] = facts.about(asked.name, at=asked.at).facts if asked.name else facts.facts(at=asked.at)
        newest = sorted(found, key=lambda fact: -fact.since)
        kinds = {entity.name: entity.kind for entity in facts.entities(at=asked.at)}
        shown = newest[:_MOST_FACTS]
        names = dict.fromkeys(name for fact in shown for name in (fact.subject, fact.object) if name in kinds)
        return {
            "at": asked.at if asked.at is not None else facts.last_chapter,
            "facts": [told_fact(each) for each in shown],
            "entities": [{"name": name, "kind": kinds[name]} for name in names],
            "more": len(newest) - len(shown),
        }

    def hooks(self, asked: At) -> Json:
        """All hooks laid by then, with what became of them."""
        return {"hooks": [asdict(each) for each in self._story.facts.hooks(at=asked.at)]}

    def plan(self) -> Json:
        """All parts of the plan; steps in their order within their outlines."""
        plan = self._story.plan
        parts = plan.parts()
        steps = [step for part in parts if part.kind == "short_outline" for step in plan.inside(part.id)]
        return {"parts": [asdict(each) for each in [*(p for p in parts if p.kind != "step"), *steps]]}

    def step(self, asked: StepPlan) -> Json:
        """Begin, end, take up or put off a part of the plan."""
        plan = self._story.plan
        {"start": plan.start, "complete": plan.complete, "reopen": plan.reopen, "put_off": plan.put_off}[asked.action](
            asked.id
        )
        return self.plan()

    def add(self, asked: NewPart) -> Json:
        """Plan something new."""
        self._story.plan.add(
            asked.kind,
            title=asked.title,
            text=asked.text,
            within=asked.within,
            after=asked.after,
            storyline=asked.storyline,
        )
        return self.plan()

    def lore(self, asked: Lore) -> Json:
        """The entries that fit, the best first; all of them when nothing is asked."""
        lore = self._story.lore
        found = lore.search(asked.query, k=_FOUND) if asked.query.strip() else lore.entries()[:_MOST_ENTITIES]
        return {"entries": [asdict(each) for each in found]}

    def check(self, asked: Check) -> Json:
        """Where a draft contradicts the book, with the evidence."""
        story, given = self._story, self._checker
        findings: Sequence[Finding]
        problem = ""
        book: Any = {"facts": story.facts, "plan": story.plan, "episodes": story.episodes, "lore": story.lore}
        if given is None:
            findings = story.check(asked.draft, at=asked.at)
        elif isinstance(given, TellingChecker):
            findings, problem = given.looked_over(asked.draft, at=asked.at, **book)
        else:
            findings = given.check(asked.draft, at=asked.at, **book)
        return {"draft": asked.draft, "findings": told_findings(asked.draft, findings), "problem": problem[:1_000]}
