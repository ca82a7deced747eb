"""How often a task survives: killed processes, failing stores, full disks, threads at once; and what was lost.

The goal is 0 in every column but the counts. Parts: kills, faults, disks, threads.
"""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from amb_bench.benches import BenchOptions
from amb_bench.fault_runs import FaultReport, fault_run
from amb_bench.full_disk import full_disk_run
from amb_bench.kill_runs import Scheme, kill_run
from amb_bench.kill_worker import worker
from amb_bench.tables import Table
from amb_bench.thread_runs import thread_run
from amb_core.errors import InvalidParameter

__all__ = ["tables"]

_SCHEMES: tuple[Scheme, ...] = ("sqlite", "json")
_FAULTS = ("lost", "returned", "left", "half", "undigested", "twice", "reused", "refused")


def tables(options: BenchOptions) -> Iterator[Table]:
    """One table per part; InvalidParameter for a part there is not."""
    parts: Mapping[str, Callable[[bool], Table]] = {
        "kills": _kills,
        "faults": _faults,
        "disks": _disks,
        "threads": _threads,
    }
    unknown = [name for name in options.only if name not in parts]
    if unknown:
        raise InvalidParameter(f"reliability has no part {unknown[0]!r}; there are: {', '.join(parts)}")
    for name in options.only or parts:
        if name in ("kills", "disks") and sys.platform == "win32":
            yield Table(f"{name}: needs a system with fork and limits on processes", ("store",), ())
        else:
            yield parts[name](options.quick)


def _kills(quick: bool) -> Table:
    """Tasks whose process was killed once or twice, opened again and looked at."""
    runs, rows = (10 if quick else 150), []
    with worker() as process:
        for scheme in _SCHEMES:
            kills, kept, phases, faults = 0, 0, Counter[str](), Counter[str]()
            for seed in range(runs):
                report = kill_run(process, scheme=scheme, seed=seed)
                kills, kept = kills + report.kills, kept + report.kept
                phases[report.phase] += 1
                faults.update(fault.partition(":")[0] for fault in report.faults)
            counts = (runs, kills, phases["open"], phases["work"], phases["close"], phases["time"], kept)
            rows.append((scheme, *map(float, counts), *(float(faults[name]) for name in _FAULTS)))
    columns = ("store", "tasks", "kills", "opening", "working", "closing", "any time", "texts kept", *_FAULTS)
    return Table("processes killed with SIGKILL", columns, tuple(rows))


def _faults(quick: bool) -> Table:
    """A failure at every call of the store in turn."""
    reports = [fault_run(seed=seed) for seed in range(2 if quick else 30)]
    return _fault_table("a store that fails at every call in turn", {"memory": reports})


def _disks(quick: bool) -> Table:
    """Files that may not grow any more, at many sizes."""
    runs = range(1 if quick else 10)
    reports: dict[str, list[FaultReport]] = {
        scheme: [full_disk_run(scheme=scheme, seed=seed) for seed in runs] for scheme in _SCHEMES
    }
    return _fault_table("a disk that is full again and again", reports)


def _fault_table(title: str, found: Mapping[str, list[FaultReport]]) -> Table:
    rows = tuple(
        (
            store,
            float(len(reports)),
            float(sum(report.failures for report in reports)),
            float(sum(report.entries for report in reports)),
            float(sum(len(report.faults) for report in reports)),
        )
        for store, reports in found.items()
    )
    return Table(title, ("store", "tasks", "failures", "texts kept", "disagreements"), rows)


def _threads(quick: bool) -> Table:
    """Eight threads that absorb, recall and forget on one bank."""
    rows: list[tuple[str | float, ...]] = []
    with tempfile.TemporaryDirectory(prefix="amb-threads-") as folder:
        for name in ("memory", *_SCHEMES):
            url = "memory://" if name == "memory" else f"{name}:///{Path(folder, name)}"
            report = thread_run(operations=60 if quick else 1_000, store=url)
            counts = (8, report.operations, report.absorbed, report.recalled, report.forgotten, len(report.faults))
            rows.append((name, *map(float, counts)))
    columns = ("store", "threads", "operations", "absorbed", "recalled", "forgotten", "lost or different")
    return Table("threads at once", columns, tuple(rows))
