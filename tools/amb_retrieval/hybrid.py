"""One ranked list from lexical and dense scores, and from what stands around a text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from amb_core.protocols import Embedder, Hit, Query
from amb_core.retrieval.lexical import LexicalIndex, Packed
from amb_core.text.index_terms import tokens_by_line
from amb_retrieval.dense import DenseIndex
from amb_retrieval.indexed_text import IndexedText
from amb_retrieval.ranking import QueryScores, QueryWords, best_keys, check_query, scaled, score_query
from amb_retrieval.surroundings import Surroundings

__all__ = ["HybridIndex"]

FloatArray = NDArray[np.float32]
IntArray = NDArray[np.int64]

_NONE = -1
_CANDIDATE_TERMS = 24


class _Part(Protocol):
    """What every part of the index can do with the keys of notes."""

    def remove(self, key: int) -> None: ...
    def packed(self) -> Packed: ...
    def restore(self, packed: Packed) -> None: ...


class HybridIndex:
    """A Retriever over notes: `put` inserts or replaces one, `remove` forgets it, `search` ranks them.

    Equal scores are ordered by age: the note inserted first comes first, and a replaced note keeps its age. `dense`
    holds the vectors (by default, and exactly, a DenseIndex), and
    `lexical` the words.
    With `exact` every search is an exact one, and of a note only its words and vector are kept, which is much quicker.
    Not thread-safe: its owner holds a lock.
    """

    def __init__(
        self,
        *,
        embedder: Embedder | None = None,
        dense: DenseIndex | None = None,
        lexical: LexicalIndex | None = None,
        exact: bool = False,
    ) -> None:
        self._exact_only = exact
        self._embedder = embedder
        self._lexical = LexicalIndex() if lexical is None else lexical
        self._dense = DenseIndex() if dense is None else dense
        self._around = Surroundings()
        self._parts: dict[str, _Part] = {
            "lexical": self._lexical,
            "dense": self._dense,
            "around": self._around,
        }
        self._key_of: dict[str, int] = {}
        self._id_of: list[str] = []  # by key, older ones first, also of removed notes
        self._gone: set[int] = set()
        self._spoken: set[int] = set()

    def __len__(self) -> int:
        return len(self._key_of)

    def __contains__(self, id: str) -> bool:
        return id in self._key_of

    def __iter__(self) -> Iterator[str]:
        return iter(self._key_of)

    @property
    def turns(self) -> int:
        """How many of the notes are turns of a dialogue."""
        return len(self._spoken)

    def put(self, item: IndexedText) -> None:
        """Insert a note, or replace the one with its id; raises InvalidParameter when its vector does not fit."""
        if item.vector is not None:
            self._dense.check(item.vector)
        key = self._key_of.get(item.id)
        if key is None:
            key = len(self._id_of)
            self._id_of.append(item.id)  # first: a key without an id would be of the next note
            self._key_of[item.id] = key
        (self._spoken.add if item.speaker else self._spoken.discard)(key)
        terms = tokens_by_line(item.text)
        self._lexical.put(key, terms, also=item.also)
        if item.vector is None:
            self._dense.remove(key)
        else:
            self._dense.put(key, item.vector)
        if self._exact_only:
            return
        self._around.put(key, item.text, about=item.about, mentions=item.mentions, speaker=item.speaker)

    def remove(self, id: str) -> None:
        """Forget a note; an unknown id is no error."""
        key = self._key_of.pop(id, None)
        if key is not None:
            self._id_of[key] = ""
            self._gone.add(key)
            self._spoken.discard(key)
            for part in self._parts.values():
                part.remove(key)

    def forget_removed(self) -> None:
        """Drop the words that only removed or replaced notes had, which are otherwise dropped now and then."""
        self._lexical.forget_removed()

    def packed(self) -> dict[str, Packed]:
        """The whole index as arrays and JSON values by part, without a trace of removed notes."""
        return {"ids": {"ids": self._id_of}} | {name: part.packed() for name, part in self._parts.items()}

    def restore(self, packed: Mapping[str, Packed]) -> None:
        """Become what `packed` was made of."""
        for name, part in self._parts.items():
            part.restore(packed[name])
        self._id_of = list(packed["ids"]["ids"])
        self._key_of = {name: key for key, name in enumerate(self._id_of) if name}
        self._gone = {key for key, name in enumerate(self._id_of) if not name}
        self._spoken = {key for key, *_ in packed["around"]["said"]}

    def vector(self, id: str) -> FloatArray | None:
        """A copy of the note's vector, or None."""
        key = self._key_of.get(id)
        return None if key is None else self._dense.vector(key)

    def search(self, query: Query, *, vector: FloatArray | None = None) -> list[Hit]:
        """The k best notes, best first; raises InvalidParameter for k below 1 or alpha outside [0, 1].

        `exact` ranks by the fused score alone, and so does the mode "rrf". Otherwise turns of a dialogue are read with
        the turns around them, a term that earlier hits cover counts less, and the best hits raise the notes they lead
        to. `vector` is the query's, where it is known already.
        """
        check_query(query)
        if not self._key_of:
            return []
        scores = score_query(
            query,
            lexical=self._lexical,
            dense=self._dense,
            embedder=self._embedder,
            size=len(self._id_of),
            vector=vector,
        )
        excluded = self._keys(query.exclude)
        scores.found[excluded] = False
        if query.exact or self._exact_only or query.mode == "rrf":
            return self._exact(scores, query.k)
        worth = self._around.worth(
            query.text,
            scores.terms,
            scores.lexical,
            words=self._lexical,
            weight=scores.alpha,
            meant=np.float32(1.0 - scores.alpha) * scores.dense,
            closed=[*excluded, *self._gone],
        )
        words = QueryWords(query.text, scores.terms.terms)
        hits = []
        top = max(float(worth.scores.max(initial=0.0)), 1e-9)
        for key in best_keys(worth.scores, scores.found | (worth.scores > 0), query.k).tolist():
            reason, via = worth.why.get(key, ("", None))
            if via is None:
                told = words.reason(scores.terms.at(np.array([key]))[:, 0])
                reason = f"{reason}; {told}" if reason else told
            else:
                reason = f"{reason} ({self._id_of[via]})"
            score = min(max(float(worth.scores[key]) / top, 0.0), 1.0)
            hits.append(self._hit(scores, key, score, reason, via=None if via is None else self._id_of[via]))
        return hits

    def related(self, id: str) -> list[tuple[str, str]]:
        """Other notes joined to this one by a name, strongest first, as (id, reason)."""
        key = self._key_of.get(id)
        if key is None:
            return []
        reasons: dict[str, str] = {}
        for link in (*self._around.links(key), *self._around.shared(key)):
            reasons.setdefault(self._id_of[link.key], link.reason)
        return list(reasons.items())

    def candidates(self, text: str, *, k: int, exclude: Collection[str] = ()) -> list[str]:
        """Ids of the notes most likely to speak of the same as `text`, found by its most telling terms.

        Only while those lead to fewer than `k` notes are the less telling ones asked too.
        """
        counts = Counter(tokens_by_line(text))
        known = self._lexical.idfs(counts)
        worth = {term: idf * min(counts[term], 3) for term, idf in known.items()}
        excluded, best = self._keys(exclude), dict[int, None]()
        for first, most in ((0, _CANDIDATE_TERMS), (_CANDIDATE_TERMS, len(worth))):
            terms = _telling(worth, most=most)[first:] if len(best) < k else []
            if not terms:
                break
            weights = {term: float(min(counts[term], 3)) for term in terms}
            scores = self._lexical.scores(weights, size=len(self._id_of))
            found = scores > 0
            found[excluded] = False
            found[list(best)] = False
            best.update(dict.fromkeys(int(key) for key in best_keys(scores, found, k - len(best))))
        return [self._id_of[key] for key in best]

    def best(self, weights: Mapping[str, float], *, k: int) -> list[str]:
        """Ids of the k notes that hold most of some index terms, best first; `weights` says what each term counts."""
        scores = self._lexical.scores(weights, size=len(self._id_of))
        return [self._id_of[int(key)] for key in best_keys(scores, scores > 0, k)]

    def nearest(self, vector: FloatArray, *, k: int, exclude: Collection[str] = ()) -> list[str]:
        """Ids of the k notes whose vectors are nearest to `vector`, best first."""
        if not len(self._dense):
            return []
        known, cosines = self._dense.by_key(vector, size=len(self._id_of))
        allowed = np.ones(len(cosines), dtype=bool) if known is None else known
        allowed[self._keys(exclude)] = False
        return [self._id_of[int(key)] for key in best_keys(cosines, allowed, k)]

    def cosines(self, vector: FloatArray, ids: Sequence[str]) -> FloatArray:
        """The cosine of `vector` with that of each note, float32 of shape [ids]; NaN for a note without one."""
        rows = [self.vector(name) for name in ids]
        return np.array([np.nan if row is None else row @ vector for row in rows], dtype=np.float32)

    def holding(self, terms: Sequence[str], ids: Sequence[str]) -> NDArray[np.bool_]:
        """Which notes hold which index terms, bool of shape [terms, ids]; an unknown id holds none."""
        return self._lexical.holding(terms, np.array([self._key_of.get(name, _NONE) for name in ids], dtype=np.int64))

    def distinct_terms(self, ids: Sequence[str]) -> IntArray:
        """How many different index terms each note has, int64 of shape [ids]; 0 for an unknown id."""
        return self._lexical.distinct(np.array([self._key_of.get(name, _NONE) for name in ids], dtype=np.int64))

    def containing(self, term: str, *, most: int) -> list[str]:
        """Ids of the notes that hold an index term; none where these are more than `most`."""
        return [self._id_of[key] for key in self._lexical.containing([term], most=most)]

    def document_frequency(self, term: str) -> int:
        """How many of the notes hold an index term."""
        return self._lexical.document_frequency(term)

    def _keys(self, ids: Iterable[str]) -> list[int]:
        return [key for name in ids if (key := self._key_of.get(name)) is not None]

    def _exact(self, scores: QueryScores, k: int) -> list[Hit]:
        keys = best_keys(scores.fused, scores.found, k)
        fused = scaled(scores.fused[keys], low=0.0)
        return [
            self._hit(scores, int(key), float(score), "matches the query")
            for key, score in zip(keys, fused, strict=True)
        ]

    def _hit(self, scores: QueryScores, key: int, score: float, reason: str, *, via: str | None = None) -> Hit:
        return Hit(
            id=self._id_of[key],
            score=score,
            lexical=float(scores.lexical[key]),
            dense=float(scores.dense[key]),
            via=via,
            reason=reason,
        )


def _telling(worth: Mapping[str, float], *, most: int) -> list[str]:
    """The terms that are worth most, best first, and in the order of their letters where they are worth the same."""
    least = sorted(worth.values(), reverse=True)[most - 1] if most < len(worth) else 0.0
    chosen = [term for term, value in worth.items() if value >= least]
    return sorted(chosen, key=lambda term: (-worth[term], term))[:most]
