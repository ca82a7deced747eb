"""How a consistency checker fares: planted errors found, near-misses left alone, and the time beside retrieval.

And what a long book costs: questions, settling, many tasks at once, the import of a manuscript.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from amb_core.evaluation.benches import BenchOptions
from amb_core.evaluation.narrative.book_scale import scale
from amb_core.evaluation.narrative.books import LANGUAGES, Book, TestDraft, load_book, load_drafts
from amb_core.evaluation.narrative.checking_speed import timed
from amb_core.evaluation.narrative.scoring import Score, false_in_chapters, scored
from amb_core.evaluation.tables import Table
from amb_core.narrative.checking import KINDS, ConsistencyChecker

__all__ = ["tables"]

_HALVES = ("development", "held out")
_NAMES = {"en": "English", "zh": "Chinese"}


def tables(options: BenchOptions) -> Iterator[Table]:
    """What is found by kind in either language, the totals, then the time; `--only` takes en, zh, speed, scale.

    Drafts whose number leaves 3 when divided by 4 are held out: nobody who wrote the rules has read them.
    """
    wanted = set(options.only) or {*LANGUAGES, "speed", "scale"}
    for language in LANGUAGES:
        if language in wanted:
            yield from _quality(language)
    if "speed" in wanted:
        yield _speed(quick=options.quick)
    if "scale" in wanted:
        yield from scale(quick=options.quick)


def _quality(language: str) -> Iterator[Table]:
    checker, book, drafts = ConsistencyChecker(), load_book(language), load_drafts(language)
    halves = {name: [each for each in drafts if _held_out(each) == (name == "held out")] for name in _HALVES}
    scores = {name: scored(checker, book, chosen) for name, chosen in halves.items()}
    yield _by_kind(language, scores)
    yield _totals(language, book, checker, scores, sizes=[len(halves[name]) for name in _HALVES])


def _held_out(draft: TestDraft) -> bool:
    return int(re.findall(r"\d+", draft.id)[-1]) % 4 == 3


def _by_kind(language: str, scores: dict[str, dict[str, Score]]) -> Table:
    rows = []
    for kind in KINDS:
        row: list[str | float] = [kind]
        for half in _HALVES:
            score = scores[half].get(kind, Score())
            row += [f"{score.found} of {score.planted}", f"{score.alarms} of {score.near}"]
        rows.append(tuple(row))
    columns = ("kind", *(f"{half}: {what}" for half in _HALVES for what in ("found", "near-miss alarms")))
    return Table(f"{_NAMES[language]}: planted errors found, and near-misses reported", columns, tuple(rows))


def _totals(
    language: str, book: Book, checker: ConsistencyChecker, scores: dict[str, dict[str, Score]], *, sizes: Sequence[int]
) -> Table:
    chapters = false_in_chapters(checker, book)
    rows = tuple(
        (
            f"{half} ({size} drafts)",
            score.precision,
            score.recall,
            f"{score.found} of {score.planted}",
            f"{score.named} of {score.found}",
            f"{score.alarms} of {score.near}",
            str(score.beside),
        )
        for half, size in zip(_HALVES, sizes, strict=True)
        for score in [scores[half]["all"]]
    )
    title = (
        f"{_NAMES[language]}: all kinds; {len(chapters)} findings in the story's own {len(book.chapters) - 1} chapters"
    )
    columns = ("drafts", "precision", "recall", "found", "with their kind", "near-miss alarms", "beside the error")
    held = scores["held out"]["all"]
    figures = {f"{language}_precision": held.precision, f"{language}_recall": held.recall}
    return Table(title, columns, rows, figures)


def _speed(*, quick: bool) -> Table:
    measured = timed(chapters=200, facts=5_000) if quick else timed(chapters=2_000, facts=50_000)
    rows = (
        ("retrieval the check needs", 1_000 * measured.retrieval),
        ("check of a chapter", 1_000 * measured.check),
        ("check / retrieval", measured.check / measured.retrieval),
    )
    size = f"{measured.chapters} chapters, {measured.facts} facts, a draft of {measured.characters} characters"
    return Table(f"CPU time in ms: {size}", ("what", "figure"), rows, {"check_per_retrieval": rows[2][1]})
