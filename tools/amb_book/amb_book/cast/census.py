"""Names that nobody told of: who speaks, where one goes, what is called by a name; counted over a text or a book."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from amb_book.cast.chinese_name_evidence import chinese_evidence, chinese_names
from amb_book.cast.english_name_evidence import english_evidence, is_plain_word, split_title
from amb_book.cast.found_names import Evidence, FoundName
from amb_book.statements import EntityKind

__all__ = ["NameCensus"]

_HAN = re.compile(r"[\u3400-\u9fff]")
_PARAGRAPH = re.compile(r"[^\n]+")
_WRAPPED_PARAGRAPH = re.compile(r"[^\n]+(?:\n[ \t]*[^\s][^\n]*)*")
_SMALL = re.compile(r"(?<![\w'’])[a-z]{2,}")
_FEW = 2
_LEAST = 1.0
"""So much evidence for one kind makes a name one."""
_COMMON = 0.04
"""A name before which a or two stands more often is a word for many."""


@dataclass(slots=True)
class _Counted:
    total: int = 0
    inner: int = 0
    kinds: dict[EntityKind, float] = field(default_factory=dict)
    determiners: Counter[str] = field(default_factory=Counter)
    first: int = 0
    place: int = 0


class NameCensus:
    """Adds up what texts say of names; `found` are those whose kind is clear.

    Texts are numbered by the order in which they are added, from 0.
    """

    def __init__(self) -> None:
        self._names: dict[str, _Counted] = {}
        self._small: Counter[str] = Counter()
        self._texts = 0

    def add(self, text: str) -> None:
        """Count the names of a text."""
        for each in english_evidence(_unwrapped(text)):
            self._note(each)
        self._small.update(_SMALL.findall(text))
        if _HAN.search(text):
            for each in chinese_evidence(text):
                self._note(each)
        self._texts += 1

    def found(self) -> list[FoundName]:
        """The names with enough evidence for one kind, those met most first."""
        chosen = []
        for name, counted in self._names.items():
            kind = _kind(counted.kinds)
            if kind is None or self._is_word(name, counted) or (not counted.inner and is_plain_word(name)):
                continue
            chosen.append(FoundName(name, kind, counted.total, counted.first, counted.place))
        return chinese_names(sorted(chosen, key=lambda each: (-each.count, each.name)))

    def _is_word(self, name: str, counted: _Counted) -> bool:
        """Whether a name rather is a word with a capital: for one of many, for somebody's, or mostly written small."""
        if _HAN.match(name) or split_title(name)[0]:
            return False
        many, somebodys = counted.determiners["a"], counted.determiners["my"]
        if many > _FEW and many > _COMMON * counted.total:
            return True
        if somebodys > _FEW and somebodys * 3 > counted.total:
            return True
        return " " not in name and self._small[name.casefold()] > max(counted.inner, _FEW)

    def _note(self, each: Evidence) -> None:
        counted = self._names.get(each.name)
        if counted is None:
            counted = self._names[each.name] = _Counted(first=self._texts, place=each.start)
        counted.total += 1
        counted.inner += not each.initial
        if each.determiner:
            counted.determiners[each.determiner] += 1
        if each.kind:
            counted.kinds[each.kind] = counted.kinds.get(each.kind, 0.0) + each.weight


def _kind(kinds: Mapping[EntityKind, float]) -> EntityKind | None:
    """What a name clearly is: its kind has enough evidence, and well more than any other."""
    kind = max(kinds, key=lambda each: kinds[each], default=None)
    if kind is None or kinds[kind] < _LEAST:
        return None
    other = max((weight for each, weight in kinds.items() if each != kind), default=0.0)
    return kind if other * 2 <= kinds[kind] else None


def _unwrapped(text: str) -> str:
    """A text as long, in which only paragraphs end with a line."""
    pieces, done = [], 0
    for start, end in _paragraphs(text):
        pieces += [text[done:start], text[start:end].replace("\n", " ")]
        done = end
    return "".join(pieces) + text[done:]


def _paragraphs(text: str) -> Iterator[tuple[int, int]]:
    """Lines, or stretches between blank lines where lines are wrapped."""
    lines = [line for line in text.splitlines() if line.strip()]
    wrapped = "\n\n" in text and sum(40 < len(line) < 100 for line in lines) * 2 > len(lines)
    pattern = _WRAPPED_PARAGRAPH if wrapped and not _HAN.search(text[:2_000]) else _PARAGRAPH
    return (found.span() for found in pattern.finditer(text))
