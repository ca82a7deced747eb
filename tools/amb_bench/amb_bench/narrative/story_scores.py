"""How many planted errors a checker finds, and what it reports that is none."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from amb_book.checking import ConsistencyChecker, Finding

from amb_bench.narrative.books import Book, TestDraft

__all__ = ["Score", "false_in_chapters", "scored"]


@dataclass(slots=True)
class Score:
    """Counts over drafts: `found` of `planted` errors; `alarms` on `near` near-misses; `beside`: findings in a draft
    that do not touch the sentence that was planted.
    """

    planted: int = 0
    found: int = 0
    named: int = 0
    near: int = 0
    alarms: int = 0
    beside: int = 0
    missed: list[str] = field(default_factory=list)
    wrong: list[tuple[str, Finding]] = field(default_factory=list)

    @property
    def precision(self) -> float:
        """Planted errors found, among all that was reported; 1 when nothing was."""
        reported = self.found + self.alarms + self.beside
        return self.found / reported if reported else 1.0

    @property
    def recall(self) -> float:
        """Planted errors found, among all planted."""
        return self.found / self.planted if self.planted else 0.0

    def add(self, draft: TestDraft, findings: Sequence[Finding]) -> None:
        """Count one draft; several findings in one sentence count once."""
        touching = [each for each in findings if each.start < draft.end and draft.start < each.end]
        others = {each.start: each for each in findings if each not in touching and not _same_error(draft, each)}
        self.beside += len(others)
        self.wrong += [(draft.id, each) for each in others.values()]
        if draft.planted:
            self.planted += 1
            self.found += bool(touching)
            self.named += any(each.kind == draft.kind for each in touching)
            self.missed += [] if touching else [draft.id]
        else:
            self.near += 1
            self.alarms += bool(touching)
            self.wrong += [(draft.id, each) for each in touching[:1]]


def _same_error(draft: TestDraft, finding: Finding) -> bool:
    """Whether a finding is the planted error again, in a sentence that goes on with it."""
    return draft.planted and finding.kind == draft.kind and bool(set(finding.entities) & set(draft.entities))


def scored(checker: ConsistencyChecker, books: Iterable[tuple[Book, Iterable[TestDraft]]]) -> dict[str, Score]:
    """The scores of drafts of several stories by kind, by difficulty, and under "all" together."""
    scores: dict[str, Score] = {"all": Score()}
    for book, drafts in books:
        for draft in drafts:
            found = book.findings(checker, draft.text, at=draft.at)
            for name in filter(None, ("all", draft.kind, draft.difficulty)):
                scores.setdefault(name, Score()).add(draft, found)
    return scores


def false_in_chapters(checker: ConsistencyChecker, book: Book) -> list[tuple[int, Finding]]:
    """What is reported of a story's own chapters against the facts before each; all of it is suspect."""
    return [
        (number, found) for number, text in book.chapters[1:] for found in book.findings(checker, text, at=number - 1)
    ]
