"""One large namespace of long-term memory: filled, asked by several processes, and written to as it grows."""

from __future__ import annotations

import time
from base64 import b64encode
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from importlib import import_module
from itertools import islice
from typing import Any

import numpy as np

from amb_bench.scale_child import NAMESPACE, note
from amb_bench.scale_keep import Kept, Row
from amb_bench.scale_run import fresh_number, percentiles, run_children, size_of
from amb_bench.scale_sizes import joined
from amb_bench.tables import Table
from amb_core.protocols import Record
from amb_core.stores import open_store
from amb_embedders import open_embedder
from amb_longterm import LongTermMemory, LongTermSettings

__all__ = ["fill", "million", "writes"]

_PROCESSES = (1, 4, 8)
_AT_ONCE = 1_000
_MOST_LOADED = 100_000
"""Notes up to which the process's own index is measured too."""
_NEW, _REPEATED, _ASKED = 60, 30, 60
"""Texts that a namespace does not have, that it has, and questions."""


def million(kept: Kept, *, notes: int, embedder: str) -> Table:
    """One namespace of long-term memory of so many notes, searched by the database.

    The notes are written by the thousand through the store, as `LongTermMemory` writes one; each process asks a share.
    """
    name = f"million-{notes}-{embedder}"
    place = kept.at(tenant=name)
    before = kept.figures(f"{name}-before", lambda: size_of(kept, "PostgreSQL"))
    filled = kept.figures(f"{name}-PostgreSQL-filled", lambda: fill_notes(place, notes, embedder))
    size = kept.figures(f"{name}-size", lambda: size_of(kept, "PostgreSQL") - before)
    indexed = kept.figures(f"{name}-indexed", lambda: _index_one(place, embedder))
    whole = kept.figures(f"{name}-whole", lambda: size_of(kept, "PostgreSQL") - before)
    rows: list[Row] = []
    for processes in _PROCESSES:
        row = kept.row(f"{name}-{processes}", partial(_ask, place, processes, notes, embedder))
        rows.append((str(processes), *row))
    title = (
        f"One namespace of {notes} notes: written {filled['notes/s']:.0f} a second, indexed {indexed['notes/s']:.0f} a "
        f"second; {size / notes:.0f} bytes a note, with the index {whole / notes:.0f}"
    )
    columns = ("processes", "searches/s", "search p50 ms", "p95", "found", "write p50 ms", "p95", "MB a process")
    return Table(title, columns, tuple(rows))


def fill_notes(place: str, notes: int, embedder: str) -> dict[str, float]:
    """Write what is missing, counted from where a killed run stopped."""
    with closing(open_store(place)) as store:
        first = store.count(f"memories:{NAMESPACE}")
    began = time.perf_counter()
    fill(place, ((f"r{number}", note(number)) for number in range(first, notes)), embedder)
    seconds = time.perf_counter() - began
    return {"notes/s": (notes - first) / seconds, "seconds": seconds}


def fill(place: str, texts: Iterator[tuple[str, str]], embedder: str) -> None:
    """Write texts with their ids by the thousand, as the memory itself writes a note that is like no other."""
    with closing(open_store(place)) as store, LongTermMemory("memory://") as memory:
        example = _stored(memory, note(0))
        while some := list(islice(texts, _AT_ONCE)):
            vectors = _vectors(embedder, [text for _, text in some])
            store.put(
                [
                    Record(
                        *(example.namespace, name, {**example.data, "content": text, **vector}),
                        *(example.created_at, example.updated_at),
                    )
                    for (name, text), vector in zip(some, vectors, strict=True)
                ]
            )


def _stored(memory: LongTermMemory, text: str) -> Record:
    """The record that long-term memory makes of a text."""
    records: Any = import_module("amb_longterm.memory_records")
    written = memory.write(text, namespace=NAMESPACE)
    record: Record = records.stored(memory.get(written.id, namespace=NAMESPACE))
    return record


def _vectors(embedder: str, texts: list[str]) -> list[dict[str, str]]:
    opened = open_embedder(embedder)
    if opened is None:
        return [{}] * len(texts)
    return [{"embedding": b64encode(row.astype("<f4").tobytes()).decode()} for row in opened.embed(texts)]


def _index_one(place: str, embedder: str) -> dict[str, float]:
    """The first search, which indexes all that is not; a killed one goes on."""
    with closing(open_store(place)) as store:
        notes = store.count(f"memories:{NAMESPACE}")
    began = time.perf_counter()
    with LongTermMemory(place, embedder=embedder, settings=LongTermSettings(search_in="engine")) as memory:
        memory.search("Which station is the first?", namespace=NAMESPACE)
    seconds = time.perf_counter() - began
    return {"notes/s": notes / seconds, "seconds": seconds}


def _ask(place: str, processes: int, notes: int, embedder: str) -> Row:
    numbers = np.random.default_rng(processes).integers(0, notes, size=200).tolist()
    asked, first = {"memory": place, "embedder": embedder, "most_loaded": 0, "new": _NEW // processes}, fresh_number()
    orders = [{**asked, "numbers": numbers[own::processes], "fresh": first + own * 1_000} for own in range(processes)]
    said, _ = run_children(orders)
    recalls, found = joined(said, "recalls"), sum(each["found"] for each in said)
    memory = max(each["memory"] for each in said)
    return (
        len(recalls) / sum(recalls) * processes,
        *percentiles(recalls),
        f"{found / len(recalls):.0%}",
        *percentiles(joined(said, "writes")),
        memory,
    )


# --- as a namespace grows --------------------------------------------------------------------------------------------


def writes(kept: Kept, *, notes: int, embedder: str) -> Table:
    """A thousandth of the notes, a tenth, and all, in one namespace: whole writes, repeats that are known, questions.

    By the index of the process up to 100,000 notes, and where the database chooses without loading anything.
    """
    rows: list[Row] = []
    for size in (notes // 1_000, notes // 10, notes):
        for store, loaded in (("PostgreSQL", False), ("PostgreSQL", True), ("SQLite", True)):
            if loaded and size > _MOST_LOADED:
                continue
            name = f"million-{size}-{embedder}"
            place = kept.at(tenant=name) if store == "PostgreSQL" else f"sqlite:///{kept.folder}/{name}.db"
            kept.figures(f"{name}-{store}-filled", partial(fill_notes, place, size, embedder))
            row = kept.row(f"{name}-writes-{store}-{loaded}", partial(_written, place, size, embedder, loaded=loaded))
            rows.append((f"{size}", f"{store}, {'loaded' if loaded else 'not loaded'}", *row))
    columns = (
        *("notes", "namespace", "first search s", "of it computing", "write p50 ms", "p95", "computing p50"),
        *("repeats known", "search p50 ms", "p95", "found", "MB a process"),
    )
    return Table("Writes to one namespace as it grows", columns, tuple(rows))


def _written(place: str, size: int, embedder: str, *, loaded: bool) -> Row:
    numbers = np.random.default_rng(size).integers(0, size, size=_ASKED + _REPEATED).tolist()
    order = {
        **{"memory": place, "embedder": embedder, "most_loaded": None if loaded else 0, "fresh": fresh_number()},
        **{"numbers": numbers[:_ASKED], "repeats": numbers[_ASKED:], "new": _NEW},
    }
    [said], _ = run_children([order])
    times = (said["first"], said["first computed"], *percentiles(said["writes"]), percentiles(said["computed"])[0])
    known, found = said["known"] / _REPEATED, said["found"] / _ASKED
    return (*times, f"{known:.0%}", *percentiles(said["recalls"]), f"{found:.0%}", said["memory"])
