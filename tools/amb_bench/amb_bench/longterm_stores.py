"""Time to open, search and write long-term memory by store, beside LangGraph's store, in one process and interleaved.

The machine may be busy: what counts are the ratios to the in-memory store of the same run.
"""

from __future__ import annotations

import gc
import tempfile
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from importlib import import_module
from pydoc_data.topics import topics
from statistics import median
from time import perf_counter, process_time
from typing import Any, Protocol

import numpy as np

from amb_bench.longterm_sessions import known_facts
from amb_bench.speed_child import measured
from amb_bench.speed_floor import DIMENSION, SpeedEmbedder
from amb_bench.tables import Table
from amb_core.errors import MissingExtra
from amb_core.protocols import RecordStore
from amb_core.stores import open_store
from amb_core.text import forget_texts, index_tokens
from amb_longterm import LongTermMemory, LongTermSettings, MemoryRecord
from amb_longterm.memory_records import stored

__all__ = ["STORES", "large_table", "store_figures", "store_table"]

_NAMESPACE = "domain_facts/u1"
_START = 1_750_000_000.0
_BATCH = 500
_COLUMNS = ("store", "open, s", "again, s", "search, ms", "× memory", "wall", "write, ms", "× memory", "wall")

Figures = Mapping[str, float]


class _Notes(Protocol):
    """What is timed."""

    def search(self, query: str) -> object: ...
    def write(self, text: str) -> object: ...


@dataclass(frozen=True, slots=True)
class _Memory:
    """AMB's long-term memory in one store."""

    memory: LongTermMemory

    def search(self, query: str) -> object:
        return self.memory.search(query, namespace=_NAMESPACE)

    def write(self, text: str) -> object:
        return self.memory.write(text, namespace=_NAMESPACE)


class _LangGraph:
    """LangGraph's InMemoryStore; its vectors cost nothing."""

    def __init__(self) -> None:
        embedder = SpeedEmbedder()
        index = {"dims": DIMENSION, "embed": lambda texts: embedder.embed(texts).tolist(), "fields": ["text"]}
        self._store: Any = import_module("langgraph.store.memory").InMemoryStore(index=index)
        self._count = 0

    def search(self, query: str) -> object:
        return self._store.search(("notes",), query=query, limit=5)

    def write(self, text: str) -> object:
        self._count += 1
        return self._store.put(("notes",), str(self._count), {"text": text})


STORES: Mapping[str, str] = {
    "memory": "memory://",
    "SQLite": "sqlite:///{}/memory.db",
    "JSON": "json:///{}/memory",
    "Qdrant folder": "qdrant:///{}/qdrant",
    "Qdrant folder, its own search": "qdrant:///{}/qdrant-engine",
}
"""The stores by name, each with a URL in which a folder is missing; the others are held against the first one."""
_ENGINE = "Qdrant folder, its own search"
_LANGGRAPH = "LangGraph InMemoryStore, vectors at no cost"


@dataclass(slots=True)
class _Timed:
    """What one store took, in seconds of CPU and wall."""

    notes: _Notes
    opened: tuple[float, float] = (0.0, 0.0)
    taken: dict[str, list[tuple[float, float]]] = field(default_factory=lambda: {"search": [], "write": []})

    def time(self, kind: str, work: Callable[[], object]) -> None:
        forget_texts()  # what one store has found out about a text is of no use to the next
        self.taken[kind].append(_seconds(work))

    def figures(self) -> dict[str, float]:
        found: dict[str, float] = dict(zip(("open", "again"), self.opened, strict=True))
        for kind, times in self.taken.items():
            found[f"{kind} cpu"] = 1_000 * median(cpu for cpu, _ in times)
            found[f"{kind} wall"] = 1_000 * median(wall for _, wall in times)
        return found


def store_table(size: int, *, rounds: int) -> Table:
    """Every store at one size, and LangGraph's."""
    found = measured("longterm_stores:store_figures", size=size, rounds=rounds, names=[*STORES, _LANGGRAPH])
    return _table(size, found)


def large_table(size: int, *, rounds: int = 30) -> Table:
    """SQLite beside the in-memory store at a size at which the rest takes long to fill."""
    return _table(size, measured("longterm_stores:store_figures", size=size, rounds=rounds, names=["memory", "SQLite"]))


def _table(size: int, found: Mapping[str, Figures | str]) -> Table:
    least = found["memory"]
    assert not isinstance(least, str)
    rows = tuple(_row(name, figures, least) for name, figures in found.items())
    return Table(f"{size:,} records of one namespace: CPU, and as a multiple of the memory's", _COLUMNS, rows)


def _row(name: str, found: Figures | str, least: Figures) -> tuple[str | float, ...]:
    if isinstance(found, str):
        return (f"{name} ({found})", *["–"] * (len(_COLUMNS) - 1))
    cells: list[str | float] = [found["open"] or "–", found["again"] or "–"]
    for kind in ("search", "write"):
        cells += [found[f"{kind} cpu"], found[f"{kind} cpu"] / least[f"{kind} cpu"]]
        cells += [found[f"{kind} wall"] / least[f"{kind} wall"]]
    return (name, *cells)


def store_figures(*, size: int, rounds: int, names: Sequence[str]) -> dict[str, dict[str, float] | str]:
    """Seconds to open (first, and again), median milliseconds to search and write, by store; or why it is not there."""
    texts = statements(size + rounds + 1)
    queries = [" ".join(index_tokens(text)[:6]) for text in texts[:: max(1, size // (rounds + 1))]][: rounds + 1]
    found: dict[str, _Timed | str] = {}
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="amb-longterm-", ignore_cleanup_errors=True))
        for name in names:
            try:
                found[name] = _opened(name, folder, texts[:size], stack)
            except (ImportError, MissingExtra) as error:
                found[name] = f"not installed: {error}"
        timed = [each for each in found.values() if isinstance(each, _Timed)]
        for number in range(rounds + 1):
            for each in timed:  # the first round warms up
                each.time("search", lambda each=each, number=number: each.notes.search(queries[number]))  # type: ignore[misc]
                each.time("write", lambda each=each, number=number: each.notes.write(texts[size + number]))  # type: ignore[misc]
        for each in timed:
            for kind in each.taken:
                del each.taken[kind][0]
        return {name: each if isinstance(each, str) else each.figures() for name, each in found.items()}


def _opened(name: str, folder: str, texts: Sequence[str], stack: ExitStack) -> _Timed:
    """A store filled with the texts, and a memory that was opened twice."""
    if name == _LANGGRAPH:
        peer = _LangGraph()
        for text in texts:
            peer.write(text)
        return _Timed(peer)
    settings = LongTermSettings(search_in="engine" if name == _ENGINE else "index")
    url = STORES[name].format(folder)
    store = open_store(url)
    _fill(store, texts)
    kept: RecordStore | None = store if url == "memory://" else None
    if kept is None:
        store.close()
    taken: list[float] = []
    memory: LongTermMemory | None = None
    for _ in range(2 if kept is None else 1):  # what is kept in the process alone is not opened again
        if memory is not None:
            memory.close()
        started = process_time()
        memory = LongTermMemory(url if kept is None else kept, settings=settings, redactor=None)
        memory.search("what is there?", namespace=_NAMESPACE)
        taken.append(process_time() - started)
    assert memory is not None
    stack.callback(memory.close)
    return _Timed(_Memory(memory), (taken[0], taken[1] if len(taken) > 1 else 0.0))


def _fill(store: RecordStore, texts: Sequence[str]) -> None:
    """Records as the memory would have stored them, many at once."""
    for start in range(0, len(texts), _BATCH):
        records = [
            MemoryRecord(
                id=f"r{start + number:010d}",
                namespace=_NAMESPACE,
                content=text,
                created_at=_START + start + number,
                updated_at=_START + start + number,
            )
            for number, text in enumerate(texts[start : start + _BATCH])
        ]
        with store.transaction():
            store.put([stored(record) for record in records])


def statements(count: int) -> list[str]:
    """Texts of 8 to 20 words, four of five English and one Chinese, words as unevenly frequent as in real ones."""
    generator = np.random.default_rng(7)
    english, chinese = _words()
    made: list[str] = []
    for number, length in enumerate(generator.integers(8, 21, size=count).tolist()):
        words, between = (chinese, "") if number % 5 == 4 else (english, " ")
        picked = np.minimum(generator.zipf(1.3, size=length), len(words)).tolist()
        made.append(between.join(words[place - 1] for place in picked) + f"{between}{number}")
    return made


def _words() -> tuple[list[str], list[str]]:
    """English words, most frequent first, and two-character Chinese ones."""
    said = (word for text in topics.values() for word in text.split() if word.isalpha())
    facts = "".join(known_facts("zh"))
    pairs = [facts[place : place + 2] for place in range(len(facts) - 1)]
    return [word for word, _ in Counter(said).most_common()], list(dict.fromkeys(pairs))


def _seconds(work: Callable[[], object]) -> tuple[float, float]:
    """CPU and wall of one call."""
    gc.disable()
    try:
        wall, cpu = perf_counter(), process_time()
        work()
        return process_time() - cpu, perf_counter() - wall
    finally:
        gc.enable()
