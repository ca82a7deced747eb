"""Contradictions between two prose texts: two sentences that say the same word for word but for one value."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from amb_core.agents.prose_sentences import Sentence, Sentences, is_chinese, sentences_of
from amb_core.agents.sentence_subjects import document_of, named_subject, same_subject
from amb_core.agents.slots import Slot, compare, find_slots
from amb_core.agents.swaps import swapped
from amb_core.text import index_tokens

__all__ = ["Contradiction", "Side", "are_alike", "contradictions"]

_SUBJECT_WORDS = 8
_ZH_SUBJECT = 24
_PARTICLES = "的为是于在了约有达由，。、；：（）“” "
_MARKS = ("[", "【", "［", "^")
"""What a footnote mark begins with: its number is no value."""
_WORD = re.compile(r"[\w’'-]+")
_ORDER = {"number": 0, "date": 0, "name": 1}


@dataclass(frozen=True, slots=True)
class Side:
    """What one text says: the sentence word for word with its place, and the value in it (offsets in the sentence)."""

    sentence: str
    start: int
    slot: Slot

    @property
    def value(self) -> str:
        """The value as it stands in the text."""
        return self.slot.surface

    @property
    def span(self) -> tuple[int, int]:
        """Characters of the text at which the sentence stands."""
        return self.start, self.start + len(self.sentence)


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Side `a` of the first text and `b` of the second cannot both hold; `name` is whom they are about, where said."""

    a: Side
    b: Side
    name: str = ""

    @property
    def kind(self) -> str:
        """number | date | name."""
        return self.a.slot.kind

    @property
    def chinese(self) -> bool:
        """Whether the sentences are Chinese."""
        return is_chinese(self.a.sentence)

    @property
    def subject(self) -> str:
        """Whom or what the disagreement is about, with the attribute: a search query in the language of the texts."""
        said, slot = self.a.sentence, self.a.slot
        frame = f"{said[: slot.start]} {said[slot.end :]}"
        if self.chinese:
            parts = frame.replace(self.name, " ", 1).split()
            rest = max((part.strip(_PARTICLES) for part in parts), key=len, default="")
            return f"{self.name} {rest[-_ZH_SUBJECT:]}".strip()
        inside = {word.casefold() for word in self.name.split()}
        kept = [word for word in _WORD.findall(frame) if index_tokens(word) and word.casefold() not in inside]
        return " ".join(filter(None, [self.name, *kept[:_SUBJECT_WORDS]]))

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


def are_alike(a: str, b: str) -> bool:
    """Whether two texts have sentences that begin or end alike; without any they contradict each other in nothing."""
    return not sentences_of(a).by_edge.keys().isdisjoint(sentences_of(b).by_edge)


def _between(a: str, b: str, topics: tuple[str, str]) -> Iterator[Contradiction]:
    left, right = sentences_of(a), sentences_of(b)
    for x, y in _alike(left, right):
        slots = swapped(x.text, y.text, named=True) if x.text != y.text else None
        if slots is None or x.text[: slots[0].start].endswith(_MARKS):
            continue
        documents = document_of(a, topics[0]), document_of(b, topics[1])
        same = same_subject(x.text, y.text, slots, documents)
        if same or (same is None and swapped(x.text, y.text) is not None):
            name = named_subject(x.text, slots[0].start) or next(iter(documents[0].names), "")
            name = name.removeprefix("The ")
            pair = Contradiction(Side(x.text, x.start, slots[0]), Side(y.text, y.start, slots[1]), name)
            if not (_says_too(right, pair.a) or _says_too(left, pair.b)):
                yield pair


def _alike(left: Sentences, right: Sentences) -> Iterator[tuple[Sentence, Sentence]]:
    """Pairs of sentences that begin or end alike, each once."""
    edges = left.by_edge.keys() & right.by_edge.keys()
    pairs = {(x.start, y.start): (x, y) for edge in edges for x in left.by_edge[edge] for y in right.by_edge[edge]}
    yield from (pairs[places] for places in sorted(pairs))


def _says_too(text: Sentences, side: Side) -> bool:
    """Whether a text also gives a value of the other one, in a sentence with half of its words."""
    words = set(index_tokens(side.sentence)) - set(index_tokens(side.value))
    for sentence in text.all:
        common = words.intersection(index_tokens(sentence.text))
        told = len(common) * 2 >= len(words)
        if told and any(compare(slot, side.slot) == "same" for slot in find_slots(sentence.text)):
            return True
    return False
