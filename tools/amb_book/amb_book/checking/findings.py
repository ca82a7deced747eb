"""What a check finds: where a draft says something that settled facts do not allow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol, Required, TypedDict, get_args

if TYPE_CHECKING:
    from amb_book.episodes import EpisodeArchive
    from amb_book.facts import FactGraph
    from amb_book.lore import LoreBase
    from amb_book.plan import PlanGraph

__all__ = ["KINDS", "KINDS_OF_RULES", "BookParts", "DraftChecker", "Evidence", "Finding", "FindingKind"]

FindingKind = Literal[
    "dead_acts",
    "alias_dead",
    "place",
    "ownership",
    "ability",
    "status",
    "relation",
    "hook_twice",
    "hook_forgotten",
    "plan_as_past",
    "character",
    "knowledge",
    "cause",
]

KINDS: tuple[FindingKind, ...] = get_args(FindingKind)
"""Every kind of finding, in the order in which they are looked for."""

KINDS_OF_RULES: tuple[FindingKind, ...] = (
    "dead_acts",
    "alias_dead",
    "place",
    "ownership",
    "hook_twice",
    "hook_forgotten",
    "plan_as_past",
)
"""The kinds that are found without a model."""


EvidenceKind = Literal["fact", "plan", "lore", "passage"]


@dataclass(frozen=True, slots=True)
class Evidence:
    """What speaks against a draft: a settled fact, an open step of the plan, an entry of lore or a passage; the chapter
    in which it was settled or stands (None for plan and lore), and the sentence of the book it was read off ("" when
    there is none).
    """

    fact: str
    chapter: int | None = None
    source: str = ""
    kind: EvidenceKind = "fact"


@dataclass(frozen=True, slots=True)
class Finding:
    """One place of a draft that contradicts the book: `draft[start:end]` is `sentence`.

    `entities` are the names of those concerned, `confidence` in (0, 1] how sure the checker is.
    """

    kind: FindingKind
    sentence: str
    start: int
    end: int
    entities: tuple[str, ...]
    message: str
    evidence: tuple[Evidence, ...] = ()
    confidence: float = 0.8


class BookParts(TypedDict, total=False):
    """What a draft is held against: facts as of chapter `at` (None for the last settled), plan, text and lore."""

    facts: Required[FactGraph]
    plan: PlanGraph | None
    episodes: EpisodeArchive | None
    lore: LoreBase | None
    at: int | None


class DraftChecker(Protocol):
    """Holds a draft against the book's memory; what it finds has the properties of `Finding`."""

    def check(
        self,
        draft: str,
        *,
        facts: FactGraph,
        plan: PlanGraph | None = None,
        episodes: EpisodeArchive | None = None,
        lore: LoreBase | None = None,
        at: int | None = None,
    ) -> Sequence[Finding]: ...
