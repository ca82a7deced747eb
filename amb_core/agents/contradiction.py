"""Contradictions between two prose texts: two sentences that say the same word for word but for one value."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from amb_core.agents.alignment import agrees
from amb_core.agents.quantities import Slot
from amb_core.agents.statements import Statement, statements
from amb_core.agents.swaps import same_subject, swapped
from amb_core.reading import prose_spans
from amb_core.text import sentence_spans

__all__ = ["Contradiction", "contradictions"]

_CACHED_TEXTS = 4_096
_CJK = re.compile(r"[\u3400-\u9fff]")
_SUBJECT_WORDS = 8
_ORDER = {"number": 0, "date": 0, "name": 1, "polarity": 2}
_ENDS = (".", "!", "。", "！", ";", "；", "”", '"', "」", "』", ")", "）", "…")
_EDGE, _ZH_EDGE = 8, 3
"""Characters that two such sentences share at their beginning or at their end, wherever the value stands."""


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Statement `a` of the first text and `b` of the second cannot both hold."""

    kind: Literal["number", "date", "name", "polarity"]
    a: Statement
    b: Statement

    @property
    def subject(self) -> str:
        """Whom or what the disagreement is about, with the attribute: a search query in the language of the texts."""
        name = self.a.subject or self.b.subject
        if self.a.chinese:
            return f"{name} {self.a.attribute}".strip()
        inside = {word.casefold() for word in name.split()}
        kept = [word for word in self.a.attribute.split() if word.casefold() not in inside]
        return " ".join([name, *kept[:_SUBJECT_WORDS]]).strip()

    @property
    def values(self) -> tuple[str, str]:
        """The two things said, as they stand in the texts."""
        return self.a.value, self.b.value


def contradictions(a: str, b: str, *, topics: tuple[str, str] = ("", "")) -> tuple[Contradiction, ...]:
    """What two texts contradict each other in, most certain first; () for texts that can both be true.

    Machine data contradict nothing. `topics` name what each text is about where its own words do not.
    """
    found = {(pair.a.span, pair.b.span): pair for pair in _between(a, b, topics)}
    return tuple(sorted(found.values(), key=lambda pair: (_ORDER[pair.kind], pair.a.span, pair.b.span)))


def _between(a: str, b: str, topics: tuple[str, str]) -> Iterator[Contradiction]:
    left, right = _read(a), _read(b)
    for x, y in _alike(left, right):
        if x.text == y.text or (slots := swapped(x.text, y.text, named=True)) is None:
            continue
        first, second = _statement(a, topics[0], x, slots[0]), _statement(b, topics[1], y, slots[1])
        if first is None or second is None or (same := same_subject(first, second)) is False:
            continue
        if same is None and swapped(x.text, y.text) is None:
            continue
        pair = Contradiction(slots[0].kind, first, second)
        if not _settled(pair, statements(a, topic=topics[0]), statements(b, topic=topics[1])):
            yield pair


# --- what was read ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Sentence:
    text: str
    start: int

    @property
    def edges(self) -> Iterator[tuple[str, str]]:
        """How it begins and how it ends."""
        size = _ZH_EDGE if _CJK.search(self.text) else _EDGE
        folded = self.text.casefold()
        yield "begins", folded[:size]
        yield "ends", folded[-size:]


@dataclass(frozen=True, slots=True)
class _Read:
    sentences: tuple[_Sentence, ...]
    by_edge: dict[tuple[str, str], list[_Sentence]]


@lru_cache(maxsize=_CACHED_TEXTS)
def _read(text: str) -> _Read:
    """The whole sentences of the prose in a text, and by how they begin and end."""
    sentences = tuple(
        _Sentence(text[start:end], start)
        for left, right in prose_spans(text)
        for start, end in ((left + a, left + b) for a, b in sentence_spans(text[left:right]))
        if text[start:end].endswith(_ENDS)
    )
    by_edge: defaultdict[tuple[str, str], list[_Sentence]] = defaultdict(list)
    for sentence in sentences:
        for edge in sentence.edges:
            by_edge[edge].append(sentence)
    return _Read(sentences, dict(by_edge))


def _alike(left: _Read, right: _Read) -> Iterator[tuple[_Sentence, _Sentence]]:
    """Pairs of sentences that begin or end alike, each once."""
    for x in left.sentences:
        near = {y.start: y for edge in x.edges for y in right.by_edge.get(edge, ())}
        for y in near.values():
            yield x, y


def _statement(text: str, topic: str, sentence: _Sentence, slot: Slot) -> Statement | None:
    """The statement of a sentence that holds a value (offsets in the sentence), made to carry it; None for none."""
    end = sentence.start + len(sentence.text)
    members = [s for s in statements(text, topic=topic) if sentence.start <= s.within.start < end]
    start, stop = slot.start + sentence.start, slot.end + sentence.start
    if not members or start < members[0].within.start:  # the label of a line, not what it says
        return None
    return _with_slot(members, replace(slot, start=start, end=stop))


def _with_slot(members: Sequence[Statement], slot: Slot) -> Statement:
    holding = (s for s in members if s.slot is not None and s.slot.start < slot.end and slot.start < s.slot.end)
    found = next((s for s in holding if s.kind == slot.kind), members[0])
    return replace(found, kind=slot.kind, slot=slot, value=slot.surface)


def _settled(pair: Contradiction, left: Sequence[Statement], right: Sequence[Statement]) -> bool:
    """Whether one of the texts also gives the other's value: then they do not disagree."""
    return any(agrees(pair.a, other) for other in right) or any(agrees(pair.b, other) for other in left)
