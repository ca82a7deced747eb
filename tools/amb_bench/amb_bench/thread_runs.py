"""Many threads on one bank at once: nothing is lost, nobody waits for ever, and their order changes nothing."""

from __future__ import annotations

import faulthandler
import random
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from amb_core.bank import MemoryBank
from amb_core.clock import ManualClock
from amb_core.errors import AmbError
from amb_core.memory.snapshots import damage
from amb_core.models import EntryState, ToolResult
from amb_core.protocols import RecordStore

__all__ = ["ThreadReport", "thread_run"]

_GOAL = "What do the crates hold, and which hold most?"
_THINGS = ("bolts", "lamps", "ropes", "个螺栓", "盏油灯", "捆缆绳")


@dataclass(slots=True)
class ThreadReport:
    """What the threads did in all, and what was wrong afterwards (nothing, if all is well)."""

    operations: int = 0
    absorbed: int = 0
    forgotten: int = 0
    recalled: int = 0
    faults: list[str] = field(default_factory=list)


def thread_run(
    *,
    threads: int = 8,
    operations: int = 1_000,
    seed: int = 0,
    store: str | RecordStore = "memory://",
    patience: float = 600,
) -> ThreadReport:
    """Have every thread absorb, recall and forget; each thread's texts are its own.

    When nothing has moved for `patience` seconds, the stacks of all threads are printed and the process ends.
    """
    with MemoryBank(_GOAL, store=store, clock=ManualClock(1_700_000_000)) as bank:
        workers = [_Hand(bank, number, operations, random.Random(seed * 100 + number)) for number in range(threads)]
        faulthandler.dump_traceback_later(patience, exit=True)
        try:
            with ThreadPoolExecutor(threads) as pool:
                list(pool.map(_Hand.work, workers))
            bank.host.flush()
        finally:
            faulthandler.cancel_dump_traceback_later()
        report = ThreadReport(
            threads * operations,
            sum(len(hand.mine) for hand in workers),
            sum(len(hand.forgotten) for hand in workers),
            sum(hand.recalled for hand in workers),
        )
        report.faults += [*_lost(bank, workers), *_depends_on_order(bank)]
    return report


@dataclass(slots=True)
class _Hand:
    """What one thread does: by its own seed, to its own texts."""

    bank: MemoryBank
    number: int
    operations: int
    rng: random.Random
    mine: dict[str, str] = field(default_factory=dict)
    forgotten: dict[str, str] = field(default_factory=dict)
    recalled: int = 0
    errors: list[str] = field(default_factory=list)

    def work(self) -> None:
        for step in range(self.operations):
            try:
                self._step(step, self.rng.random())
            except AmbError as error:
                self.errors.append(f"thread {self.number}, step {step}: {type(error).__name__}: {error}")

    def _step(self, step: int, chance: float) -> None:
        alive = [entry_id for entry_id in self.mine if entry_id not in self.forgotten]
        if chance < 0.35 or not alive:
            text = f"Crate K{self.number}x{step} holds {self.rng.randrange(10, 99)} {self.rng.choice(_THINGS)}."
            result = ToolResult(tool="count", output=text, source=f"list-{self.number}-{step}")
            [entry_id] = self.bank.absorb(result, wait=self.rng.random() < 0.7).entry_ids
            self.mine[entry_id] = text
        elif chance < 0.95:
            wanted = self.mine[self.rng.choice(alive)]
            block = self.bank.recall(wanted, budget_tokens=100, k=3)
            self.recalled += bool(block.text)
        else:
            entry_id = self.rng.choice(alive)
            self.bank.forget(entry_id)
            self.forgotten[entry_id] = self.mine[entry_id]


def _lost(bank: MemoryBank, workers: list[_Hand]) -> Iterator[str]:
    snapshot = bank.snapshot()
    entries = {entry.entry_id: entry for entry in snapshot.entries}
    for hand in workers:
        yield from hand.errors
        for entry_id, text in hand.mine.items():
            if entries[entry_id].text != ("" if entry_id in hand.forgotten else text):
                yield f"lost or back: {entry_id}"
    if len(entries) != sum(len(hand.mine) for hand in workers):
        yield f"{len(entries)} entries instead of {sum(len(hand.mine) for hand in workers)}"
    yield from (f"{d.entry_id} is {d.state}" for d in snapshot.digestions if d.state is not EntryState.DONE)
    broken = damage(snapshot)
    if broken:
        yield f"half: {broken}"


def _depends_on_order(bank: MemoryBank) -> Iterator[str]:
    """Notes that differ from those of the same texts taken in one after the other, in the order of their ids."""
    snapshot = bank.snapshot()
    with MemoryBank(_GOAL, clock=ManualClock(1_700_000_000)) as alone:
        expected: dict[str, list[str]] = {}
        for entry in snapshot.entries:
            if entry.text:
                source = str(entry.metadata["source"])
                report = alone.absorb(ToolResult(tool="count", output=entry.text, source=source))
                expected[entry.entry_id] = [alone.host.node(node_id).summary for node_id in report.node_ids]
        for digestion in snapshot.digestions:
            found = [bank.host.node(node_id).summary for node_id in digestion.node_ids]
            if digestion.entry_id in expected and found != expected[digestion.entry_id]:
                yield f"{digestion.entry_id} reads {found} instead of {expected[digestion.entry_id]}"
