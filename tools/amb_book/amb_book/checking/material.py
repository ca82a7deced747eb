"""What a model is shown beside one scene: whom it may mean, what holds of them by then, plan, lore and passages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from amb_book.checking.findings import BookParts, Evidence
from amb_book.checking.known import Known
from amb_book.entities import Entity
from amb_book.fact_answers import Fact
from amb_book.name_book import NameIndex
from amb_book.plan import PlanPart
from amb_core.text import estimate_tokens, index_tokens

__all__ = ["Material", "Materials"]

_MOST_FITTING = 8
"""So many entries of lore and so many passages are shown."""
_MOST_MEANT = 12
"""So many are shown whom a scene may mean without naming them."""
_MOST_PAGES = 3
"""So many questions a scene may have for the facts about it."""
_FACTS_SHARE, _TEXT_SHARE, _PLAN_SHARE = 0.25, 0.1, 0.08
"""What shares of the window the facts, each of lore and passages, and the plan may take."""


@dataclass(frozen=True)
class Material:
    """What one question has: `against` are the facts, steps, entries and passages by id, `people` who is who.

    `unseen` is how many facts there was no room for in any question.
    """

    people: Sequence[Mapping[str, Any]]
    against: Mapping[str, Evidence]
    unseen: int = 0

    def of(self, letter: str) -> list[dict[str, Any]]:
        """What a model sees of a kind: facts f, plan p, lore l, passages t."""
        found = [(name, each) for name, each in self.against.items() if name[0] == letter]
        if letter == "f":
            return [
                {"id": name, "text": each.fact, "chapter": each.chapter, "source": each.source} for name, each in found
            ]
        where = {name: {"chapter": each.chapter} if letter == "t" else {} for name, each in found}
        return [{"id": name, "text": each.fact, **where[name]} for name, each in found]


class Materials:
    """Gathers what bears on scenes of one draft, as of one chapter."""

    def __init__(self, book: BookParts, known: Known, *, window: int) -> None:
        self._book, self._known, self._window = book, known, window
        self._index = NameIndex(known.entities)
        self._titles = known.titles()
        self._evidence: dict[str, Evidence] = {}

    def names_in(self, text: str) -> tuple[str, ...]:
        """Whom a text names beyond doubt."""
        found = (each.sole for each in self._index.mentions(text))
        return tuple(dict.fromkeys(each.name for each in found if each is not None))

    def of(self, scene: str) -> list[Material]:
        """One question's material, or several where the facts do not fit into one."""
        named = list({entity.id: entity for each in self._index.mentions(scene) for entity in each.entities}.values())
        meant = list(self._meant(scene, {each.id for each in named}))[:_MOST_MEANT]
        hooks = [each for each in self._known.entities if each.kind == "hook"]
        pages, unseen = self._pages(named, [*meant, *hooks])
        beside = {
            **_lettered("p", self._plan(scene), int(self._window * _PLAN_SHARE)),
            **_lettered("l", self._lore(scene), int(self._window * _TEXT_SHARE)),
            **_lettered("t", self._passages(scene), int(self._window * _TEXT_SHARE)),
        }
        people = [self._told(each) for each in [*named, *meant] if each.kind != "hook"]
        return [Material(people, {**page, **beside}, unseen) for page in pages]

    # --- inside ------------------------------------------------------------------------------------------------------

    def _told(self, entity: Entity) -> dict[str, Any]:
        told: dict[str, Any] = {"name": entity.name, "kind": entity.kind}
        also = [*entity.aliases, *self._titles.get(entity.name, ())]
        return {**told, "also": list(dict.fromkeys(also))} if also else told

    def _meant(self, scene: str, named: set[str]) -> Iterator[Entity]:
        """Those whom a title or a part of a name may mean: the captain, 掌门."""
        words = _telling(scene)
        for entity in self._known.entities:
            if entity.id in named or entity.kind == "hook":
                continue
            called = [entity.name, *entity.aliases, *self._titles.get(entity.name, ())]
            if any(words & _telling(name) for name in called):
                yield entity

    def _pages(self, named: Sequence[Entity], others: Sequence[Entity]) -> tuple[list[dict[str, Evidence]], int]:
        """The facts in pages: of those who are named first, and what holds before what ended, the newest first."""
        facts: dict[str, Fact] = {}
        for group in (named, others):
            told = [fact for entity in group for fact in self._known.told(entity)]
            for fact in sorted(told, key=lambda fact: (fact.until is not None, -fact.since)):
                facts.setdefault(fact.id, fact)
        pages: list[dict[str, Evidence]] = [{}]
        most = left = int(self._window * _FACTS_SHARE)
        for number, fact in enumerate(facts.values(), 1):
            evidence = self._evidence_of(fact)
            price = estimate_tokens(evidence.fact) + estimate_tokens(evidence.source)
            if price > left and pages[-1]:
                if len(pages) == _MOST_PAGES:
                    return pages, len(facts) - number + 1
                pages.append({})
                left = most
            left -= price
            pages[-1][f"f{number}"] = evidence
        return pages, 0

    def _evidence_of(self, fact: Fact) -> Evidence:
        """A fact with its sentence, which is looked for once a draft."""
        if fact.id not in self._evidence:
            (self._evidence[fact.id],) = self._known.evidence([fact])
        return self._evidence[fact.id]

    def _plan(self, scene: str) -> Iterator[Evidence]:
        """Steps that are open, those of which the scene speaks most first."""
        plan = self._book.get("plan")
        steps = [step for step in plan.parts("step") if step.status != "Completed"] if plan is not None else []
        words = set(index_tokens(scene)) if steps else set()

        def shared(step: PlanPart) -> int:
            return -len(words & set(index_tokens(f"{step.title} {step.text}")))

        for step in sorted(steps, key=shared):
            yield Evidence(f"{step.title}: {step.text}", kind="plan")

    def _lore(self, scene: str) -> Iterator[Evidence]:
        lore = self._book.get("lore")
        for each in lore.bearing_on(scene, k=_MOST_FITTING) if lore is not None else ():
            yield Evidence(f"{each.key}: {each.text}", kind="lore")

    def _passages(self, scene: str) -> Iterator[Evidence]:
        episodes = self._book.get("episodes")
        for each in episodes.search(scene, k=_MOST_FITTING, at=self._known.at) if episodes is not None else ():
            yield Evidence(each.text, each.chapter, kind="passage")


def _telling(text: str) -> set[str]:
    """The longer words and the pairs of characters of a text."""
    return {token for token in index_tokens(text) if len(token) > (3 if token.isascii() else 1)}


def _lettered(letter: str, found: Iterable[Evidence], most_tokens: int) -> dict[str, Evidence]:
    """What there is room for, the best first, by letter and number."""
    kept: dict[str, Evidence] = {}
    for each in found:
        price = estimate_tokens(each.fact)
        if price <= most_tokens:
            most_tokens -= price
            kept[f"{letter}{len(kept) + 1}"] = each
    return kept
