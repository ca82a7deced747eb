"""ConsistencyChecker: a draft against what is settled, with the evidence for everything it says."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from amb_book.checking.draft import full_width, read_draft
from amb_book.checking.findings import KINDS, Finding
from amb_book.checking.hooks import all_settled, resolved_again
from amb_book.checking.known import Known
from amb_book.checking.people import the_dead
from amb_book.checking.plans import told_as_past
from amb_book.checking.possessions import no_longer_theirs
from amb_book.checking.prison import held_elsewhere
from amb_book.checking.scene import Scene
from amb_book.episodes import EpisodeArchive
from amb_book.facts import FactGraph
from amb_book.lore import LoreBase
from amb_book.plan import PlanGraph

__all__ = ["ConsistencyChecker", "in_order"]


class ConsistencyChecker:
    """Finds without a model the dead who act, captives at large, things used that are lost, wrong hooks and plans.

    Other places, states and owners, kin, abilities and traits need understanding: `PromptedChecker` asks a model. What
    may be right (a memory, a dream, a letter, a ghost, a plan) is not reported. Keeps nothing between checks;
    thread-safe.
    """

    def check(
        self,
        draft: str,
        *,
        facts: FactGraph,
        plan: PlanGraph | None = None,
        episodes: EpisodeArchive | None = None,
        lore: LoreBase | None = None,
        at: int | None = None,
    ) -> list[Finding]:
        """The findings in a draft, in its order; `at` is the chapter whose facts hold (by default the last settled).

        `episodes` is where the sentences of the book are looked for that settled facts do not quote themselves, `lore`
        where it says when the dead may be heard.
        """
        if not draft.strip():
            return []
        known = Known(facts, facts.last_chapter if at is None else at, episodes)
        scene = Scene(read_draft(full_width(draft)), known, lore=lore.entries() if lore is not None else ())
        found = _without_repeats(_all(scene, plan))
        return [replace(each, sentence=draft[each.start : each.end]) for each in found]


def _all(scene: Scene, plan: PlanGraph | None) -> Iterator[Finding]:
    yield from the_dead(scene)
    yield from held_elsewhere(scene)
    yield from no_longer_theirs(scene)
    yield from resolved_again(scene)
    yield from all_settled(scene)
    if plan is not None:
        yield from told_as_past(scene, plan)


def _without_repeats(found: Iterator[Finding]) -> list[Finding]:
    """One finding for each kind, place and company."""
    kept: dict[tuple[int, str, tuple[str, ...]], Finding] = {}
    for each in found:
        kept.setdefault((each.start, each.kind, each.entities), each)
    return in_order(list(kept.values()))


def in_order(found: list[Finding]) -> list[Finding]:
    """Findings in the order of the draft."""
    return sorted(found, key=lambda each: (each.start, KINDS.index(each.kind)))
