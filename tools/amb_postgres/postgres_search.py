"""Candidates of a search, found by the database: for namespaces that are too large for the index of a process.

The index follows the change log: what has changed in a namespace since the last search is indexed before the next one,
and what is deleted goes with its record. A term is kept as a digest of tenant, space, namespace and word, so no word
stands in the index, and one namespace's words are nobody else's. Weights are those of BM25 (Robertson and Zaragoza,
2009) without how often a word is said; vectors are compared by pgvector where it is installed, else by reading the
namespace, and the two rankings fused by their ranks.
"""

from __future__ import annotations

import base64
import math
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from heapq import nsmallest
from itertools import accumulate
from typing import LiteralString, NamedTuple

import numpy as np
from numpy.typing import NDArray
from pydantic import JsonValue

from amb_core.protocols import Record
from amb_core.text import index_tokens
from amb_postgres.postgres_address import stored_text
from amb_postgres.postgres_space import PostgresSpace
from amb_postgres.record_rows import record_of

__all__ = ["SearchIndex"]

_PAGE = 1_000
_BEGINNING = -1
"""Before the first change; what was there when changes began to be numbered has 0."""
_MOST_TERMS = 64
_LONGEST_FIELD = 200
"""Characters of a field that records are also found by."""
_TEXTS = ("content", "earlier")
"""The fields whose words are indexed; of the others that are texts the whole value is, but for the vector."""
_COMMON, _LOOKED_AT = 20_000, 40_000
"""Records from which on a word is common, and so many are looked at for the words of a text, the rarest first."""
_COMMON_FOR = 600.0
"""Seconds for which a word that was found to be common is not counted again."""
_RANK = 60.0
"""The constant of reciprocal rank fusion (Cormack, Clarke and Buettcher, 2009)."""
_BEHIND: LiteralString = """SELECT namespace, id, data, created_at, updated_at, expires_at, changed FROM amb.records
    WHERE tenant = %s AND space = %s AND namespace = %s AND changed > %s ORDER BY changed
    FETCH FIRST (%s) ROWS WITH TIES"""
_UPTO: LiteralString = """SELECT upto, greatest(notes, 1), greatest(terms / greatest(notes, 1), 1)::float8
    FROM amb.indexed WHERE tenant = %s AND space = %s AND namespace = %s"""
_PUT: LiteralString = """INSERT INTO amb.search (tenant, space, namespace, id, terms)
    SELECT tenant, space, namespace, id, terms FROM (VALUES (%s, %s, %s, %s, %s::bigint[], %s::text))
    AS one (tenant, space, namespace, id, terms, vector)
    ON CONFLICT (tenant, space, namespace, id) DO UPDATE SET terms = excluded.terms"""
_PUT_BOTH: LiteralString = """INSERT INTO amb.search (tenant, space, namespace, id, terms, embedding)
    VALUES (%s, %s, %s, %s, %s, %s) ON CONFLICT (tenant, space, namespace, id)
    DO UPDATE SET terms = excluded.terms, embedding = excluded.embedding"""
_NOTE: LiteralString = """INSERT INTO amb.indexed (tenant, space, namespace, upto, notes, terms)
    VALUES (%s, %s, %s, %s, %s, %s) ON CONFLICT (tenant, space, namespace) DO UPDATE SET upto = excluded.upto,
    notes = indexed.notes + excluded.notes, terms = indexed.terms + excluded.terms"""
_HELD: LiteralString = "SELECT term, many FROM amb.held(%s, %s, %s)"
_FIND: LiteralString = "SELECT id FROM amb.find(%s, %s, %s, %s, %s)"
_HOLDING: LiteralString = "SELECT id FROM amb.holding(%s, %s, %s)"
_NEAREST: LiteralString = "SELECT id FROM amb.nearest(%s, %s, %s)"
_HAS_VECTORS: LiteralString = "SELECT to_regproc('amb.nearest') IS NOT NULL"


class _Entry(NamedTuple):
    """What is indexed of a record."""

    tenant: str
    space: str
    namespace: str
    id: str
    terms: list[int]
    vector: str | None


class SearchIndex:
    """The index of one space in its database. Thread-safe; several processes may bring it up to date."""

    def __init__(self, space: PostgresSpace) -> None:
        self._space = space
        self._vectors = bool(space.ask(_HAS_VECTORS, ())[0][0])
        self._common: dict[int, float] = {}

    def find(
        self, namespace: str, *, text: str, vector: NDArray[np.float32] | None, most: int
    ) -> list[tuple[str, float]]:
        """At most so many stored ids of a namespace, best first, with a score that only ranks."""
        self._catch_up(namespace)
        within = stored_text(namespace)
        wanted = self._digests(namespace, index_tokens(text))[:_MOST_TERMS]
        said = self._said(within, wanted, most) if wanted else []
        near: list[str] = []
        if vector is not None and vector.any():
            near = self._nearest(within, vector, most)
        scores: defaultdict[str, float] = defaultdict(float)
        for ranking in (said, near):
            for rank, name in enumerate(ranking, 1):
                scores[name] += 1.0 / (_RANK + rank)
        return sorted(scores.items(), key=lambda one: (-one[1], one[0]))[:most]

    def holding(self, namespace: str, fields: Mapping[str, JsonValue], *, most: int) -> tuple[list[str], int] | None:
        """The stored ids of the records that may have these texts as fields, and up to which change that is known.

        None where the index does not tell: the namespace was never searched, or more than `most` have them.
        """
        said = [_field(name, value) for name, value in fields.items() if _is_field(name, value)]
        here = (*self._space.names, stored_text(namespace))
        if not said or (upto := self._upto(here)) == _BEGINNING:
            return None
        rows = self._space.ask(_HOLDING, (here[-1], self._digests(namespace, said), most + 1))
        return ([row[0] for row in rows], upto) if len(rows) <= most else None

    # --- inside ------------------------------------------------------------------------------------------------------

    def _said(self, within: str, wanted: Sequence[int], most: int) -> list[str]:
        """The ids that have the words, best first: by the rare ones, or where all are common, those that have all."""
        now = time.monotonic()
        counted = [term for term in wanted if self._common.get(term, 0.0) <= now]
        held = {term: many for term, many in self._space.ask(_HELD, (within, counted, _COMMON + 1)) if many}
        self._common |= {term: now + _COMMON_FOR for term, many in held.items() if many > _COMMON}
        rare = sorted((many, term) for term, many in held.items() if many <= _COMMON)
        if not rare:
            common = [term for term in wanted if self._common.get(term, 0.0) > now]
            return [row[0] for row in self._space.ask(_HOLDING, (within, common, most))] if common else []
        sums = accumulate(many for many, _ in rare)
        chosen = [one for one, looked_at in zip(rare, sums, strict=True) if looked_at <= _LOOKED_AT]
        _, notes, length = self._known((*self._space.names, within))
        worth = [math.log1p((max(notes - many, 0) + 0.5) / (many + 0.5)) for many, _ in chosen]
        values = (within, [term for _, term in chosen], worth, length, most)
        return [row[0] for row in self._space.ask(_FIND, values)]

    def _nearest(self, within: str, vector: NDArray[np.float32], most: int) -> list[str]:
        """The ids with the nearest vectors: by pgvector, or where it is not installed by reading the namespace."""
        if self._vectors:
            return [row[0] for row in self._space.ask(_NEAREST, (within, _written(vector), most))]
        return [name for _, name in nsmallest(most, self._distances(within, vector))]

    def _distances(self, within: str, vector: NDArray[np.float32]) -> Iterator[tuple[float, str]]:
        after, length = _BEGINNING, float(np.linalg.norm(vector))
        while rows := self._space.ask(_BEHIND, (*self._space.names, within, after, _PAGE)):
            after = rows[-1][-1]
            for row in rows:
                record = record_of(row[:-1])
                embedding = None if record is None else record.data.get("embedding")
                found = _vector_of(embedding) if isinstance(embedding, str) else None
                if found is not None and found.size == vector.size:
                    yield -float(found @ vector) / (length * float(np.linalg.norm(found))), row[1]

    def _catch_up(self, namespace: str) -> None:
        """Index what has changed since the last search, a page in a transaction."""
        here = (*self._space.names, stored_text(namespace))
        while self._space.ask(_BEHIND, (*here, self._upto(here), 1)):
            with self._space.writing(keeps=False) as work:
                rows = work.connection.execute(_BEHIND, (*here, self._upto(here), _PAGE)).fetchall()
                if not rows:
                    return
                records = [(row[1], record) for row in rows if (record := record_of(row[:-1])) is not None]
                entries = [entry for key, record in records if (entry := self._entry(here, key, record)) is not None]
                with work.connection.pipeline(), work.connection.cursor() as cursor:
                    cursor.executemany(_PUT_BOTH if self._vectors else _PUT, entries)
                    terms = sum(len(entry.terms) for entry in entries)
                    cursor.execute(_NOTE, (*here, rows[-1][-1], len(entries), terms))

    def _upto(self, here: tuple[str, ...]) -> int:
        return self._known(here)[0]

    def _known(self, here: tuple[str, ...]) -> tuple[int, int, float]:
        """Up to which change a namespace is indexed, how many records were, and how many terms they have on average."""
        rows = self._space.ask(_UPTO, here)
        return (int(rows[0][0]), int(rows[0][1]), float(rows[0][2])) if rows else (_BEGINNING, 1, 1.0)

    def _entry(self, here: tuple[str, ...], key: str, record: Record) -> _Entry | None:
        embedding = record.data.get("embedding")
        terms = self._digests(record.namespace, _terms_of(record.data))
        vector = _vector_of(embedding) if self._vectors and isinstance(embedding, str) else None
        if not terms and vector is None:
            return None
        return _Entry(here[0], here[1], here[2], key, terms, None if vector is None else _written(vector))

    def _digests(self, namespace: str, words: Iterable[str]) -> list[int]:
        """The digests of words, each once, in their order."""
        scope = "\x1f".join((*self._space.names, stored_text(namespace))).encode()
        person = blake2b(scope, digest_size=16).digest()
        return [
            int.from_bytes(
                blake2b(word.encode("utf-8", "surrogatepass"), digest_size=8, person=person).digest(),
                "big",
                signed=True,
            )
            for word in dict.fromkeys(words)
        ]


def _terms_of(data: Mapping[str, JsonValue]) -> Iterator[str]:
    """What a record is found by: the words of its texts, those in names such as customer_id, and its other fields."""
    for text in (data.get(name) for name in _TEXTS):
        if isinstance(text, str):
            yield from index_tokens(text)
            yield from index_tokens(text.replace("_", " ")) if "_" in text else ()
    yield from (_field(name, value) for name, value in data.items() if _is_field(name, value))


def _is_field(name: str, value: JsonValue) -> bool:
    return isinstance(value, str) and len(value) <= _LONGEST_FIELD and name not in (*_TEXTS, "embedding")


def _field(name: str, value: JsonValue) -> str:
    """A field as a term that no word is."""
    return f"\x1e{name}\x1e{value}"


def _vector_of(embedding: str) -> NDArray[np.float32] | None:
    """The vector in the field of a record; None for what is none."""
    try:
        raw = base64.b64decode(embedding, validate=True)
        vector = np.frombuffer(raw, dtype="<f4")
    except ValueError:
        return None
    return vector if vector.size and bool(np.isfinite(vector).all()) and vector.any() else None


def _written(vector: NDArray[np.float32]) -> str:
    """A vector as pgvector reads it."""
    return "[" + ",".join(f"{value:.7g}" for value in vector.tolist()) + "]"
