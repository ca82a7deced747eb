"""What a record store asks of Chroma in a folder: points, kept in memory as well, and their vectors ranked."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from amb_core.errors import StoreError
from amb_core.stores.store_folder import FolderLock
from amb_vector_stores.chroma_collection import (
    check_room,
    chroma_errors,
    drop_indices,
    make_chroma_folder,
    open_client,
    say_closed,
    was_cut_off,
)
from amb_vector_stores.chroma_rows import WordIndex, document_of, metadata_of, payload_of, without
from amb_vector_stores.point_engine import Wanted
from amb_vector_stores.points import Payload, dense_of, name_of, point_id, text_of, unpacked

if TYPE_CHECKING:
    from chromadb import Collection

__all__ = ["ChromaEngine"]

_log = logging.getLogger("amb.stores")
_PLAIN = "amb"
_OURS = re.compile(r"amb(-embedding-[0-9]+)?")
_MOST_IDS = 10_000
"""Ids in one question to Chroma, which asks SQLite for each."""


class ChromaEngine:
    """Points in the collections of a folder that is locked against other openings of AMB.

    Points without a vector are in the collection `amb`, the others in one for each dimension, `amb-embedding-384`.
    What is read comes from memory; Chroma is read when it is opened, written to, and asked for the nearest vectors.
    """

    def __init__(self, folder: Path) -> None:
        self.place, self._folder = str(folder), folder
        self._collections: dict[str, Collection] = {}
        self._points: dict[str, Payload] = {}
        self._homes: dict[str, str] = {}
        self._words: WordIndex | None = None
        self._unsure: dict[str, None] = {}
        """Points of which a failed write may or may not have changed what is stored."""
        self._client: Any = None
        self._whole = False
        make_chroma_folder(folder)
        self._lock = FolderLock(folder)
        try:
            self._open()
        except BaseException:
            self.close()
            raise

    @property
    def is_server(self) -> bool:
        """No: the engine is in this process, and has the folder for itself."""
        return False

    # --- reading -----------------------------------------------------------------------------------------------------

    def payloads(self, ids: Iterable[str]) -> dict[str, Payload]:
        """The payloads of those points that are there."""
        return {key: self._points[key] for key in ids if key in self._points}

    def ordered(self, wanted: Wanted, *, newest_first: bool = False, limit: int | None = None) -> Iterator[Payload]:
        """The payloads of the wanted points by their place; those of one place in the order of their ids."""
        found = sorted((self._points[key]["place"], key) for key in self._wanted(wanted))
        return iter([self._points[key] for _, key in (reversed(found) if newest_first else found)])

    def count(self, wanted: Wanted) -> int:
        """How many points are wanted."""
        return sum(1 for _ in self._wanted(wanted))

    def namespaces(self, wanted: Wanted) -> set[str]:
        """The namespaces of the wanted points."""
        return {text_of(self._points[key]["namespace"]) for key in self._wanted(wanted)}

    def last_place(self) -> int:
        """The highest place of a point, 0 where there is none."""
        return max((payload.get("place", 0) for payload in self._points.values()), default=0)

    def ranked(
        self, wanted: Wanted, *, text: str, vector: NDArray[np.float32] | None, limit: int
    ) -> list[tuple[Payload, float]]:
        """The wanted points that a text or a vector finds, best first.

        Chroma ranks the vectors and AMB the words; either counts half where there are both.
        """
        allowed = dict.fromkeys(self._wanted(wanted))
        ways = []
        if text.strip():
            ways.append(self._word_index().ranked(text, allowed))
        if vector is not None:
            ways.append(self._nearest(vector, allowed, limit=max(100, 4 * limit) if ways else limit))
        scores: dict[str, float] = {}
        for way in ways:
            best = max(way.values(), default=0.0) or 1.0
            for key, score in way.items():
                scores[key] = scores.get(key, 0.0) + score / best / len(ways)
        chosen = sorted(scores, key=lambda key: (-round(scores[key], 6), self._points[key]["place"]))
        return [(self._points[key], scores[key]) for key in chosen[:limit]]

    # --- writing -----------------------------------------------------------------------------------------------------

    def writes_whole(self, changes: Mapping[str, Payload | None]) -> bool:
        """Whether these changes are one request, which Chroma carries out whole or not at all."""
        homes = {_home_of(key, payload) for key, payload in changes.items()}
        before = {self._homes.get(key) for key in changes} - {None}
        if len(homes) != 1 or len(changes) > self._batch:
            return False
        return before <= homes if homes != {None} else len(before) < 2

    def write(self, changes: Mapping[str, Payload | None]) -> None:
        """Put or, for None, delete points; one point is written whole or not at all, several one after the other."""
        check_room(self._folder, sum(len(payload.get("data", "")) for payload in changes.values() if payload))
        restored = {key: self._points.get(key) for key in self._unsure if key not in changes}
        for some in (*_chunks([*restored.items()], self._batch), *_chunks([*changes.items()], self._batch)):
            self._unsure.update(dict.fromkeys(key for key, _ in some))
            with chroma_errors(self._folder):
                self._write(dict(some))
            for key, payload in some:
                self._remember(key, payload, _home_of(key, payload))
                self._unsure.pop(key, None)

    def close(self) -> None:
        """Let the folder go; calling twice is no error."""
        client, self._client = self._client, None
        if client is not None:
            with suppress(StoreError), chroma_errors(self._folder):
                client.close()
                if self._whole and not self._unsure:
                    say_closed(self._folder)
        self._collections = {}
        self._lock.release()

    # --- inside ------------------------------------------------------------------------------------------------------

    def _open(self) -> None:
        cut_off = was_cut_off(self._folder)
        if cut_off:
            drop_indices(self._folder, _OURS)
        self._client = open_client(self._folder)
        with chroma_errors(self._folder):
            self._batch = int(self._client.get_max_batch_size())
            for each in self._client.list_collections():
                if _OURS.fullmatch(each.name):
                    self._load(each.name)
            if cut_off:
                self._index_again()
        self._whole = True

    def _load(self, name: str) -> None:
        collection = self._collection(name)
        found = collection.get(include=["metadatas"])
        for key, metadata in zip(found["ids"], found["metadatas"] or [], strict=True):
            payload = payload_of(metadata or {})
            if payload is None or point_id(payload["frame"]) != key:
                _log.warning("%s: a row of %s that cannot be read back was left alone", self.place, name)
                continue
            if key in self._homes:  # cut off on its way to another collection: its journal has what it is to be
                self._collections[self._homes[key]].delete(ids=[key])
            self._remember(key, payload, name)

    def _index_again(self) -> None:
        """Fill the indices whose files were removed."""
        having = [key for key, home in self._homes.items() if home != _PLAIN and _vector_of(self._points[key])]
        for keys in _chunks(having, self._batch):
            self._write({key: self._points[key] for key in keys})

    def _write(self, changes: Mapping[str, Payload | None]) -> None:
        puts: dict[str, list[str]] = {}
        gone: dict[str, list[str]] = {}
        for key, payload in changes.items():
            home, before = _home_of(key, payload), self._homes.get(key)
            if home is not None:
                puts.setdefault(home, []).append(key)
            left = self._collections if key in self._unsure and payload is None else [before]
            for name in left:
                if name is not None and name != home:
                    gone.setdefault(name, []).append(key)
        for name, keys in puts.items():
            self._upsert(name, {key: changes[key] for key in keys})
        for name, keys in gone.items():
            self._collection(name).delete(ids=keys)

    def _upsert(self, name: str, payloads: Mapping[str, Payload | None]) -> None:
        rows = [(key, payload) for key, payload in payloads.items() if payload is not None]
        vectors = [_vector_of(payload) for _, payload in rows]
        self._collection(name).upsert(
            ids=[key for key, _ in rows],
            embeddings=[[1.0] if vector is None or name == _PLAIN else vector for vector in vectors],
            metadatas=[
                without(metadata_of(self._points[key]) if key in self._points else {}, metadata_of(payload))
                for key, payload in rows
            ],
            documents=[document_of(payload) for _, payload in rows],
        )

    def _collection(self, name: str) -> Collection:
        if name not in self._collections:
            # Every reader of the list has to see a vector's nearest neighbours, not most of them.
            index = {"space": "l2"} if name == _PLAIN else {"space": "cosine", "ef_construction": 200, "ef_search": 200}
            self._collections[name] = self._client.get_or_create_collection(
                name, embedding_function=None, configuration={"hnsw": index}
            )
        return self._collections[name]

    def _remember(self, key: str, payload: Payload | None, home: str | None) -> None:
        """Keep in memory what is stored."""
        self._points.pop(key, None)
        self._homes.pop(key, None)
        if payload is not None and home is not None:
            self._points[key], self._homes[key] = payload, home
        if self._words is not None:
            self._words.put(key, "" if payload is None else document_of(payload))

    def _wanted(self, wanted: Wanted) -> Iterator[str]:
        terms, besides = set(wanted.terms), set(wanted.besides)
        name = None if wanted.namespace is None else name_of(wanted.namespace)
        for key, payload in self._points.items():
            if payload["kind"] != wanted.kind or name not in (None, payload.get("namespace")) or key in besides:
                continue
            until = payload.get("expires_at") if wanted.now is not None else None
            alive = wanted.now is None or until is None or until > wanted.now
            if alive and (not terms or terms <= set(payload.get("terms", ()))):
                yield key

    def _word_index(self) -> WordIndex:
        if self._words is None:
            self._words = WordIndex()
            for key, payload in self._points.items():
                self._words.put(key, document_of(payload))
        return self._words

    def _nearest(self, vector: NDArray[np.float32], allowed: Iterable[str], *, limit: int) -> dict[str, float]:
        """The nearest of the allowed points with their cosine."""
        name = _name_for(len(vector))
        ids = [key for key in allowed if self._homes[key] == name]
        length = float(np.linalg.norm(vector))
        found: dict[str, float] = {}
        for some in _chunks(ids, _MOST_IDS) if length > 0 and np.isfinite(length) else ():
            with chroma_errors(self._folder):
                answer = self._collection(name).query(
                    query_embeddings=[vector / length], n_results=min(limit, len(some)), ids=some, include=["distances"]
                )
            [keys], [distances] = answer["ids"], answer["distances"] or [[]]
            found.update((key, max(0.0, 1.0 - float(far))) for key, far in zip(keys, distances, strict=True))
        return found


def _home_of(key: str, payload: Payload | None) -> str | None:
    """The collection a point belongs in; None for one that is to go."""
    if payload is None:
        return None
    vector = _vector_of(payload)
    return _PLAIN if vector is None else _name_for(len(vector))


def _name_for(dimension: int) -> str:
    return f"amb-embedding-{dimension}"


def _vector_of(payload: Payload) -> list[float] | None:
    text = payload.get("data", "")
    if payload["kind"] != "record" or not ("embedding" in text or text.startswith("~")):
        return None
    try:
        vector = dense_of(unpacked(text).get("embedding"))
    except ValueError:
        return None
    return None if vector is None else (vector / np.linalg.norm(vector)).tolist()


def _chunks(items: Sequence[Any], size: int) -> Iterator[list[Any]]:
    rest = iter(items)
    while chunk := list(islice(rest, size)):
        yield chunk
