"""Other libraries that keep and find notes, each with a stub in place of its models: only the library is timed.

They are imported by name where they are used; one that is not installed gives a row that says so.
"""

from __future__ import annotations

import asyncio
import os
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from amb_bench.speed_floor import DIMENSION, SpeedEmbedder, made_up, milliseconds, unit_vectors
from amb_core.text import index_tokens

__all__ = ["PEERS", "Peer", "peer_figures"]

FloatArray = NDArray[np.float32]
_K = 5


class _Notes(Protocol):
    """What is timed of a peer."""

    def add(self, number: int, text: str, vector: FloatArray) -> object: ...
    def search(self, text: str, vector: FloatArray) -> object: ...


class _RankBm25:
    """BM25 built anew for each search, as one has to after each added note."""

    def __init__(self, folder: str) -> None:
        self._library: Any = import_module("rank_bm25")
        self._tokens: list[list[str]] = []

    def add(self, number: int, text: str, vector: FloatArray) -> None:
        self._tokens.append(index_tokens(text))

    def search(self, text: str, vector: FloatArray) -> object:
        return self._library.BM25Okapi(self._tokens).get_scores(index_tokens(text)).argsort()[-_K:]


class _Bm25s:
    """The same with bm25s."""

    def __init__(self, folder: str) -> None:
        self._library: Any = import_module("bm25s")
        self._tokens: list[list[str]] = []

    def add(self, number: int, text: str, vector: FloatArray) -> None:
        self._tokens.append(index_tokens(text))

    def search(self, text: str, vector: FloatArray) -> object:
        model = self._library.BM25()
        model.index(self._tokens, show_progress=False)
        wanted = [token for token in index_tokens(text) if token in model.vocab_dict]
        return model.get_scores(wanted).argsort()[-_K:]


class _LangGraphStore:
    """LangGraph's InMemoryStore with an index over the text."""

    def __init__(self, folder: str) -> None:
        embedder = SpeedEmbedder()
        settings = {"dims": DIMENSION, "embed": lambda texts: embedder.embed(texts).tolist(), "fields": ["text"]}
        self._store: Any = import_module("langgraph.store.memory").InMemoryStore(index=settings)

    def add(self, number: int, text: str, vector: FloatArray) -> None:
        self._store.put(("notes",), str(number), {"text": text})

    def search(self, text: str, vector: FloatArray) -> object:
        return self._store.search(("notes",), query=text, limit=_K)


class _ChromaMemory:
    """AutoGen's memory over Chroma, on disk."""

    def __init__(self, folder: str) -> None:
        library: Any = import_module("autogen_ext.memory.chromadb")
        stub = library.CustomEmbeddingFunctionConfig(function=_chroma_stub, params={})
        config = library.PersistentChromaDBVectorMemoryConfig(
            persistence_path=folder, k=_K, embedding_function_config=stub
        )
        self._core: Any = import_module("autogen_core.memory")
        self._memory = library.ChromaDBVectorMemory(config=config)
        self._loop = asyncio.new_event_loop()

    def add(self, number: int, text: str, vector: FloatArray) -> None:
        note = self._core.MemoryContent(content=text, mime_type=self._core.MemoryMimeType.TEXT)
        self._loop.run_until_complete(self._memory.add(note))

    def search(self, text: str, vector: FloatArray) -> object:
        return self._loop.run_until_complete(self._memory.query(text))


def _chroma_stub() -> Any:
    base: Any = import_module("chromadb").EmbeddingFunction
    embedder = SpeedEmbedder()

    class Stub(base):  # type: ignore[misc]
        def __init__(self) -> None:
            """Nothing to set up."""

        def __call__(self, input: list[str]) -> list[FloatArray]:
            return list(embedder.embed(input))

    return Stub()


class _Mem0:
    """mem0 with its default vector store on disk; `infer=False`, so that no model is asked."""

    def __init__(self, folder: str) -> None:
        os.environ |= {"MEM0_TELEMETRY": "False", "MEM0_DIR": folder, "OPENAI_API_KEY": "none"}
        library: Any = import_module("mem0")
        store = {"path": f"{folder}/qdrant", "embedding_model_dims": DIMENSION, "on_disk": True}
        config = {
            "vector_store": {"provider": "qdrant", "config": store},
            "history_db_path": f"{folder}/history.db",
        }
        self._memory = library.Memory.from_config(config)
        self._memory.embedding_model = _Mem0Stub()

    def add(self, number: int, text: str, vector: FloatArray) -> None:
        self._memory.add(text, user_id="u", infer=False)

    def search(self, text: str, vector: FloatArray) -> object:
        return self._memory.search(text, filters={"user_id": "u"}, top_k=_K)


class _Mem0Stub:
    """The embedder mem0 is given."""

    def embed(self, text: str, *_: object) -> list[float]:
        return [float(number) for number in SpeedEmbedder().embed([text])[0]]

    def embed_batch(self, texts: list[str], *_: object) -> list[list[float]]:
        return [self.embed(text) for text in texts]


class _Hnswlib:
    """hnswlib alone: approximate search of vectors, no words."""

    def __init__(self, folder: str) -> None:
        self._index: Any = import_module("hnswlib").Index(space="ip", dim=DIMENSION)
        self._index.init_index(max_elements=120_000, ef_construction=200, M=16)
        self._index.set_num_threads(1)

    def add(self, number: int, text: str, vector: FloatArray) -> None:
        self._index.add_items(vector[None, :], [number])

    def search(self, text: str, vector: FloatArray) -> object:
        return self._index.knn_query(vector[None, :], k=_K)


@dataclass(frozen=True, slots=True)
class Peer:
    """A library: the module and distribution it is known by, and up to how many notes it is filled here."""

    make: Callable[[str], _Notes]
    module: str
    distribution: str
    most: int
    note: str = ""


PEERS: Mapping[str, Peer] = {
    "rank-bm25": Peer(_RankBm25, "rank_bm25", "rank-bm25", 10_000, "words only; built anew for each search"),
    "bm25s": Peer(_Bm25s, "bm25s", "bm25s", 10_000, "words only; built anew for each search"),
    "hnswlib": Peer(_Hnswlib, "hnswlib", "hnswlib", 10_000, "vectors only"),
    "LangGraph InMemoryStore": Peer(_LangGraphStore, "langgraph.store.memory", "langgraph", 10_000, "vectors only"),
    "AutoGen Chroma memory": Peer(_ChromaMemory, "autogen_ext.memory.chromadb", "autogen-ext", 1_000, "on disk"),
    "mem0": Peer(_Mem0, "mem0", "mem0ai", 1_000, "no model asked; on disk"),
}
"""The peers by name; the sizes are what they take in reasonable time."""


def peer_figures(*, name: str, size: int, rounds: int) -> dict[str, str | float]:
    """Median CPU milliseconds to add to and search in one peer; a note instead where that is not possible."""
    peer = PEERS[name]
    missing: dict[str, str | float] = {"name": name, "add": "–", "search": "–"}
    if not _is_installed(peer.module):
        return missing | {"note": f"not installed: pip install {peer.distribution}"}
    named = f"{name} {version(peer.distribution)}"
    if size > peer.most:
        return missing | {"name": named, "note": f"measured up to {peer.most:,} notes"}
    with tempfile.TemporaryDirectory(prefix="amb-speed-", ignore_cleanup_errors=True) as folder:
        texts, queries = made_up(size + rounds, words=60), made_up(rounds, words=8)
        vectors, asked, notes = unit_vectors(len(texts)), SpeedEmbedder().embed(queries), peer.make(folder)
        for number in range(size):
            notes.add(number, texts[number], vectors[number])
        add = milliseconds(lambda i: notes.add(i, texts[i], vectors[i]), range(size, size + rounds))
        search = milliseconds(lambda i: notes.search(queries[i], asked[i]), range(rounds))
    return {"name": named, "add": add, "search": search, "note": peer.note}


def _is_installed(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ImportError:
        return False
