"""What a text says more than once, and records of one kind: the first is read once, the second in large groups."""

from collections.abc import Iterator, Sequence

from amb_core.agents.text_units import Unit
from amb_core.text.language import Language

__all__ = ["Repeats", "in_groups"]

_LEAST = {"en": 200, "zh": 80}
_RECORD_KINDS = frozenset({"table", "json", "code"})
_MANY_CHARS = 6_000
_GROUP_CHARS = 16_000


class Repeats:
    """Remembers the units of one text and says which of the following say the same once more."""

    def __init__(self, *, language: Language) -> None:
        self._seen: set[str] = set()
        self._least = _LEAST[language]

    def fresh(self, text: str, units: Sequence[Unit]) -> list[Unit]:
        """The units without stretches of at least 200 characters (80 in Chinese) all of which was there before.

        A unit alone that comes back (a greeting, a heading, a row) stays.
        """
        kept: list[Unit] = []
        run: list[Unit] = []
        for unit in units:
            key = text[unit.start : unit.end]
            if key in self._seen:
                run.append(unit)
                continue
            self._seen.add(key)
            kept.extend(self._short(run))
            run = []
            kept.append(unit)
        kept.extend(self._short(run))
        return kept

    def _short(self, run: Sequence[Unit]) -> Sequence[Unit]:
        return run if sum(unit.end - unit.start for unit in run) < self._least else ()


def in_groups(text: str, units: Sequence[Unit]) -> Iterator[Unit]:
    """Units with long runs of rows, members or program lines made groups of up to 16,000 characters.

    Records of one kind tell no topics apart; a table of a few rows is left as it is.
    """
    at = 0
    while at < len(units):
        stop = at + 1
        while stop < len(units) and _goes_with(units[at], units[stop]):
            stop += 1
        if units[stop - 1].end - units[at].start > _MANY_CHARS and units[at].kind in _RECORD_KINDS:
            yield from _groups(text, units[at:stop])
        else:
            yield from units[at:stop]
        at = stop


def _goes_with(first: Unit, unit: Unit) -> bool:
    return first.kind == unit.kind and not unit.opens and not unit.title


def _groups(text: str, run: Sequence[Unit]) -> Iterator[Unit]:
    """Groups of about equal size."""
    length = run[-1].end - run[0].start
    wanted = length / -(-length // _GROUP_CHARS)
    group = run[0]
    for unit in run[1:]:
        if group.end - group.start >= wanted or text[group.end : unit.start].strip():
            yield group
            group = unit
        else:
            group = group._replace(end=unit.end)
    yield group
