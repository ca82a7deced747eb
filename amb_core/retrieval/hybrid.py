"""One ranked list from lexical and dense scores, with the neighbours that mentions, links and adjacency lead to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

from amb_core.protocols import Embedder, Hit, Query
from amb_core.retrieval.context import Reading, Traits, read_in_context
from amb_core.retrieval.dense import DenseIndex
from amb_core.retrieval.items import IndexedText
from amb_core.retrieval.lexical import LexicalIndex
from amb_core.retrieval.mentions import MentionIndex
from amb_core.retrieval.places import PlaceIndex
from amb_core.retrieval.ranking import Lead, Pick, pick
from amb_core.retrieval.scoring import QueryScores, best_keys, check_query, score_query
from amb_core.text import index_tokens

__all__ = ["HybridIndex"]

FloatArray = NDArray[np.float32]
IntArray = NDArray[np.int64]

_POOL = 64
"""How many of the best notes are ranked with their context and links; the work per query is bounded by it."""
_LEADING = 8
_MAX_LEADS = 32
_LINKED = 0.5
_BESIDE = 0.3
_CANDIDATE_TERMS = 12


class HybridIndex:
    """A Retriever over notes: `put` inserts or replaces one, `remove` forgets it, `search` ranks them.

    Equal scores are ordered by age: the note inserted first comes first, and a replaced note keeps its age. `linked`
    gives the ids stored as related to an id; `foreign_dense` in [0, 1] is how much of the dense weight is left for a
    query in a language the embedder does not know. Not thread-safe: its owner holds a lock.
    """

    def __init__(
        self,
        *,
        embedder: Embedder | None = None,
        linked: Callable[[str], Iterable[str]] | None = None,
        foreign_dense: float = 0.25,
    ) -> None:
        self._embedder = embedder
        self._linked = linked
        self._foreign_dense = foreign_dense
        self._lexical = LexicalIndex()
        self._dense = DenseIndex()
        self._mentions = MentionIndex()
        self._places = PlaceIndex()
        self._traits = Traits()
        self._key_of: dict[str, int] = {}
        self._id_of: list[str] = []  # by key, also of removed notes; keys are never used again

    def __len__(self) -> int:
        return len(self._key_of)

    def __contains__(self, id: str) -> bool:
        return id in self._key_of

    def put(self, item: IndexedText) -> None:
        """Insert a note, or replace the one with its id; raises InvalidParameter when its vector does not fit."""
        if item.vector is not None:
            self._dense.check(item.vector)
        key = self._key_of.get(item.id)
        if key is None:
            key = self._key_of[item.id] = len(self._id_of)
            self._id_of.append(item.id)
        self._lexical.put(key, index_tokens(item.text))
        if item.vector is None:
            self._dense.remove(key)
        else:
            self._dense.put(key, item.vector)
        self._mentions.put(key, about=item.about, mentions=item.mentions)
        self._places.put(key, source=item.source, position=item.position, speaker=item.speaker)
        self._traits.put(key, text=item.text, turn=item.speaker is not None)

    def remove(self, id: str) -> None:
        """Forget a note; an unknown id is no error."""
        key = self._key_of.pop(id, None)
        if key is not None:
            for part in (self._lexical, self._dense, self._mentions, self._places, self._traits):
                part.remove(key)

    def vector(self, id: str) -> FloatArray | None:
        """A copy of the note's vector, or None."""
        key = self._key_of.get(id)
        return None if key is None else self._dense.vector(key)

    def search(self, query: Query) -> list[Hit]:
        """The k best notes, best first; raises InvalidParameter for k below 1 or alpha outside [0, 1].

        `exact` ranks by the fused score alone. Otherwise turns of a dialogue are read with the turns around them, a
        term that earlier hits cover counts less, and the best hits raise the notes they lead to.
        """
        check_query(query)
        if not self._key_of:
            return []
        scores = score_query(
            query,
            lexical=self._lexical,
            dense=self._dense,
            embedder=self._embedder,
            foreign=self._foreign_dense,
            size=len(self._id_of),
        )
        excluded = self._keys(query.exclude)
        scores.found[excluded] = False
        if query.exact:
            pool = best_keys(scores.fused, scores.found, query.k)
            picks = pick(np.zeros((0, len(pool)), dtype=np.float32), scores.fused[pool], k=query.k)
        else:
            pool = self._pool(scores, query.k, excluded)
            picks = self._ranked(query, scores, pool)
        return [self._hit(scores, pool, entry) for entry in picks]

    def related(self, id: str) -> list[tuple[str, str]]:
        """Other notes joined to this one by a name, strongest first, as (id, reason)."""
        key = self._key_of.get(id)
        if key is None:
            return []
        reasons: dict[str, str] = {}
        for link in (*self._mentions.links(key), *self._mentions.shared(key)):
            reasons.setdefault(self._id_of[link.key], link.reason)
        return list(reasons.items())

    def candidates(self, text: str, *, k: int, exclude: Collection[str] = ()) -> list[str]:
        """Ids of the notes most likely to speak of the same as `text`, found by its most telling terms only."""
        counts = Counter(term for term in index_tokens(text) if self._lexical.document_frequency(term))
        telling = sorted(counts, key=lambda term: (-self._lexical.idf(term) * min(counts[term], 3), term))
        weights = {term: float(min(counts[term], 3)) for term in telling[:_CANDIDATE_TERMS]}
        scores = self._lexical.scores(weights, size=len(self._id_of))
        found = scores > 0
        found[self._keys(exclude)] = False
        return [self._id_of[key] for key in best_keys(scores, found, k)]

    def _keys(self, ids: Iterable[str]) -> list[int]:
        return [key for name in ids if (key := self._key_of.get(name)) is not None]

    def _pool(self, scores: QueryScores, k: int, excluded: list[int]) -> IntArray:
        """Keys of the notes to rank, oldest first: the best, and what the very best stand beside or lead to."""
        best = best_keys(scores.fused, scores.found, max(_POOL, 2 * k))
        parts = [best]
        if self._places.has_speakers:
            parts += self._places.around(best[: _POOL // 2], before=2, after=2)
        leads = [key for first in best[:_LEADING].tolist() for key, _, _ in self._leads(first)]
        parts.append(np.array(leads, dtype=np.int64))
        pool = np.unique(np.concatenate(parts))
        pool = pool[pool >= 0]
        return pool[~np.isin(pool, excluded)] if excluded else pool

    def _ranked(self, query: Query, scores: QueryScores, pool: IntArray) -> list[Pick]:
        if query.mode == "rrf":
            reading = Reading(np.zeros((0, len(pool)), dtype=np.float32), scores.fused[pool], scores.fused[pool] * 0)
        else:
            reading = read_in_context(query.text, scores, pool, places=self._places, traits=self._traits)
        index_of: Mapping[int, int] = {key: index for index, key in enumerate(pool.tolist())}

        def leads(index: int) -> Iterator[Lead]:
            for key, weight, reason in self._leads(int(pool[index])):
                if key in index_of:
                    yield Lead(index_of[key], weight, reason)

        picks = pick(reading.gains, reading.rest, k=query.k, novelty=reading.novelty, leads=leads)
        return [entry for entry in picks if entry.score > 0 or scores.found[pool[entry.index]]]

    def _leads(self, key: int) -> list[tuple[int, float, str]]:
        """Notes that one leads to, with a weight in [0, 1] and the reason: by a name, a stored link, its place."""
        found = [(link.key, link.weight, link.reason) for link in self._mentions.links(key)[:_MAX_LEADS]]
        if self._linked is not None:
            found += [(other, _LINKED, "linked to it") for other in self._keys(self._linked(self._id_of[key]))]
        if self._places.speaker(key) is None:  # a turn is read with its neighbours anyway
            found += [(other, _BESIDE, "next to it in the same source") for other in self._places.beside(key)]
        return found

    def _hit(self, scores: QueryScores, pool: IntArray, entry: Pick) -> Hit:
        key = int(pool[entry.index])
        via = None if entry.via is None else self._id_of[int(pool[entry.via])]
        return Hit(
            id=self._id_of[key],
            score=entry.score,
            lexical=float(scores.lexical[key]),
            dense=float(scores.dense[key]),
            via=via,
            reason=f"{entry.reason} ({via})" if via else "matches the query",
        )
