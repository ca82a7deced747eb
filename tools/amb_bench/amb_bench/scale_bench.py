"""`amb bench scale`: banks in PostgreSQL by processes, tenants and notes, beside the same banks in SQLite files.

The server is the one of AMB_POSTGRES_URL, whose role may create databases, or one that is started for the bench. With
`--keep` a run that was killed goes on where it was.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from functools import partial

import numpy as np

from amb_bench.benches import BenchOptions
from amb_bench.scale_child import note
from amb_bench.scale_keep import Kept, Row, kept_run
from amb_bench.scale_memory import million, writes
from amb_bench.scale_paths import paths
from amb_bench.scale_peers import peers
from amb_bench.scale_run import fresh_number, percentiles, run_children, size_of
from amb_bench.scale_sizes import growth, many
from amb_bench.tables import Table
from amb_core.protocols import Record, RecordQuery
from amb_core.stores import open_store

__all__ = ["tables"]

_PROCESSES = (1, 4, 8)
_NOTES, _QUICK = 800, 80
"""Notes of a run in all, whatever the number of processes."""
_TENANTS = 40
_SEEN = 100
"""Notes whose arrival in another process is timed."""


def tables(options: BenchOptions) -> Iterator[Table]:
    """Writes and recalls by processes; how soon others see a note; what a note takes; peers; then the sizes.

    `many` are `--tenants` banks of `--notes` notes each (1,000 of 1,000), `million` is one namespace of `--notes`
    (1,000,000), and `writes` asks and writes at a thousandth, a tenth and all of them; `paths` asks the questions of
    public sets by the index of the process and by the database. These four are run only when `--only` names them.
    """
    notes = options.notes or (_QUICK if options.quick else _NOTES)
    tenants = options.tenants or (4 if options.quick else _TENANTS)
    wanted = options.only or ("tenants", "one", "lag", "large", "growth", "peers")
    with kept_run(options.keep) as kept:
        if "tenants" in wanted:
            yield _by_processes(kept, notes, tenants)
        if "one" in wanted:
            yield _in_one_space(kept, notes)
        if "lag" in wanted:
            yield _lag(kept, min(_SEEN, notes))
        if "large" in wanted:
            yield _large(kept, notes * 25)
        if "growth" in wanted:
            yield growth(kept, notes)
        if "peers" in wanted:
            yield peers(kept, notes)
        if "many" in wanted:
            yield many(kept, tenants=options.tenants or 1_000, notes=options.notes or 1_000)
        if "million" in wanted:
            yield million(kept, notes=options.notes or 1_000_000, embedder=options.embedder)
        if "writes" in wanted:
            yield writes(kept, notes=options.notes or 1_000_000, embedder=options.embedder)
        if "paths" in wanted:
            yield paths(kept, embedder=options.embedder, quick=options.quick)


_COLUMNS = ("notes/s", "write p50 ms", "p95", "recall p50 ms", "p95", "found", "MB a process")


def _worked(orders: Sequence[Mapping[str, object]]) -> Row:
    """Notes a second with their questions, both times in ms at the middle and at 95 %, and memory of a process."""
    said, seconds = run_children(orders)
    writes, recalls = (np.concatenate([each[name] for each in said]) for name in ("writes", "recalls"))
    found = sum(each["found"] for each in said) / max(1, len(recalls))
    memory = max(each["memory"] for each in said)
    return (len(writes) / seconds, *percentiles(writes), *percentiles(recalls), f"{found:.0%}", memory)


def _by_processes(kept: Kept, notes: int, tenants: int) -> Table:
    rows = []
    for store in ("PostgreSQL", "SQLite"):
        for processes in _PROCESSES:
            name = f"tenants-{tenants}-{notes}-{store}-{processes}"
            row = kept.row(name, partial(_by, kept, store, processes, notes, tenants))
            rows.append((store, processes, *row))
    return Table(f"{notes} notes of {tenants} tenants", ("store", "processes", *_COLUMNS), tuple(rows))


def _by(kept: Kept, store: str, processes: int, notes: int, tenants: int) -> Row:
    orders: list[dict[str, object]] = []
    run = fresh_number()
    for number in range(processes):
        own = range(number, max(tenants, processes), processes)
        urls = [
            kept.at(tenant=f"p{processes}-{tenant}-{run}")
            if store == "PostgreSQL"
            else f"sqlite:///{kept.folder}/p{processes}-{tenant}-{run}.db"
            for tenant in own
        ]
        each = notes // processes
        orders.append({"urls": urls, "first": number * each, "notes": each, "recalls": min(100, each)})
    return _worked(orders)


def _in_one_space(kept: Kept, notes: int) -> Table:
    def measured(processes: int) -> Row:
        place = kept.at(tenant="one", space=f"by{processes}-{fresh_number()}")
        run_children([{"urls": [place], "first": 0, "notes": 0, "recalls": 0}])
        each = notes // processes
        return _worked(
            [
                {"urls": [place], "first": number * each, "notes": each, "recalls": min(100, each)}
                for number in range(processes)
            ]
        )

    rows = [(str(each), *kept.row(f"one-{notes}-{each}", partial(measured, each))) for each in _PROCESSES]
    return Table(f"{notes} notes in one bank that all processes have open", ("processes", *_COLUMNS), tuple(rows))


def _lag(kept: Kept, notes: int) -> Table:
    """How long after `absorb` has returned other processes see the note: one of them, or seven."""
    rows = []
    for watchers in (1, 3, 7):
        row = kept.row(f"lag-{notes}-{watchers}", partial(_seen_late, kept, notes, watchers))
        rows.append((str(watchers), *row))
    columns = ("other processes", "notes seen", "p50", "p95", "most")
    return Table("How late other processes see a note, ms", columns, tuple(rows))


def _seen_late(kept: Kept, notes: int, watchers: int) -> Row:
    from amb_core.bank import MemoryBank
    from amb_core.models import ToolResult

    place = kept.at(tenant="lag", space=f"w{watchers}-{time.time_ns()}")
    with MemoryBank("Keep the log.", store=place) as bank:
        command = [sys.executable, "-m", "amb_bench.scale_child", json.dumps({"urls": [place], "watch": notes})]
        children = [
            subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for _ in range(watchers)
        ]
        for child in children:
            assert child.stdout is not None
            assert child.stdin is not None
            child.stdout.readline()
            print(file=child.stdin, flush=True)
        time.sleep(0.2)
        written = []
        for number in range(notes):
            bank.absorb(ToolResult(tool="log", call_id=f"c{number}", output=note(number)))
            written.append(time.time())
            time.sleep(0.02)
        seen = [json.loads(child.communicate()[0]) for child in children]
    late = [max(0.0, at - done) for times in seen for at, done in zip(times, written, strict=False)]
    return (len(late), *percentiles(late), round(max(late) * 1000, 1))


def _large(kept: Kept, notes: int) -> Table:
    """One large space at the level of the store: writes by the hundred, one record by its id, and all of them."""
    rows = []
    for name, place in (("PostgreSQL", kept.at(tenant="large")), ("SQLite", f"sqlite:///{kept.folder}/large.db")):
        row = kept.row(f"large-{notes}-{name}", partial(_filled, kept, name, place, notes))
        rows.append((name, notes, *row))
    columns = ("store", "records", "written/s", "one by id, ms", "read/s", "bytes a record")
    return Table("One large space", columns, tuple(rows))


def _filled(kept: Kept, name: str, place: str, notes: int) -> Row:
    with closing(open_store(place)) as store:
        before, began = size_of(kept, name, "large.db"), time.perf_counter()
        for first in range(0, notes, 100):
            store.put([Record("n", f"r{n}", {"content": note(n)}) for n in range(first, first + 100)])
        wrote, began = time.perf_counter() - began, time.perf_counter()
        for number in range(0, notes, max(1, notes // 200)):
            store.get("n", f"r{number}")
        got, began = (time.perf_counter() - began) / 200, time.perf_counter()
        assert len(store.search(RecordQuery("n"))) == notes
        read = time.perf_counter() - began
        size = (size_of(kept, name, "large.db") - before) / notes
    return (notes / wrote, got * 1000, notes / read, size)
