"""Whole banks of many nodes: milliseconds to absorb and recall, seconds to open, bytes a note, what importing costs."""

from __future__ import annotations

import gc
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from time import perf_counter, process_time

from pydantic import JsonValue

from amb_bench.speed_floor import DIMENSION, SpeedEmbedder, milliseconds, unit_vectors
from amb_bench.speed_texts import page, passage
from amb_core.bank import MemoryBank
from amb_core.clock import SystemClock
from amb_core.memory.change_set import ChangeSet
from amb_core.memory.ids import Counters
from amb_core.memory.journal import Journal
from amb_core.models import (
    Digestion,
    EmbedderIdentity,
    EntryState,
    InsightDoc,
    InteractionEntry,
    Link,
    QueryNode,
    Span,
    ToolResult,
)
from amb_core.protocols import RecordStore
from amb_core.stores import InMemoryStore, SqliteStore
from amb_retrieval import HybridIndex, IndexedText

__all__ = ["bank_figures", "fill", "import_figures", "journal_figures", "memory_figures", "opening_figures"]

_AT_ONCE = 1_000
_WARM_UP = 5
_GOAL = "What did the plants report?"
_QUERIES = ("What did the Oakberg plant report?", "budget of the Winterholm bridge", "Anna Bergson in 1931")


def bank_figures(*, size: int, rounds: int) -> dict[str, float]:
    """Milliseconds a call of a bank with `size` nodes, over both stores; local agents, stub embedder."""
    memory, embedder = InMemoryStore(), SpeedEmbedder()
    fill(memory, size)
    with tempfile.TemporaryDirectory(prefix="amb-speed-") as folder:
        file = Path(folder) / "task.db"
        _fill_file(file, size)
        with (
            MemoryBank.resume(memory, embedder=embedder) as plain,
            MemoryBank.resume(f"sqlite:///{file}", embedder=embedder) as durable,
        ):
            return _timed(plain, durable, rounds)


def opening_figures(*, size: int) -> dict[str, float]:
    """CPU seconds to open a SQLite bank of `size` nodes with vectors and 3 links each, and its size."""
    with tempfile.TemporaryDirectory(prefix="amb-speed-") as folder:
        file = Path(folder) / "task.db"
        _fill_file(file, size)
        return {"all records read": _opened(file), "megabytes of the store": file.stat().st_size / 1e6}


def memory_figures(*, size: int) -> dict[str, float]:
    """Bytes a note by resident memory: what vectors and text take, the index with texts, a whole bank."""
    least = 4 * DIMENSION + sum(len(passage(number)) for number in range(size)) / size
    _indexed(_AT_ONCE // 10)  # so that word lists and caches are there
    start = _resident()
    kept = _indexed(size)
    indexed = (_resident() - start) / size
    del kept
    with tempfile.TemporaryDirectory(prefix="amb-speed-") as folder:
        file = Path(folder) / "task.db"
        _fill_file(file, size)
        start = _resident()
        bank = MemoryBank.resume(f"sqlite:///{file}", embedder=SpeedEmbedder())
        whole = (_resident() - start) / size
        bank.close()
    return {"vectors and text (floor)": least, "texts and index": indexed, "whole bank over SQLite": whole}


def import_figures() -> dict[str, float]:
    """CPU seconds and megabytes that `import amb_core` takes in a fresh process, and Python alone."""
    measure = "import time, re; t = time.process_time(); s = open('/proc/self/status').read(); "
    measure += r"print(t, int(re.search('VmHWM:\s+(\d+)', s).group(1)) / 1e3)"
    figures: dict[str, float] = {}
    for name, first in (("python alone", ""), ("import amb_core", "import amb_core; ")):
        done = subprocess.run([sys.executable, "-c", first + measure], capture_output=True, text=True, check=True)
        seconds, megabytes = map(float, done.stdout.split())
        figures |= {f"{name}: CPU seconds": seconds, f"{name}: megabytes": megabytes}
    return figures


def _timed(plain: MemoryBank, durable: MemoryBank, rounds: int) -> dict[str, float]:
    """Both banks in turns, so that what else the machine does meets both; no two texts are the same."""

    def absorb(bank: MemoryBank, number: int) -> None:
        bank.absorb(ToolResult(tool="web", output=page(number), call_id=f"p{number}", source=f"new page {number}"))

    for number in range(-2 * _WARM_UP, 0):
        absorb((plain, durable)[number % 2], number)
    queries, every = _QUERIES * max(rounds // len(_QUERIES), 1), range(rounds)
    again = [ToolResult(tool="web", output=page(2 * number)) for number in every]
    return {
        "absorb 1,000 characters": milliseconds(lambda i: absorb(plain, 2 * i), every),
        "absorb 1,000 characters, SQLite": milliseconds(lambda i: absorb(durable, 2 * i + 1), every),
        "absorb a repeat": milliseconds(lambda i: plain.absorb(again[i]), every),
        "recall": milliseconds(lambda i: plain.recall(queries[i]), range(len(queries))),
        "recall, SQLite": milliseconds(lambda i: durable.recall(queries[i]), range(len(queries))),
    }


def journal_figures(*, rounds: int) -> dict[str, float]:
    """Milliseconds to write what one absorb changes (an entry, two nodes, six links), CPU and waiting included."""
    figures: dict[str, float] = {}
    with tempfile.TemporaryDirectory(prefix="amb-speed-") as folder:
        stores: dict[str, RecordStore] = {
            "memory": InMemoryStore(),
            "SQLite, NORMAL": SqliteStore(Path(folder) / "normal.db"),
            "SQLite, FULL": SqliteStore(Path(folder) / "full.db", synchronous="FULL"),
        }
        for name, store in stores.items():
            fill(store, _AT_ONCE)
            journal = Journal(store, clock=SystemClock())
            journal.read()
            wall, cpu = [], []
            for number in range(_AT_ONCE, _AT_ONCE + 2 * rounds, 2):
                changes = ChangeSet(last={})
                changes.put(*_records(number), *_records(number + 1))
                changes.put(Counters(last={"e": number + 2, "n": number + 2}))
                began, start = perf_counter(), process_time()
                journal.write(changes)
                cpu.append(process_time() - start)
                wall.append(perf_counter() - began)
            figures |= {f"{name}: CPU": 1e3 * median(cpu), f"{name}: waiting included": 1e3 * median(wall)}
            store.close()
    return figures


def _indexed(size: int) -> tuple[HybridIndex, list[str]]:
    """An index of some notes, and the texts themselves."""
    index, texts = HybridIndex(embedder=SpeedEmbedder()), [passage(number) for number in range(size)]
    vectors = unit_vectors(_AT_ONCE)
    for number, text in enumerate(texts):
        vector = vectors[number % _AT_ONCE]
        index.put(IndexedText.of(f"n{number}", text=text, vector=vector))
    return index, texts


def _fill_file(file: Path, size: int) -> None:
    store = SqliteStore(file)
    fill(store, size)
    store.close()


def fill(store: RecordStore, size: int, *, vectors: bool = True) -> None:
    """Write a task of `size` nodes, an entry each, into an empty store; no agent is asked."""
    journal, last = Journal(store, clock=SystemClock()), dict[str, int]()
    changes = ChangeSet(last=last)
    changes.put(InsightDoc(doc_id="speed", task_goal=_GOAL))
    if vectors:
        changes.put(EmbedderIdentity(model_id=SpeedEmbedder.model_id, dimension=DIMENSION))
    for number in range(size):
        changes.put(*_records(number, vectors=vectors))
        if number % _AT_ONCE == _AT_ONCE - 1 or number == size - 1:
            changes.put(Counters(last={"e": number + 1, "n": number + 1}))
            journal.write(changes)
            changes = ChangeSet(last=last)


def _records(number: int, *, vectors: bool = True) -> Iterator[InteractionEntry | Digestion | QueryNode | Link]:
    """An entry and the node made from it, linked with three earlier ones."""
    text, entry, node = passage(number), f"e{number + 1}", f"n{number + 1}"
    source = f"page {number // 4}"
    metadata: dict[str, JsonValue] = {"kind": "tool", "tool": "web", "source": source, "call_id": f"c{number}"}
    yield InteractionEntry(entry_id=entry, text=text, timestamp=float(number), metadata=metadata)
    yield Digestion(entry_id=entry, state=EntryState.DONE, node_ids=(node,))
    yield QueryNode(
        id=node,
        summary=text[: len(text) // 2],
        context=text.partition(".")[0],
        embedding=SpeedEmbedder().embed([text])[0].tobytes() if vectors else None,
        timestamp=float(number),
        sources=(Span(entry_id=entry, start=0, end=len(text)),),
    )
    for step in (1, 17, 291):
        if number >= step:
            yield Link(a=f"n{number + 1 - step}", b=node, reason="both name something")


def _opened(file: Path) -> float:
    gc.collect()
    start = process_time()
    bank = MemoryBank.resume(f"sqlite:///{file}", embedder=SpeedEmbedder())
    seconds = process_time() - start
    bank.close(keep=True)
    return seconds


def _resident() -> float:
    """Bytes of memory this process has now (0 where the system does not say)."""
    gc.collect()
    statm = Path("/proc/self/statm")
    return float(statm.read_text("ascii").split()[1]) * resource.getpagesize() if statm.exists() else 0.0
