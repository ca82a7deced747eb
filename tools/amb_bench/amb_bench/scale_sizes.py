"""Sizes that no run fills by whole absorbs: many banks, and how a bank grows.

Banks are copies of one that was filled by absorbing, written as records through the public store, so that each can be
opened, asked and written to like any other.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from amb_bench.scale_child import note
from amb_bench.scale_keep import Kept, Row
from amb_bench.scale_run import fresh_number, percentiles, run_children, size_of
from amb_bench.tables import Table
from amb_core.bank import MemoryBank
from amb_core.models import ToolResult
from amb_core.protocols import RecordQuery
from amb_core.stores import open_store

__all__ = ["growth", "joined", "many"]

_PROCESSES = (1, 4, 8)
_LOADERS = 2
_VISITS, _RECALLS, _WRITES = 32, 5, 2
"""Banks opened in a run in all; questions and notes for each."""


# --- many banks ------------------------------------------------------------------------------------------------------


def many(kept: Kept, *, tenants: int, notes: int) -> Table:
    """So many tenants with a bank of so many notes each (at most 1,000), beside as many files."""
    before = kept.figures(f"many-{tenants}-{notes}-before", lambda: size_of(kept, "PostgreSQL"))
    template = _template(kept, notes)
    filled = kept.figures(f"many-{tenants}-{notes}-filled", lambda: _fill(kept, template, tenants, notes, before))
    rows: list[Row] = []
    for store in ("PostgreSQL", "SQLite"):
        for processes in _PROCESSES:
            name = f"many-{tenants}-{notes}-{store}-{processes}"
            row = kept.row(name, partial(_visits, kept, store, processes, tenants, notes))
            rows.append((store, processes, *row, filled[f"{store} bytes"]))
    columns = (
        *("store", "processes", "banks/s", "open p50 ms", "p95", "of it computing, p50"),
        *("write p50 ms", "p95", "recall p50 ms", "p95", "found", "MB a process", "bytes a note"),
    )
    title = f"{tenants} tenants with {notes} notes each, filled with {filled['records/s']:.0f} records a second"
    return Table(title, columns, tuple(rows), figures={"filled": filled})


def _template(kept: Kept, notes: int) -> Path:
    """The records of a bank that was filled by absorbing, and beside it the file they are from."""
    file = kept.folder / f"template-{notes}.json"
    if not file.exists():
        source = file.with_suffix(".db")
        for old in file.parent.glob(f"{source.name}*"):
            old.unlink()
        with MemoryBank("Keep the log of the stations.", store=f"sqlite:///{source}") as bank:
            for number in range(notes):
                bank.absorb(ToolResult(tool="log", call_id=f"c{number}", output=note(number)))
        with closing(open_store(f"sqlite:///{source}")) as store:
            spaces = [store.search(RecordQuery(name)) for name in store.namespaces("task/")]
            records = [[r.namespace, r.id, r.data, r.created_at, r.updated_at] for found in spaces for r in found]
        unfinished = file.with_suffix(".part")
        unfinished.write_text(json.dumps(records, ensure_ascii=False), encoding="utf-8")
        unfinished.replace(file)
    return file


def _fill(kept: Kept, template: Path, tenants: int, notes: int, before: int) -> dict[str, float]:
    """Copy the bank for each tenant; a run that was killed goes on with those that are missing."""
    copies = [(kept.at(tenant=_tenant(number, notes)), _mark(number)) for number in range(tenants)]
    orders = [{"template": str(template), "copies": copies[first::_LOADERS]} for first in range(_LOADERS)]
    said, seconds = run_children(orders)
    size = (size_of(kept, "PostgreSQL") - before) / tenants / notes
    source = template.with_suffix(".db")
    for number in range(tenants):
        shutil.copy(source, kept.folder / f"{_tenant(number, notes)}.db")
    return {
        "records/s": sum(said) / seconds,
        "seconds": seconds,
        "PostgreSQL bytes": size,
        "SQLite bytes": source.stat().st_size / notes,
    }


def _tenant(number: int, notes: int) -> str:
    return f"many{notes}-{number}"


def _mark(number: int) -> str:
    """What the keys of a tenant's notes begin with."""
    return f"K{number:04}"


def _visits(kept: Kept, store: str, processes: int, tenants: int, notes: int) -> Row:
    chosen = np.random.default_rng(processes).choice(tenants, size=min(tenants, _VISITS), replace=False).tolist()
    places = [
        (kept.at(tenant=_tenant(number, notes)), _mark(number))
        if store == "PostgreSQL"
        else (f"sqlite:///{kept.folder}/{_tenant(number, notes)}.db", _mark(0))
        for number in chosen
    ]
    asked = {"recalls": _RECALLS, "writes": _WRITES, "notes": notes}
    first = fresh_number()
    orders = [
        {**asked, "visits": places[number::processes], "first": first + number * 10_000} for number in range(processes)
    ]
    said, seconds = run_children(orders)
    opened, writes, recalls = (joined(said, name) for name in ("opened", "writes", "recalls"))
    found = sum(each["found"] for each in said) / len(recalls)
    memory = max(each["memory"] for each in said)
    computed = percentiles(joined(said, "computed"))[0]
    times = (*percentiles(opened), computed, *percentiles(writes), *percentiles(recalls))
    return (len(opened) / seconds, *times, f"{found:.0%}", memory)


def joined(said: Sequence[dict[str, Any]], name: str) -> list[float]:
    """The times of this name that all children said."""
    return [one for each in said for one in each[name]]


# --- how a bank grows ------------------------------------------------------------------------------------------------


def growth(kept: Kept, notes: int) -> Table:
    """Banks of a quarter of the notes, of so many, and of four and sixteen times as many: opening one, and its work."""
    rows = []
    for size in (notes // 4, notes, notes * 4, notes * 16):
        row = kept.row(f"growth-{size}", partial(_grown, kept, size))
        rows.append((str(size), *row))
    times = ("write p50 ms", "p95", "recall p50 ms", "p95")
    columns = ("notes in the bank", "open s", "of it computing", "MB a process", *times)
    return Table("One bank as it grows, in PostgreSQL", columns, tuple(rows))


def _grown(kept: Kept, notes: int) -> Row:
    place = kept.at(tenant="growth", space=notes)
    small = kept.at(tenant="growth", space=f"small-{notes}")
    for copied, url in ((notes, place), (1, small)):
        run_children([{"template": str(_template(kept, copied)), "copies": [(url, "K0000")]}])
    order = {
        "visits": [(small, "K"), (place, "K")],
        "recalls": 20,
        "writes": 20,
        "notes": notes,
        "first": fresh_number(),
    }
    [said], _ = run_children([order])  # of which the small one is there to have everything loaded and connected
    opened = (said["opened"][1], said["computed"][1])
    return (*opened, said["memory"], *percentiles(said["writes"][20:]), *percentiles(said["recalls"][20:]))
