"""How long a check takes in a book of many chapters, beside the retrieval it needs anyway."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from amb_book.checking import ConsistencyChecker
from amb_book.facts import FactGraph
from amb_book.graph import RecordGraph

from amb_core.stores import InMemoryStore

__all__ = ["CheckTimes", "timed"]

_SYLLABLES = "bar dor fen gal hul jor kel lum mor nar pel quin ros sal tor ulm ven wil yor zan".split()
_REPEATS = 5


@dataclass(frozen=True, slots=True)
class CheckTimes:
    """CPU seconds of one check and of the retrieval it needs, and the size of book and draft."""

    chapters: int
    facts: int
    characters: int
    retrieval: float
    check: float


def timed(*, chapters: int, facts: int) -> CheckTimes:
    """Times of a check of one chapter of a made-up book of that size.

    The retrieval is what a check cannot do without: whom the draft names, what is known of each of them, and the hooks.
    """
    book = FactGraph(RecordGraph(InMemoryStore(), "book:facts"))
    people = _settle(book, chapters=chapters, each=facts // chapters)
    draft = _draft(people)
    checker = ConsistencyChecker()
    return CheckTimes(
        chapters,
        facts,
        len(draft),
        retrieval=_cpu(lambda: _retrieve(book, draft)),
        check=_cpu(lambda: checker.check(draft, facts=book)),
    )


def _settle(book: FactGraph, *, chapters: int, each: int) -> list[str]:
    """People who move, meet, give and lose things, chapter by chapter; some of them die."""
    people = [_name(number) for number in range(max(40, chapters))]
    for chapter in range(1, chapters + 1):
        statements: list[dict[str, Any]] = [{"hook": f"the riddle of gate {chapter}", "status": "Unresolved"}]
        for number in range(each - 1):
            who = people[(chapter * 7 + number * 13) % len(people)]
            match number % 4:
                case 0:
                    statements.append({"subject": who, "relation": "IS_AT", "object": f"Port {_name(number + 3)}"})
                case 1:
                    statements.append({"subject": who, "relation": "OWNS", "object": f"the lamp of {_name(chapter)}"})
                case 2:
                    other = people[(chapter + number) % len(people)]
                    statements.append({"subject": who, "relation": "KNOWS", "object": other})
                case _:
                    statements.append({"status": {"of": who, "is": "dead" if number == 23 else "alive"}})
        book.settle(chapter=chapter, statements=statements, settlement=f"c{chapter}")
    return people


def _name(number: int) -> str:
    first, second = divmod(number, len(_SYLLABLES) ** 2)[1], number // 7
    parts = (first // len(_SYLLABLES), first % len(_SYLLABLES), second % len(_SYLLABLES))
    given, family = _SYLLABLES[parts[0]] + _SYLLABLES[parts[1]], _SYLLABLES[parts[2]] + "ard"
    return f"{given.capitalize()} {family.capitalize()}{_SYLLABLES[number % len(_SYLLABLES)]}"


def _draft(people: list[str]) -> str:
    """A chapter of some six thousand characters that names thirty people."""
    named = people[:30]
    scenes = [
        f"{one} came down to the quay and looked at the water. "
        f'"It is late," said {two}, and took the lamp from the wall. '
        f"They stood for a while without a word, and then {one} walked on along the mole."
        for one, two in zip(named, [*named[1:], named[0]], strict=True)
    ]
    return "\n\n".join(scenes)


def _retrieve(book: FactGraph, draft: str) -> None:
    at = book.last_chapter
    named = {entity.id for mention in book.mentions(draft, at=at) for entity in mention.entities}
    for name in sorted(named):
        book.timeline(name, at=at)
    book.hooks("Resolved", at=at)


def _cpu(work: Callable[[], object]) -> float:
    """CPU seconds of the quickest call: what others do on the machine only adds to it."""

    def once() -> float:
        began = time.process_time()
        work()
        return time.process_time() - began

    return min(once() for _ in range(_REPEATS))
