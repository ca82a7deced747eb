"""Many tasks at a desk at the same time, in threads and processes: what each was told stays its own, and is settled."""

from __future__ import annotations

import re
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from amb_book.desk import Desk

from amb_bench.narrative.big_book import BigBook
from amb_bench.speed_child import measured
from amb_book import Story

__all__ = ["DeskLoad", "desk_load", "lost", "one_by_one", "work"]

_CHAPTER = 21
_MARK = re.compile(r"mark-(\d+)-\d")
_PATIENCE = 60.0


@dataclass(frozen=True, slots=True)
class DeskLoad:
    """CPU seconds a task took, and what was lost or mixed up (nothing, if all is well)."""

    tasks: int
    processes: int
    cpu: float
    faults: tuple[str, ...] = ()


def desk_load(tasks: int, *, processes: int = 0) -> DeskLoad:
    """Open that many tasks of one book at once, talk in each, settle each; in threads, or in processes with threads."""
    with tempfile.TemporaryDirectory(prefix="amb-desk-") as folder:
        place = Path(folder, "book")
        with Story(place) as story:
            BigBook(chapters=_CHAPTER - 1, facts=200, steps=40).settle(story)
        if processes:
            shares = [list(range(tasks))[number::processes] for number in range(processes)]
            with ThreadPoolExecutor(processes) as pool:
                said = list(pool.map(lambda share: _hired(place, share, processes), shares))
            cpu = sum(each for each, _ in said)
            faults = [fault for _, found in said for fault in found]
        else:
            cpu, faults = work(str(place), list(range(tasks)))
        with Story(place) as story:
            faults += lost(story, tasks)
        return DeskLoad(tasks, processes, cpu / tasks, tuple(faults))


def one_by_one(tasks: int) -> float:
    """CPU seconds a task takes when no other is worked on meanwhile."""
    with tempfile.TemporaryDirectory(prefix="amb-desk-") as folder, Story(Path(folder, "book")) as story:
        BigBook(chapters=_CHAPTER - 1, facts=200, steps=40).settle(story)
        desk, alone = story.desk(), threading.Barrier(1)
        _task(desk, tasks, alone)  # loads what is loaded when it is needed first
        began = time.process_time()
        for number in range(tasks):
            _task(desk, number, alone)
        return (time.process_time() - began) / tasks


def work(place: str, numbers: list[int], processes: int = 0) -> tuple[float, list[str]]:
    """Carry out tasks at once, a thread for each; CPU seconds and what went wrong. Waits for the other processes."""
    with Story(place) as story:
        desk = story.desk()
        _meet(Path(place).parent, numbers[0], processes)
        together = threading.Barrier(len(numbers))
        began = time.process_time()
        with ThreadPoolExecutor(len(numbers)) as pool:
            faults = [
                fault for found in pool.map(lambda number: _task(desk, number, together), numbers) for fault in found
            ]
        return time.process_time() - began, faults


def _hired(place: Path, share: list[int], processes: int) -> tuple[float, list[str]]:
    cpu, faults = measured("narrative.desk_load:work", place=str(place), numbers=share, processes=processes)
    return cpu, faults


def _meet(folder: Path, name: int, processes: int) -> None:
    """Wait until all processes are here."""
    if processes:
        (folder / f"here-{name}").touch()
        deadline = time.monotonic() + _PATIENCE
        while len(list(folder.glob("here-*"))) < processes and time.monotonic() < deadline:
            time.sleep(0.01)


def _task(desk: Desk, number: int, together: threading.Barrier) -> list[str]:
    together.wait()
    said = [f"mark-{number}-{turn}: what does {_guest(number)} want at the gate?" for turn in range(3)]
    said.append(f'{{"entity": "{_guest(number)}", "kind": "character", "properties": {{"age": {20 + number}}}}}')
    opened = desk.send(f"/new guest {number}, mark-{number}-9")
    if opened.task is None:
        return [f"task {number} was not opened: {opened.text}"]
    task = opened.task.id
    replies = [desk.send(each, task=task) for each in said]
    proposed = desk.send("/settle", task=task)
    if proposed.proposal is None:
        return [f"task {number} was not proposed: {proposed.text}"]
    settled = desk.confirm(proposed.proposal.id, chapter=_CHAPTER)
    faults = [f"task {number}: {each.text}" for each in (*replies, settled) if each.kind == "error"]
    heard = [turn.text for turn in desk.turns(task) if turn.role == "author"]
    if [text for text in heard if text in said] != said:
        faults.append(f"task {number} has other words in its queue, or in another order")
    texts = [turn.text for turn in desk.turns(task)]
    return [*faults, *_foreign(number, texts)]


def _foreign(number: int, texts: Sequence[str]) -> Iterator[str]:
    for text in texts:
        if others := {int(found) for found in _MARK.findall(text)} - {number}:
            yield f"task {number} has heard what was said in {sorted(others)}"


def lost(story: Story, tasks: int) -> list[str]:
    """What of all tasks is not in the book exactly once."""
    faults: list[str] = []
    for number in range(tasks):
        found = story.facts.resolve(_guest(number))
        ages = story.facts.about(found[0].id).properties if len(found) == 1 else {}
        if ages != {"age": str(20 + number)}:
            faults.append(f"{_guest(number)} is {len(found)} times in the book, with {ages}")
    applied = [entry for entry in story.log.entries(state="applied") if entry.task]
    if len(applied) != tasks:
        faults.append(f"{len(applied)} settlements of {tasks} tasks")
    closed = [task for task in story.desk().tasks() if task.state == "closed"]
    return faults if len(closed) == tasks else [*faults, f"{len(closed)} of {tasks} tasks are closed"]


def _guest(number: int) -> str:
    return f"Guest{number} Ardmore"
