"""The records of one namespace, found by what is asked, and by what else says the same."""

from __future__ import annotations

import logging
import math
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from amb_core.errors import InvalidParameter
from amb_core.protocols import Embedder, Query
from amb_core.retrieval import IndexedText, Packed
from amb_core.retrieval.lexical import LexicalIndex
from amb_core.text import Language, detect_language, index_tokens, sentences
from amb_core.text.chinese_words import CHINESE_CHARS, CHINESE_WORDS
from amb_longterm.nearness import nearness_of
from amb_longterm.record_passages import RecordPassages
from amb_retrieval import HybridIndex
from amb_values.speakers import turn_speakers

__all__ = ["FIRST", "KNOWN_IS", "Found", "RecordIndex", "likelihood"]

_log = logging.getLogger("amb.longterm")
FloatArray = NDArray[np.float32]

_BETTER = 0.75
"""The weight of the better one of words and meaning in a likeness; the other one has the rest."""
_BEST = 5
"""So many of the first records say how near the best one is."""
_KNOWN: dict[Language, float] = {"en": 0.25, "zh": 0.18}
"""The share of a question that the best record holds where something is known of it, by the question's language, and
how that is read as a similarity: fitted on five conversations of LoCoMo so that 97 of 100 questions with an answer are
above it; half of the pairs of Chinese characters in a question are no words, so that less of it can be held."""
KNOWN_IS = 0.3
_STEP = 0.995
"""What each place in the list is worth beside the one before, so that an age of seconds does not order equal ranks."""
_LONG, _SENTENCES, _LEAST_TERMS = 12, 12, 3
"""From how many terms on a query is also read by sentences, by how many, and what a sentence must have."""
_READ = 20_000
"""Characters of a text that its likeness to records is found by."""
_POWER, _UNTOLD = 1.5, 2.0
"""How a similarity and the number of telling words become a likelihood."""
_ORDER, _PASSAGES = "records", "passages"
_RECORDS, _TALK = (1.2, 0.75), (0.9, 0.4)
"""k1 and b of BM25 over records, of which some are a sentence and some are pages, and over the turns of a dialogue."""
_WIDER, _MANY_LONG = 4, 0.25
"""From which share of long records on they are found by passages; a talk with a long turn is read as a talk."""
_BEFORE_IT, _BEHIND_IT = 0.3, 0.1
"""The share in a long record of what was told right before it, and right behind it."""
FIRST = 32
"""So many records are ranked as a bank's notes are, however many are asked for."""


@dataclass(frozen=True, slots=True)
class Found:
    """A record that was found: its `similarity` in [0, 1], and a `rank` in [0, 1] that only orders it among the others.

    A similarity is read off the record and the question alone, so that those of two questions can be compared.
    """

    id: str
    similarity: float
    rank: float = 0.0


class RecordIndex:
    """An index of the records of one namespace; not thread-safe, its owner holds a lock.

    Two indexes into which the same records were put in the same order find the same, wherever the records are stored.
    What ranks equal is ordered by age (the record put first comes first; one put again keeps its age). Vectors are
    those of `embedder`; a record or a query without one goes by its words alone.
    """

    def __init__(self, *, embedder: Embedder | None = None) -> None:
        self._embedder = embedder
        self._words = LexicalIndex()
        self._index = HybridIndex(embedder=embedder, lexical=self._words)
        self._passages = RecordPassages()
        self._place: dict[str, int] = {}
        self._next_place = 0
        self._by_place: dict[int, str] | None = None

    def __len__(self) -> int:
        return len(self._index)

    def __contains__(self, id: str) -> bool:
        return id in self._index

    def __iter__(self) -> Iterator[str]:
        return iter(self._index)

    def put(
        self, id: str, *, text: str, timestamp: float = 0.0, vector: FloatArray | None = None, earlier: str = ""
    ) -> None:
        """Insert a record or replace the one with its id; InvalidParameter when its vector does not fit the others.

        It is found by the words of its `earlier` version too: "where does she live" leads to "she moved to Rome".
        """
        place = self._place.get(id, self._next_place)
        parts = index_tokens(text.replace("_", " ")) if "_" in text else ()  # the words in names such as customer_id
        also = tuple(dict.fromkeys((*index_tokens(earlier), *parts)))
        speakers = turn_speakers(text)
        speaker = speakers[0] if len(speakers) == 1 else None
        self._index.put(IndexedText(id, text, timestamp, vector, speaker=speaker, also=also))
        self._passages.put(id, text)
        self._by_place = None
        self._place[id] = place
        self._next_place = max(self._next_place, place + 1)
        self._weigh()

    def _weigh(self) -> None:
        """Count words as it fits what most of the records are."""
        is_talk = 2 * self._index.turns > len(self._index) and not self._is_of_long
        self._words.k1, self._words.b = _TALK if is_talk else _RECORDS

    @property
    def _is_of_long(self) -> bool:
        return len(self._passages) >= _MANY_LONG * len(self._index)

    def place_of(self, id: str) -> int:
        """A number that is higher for a record that was put later; one put again keeps its place."""
        return self._place[id]

    def remove(self, id: str) -> None:
        """Forget a record; an unknown id is no error."""
        self._index.remove(id)
        self._passages.remove(id)
        self._by_place = None
        self._place.pop(id, None)
        self._weigh()

    def forget_removed(self) -> None:
        """Drop the words that only removed or replaced records had."""
        self._index.forget_removed()
        self._passages.forget_removed()

    def find(
        self,
        query: str,
        *,
        k: int = FIRST,
        vector: FloatArray | None = None,
        exclude: Collection[str] = (),
        allowed: Collection[str] | None = None,
    ) -> list[Found]:
        """At most `k` records, best first; nothing for a blank query, or one that no record has to do with.

        They are ranked as a bank's notes are: a reply is found by what was said before it, too. Its similarity is the
        share of the question that the record itself holds, by words and by meaning. `vector` is the query's, where
        there is one; `allowed` limits what may be found.
        """
        _check(k)
        query = query[:_READ]
        if not query.strip() or not len(self._index):
            return []
        wanted = Query(query, k=k, mode=_mode(vector), exclude=self._left_out(exclude, allowed))
        if self._is_of_long:
            hits = self._with_passages(replace(wanted, k=_WIDER * k, exact=True), vector, k=k)
        else:
            hits = {hit.id: hit.score for hit in self._index.search(wanted, vector=vector)}
        own = self.similarities(query, [*hits], vector=vector)
        best = max(own[:_BEST], default=0.0)
        least = KNOWN_IS if best > KNOWN_IS else 0.0
        found: list[Found] = []
        for (name, score), similarity in zip(hits.items(), own, strict=True):
            last = found[-1].rank * _STEP if found else best
            by_rank = least + (best - least) * score
            found.append(Found(name, similarity, max(min(max(by_rank, similarity), last), least)))
        return found

    def _with_passages(self, query: Query, vector: FloatArray | None, *, k: int) -> dict[str, float]:
        """The k best where there are long records, with their scores in [0, 1], best first.

        A long record is worth what it and its best passage are; what stands beside one in the order of telling, as a
        message beside its answer, has a share in it.
        """
        hits = {hit.id: hit.score for hit in self._index.search(query, vector=vector)}
        passages, exclude = self._passages.best(Counter(index_tokens(query.text))), query.exclude
        own = {name: (hits.get(name, 0.0) + passages.get(name, 0.0)) / 2 for name in passages.keys() - {*exclude}}
        own |= {name: score / (2 if name in self._passages else 1) for name, score in hits.items() if name not in own}
        at = self._at
        scores = dict(own)
        for name, score in own.items():
            if name in self._passages:
                for step, share in ((-1, _BEFORE_IT), (1, _BEHIND_IT)):
                    beside = at.get(self._place[name] + step)
                    if beside is not None and beside not in exclude:
                        scores[beside] = scores.get(beside, 0.0) + share * score
        best = sorted(scores, key=lambda name: (-scores[name], self._place[name]))[:k]
        highest = max((scores[name] for name in best), default=1.0) or 1.0
        return {name: scores[name] / highest for name in best if scores[name] > 0}

    @property
    def _at(self) -> dict[int, str]:
        """The records by their place."""
        if self._by_place is None:
            self._by_place = {place: name for name, place in self._place.items()}
        return self._by_place

    def find_all(self, query: str, *, vector: FloatArray | None = None, exclude: Collection[str] = ()) -> list[str]:
        """The ids of all records that have to do with a query, by words and by meaning alone, best first."""
        query = query[:_READ]
        if not query.strip() or not len(self._index):
            return []
        wanted = Query(query, k=len(self._index), mode=_mode(vector), exclude={*exclude}, exact=True)
        return [hit.id for hit in self._index.search(wanted, vector=vector)]

    def similarities(self, query: str, ids: Sequence[str], *, vector: FloatArray | None = None) -> list[float]:
        """The similarity of each record to a query, in [0, 1]."""
        query, known = query[:_READ], _KNOWN[detect_language(query)]
        shares = self._joined(self._covered(query, ids), self._meant(query, vector, ids)).tolist()
        return [_read(share, known) for share in shares]

    def alike(
        self, text: str, *, k: int, vector: FloatArray | None = None, exclude: Collection[str] = ()
    ) -> list[Found]:
        """At most `k` records most likely to speak of the same as `text`, the most alike first.

        The similarity is symmetric: what only one of the two says lowers it. `vector` is the text's as a document.
        """
        _check(k)
        read = text[:_READ]
        if not read.strip() or not len(self._index):
            return []
        ids = dict.fromkeys(self._index.candidates(read, k=k, exclude=exclude))
        if vector is not None:
            ids |= dict.fromkeys(self._index.nearest(vector, k=k, exclude=exclude))
        names = list(ids)
        own = list(dict.fromkeys(index_tokens(read)))
        shared = self._index.holding(own, names).sum(axis=0, dtype=np.float32)
        words = 2.0 * shared / np.maximum(self._index.distinct_terms(names) + np.float32(len(own)), 1)
        likeness = self._joined(words.astype(np.float32), self._meant(read, vector, names, role="document"))
        order: list[int] = np.argsort(-likeness, kind="stable").tolist()
        return [Found(names[number], min(max(float(likeness[number]), 0.0), 1.0)) for number in order]

    def holders(self, term: str, *, most: int) -> list[str]:
        """The records that hold an index term; none where these are more than `most`."""
        return self._index.containing(term, most=most)

    def packed(self) -> dict[str, Packed]:
        """The whole index as arrays and JSON values by part, without a trace of removed records."""
        places = np.array([self._place[name] for name in self._index], dtype=np.int64)
        return self._index.packed() | {_ORDER: {"places": places}, _PASSAGES: self._passages.packed()}

    def restore(self, packed: Mapping[str, Packed]) -> None:
        """Become what `packed` was made of; ValueError when it is none, and the index is of no use then."""
        places = packed[_ORDER]["places"].tolist()
        self._index.restore(packed)
        self._passages.restore(packed[_PASSAGES])
        self._by_place = None
        self._place = dict(zip(self._index, places, strict=True))
        self._next_place = max(places, default=-1) + 1
        self._weigh()

    def _left_out(self, exclude: Collection[str], allowed: Collection[str] | None) -> set[str]:
        if allowed is None:
            return set(exclude)
        wanted = set(allowed).difference(exclude)
        return {name for name in self._index if name not in wanted}

    def _covered(self, query: str, ids: Sequence[str]) -> FloatArray:
        """The share of a query that each record holds, rare words more: float32 of shape [ids] in [0, 1].

        A long query is also read sentence by sentence, and the best one counts.
        """
        parts = [_telling(query)]
        if len(parts[0]) > _LONG:
            parts += [terms for each in sentences(query)[:_SENTENCES] if len(terms := _telling(each)) >= _LEAST_TERMS]
        best = np.zeros(len(ids), dtype=np.float32)
        for terms in parts:
            weights = np.array([self._rarity(term) for term in terms], dtype=np.float32)
            held = weights @ self._index.holding(terms, ids)
            best = np.maximum(best, held / np.float32(max(float(weights.sum()), 1e-9)))
        return best

    def _rarity(self, term: str) -> float:
        """How telling an index term is here, in [0.3, 1]: 1 for one that no record holds."""
        many = math.log1p(len(self._index) + 40.0)
        return max(0.3, 1.0 - math.log1p(self._index.document_frequency(term)) / many)

    def _meant(
        self,
        text: str,
        vector: FloatArray | None,
        ids: Sequence[str],
        *,
        role: Literal["query", "document"] = "query",
    ) -> FloatArray | None:
        """What the vectors say of likeness, in [0, 1]; NaN for a record without one; None where they say nothing."""
        if vector is None or self._embedder is None:
            return None
        try:
            near = nearness_of(self._embedder, language=detect_language(text), role=role)
        except Exception as error:  # noqa: BLE001 - an embedder that fails now says nothing of what it said before
            _log.warning("the embedder failed (%s); likeness is found by words alone", type(error).__name__)
            return None
        return near.of(self._index.cosines(vector, ids))

    @staticmethod
    def _joined(words: FloatArray, meant: FloatArray | None) -> FloatArray:
        if meant is None:
            return words
        meaning = np.where(np.isnan(meant), words, meant)
        higher, lower = np.maximum(words, meaning), np.minimum(words, meaning)
        joined = np.float32(_BETTER) * higher + np.float32(1.0 - _BETTER) * lower
        return joined.astype(np.float32, copy=False)


def likelihood(query: str, similarity: float) -> float:
    """How likely the first hit of such a similarity answers a query, in [0, 1]: a question of one word tells little.

    Fitted, by words alone, on how often it did for 582 questions of four conversations of LoCoMo.
    """
    words = sum(len(term) > 1 for term in _telling(query[:_READ])) or 1
    return float(similarity**_POWER * words / (words + _UNTOLD))


def _mode(vector: FloatArray | None) -> Literal["hybrid", "lexical"]:
    return "lexical" if vector is None else "hybrid"


def _check(k: int) -> None:
    if k < 1:
        raise InvalidParameter(f"k must be at least 1, not {k}.")


def _telling(query: str) -> list[str]:
    """The terms of a query that say something."""
    terms = dict.fromkeys(index_tokens(query))
    return [term for term in terms if term not in CHINESE_WORDS and not CHINESE_CHARS.intersection(term)]


def _read(share: float, known: float) -> float:
    """The share of a question that a record holds as a similarity."""
    if share < known:
        return share / known * KNOWN_IS
    return min(1.0, KNOWN_IS + (share - known) / (1.0 - known) * (1.0 - KNOWN_IS))
