"""Child processes of the scale bench that begin at one moment, and what is read off them and off the disk."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from importlib import import_module
from typing import Any

import numpy as np

from amb_bench.scale_keep import Kept

__all__ = ["fresh_number", "percentiles", "run_children", "size_of"]


def run_children(
    orders: Sequence[Mapping[str, object]], *, module: str = "amb_bench.scale_child"
) -> tuple[list[Any], float]:
    """What child processes print that begin at one moment, and the seconds until all were done."""
    with ExitStack() as stack:
        children = []
        for order in orders:
            command = [sys.executable, "-m", module, json.dumps(order)]
            pipe = subprocess.PIPE
            children.append(stack.enter_context(subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True)))
        for child in children:
            assert child.stdout is not None
            if child.stdout.readline() != "ready\n":
                raise RuntimeError("a process of the bench failed by itself; its traceback is above")
        began = time.perf_counter()
        for child in children:
            assert child.stdin is not None
            print(file=child.stdin, flush=True)
        said = [json.loads(child.stdout.readline()) for child in children if child.stdout is not None]
        return said, time.perf_counter() - began


def fresh_number() -> int:
    """A number that no run has had before, so that one that goes on writes nothing twice."""
    return int(time.time()) * 1_000_000


def percentiles(seconds: Sequence[float] | np.ndarray[Any, Any]) -> tuple[float, float]:
    """Milliseconds in the middle and at 95 %."""
    if not len(seconds):
        return (0.0, 0.0)
    middle, late = (round(float(np.percentile(seconds, at)) * 1000, 1) for at in (50, 95))
    return middle, late


def size_of(kept: Kept, store: str, files: str = "") -> int:
    """Bytes of AMB's tables with their indexes, or of files of SQLite."""
    if store == "SQLite":
        return sum(file.stat().st_size for file in kept.folder.glob(f"{files}*"))
    with import_module("psycopg").connect(kept.url) as owner:
        found = owner.execute(
            "SELECT coalesce(sum(pg_total_relation_size(oid)), 0) FROM pg_class WHERE relkind = 'r' "
            "AND relnamespace = to_regnamespace('amb')"
        ).fetchone()
    return int(found[0]) if found else 0
