"""How alike a query and a record are, in [0, 1] whatever the query: by words, and by meaning where it is known."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from operator import add

import numpy as np
from numpy.typing import NDArray

from amb_core.longterm.related_words import fields_of, known_chinese, same_as, term_of
from amb_core.text import index_tokens, sentences
from amb_core.text.chinese_words import chinese_segments
from amb_core.text.common_words import topic_weight
from amb_core.text.everyday_words import near_terms
from amb_core.text.stopwords import CHINESE_WORDS

__all__ = ["Part", "Question", "falling", "further_terms"]

FloatArray = NDArray[np.float32]
BoolArray = NDArray[np.bool_]

SAME = 0.85
FIELD = 0.55
CHAR = 0.3
"""What a term counts that means the same as the word of the query, one of the same field, a lone character of it."""
ASKS = 0.3
ONE_CHAR = 0.35
"""The weight of a word that only asks, and of a lone Chinese character; that of a word is between .3 and 1."""
_READ = 4_000
"""Characters of a query that are read."""
_LONG = 12
_SENTENCES = 12
_LEAST_PARTS = 3
"""From how many parts on a query is also read by sentences, by how many, and what a sentence must have."""
_LATIN = re.compile(r"[^\W_\u3040-\u30ff\u3400-\u9fff]+")
_NAMES = re.compile(r"[^\W_]+(?:_+[^\W_]+)+")
_HAN = re.compile(r"[\u3400-\u9fff]+")
_ASKING = re.compile(
    "什么样|什么时候|为什么|怎么样|怎么办|怎么|怎样|如何|什么|多少|哪[里儿个些张种位家本]?|请问|应该|需要|可以|能否|是否|几|谁|吗|呢"
)
"""What only asks; some of it is in a field of its own ("谁" of who is responsible)."""


@dataclass(frozen=True, slots=True)
class Part:
    """One thing a text asks for: its `weight`, and the index terms that meet it with how far each does, in (0, 1].

    `term` is its own index term, or "" for a word that only asks, as "who".
    """

    term: str
    weight: float
    ways: dict[str, float]


class Question:
    """A query as the things it asks for; a long one is also read by sentences, each of which may be met.

    Of a very long one only the beginning is read.
    """

    def __init__(self, text: str) -> None:
        read = text[:_READ]
        self._wholes = [list(_parts(read).values())]
        if len(self._wholes[0]) > _LONG:
            said = (list(_parts(sentence).values()) for sentence in sentences(read)[:_SENTENCES])
            self._wholes += [parts for parts in said if len(parts) >= _LEAST_PARTS]
        self.terms = list(dict.fromkeys(term for parts in self._wholes for part in parts for term in part.ways))
        self._rows = {term: row for row, term in enumerate(self.terms)}

    @property
    def related(self) -> dict[str, float]:
        """The terms that meet a part of it without being its word, and what they count."""
        weights: dict[str, float] = {}
        for part in self._wholes[0]:
            for term, credit in part.ways.items():
                if term != part.term and credit > CHAR:
                    weights[term] = max(weights.get(term, 0.0), credit * part.weight)
        return weights

    def covered(self, held: BoolArray, *, rarity: Callable[[str], float]) -> tuple[FloatArray, FloatArray]:
        """How much of it each record meets by its very words, and in any way: float32 of shape [n] in [0, 1].

        `held` (shape [terms, n]) says which record holds which of `terms`; `rarity` how telling a term is, in [0, 1].
        """
        exact = np.zeros(held.shape[1], dtype=np.float32)
        met = np.zeros(held.shape[1], dtype=np.float32)
        for parts in self._wholes:
            some = self._met(parts, held, rarity)
            exact, met = np.maximum(exact, some[0]), np.maximum(met, some[1])
        return exact, met

    def _met(
        self, parts: Sequence[Part], held: BoolArray, rarity: Callable[[str], float]
    ) -> tuple[FloatArray, FloatArray]:
        weights = np.array(
            [part.weight * (rarity(part.term) if part.term else 1.0) for part in parts], dtype=np.float32
        )
        exact = np.zeros((len(parts), held.shape[1]), dtype=np.float32)
        met = np.zeros((len(parts), held.shape[1]), dtype=np.float32)
        for number, part in enumerate(parts):
            if part.term:
                exact[number] = held[self._rows[part.term]]
            rows = [self._rows[term] for term in part.ways]
            counts = np.array(list(part.ways.values()), dtype=np.float32)
            met[number] = (held[rows] * counts[:, None]).max(axis=0, initial=0.0)
        whole = np.float32(max(float(weights.sum()), 1e-9))
        return weights @ exact / whole, weights @ met / whole


def _folded(text: str) -> str:
    return (text if text.isascii() else unicodedata.normalize("NFKC", text)).lower()


def _parts(text: str) -> dict[str, Part]:
    """What a text asks for by its words, in order: those in Latin letters first."""
    text, parts = _folded(text), dict[str, Part]()
    for word in _LATIN.findall(text):
        key = term_of(word)
        if key not in parts and (part := _latin_part(word, key)):
            parts[key] = part
    for word in _chinese_words(text):
        for key, part in _chinese_parts(word):
            parts.setdefault(key, part)
    return parts


def _latin_part(word: str, term: str) -> Part | None:
    fields = dict.fromkeys(fields_of(term), FIELD)
    if not index_tokens(word):
        return Part("", ASKS, fields) if fields else None
    weight = 1.0 if word.isdecimal() else 0.3 + 0.35 * topic_weight(word)
    ways = fields | dict.fromkeys((*near_terms(term), *same_as(term)), SAME)
    return Part(term, weight, ways | {term: 1.0})


def _chinese_words(text: str) -> Iterator[str]:
    """The Chinese words of a text: the listed ones, and what stands between them."""
    for run in _HAN.findall(text):
        position = 0
        for match in known_chinese(run):
            yield from _unlisted(run[position : match.start()])
            yield match[0]
            position = match.end()
        yield from _unlisted(run[position:])


def _unlisted(text: str) -> Iterator[str]:
    for piece in _ASKING.split(text):
        for kind, start, end in chinese_segments(piece):
            if kind != "function" and piece[start:end] not in CHINESE_WORDS:
                yield piece[start:end]


def _chinese_parts(word: str) -> Iterator[tuple[str, Part]]:
    related = dict.fromkeys(fields_of(word), FIELD) | dict.fromkeys((*near_terms(word[-2:]), *same_as(word)), SAME)
    if _ASKING.fullmatch(word):
        yield word, Part("", ASKS, related)
    elif len(word) == 1:
        yield word, Part(word, ONE_CHAR, related | {word: 1.0})
    else:
        pairs = list(map(add, word, word[1:]))
        for pair in pairs:
            ways = dict.fromkeys(pair, CHAR) | related | {pair: 1.0}
            yield pair, Part(pair, (0.5 + 0.25 * len(pairs)) / len(pairs), ways)


def further_terms(text: str) -> tuple[str, ...]:
    """What else a record is found by: the fields its words belong to, and the words in names such as `customer_id`."""
    text = _folded(text)
    found: dict[str, None] = {}
    for word in dict.fromkeys(_LATIN.findall(text)):
        found.update(dict.fromkeys(fields_of(term_of(word))))
    if not text.isascii():
        for match in known_chinese(text):
            found.update(dict.fromkeys(fields_of(match[0])))
    if "_" in text:
        found.update(dict.fromkeys(index_tokens(" ".join(_NAMES.findall(text)).replace("_", " "))))
    return tuple(found)


def falling(values: FloatArray) -> FloatArray:
    """The never rising values that are nearest to the given ones: neighbours that rise are levelled to their mean."""
    blocks: list[tuple[float, int]] = []
    for value in values.tolist():
        mean, count = value, 1
        while blocks and blocks[-1][0] < mean:
            other, many = blocks.pop()
            mean, count = (mean * count + other * many) / (count + many), count + many
        blocks.append((mean, count))
    return np.repeat(
        np.array([mean for mean, _ in blocks], dtype=np.float32), np.array([count for _, count in blocks], dtype=int)
    )
