"""How a consistency checker fares: planted errors found, near-misses left alone, and the time beside retrieval.

And what a long book costs: questions, settling, many tasks at once, the import of a manuscript.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from amb_book.checking import KINDS_OF_RULES, ConsistencyChecker

from amb_bench.benches import BenchOptions
from amb_bench.narrative.book_scale import scale
from amb_bench.narrative.books import LANGUAGES, LONG, READ, UNREAD, Book, TestDraft, load_book, load_drafts
from amb_bench.narrative.checker_speed import timed
from amb_bench.narrative.story_scores import Score, false_in_chapters, scored
from amb_bench.tables import Table

__all__ = ["tables"]

_Drafts = list[tuple[Book, list[TestDraft]]]
_NAMES = {"en": "English", "zh": "Chinese"}


def tables(options: BenchOptions) -> Iterator[Table]:
    """What is found by kind in either language, the totals, then the time; `--only` takes en, zh, speed, scale.

    What was never read by those who wrote the rules stands apart: whole short stories, and of the long ones the drafts
    whose number leaves 3 when divided by 4. Errors that only a model can find are left out; near-misses of every kind
    are kept.
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
    checker, long = ConsistencyChecker(), load_book(f"{language}/{LONG[language]}")
    parts = _parts(language, long)
    scores = {name: scored(checker, drafts) for name, drafts in parts.items()}
    yield _by_kind(language, scores)
    yield _totals(language, scores, chapters=f"{len(false_in_chapters(checker, long))} in {len(long.chapters) - 1}")


def _parts(language: str, long: Book) -> dict[str, _Drafts]:
    """The drafts of a language by story and by whether they were read."""
    drafts = _ruled(f"{language}/{LONG[language]}")
    read = [each for each in drafts if not _held_out(each)]
    parts: dict[str, _Drafts] = {
        "short, read": [_short(language, name) for name in READ[language]],
        "short, never read": [_short(language, name) for name in UNREAD[language]],
        "long, read": [(long, read)],
        "long, never read": [(long, [each for each in drafts if _held_out(each)])],
    }
    return {name: drafts for name, drafts in parts.items() if drafts}


def _short(language: str, name: str) -> tuple[Book, list[TestDraft]]:
    return load_book(f"{language}/{name}"), _ruled(f"{language}/{name}")


def _ruled(story: str) -> list[TestDraft]:
    """The near-misses of a story, and the drafts with an error that a rule looks for."""
    return [each for each in load_drafts(story) if not each.planted or each.kind in KINDS_OF_RULES]


def _held_out(draft: TestDraft) -> bool:
    return int(re.findall(r"\d+", draft.id)[-1]) % 4 == 3


def _by_kind(language: str, scores: dict[str, dict[str, Score]]) -> Table:
    rows = []
    for kind in KINDS_OF_RULES:
        row: list[str | float] = [kind]
        for part in scores.values():
            score = part.get(kind, Score())
            row += [f"{score.found} of {score.planted}", f"{score.alarms} of {score.near}"]
        rows.append(tuple(row))
    columns = ("kind", *(f"{part}: {what}" for part in scores for what in ("found", "near-miss alarms")))
    return Table(f"{_NAMES[language]}: planted errors found, and near-misses reported", columns, tuple(rows))


def _totals(language: str, scores: dict[str, dict[str, Score]], *, chapters: str) -> Table:
    rows = tuple(
        (
            part if group == "all" else f"{part}: {group}",
            score.precision,
            score.recall,
            f"{score.found} of {score.planted}",
            f"{score.named} of {score.found}",
            f"{score.alarms} of {score.near}",
            str(score.beside),
        )
        for part, groups in scores.items()
        for group in ("all", "plain", "indirect")
        if group in groups
        for score in [groups[group]]
    )
    title = f"{_NAMES[language]}: all kinds; findings in the long story's own chapters: {chapters}"
    columns = ("drafts", "precision", "recall", "found", "with their kind", "near-miss alarms", "beside the error")
    held = scores.get("short, never read", scores["long, never read"])["all"]
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
