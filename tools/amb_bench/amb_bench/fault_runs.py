"""A store that fails at every call of a task in turn, and whether memory and store agree after each failure."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from amb_bench.doubles.failing_store import FailingStore
from amb_bench.workload import GOAL, jobs, run_job
from amb_core.bank import MemoryBank
from amb_core.clock import ManualClock
from amb_core.errors import AmbError, StoreError
from amb_core.memory.ids import link_id
from amb_core.memory.journal import Journal
from amb_core.memory.snapshots import damage
from amb_core.models import BankSnapshot, EntryState
from amb_core.protocols import RecordStore
from amb_core.stores import InMemoryStore

__all__ = ["FaultReport", "disagreements", "fault_run"]

_MOST = 2_000
"""More calls of a store than one job makes."""


@dataclass(slots=True)
class FaultReport:
    """How many failures there were, and every disagreement found after one (none, if all is well)."""

    failures: int = 0
    entries: int = 0
    faults: list[str] = field(default_factory=list)


def fault_run(*, seed: int, count: int = 30, store: RecordStore | None = None) -> FaultReport:
    """Do the jobs of a seed; each is tried with a failure at its first call, then at its second, until none is left.

    `store` is an empty store to work on, in memory unless named.
    """
    inner = store or InMemoryStore()
    failing, report = FailingStore(inner), FaultReport()
    with tempfile.TemporaryDirectory(prefix="amb-fault-") as folder:
        bank = MemoryBank(GOAL, store=failing, clock=ManualClock(1_700_000_000, step=1))
        for job in jobs(seed, count):
            if job.kind == "resume":
                bank.close(keep=True)
                bank = MemoryBank.resume(failing, clock=ManualClock(1_800_000_000, step=1))
                continue
            for call in range(1, _MOST):
                failing.fail_at(call)
                failed = False
                try:
                    run_job(job, bank, folder=Path(folder), about_to_forget=lambda _: None)
                    bank.host.flush()
                except StoreError:
                    failed = True
                except AmbError as error:
                    report.faults.append(f"job {job.number} ({job.kind}): {type(error).__name__}: {error}")
                fired = not failing.armed
                failing.fail_at(0)
                report.failures += fired
                report.faults += [
                    f"job {job.number} ({job.kind}), call {call}: {fault}" for fault in disagreements(bank, inner)
                ]
                if not (fired or failed):
                    break
        report.faults += _at_the_end(bank, failing)
        report.entries = bank.size.entries
        with suppress(AmbError):
            bank.close()
    return report


def disagreements(bank: MemoryBank, store: RecordStore) -> Iterator[str]:
    """Where memory differs from what is stored, and what is not whole."""
    here = bank.snapshot()
    try:
        read = Journal(store, clock=ManualClock()).read().as_snapshot()
    except AmbError as error:
        yield f"stored half: {error}"
        return
    broken = damage(here)
    if broken:
        yield f"half in memory: {broken}"
    there = None if read is None else _in_order(read)
    if there is None:
        yield "nothing is stored"
        return
    mine = _in_order(here)
    for name in BankSnapshot.model_fields:
        if getattr(mine, name) != getattr(there, name):
            yield f"{name} differ between memory and store"


def _in_order(snapshot: BankSnapshot) -> BankSnapshot:
    """The snapshot with its groups in the order of their ids, links without what is filled in on the way out."""
    sort = {
        name: tuple(sorted(item.model_dump_json() for item in getattr(snapshot, name)))
        for name in ("entries", "digestions", "conflicts", "merges", "archive", "injections", "waiting")
    }
    nodes = tuple(sorted(node.model_copy(update={"links": ()}).model_dump_json() for node in snapshot.nodes))
    links = tuple(sorted(link_id(link.a, link.b) + link.reason for link in snapshot.links))
    return snapshot.model_copy(update={**sort, "nodes": nodes, "links": links})


def _at_the_end(bank: MemoryBank, store: FailingStore) -> Iterator[str]:
    """After all the failures the task goes on where it stands, and everything is digested on resume."""
    resumed = MemoryBank.resume(store, clock=ManualClock(1_900_000_000, step=1))
    open_entries = [d.entry_id for d in resumed.snapshot().digestions if d.state is not EntryState.DONE]
    if open_entries:
        yield f"undigested after resume: {', '.join(open_entries)}"
    before = {entry.entry_id: entry.text for entry in bank.snapshot().entries}
    after = {entry.entry_id: entry.text for entry in resumed.snapshot().entries}
    if before != after:
        yield "texts differ after resume"
    yield from (f"after resume: {fault}" for fault in disagreements(resumed, store))
