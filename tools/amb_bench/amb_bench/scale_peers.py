"""AMB's long-term memory and other libraries' memories in PostgreSQL, each alone in a process and a database.

All are given the same vectors, from one embedder of hashed characters, and no model: only the library is timed. One
that is not installed gives a row that says so.
"""

from __future__ import annotations

import json
import os
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from functools import partial
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from typing import Any, Protocol

from amb_bench.scale_child import note
from amb_bench.scale_keep import Kept, Row
from amb_bench.scale_run import percentiles, run_children
from amb_bench.tables import Table
from amb_embedders.hashing import HashingEmbedder

__all__ = ["main", "peers"]

_EMBEDDER = HashingEmbedder()
_K = 5
_ASKED = 200
"""Questions of a run."""


class _Memory(Protocol):
    """What is timed of a library."""

    def add(self, number: int) -> object: ...
    def found(self, question: str) -> Iterator[str]: ...


class _Amb:
    """AMB's long-term memory, ranked in the process or by the database."""

    def __init__(self, url: str, stack: ExitStack, search_in: str = "index") -> None:
        library: Any = import_module("amb_longterm")
        settings = library.LongTermSettings(search_in=search_in, top_k=_K)
        self._memory = library.LongTermMemory(url, embedder=_EMBEDDER, settings=settings)
        stack.callback(self._memory.close)

    def add(self, number: int) -> object:
        return self._memory.write(note(number), namespace="user_profile/u1")

    def found(self, question: str) -> Iterator[str]:
        return (hit.content for hit in self._memory.search(question, namespace="user_profile/u1"))


class _AmbByDatabase(_Amb):
    def __init__(self, url: str, stack: ExitStack) -> None:
        super().__init__(url, stack, "engine")


class _LangGraph:
    """LangGraph's PostgresStore with its index of vectors."""

    def __init__(self, url: str, stack: ExitStack) -> None:
        index = {
            "dims": _EMBEDDER.dimension,
            "embed": lambda texts: _EMBEDDER.embed(texts).tolist(),
            "fields": ["text"],
        }
        library: Any = import_module("langgraph.store.postgres")
        self._store = stack.enter_context(library.PostgresStore.from_conn_string(url, index=index))
        self._store.setup()

    def add(self, number: int) -> object:
        return self._store.put(("notes", "u1"), f"r{number}", {"text": note(number)})

    def found(self, question: str) -> Iterator[str]:
        return (item.value["text"] for item in self._store.search(("notes", "u1"), query=question, limit=_K))


class _Mem0:
    """mem0 over pgvector; `infer=False`, so that no model is asked."""

    def __init__(self, url: str, stack: ExitStack) -> None:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="amb-mem0-", ignore_cleanup_errors=True))
        os.environ |= {"MEM0_TELEMETRY": "False", "MEM0_DIR": folder, "OPENAI_API_KEY": "none"}
        library: Any = import_module("mem0")
        store = {"connection_string": url, "embedding_model_dims": _EMBEDDER.dimension, "collection_name": "notes"}
        config = {
            "vector_store": {"provider": "pgvector", "config": store},
            "history_db_path": f"{folder}/history.db",
        }
        self._memory = library.Memory.from_config(config)
        self._memory.embedding_model = _Mem0Stub()

    def add(self, number: int) -> object:
        return self._memory.add(note(number), user_id="u1", infer=False)

    def found(self, question: str) -> Iterator[str]:
        return (one["memory"] for one in self._memory.search(question, filters={"user_id": "u1"}, top_k=_K)["results"])


class _Mem0Stub:
    """The embedder mem0 is given."""

    def embed(self, text: str, *_: object) -> list[float]:
        return [float(number) for number in _EMBEDDER.embed([text])[0]]

    def embed_batch(self, texts: list[str], *_: object) -> list[list[float]]:
        return [self.embed(text) for text in texts]


_MEMORIES: Mapping[str, tuple[Callable[[str, ExitStack], _Memory], str, str]] = {
    "AMB, ranked in the process": (_Amb, "amb_core", ""),
    "AMB, ranked by the database": (_AmbByDatabase, "amb_core", ""),
    "LangGraph PostgresStore": (_LangGraph, "langgraph.store.postgres", "langgraph-checkpoint-postgres"),
    "mem0, pgvector": (_Mem0, "mem0", "mem0ai"),
}


def peers(kept: Kept, notes: int) -> Table:
    """A note at a time into one namespace, then questions; each library in its own database."""
    columns = (
        "memory",
        "notes",
        "write p50 ms",
        "p95",
        "search p50 ms",
        "p95",
        "found",
        "bytes a note",
        "MB a process",
    )
    rows: list[Row] = []
    for place, (name, (_, module, distribution)) in enumerate(_MEMORIES.items()):
        if not _is_installed(module):
            rows.append((name, f"not installed: {distribution}", *([""] * (len(columns) - 2))))
            continue
        shown = f"{name} {version(distribution)}" if distribution else name
        row = kept.row(f"peers-{notes}-{place}", partial(_measured, kept, name, f"peer{place}_{notes}", notes))
        rows.append((shown, notes, *row))
    return Table("One namespace, a note at a time, vectors of one embedder for all", columns, tuple(rows))


def _is_installed(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ImportError:
        return False


def _measured(kept: Kept, name: str, database: str, notes: int) -> Row:
    with import_module("psycopg").connect(kept.url, autocommit=True) as owner:
        owner.execute(f"DROP DATABASE IF EXISTS {database} WITH (FORCE)")
        owner.execute(f"CREATE DATABASE {database}")
        empty = _bytes(owner, database)
        url = kept.url.partition("?")[0].rpartition("/")[0] + f"/{database}"
        [said], _ = run_children([{"memory": name, "url": url, "notes": notes}], module="amb_bench.scale_peers")
        size = (_bytes(owner, database) - empty) / notes
        owner.execute(f"DROP DATABASE {database} WITH (FORCE)")
    found = f"{said['found'] / len(said['asked']):.0%}"
    return (*percentiles(said["written"]), *percentiles(said["asked"]), found, size, said["memory"])


def _bytes(owner: Any, database: str) -> int:
    return int(owner.execute("SELECT pg_database_size(%s)", (database,)).fetchone()[0])


def main() -> int:
    """Fill one memory and ask it, as the JSON on the command line says; print what was measured as JSON."""
    told: dict[str, Any] = json.loads(sys.argv[1])
    with ExitStack() as stack:
        memory, notes = _MEMORIES[told["memory"]][0](told["url"], stack), int(told["notes"])
        print("ready", flush=True)
        sys.stdin.readline()
        written, asked, found = [], [], 0
        for number in range(notes):
            began = time.perf_counter()
            memory.add(number)
            written.append(time.perf_counter() - began)
        step = max(1, notes // _ASKED)
        list(memory.found("What is the key of the first station?"))  # which brings an index up to date
        for number in range(0, notes, step):
            began = time.perf_counter()
            texts = list(memory.found(f"What is the key of station {number}?"))
            asked.append(time.perf_counter() - began)
            found += any(f"K{number:07}" in text for text in texts)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(json.dumps({"written": written, "asked": asked, "found": found, "memory": peak}), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
