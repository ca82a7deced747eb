"""What the creativity engine brings: options with what they are worth, and why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from amb_book.episodes import EpisodeArchive
    from amb_book.facts import FactGraph
    from amb_book.lore import LoreBase
    from amb_book.plan import PlanGraph

__all__ = ["CreativeAnswer", "CreativeOption", "DraftChecker", "LookedUp", "Review"]


class FoundProblem(Protocol):
    """A contradiction between a draft and the book, in words."""

    @property
    def message(self) -> str: ...


class DraftChecker(Protocol):
    """Holds a draft against the book's memory."""

    def check(
        self,
        draft: str,
        *,
        facts: FactGraph,
        plan: PlanGraph | None,
        episodes: EpisodeArchive | None,
        lore: LoreBase | None,
        at: int | None,
    ) -> Sequence[FoundProblem]: ...


@dataclass(frozen=True, slots=True)
class LookedUp:
    """Something a generator looked up while it wrote, and what it was told."""

    tool: str
    arguments: str
    answer: str


@dataclass(frozen=True, slots=True)
class Review:
    """What an option is worth, each from 0 to 10; None where no evaluator could say. `reason` is for the author."""

    style: float | None = None
    tension: float | None = None
    plan: float | None = None
    consistency: float | None = None
    reason: str = ""
    problems: tuple[str, ...] = ()

    @property
    def score(self) -> float:
        """The mean of what is known, 5 when nothing is; consistency counts twice."""
        known = (self.style, self.tension, self.plan, self.consistency, self.consistency)
        there = [each for each in known if each is not None]
        return sum(there) / len(there) if there else 5.0

    @property
    def worth(self) -> tuple[int, float]:
        """What options are ranked by: fewer contradictions first, then the score."""
        return (-len(self.problems), self.score)


@dataclass(frozen=True, slots=True)
class CreativeOption:
    """One option: its text, what it is worth, what was looked up for it, and how often it was written anew."""

    text: str
    review: Review
    looked_up: tuple[LookedUp, ...] = ()
    revisions: int = 0


@dataclass(frozen=True, slots=True)
class CreativeAnswer:
    """The options, the best first; `note` says what did not go well: fewer than wanted, or not judged."""

    options: tuple[CreativeOption, ...]
    note: str = ""
