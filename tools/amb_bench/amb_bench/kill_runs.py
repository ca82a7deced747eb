"""Runs in which a process is killed at a seeded moment, and what is found when its bank is opened again."""

from __future__ import annotations

import json
import random
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from amb_bench.kill_worker import KillOrder, Phase, Worker
from amb_bench.old_schema import make_old
from amb_bench.workload import GOAL, jobs
from amb_core.bank import MemoryBank
from amb_core.errors import AmbError, InvalidInput
from amb_core.memory.snapshots import damage
from amb_core.models import BankSnapshot, EntryState, InteractionEntry, ToolResult

__all__ = ["KillReport", "Scheme", "kill_run"]

Scheme = Literal["sqlite", "json"]
_JOBS = 30
_EVENTS: dict[Phase, int] = {"open": 1_200, "work": 30_000, "close": 4_500}
"""About how many events of the trap a phase has."""


@dataclass(slots=True)
class KillReport:
    """What one run did and what was wrong afterwards (nothing, if all is well); `kills` are children that died."""

    kills: int = 0
    kept: int = 0
    phase: str = ""
    faults: list[str] = field(default_factory=list)


@dataclass(slots=True)
class _Log:
    """What the children said was done."""

    texts: dict[str, str] = field(default_factory=dict)
    parents: dict[str, str | None] = field(default_factory=dict)
    last: dict[str, int] = field(default_factory=dict)
    forgetting: str | None = None
    ending: bool = False
    ended: bool = False

    @classmethod
    def read(cls, path: Path) -> _Log:
        log = cls()
        for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
            match json.loads(line):
                case {"done": {"texts": texts, "last": last}}:
                    log.texts |= {entry_id: text for entry_id, (text, _) in texts.items()}
                    log.parents |= {entry_id: parent for entry_id, (text, parent) in texts.items() if text}
                    log.last, log.forgetting = last, None
                case {"forgetting": entry_id}:
                    log.forgetting = entry_id
                case {"ending": _}:
                    log.ending = True
                case {"ended": _}:
                    log.ended = True
        return log


def kill_run(worker: Worker, *, scheme: Scheme, seed: int) -> KillReport:
    """Kill one or two processes that work on one bank of their own, then open it and look at everything."""
    rng, report = random.Random(seed), KillReport()
    with tempfile.TemporaryDirectory(prefix="amb-kill-") as folder:
        place = Path(folder, "memory")
        place.mkdir()
        log = Path(folder, "log")
        order = _order(rng, f"{scheme}:///{place / 'bank'}", folder, log, seed)
        report.phase = "time" if order.after is not None else order.phase
        report.kills += worker.obey(order)
        told = _Log.read(log)
        if told.texts and not told.ending and rng.random() < 0.6:
            if scheme == "sqlite" and rng.random() < 0.4:
                make_old(place / "bank")
            again = _order(rng, order.url, folder, log, seed + 1, resume=True)
            report.kills += worker.obey(again)
            told = _Log.read(log)
        words = {job.word for s in (seed, seed + 1) for job in jobs(s, _JOBS) if job.word}
        _examine(order.url, place, told, words, report)
    return report


def _order(rng: random.Random, url: str, folder: str, log: Path, seed: int, *, resume: bool = False) -> KillOrder:
    phase: Phase = rng.choices(("open", "work", "close"), (4 if resume else 1, 6, 2))[0]
    keep = rng.random() < 0.7
    if rng.random() < 0.15:
        return KillOrder(url, folder, str(log), seed, _JOBS, resume, keep, after=rng.uniform(0.001, 0.15))
    at, delay = rng.randrange(1, _EVENTS[phase]), rng.choice((0.0, 0.0, rng.uniform(0, 0.003)))
    return KillOrder(url, folder, str(log), seed, _JOBS, resume, keep, phase=phase, at=at, delay=delay)


# --- what is found afterwards ----------------------------------------------------------------------------------------


def _examine(url: str, place: Path, told: _Log, words: set[str], report: KillReport) -> None:
    """Open the bank as a user would after a crash; every fault is a sentence."""
    try:
        bank = MemoryBank.resume(url)
    except InvalidInput as error:
        if told.texts and not told.ending:
            report.faults.append(f"refused: the task is gone ({error})")
        with MemoryBank(GOAL, store=url, ends="delete"):
            report.faults += _leftovers(place, words, "")
        report.faults += _leftovers(place, words, "")
        return
    except AmbError as error:
        report.faults.append(f"refused: {type(error).__name__}: {error}")
        return
    with bank:
        if told.ended:
            report.faults.append("returned: a task that was ended is there again")
        snapshot = bank.snapshot()
        report.kept = len(snapshot.entries)
        report.faults += [*_lost(snapshot, told), *_unsound(snapshot), *_reused(bank, told)]
        report.faults += [*_leftovers(place, words, "\n".join(_living(bank))), *_missing_files(bank)]
        bank.delete()
    report.faults += _leftovers(place, words, "")


def _lost(snapshot: BankSnapshot, told: _Log) -> Iterator[str]:
    """Acknowledged texts that are gone, and forgotten ones that are back."""
    entries = {entry.entry_id: entry for entry in snapshot.entries}
    for entry_id, text in told.texts.items():
        found = entries.get(entry_id)
        excused = told.forgetting is not None and told.forgetting in (entry_id, told.parents.get(entry_id))
        if found is None:
            yield f"lost: {entry_id}"
        elif not text and found.text:
            yield f"returned: {entry_id} had been forgotten"
        elif found.text != text and not (excused and found.forgotten):
            yield f"lost: the text of {entry_id}"


def _unsound(snapshot: BankSnapshot) -> Iterator[str]:
    """Half a change, and texts that were not digested."""
    broken = damage(snapshot)
    if broken:
        yield f"half: {broken}"
    for digestion in snapshot.digestions:
        if digestion.state is not EntryState.DONE:
            yield f"undigested: {digestion.entry_id} is {digestion.state}"
    alive = {node.id for node in snapshot.nodes}
    for event in snapshot.merges:
        if not event.undone and alive & set(event.merged_node_ids):
            yield f"half: {event.event_id} merged a node that still lives"
    original: dict[tuple[str, str], InteractionEntry] = {}  # a call that was made before repeats its own results only
    repeats = {digestion.entry_id for digestion in snapshot.digestions if digestion.repeat_of}
    for entry in snapshot.entries:
        if entry.text and not entry.attachments and entry.entry_id not in repeats:
            said = (entry.text, str(entry.metadata.get("source")))
            if said in original:
                yield f"twice: {entry.entry_id} was digested again although {original[said].entry_id} says it"
            original[said] = entry


def _reused(bank: MemoryBank, told: _Log) -> Iterator[str]:
    """Ids that were given out before."""
    report = bank.absorb(ToolResult(tool="read", output="The lighthouse of Skagen was lit in 1858."))
    if any(int(entry_id[1:]) <= told.last.get("e", 0) for entry_id in report.entry_ids):
        yield f"reused: {report.entry_ids}"
    if any(int(node_id[1:]) <= told.last.get("n", 0) for node_id in report.node_ids):
        yield f"reused: {report.node_ids}"


def _living(bank: MemoryBank) -> Iterator[str]:
    """All texts the bank still holds, those in files included."""
    yield from (bank.host.open_waiting(attachment.id).file_content for attachment in bank.host.waiting)
    for entry in bank.snapshot().entries:
        yield entry.text
        for attachment in entry.attachments:
            with suppress(FileNotFoundError):
                yield Path(attachment.content).read_text(encoding="utf-8")


def _missing_files(bank: MemoryBank) -> Iterator[str]:
    for entry in bank.snapshot().entries:
        for attachment in entry.attachments:
            if not Path(attachment.content).is_file():
                yield f"lost: the file of {entry.entry_id}"


def _leftovers(place: Path, words: set[str], living: str) -> Iterator[str]:
    """Words on disk that nothing living says: of forgotten texts, or of files nobody holds."""
    gone = [word.encode() for word in sorted(words) if word not in living]
    for file in sorted(path for path in place.rglob("*") if path.is_file()):
        with suppress(FileNotFoundError):
            content = file.read_bytes()
            for word in gone:
                if word in content:
                    yield f"left: {word.decode()} in {file.name}"
