"""What it costs to ask a book of thousands of chapters, to go on writing it, and to take a manuscript in."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from amb_book.manuscript import chapters_of, read_manuscript
from amb_book.manuscript_import import Settle

from amb_bench.narrative.big_book import BigBook, person
from amb_bench.narrative.desk_load import desk_load, one_by_one
from amb_bench.tables import Table
from amb_book import Story

__all__ = ["scale"]

_REPEATS = 9
_EARLY = 20
_LAST = 50


@dataclass(frozen=True, slots=True)
class _Size:
    chapters: int
    facts: int
    steps: int
    tasks: int
    manuscript: int


_FULL = _Size(2_000, 50_000, 5_000, 100, 5_000_000)
_QUICK = _Size(60, 1_500, 150, 6, 60_000)

_SETTLED: tuple[Settle, ...] = ("nothing", "names")

_Row = tuple[str, float, float]


def scale(*, quick: bool = False) -> Iterator[Table]:
    """A made-up book in a file of its own: questions and settling, then tasks at once, then an import."""
    size = _QUICK if quick else _FULL
    yield _questions(size)
    yield _desk(size)
    yield _import(size)


def _questions(size: _Size) -> Table:
    book = BigBook(size.chapters, size.facts, size.steps)
    with tempfile.TemporaryDirectory(prefix="amb-book-") as folder:
        with Story(folder) as story:
            book.settle(story)
        began = time.process_time()
        story = Story(folder)
        story.position()
        rows: list[_Row] = [("opening the book, until the first position", _ms(began), 3_000)]
        with story:
            rows += [*_asked(story, book), *_found(story, book), *_written(story, book)]
    broken = sum(figure > limit for _, figure, limit in rows)
    title = (
        f"CPU time in ms: {size.chapters} chapters, {size.facts} statements, {size.steps} steps of a plan, in SQLite; "
        f"{broken} limits broken"
    )
    figures = {"limits_broken": broken, "position_ms": rows[1][1], "state_ms": rows[2][1]}
    return Table(title, ("what", "CPU ms", "limit"), tuple(rows), figures)


def _asked(story: Story, book: BigBook) -> Iterator[_Row]:
    facts, text = story.facts, book.text(book.chapters - 1)
    yield "position", _cpu(story.position), 50
    yield "state of who is in every chapter, last chapter", _cpu(lambda: facts.about(book.hero)), 50
    yield f"the same, chapter {_EARLY}", _cpu(lambda: facts.about(book.hero, at=_EARLY)), 50
    yield "state of who is there now and then, last chapter", _cpu(lambda: facts.about(person(6))), 50
    yield f"hooks and what became of them ({book.chapters})", _cpu(facts.hooks), 100
    yield f"whom a text of {len(text)} characters names", _cpu(lambda: facts.mentions(text)), 100


def _found(story: Story, book: BigBook) -> Iterator[_Row]:
    both, asked = [book.hero, person(1)], "who took the lamp from the wall?"
    search = story.episodes.search
    began = time.process_time()
    search(asked)
    yield "the first search, which makes the index", _ms(began), 2_000
    yield "passages for a question", _cpu(lambda: search(asked)), 50
    yield f"of two people, last {_LAST} chapters", _cpu(lambda: search(asked, entities=both, last=_LAST)), 50
    yield "the same, newest first without a question", _cpu(lambda: search(entities=both, last=_LAST)), 50
    yield f"for a question, as of chapter {_EARLY}", _cpu(lambda: search(asked, at=_EARLY)), 50


def _written(story: Story, book: BigBook) -> Iterator[_Row]:
    chapters = iter(range(book.chapters + 1, book.chapters + 100))
    heroes = [{"entity": person(number), "kind": "character"} for number in range(3)]
    each = book.facts // book.chapters
    yield (
        f"settling one more chapter ({each} statements)",
        _cpu(lambda: book.settle_chapter(story, next(chapters))),
        100,
    )
    yield "one that names three again", _cpu(lambda: story.settle(chapter=next(chapters), statements=heroes)), 50
    text = book.text(book.chapters)
    put = story.episodes.put_chapter
    yield "keeping the text of one more", _cpu(lambda: put(next(chapters), text)), 50
    yield "the same, and a search", _cpu(lambda: (put(next(chapters), text), story.episodes.search("the lamp"))), 200


def _desk(size: _Size) -> Table:
    alone = 1_000 * one_by_one(min(size.tasks, 20))
    rows: list[tuple[str | float, ...]] = [("one after another", alone, 1.0, "nothing")]
    for processes in (0, 4):
        load = desk_load(size.tasks, processes=processes)
        where = f"in {processes} processes with threads" if processes else "in threads"
        wrong = "; ".join(load.faults[:3]) or "nothing"
        rows.append((f"{load.tasks} at once {where}", 1_000 * load.cpu, 1_000 * load.cpu / alone, wrong))
    title = "Tasks at the desk: opened, four turns, settled, confirmed"
    return Table(title, ("tasks", "CPU ms a task", "times one alone", "lost or mixed up"), tuple(rows))


def _import(size: _Size) -> Table:
    book = BigBook(400, 10_000, 0)
    data = book.manuscript(size.manuscript).encode()
    began = time.process_time()
    chapters = chapters_of(read_manuscript(data))
    split = _ms(began)
    rows: list[tuple[str | float, ...]] = [("reading and splitting it", split, 1.0)]
    for settle in _SETTLED:
        with tempfile.TemporaryDirectory(prefix="amb-book-") as folder, Story(folder) as story:
            began = time.process_time()
            done = story.import_manuscript(data, settle=settle)
            taken = _ms(began)
        rows.append((f"import of {settle}: {len(done.cast)} people and places", taken, taken / split))
    title = f"CPU time in ms: a manuscript of {len(data) / 1e6:.2f} MB in {len(chapters)} chapters"
    return Table(title, ("what", "CPU ms", "times splitting"), tuple(rows))


def _cpu(work: Callable[[], object]) -> float:
    """CPU milliseconds of the quickest of nine calls: what others do on the machine only adds to it."""
    found: list[float] = []
    for _ in range(_REPEATS):
        began = time.process_time()
        work()
        found.append(_ms(began))
    return min(found)


def _ms(began: float) -> float:
    return 1_000 * (time.process_time() - began)
