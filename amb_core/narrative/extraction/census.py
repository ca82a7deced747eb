"""Names that nobody told of: who speaks, where one goes, what is called by a name; counted over a text or a book."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from amb_core.narrative.extraction.chinese_naming import chinese_evidence, chinese_names
from amb_core.narrative.extraction.english_naming import english_evidence, is_plain_word
from amb_core.narrative.extraction.naming import Evidence, FoundName
from amb_core.narrative.statements import EntityKind

__all__ = ["NameCensus"]

_HAN = re.compile(r"[\u3400-\u9fff]")


@dataclass(slots=True)
class _Counted:
    total: int = 0
    inner: int = 0
    kinds: dict[EntityKind, float] = field(default_factory=dict)
    first: int = 0
    place: int = 0


class NameCensus:
    """Adds up what texts say of names; `found` are those whose kind is clear.

    Texts are numbered by the order in which they are added, from 0.
    """

    def __init__(self) -> None:
        self._names: dict[str, _Counted] = {}
        self._texts = 0

    def add(self, text: str) -> None:
        """Count the names of a text."""
        for each in english_evidence(text):
            self._note(each)
        if _HAN.search(text):
            for each in chinese_evidence(text):
                self._note(each)
        self._texts += 1

    def found(self, *, least: float = 1.0) -> list[FoundName]:
        """The names with evidence of at least `least` for one kind, those met most first."""
        chosen = []
        for name, counted in self._names.items():
            kind = _kind(counted, least)
            if kind is None or (not counted.inner and is_plain_word(name)):
                continue
            chosen.append(FoundName(name, kind, counted.total, counted.first, counted.place))
        return chinese_names(sorted(chosen, key=lambda each: (-each.count, each.name)))

    def _note(self, each: Evidence) -> None:
        counted = self._names.get(each.name)
        if counted is None:
            counted = self._names[each.name] = _Counted(first=self._texts, place=each.start)
        counted.total += 1
        counted.inner += not each.initial
        if each.kind:
            counted.kinds[each.kind] = counted.kinds.get(each.kind, 0.0) + each.weight


def _kind(counted: _Counted, least: float) -> EntityKind | None:
    """What a name clearly is: its kind has enough evidence, and well more than any other."""
    if not counted.kinds:
        return None
    kind = max(counted.kinds, key=lambda each: counted.kinds[each])
    most = counted.kinds[kind]
    others = [weight for each, weight in counted.kinds.items() if each != kind]
    return None if most < least or max(others, default=0.0) * 2 > most else kind
