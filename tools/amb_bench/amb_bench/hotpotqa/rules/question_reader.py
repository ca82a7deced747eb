"""An observation read with a question in mind: its sentences, where the question's words stand, and what is named."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter

from amb_bench.hotpotqa.rules.answer_words import ADJECTIVAL
from amb_core.text import index_tokens, name_key, sentence_spans, values
from amb_core.text.proper_names import core_names

__all__ = [
    "Mention",
    "Sentence",
    "closeness",
    "is_adjective",
    "named",
    "read",
    "stated_values",
    "term_places",
    "weights",
]

_RUN = re.compile(r"[\u3400-\u9fff]+|[^\W_\u3400-\u9fff]+(?:['’][^\W_\u3400-\u9fff]+)?")
_EMPTY_HAN = frozenset("的是在了哪谁什么几何吗和与于为有这那一个位所被从由及其")
_SMALL_WORD = re.compile(
    r"[ -](?!(?:and|who|in|is|was|by|at|on|as|from|to|for|with|had|has|of)\b)[a-z]|[ /-](?:[A-Z][a-z]+ ){1,2}[a-z]"
)
_SPENT = 0.35
"""What a word of the question counts that earlier hops or the title have answered already."""
_FARTHEST, _MOST_PLACES = 300, 60
"""Words farther away, and more of them, are not looked at: a sentence may be as long as a whole page."""
_second = itemgetter(1)
_BEHIND = 0.85
"""What a word counts that follows the mention: a sentence says the value after the property."""
_REACH = {"en": 40.0, "zh": 10.0}
"""Characters over which the closeness of two words halves."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence at characters `start:end` of its text, where the question's terms are in it, and how much it tells."""

    text: str
    start: int
    end: int
    places: tuple[tuple[str, int], ...]
    weight: float


@dataclass(frozen=True, slots=True)
class Mention:
    """Something that may be asked for: characters `start:end` of sentence number `at`."""

    text: str
    at: int
    start: int
    end: int


def term_places(text: str) -> list[tuple[str, int]]:
    """The terms of a text with where they begin: stems, and pairs of Chinese characters without function words."""
    found: list[tuple[str, int]] = []
    for run in _RUN.finditer(text):
        word = run.group()
        if "\u3400" <= word[0] <= "\u9fff":
            pairs = ((word[at : at + 2], run.start() + at) for at in range(len(word) - 1))
            found += [(pair, at) for pair, at in pairs if not _EMPTY_HAN.intersection(pair)]
        else:
            found += [(term, run.start()) for term in index_tokens(word)]
    return found


def weights(question: str, *, spent: Sequence[str] = ()) -> dict[str, float]:
    """What each term of a question counts; less when one of the `spent` texts has it."""
    used = {term for text in spent for term, _ in term_places(text)}
    return {term: _SPENT if term in used else 1.0 for term, _ in term_places(question)}


def read(text: str, counts: Mapping[str, float]) -> tuple[Sentence, ...]:
    """The sentences of a text, each with the share of what the question counts that it has."""
    total = sum(counts.values()) or 1.0
    sentences: list[Sentence] = []
    for start, end in sentence_spans(text):
        said = text[start:end].rstrip()
        start += len(said) - len(said.lstrip())
        said = said.lstrip()
        places = tuple((term, place) for term, place in term_places(said) if term in counts)
        met = sum(counts.get(term, 0.0) for term in {term: None for term, _ in places})
        weight = met / total + (0.1 if not sentences else 0.0)
        if said:
            sentences.append(Sentence(said, start, start + len(said), places, weight))
    return tuple(sentences)


def named(sentences: Sequence[Sentence]) -> list[Mention]:
    """The names in the sentences, in their order; no word that only says where something is from."""
    return [
        Mention(entity.name, at, entity.start, entity.end)
        for at, sentence in enumerate(sentences)
        for entity in core_names(sentence.text)
        if not entity.name[:1].isdigit()
        and name_key(entity.name)
        and not is_adjective(sentence.text, entity.name, entity.end)
    ]


def is_adjective(sentence: str, name: str, end: int) -> bool:
    """Whether a name that ends at `end` only says where the thing behind it is from, such as Indian film."""
    lone = " " not in name.removeprefix("South ").removeprefix("North ")
    return lone and bool(ADJECTIVAL.search(name) and _SMALL_WORD.match(sentence, end))


def stated_values(sentences: Sequence[Sentence], kind: str) -> list[Mention]:
    """The dates or numbers in the sentences, in their order."""
    return [
        Mention(value.surface, at, value.start, value.end)
        for at, sentence in enumerate(sentences)
        for value in values(sentence.text)
        if value.kind == kind
    ]


def closeness(mention: Mention, sentence: Sentence, counts: Mapping[str, float]) -> float:
    """How close the question's words stand to a mention in its sentence: each counts once, where it is closest."""
    reach = _REACH["zh" if mention.text and mention.text[0] >= "\u3400" else "en"]
    best: dict[str, float] = {}
    first = bisect_left(sentence.places, mention.start - _FARTHEST, key=_second)
    for term, place in sentence.places[first : first + _MOST_PLACES]:
        if place > mention.end + _FARTHEST:
            break
        count = counts.get(term)
        if count is None or mention.start <= place < mention.end:
            continue
        gap = mention.start - place if place < mention.start else place - mention.end
        near = count * (1.0 if place < mention.start else _BEHIND) / (1.0 + max(gap, 0) / reach)
        if near > best.get(term, 0.0):
            best[term] = near
    return sum(best.values())
