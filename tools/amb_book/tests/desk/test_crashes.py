"""A process that is killed between any two writes of a settlement: nothing lost, nothing half-settled."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from amb_book.desk import Desk, Task
from amb_book.story import Story

MOVED = {"subject": "Lin Yue", "relation": "IS_AT", "object": "Sarn"}
CHILD = """
import os, signal, sys
from amb_book.story import Story
from amb_core.stores import SqliteStore

class DeadlyStore(SqliteStore):
    left = None
    def put(self, records, *, keep_history=False):
        super().put(records, keep_history=keep_history)
        if self.left is not None:
            self.left -= 1
            if self.left == 0:
                os.kill(os.getpid(), signal.SIGKILL)

place, writes = sys.argv[1], int(sys.argv[2])
store = DeadlyStore(place)
desk = Story(None, store=store).desk()
desk.send("/new chapter 3")
desk.send('{"subject": "Lin Yue", "relation": "IS_AT", "object": "Sarn"}')
desk.send("Snow lay on the walls of Sarn. " * 40)
DeadlyStore.left = writes
desk.send("/settle")
print("proposed", flush=True)
desk.send("/confirm")
print("settled", flush=True)
"""


def killed_after(writes: int, place: Path) -> list[str]:
    """Run the child until it has written so often; what it had told by then."""
    done = subprocess.run(
        [sys.executable, "-c", CHILD, str(place), str(writes)], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode in (0, -9), done.stderr
    return done.stdout.split()


def brought_to_its_end(desk: Desk) -> None:
    """What an author does who finds the desk like this."""
    task: Task = desk.tasks()[0]
    if task.state == "open":
        desk.send("/settle")
    if desk.tasks()[0].state == "settling":
        assert desk.send("/confirm").kind == "settled"


def check(place: Path, told: list[str]) -> None:
    with Story(None, store=f"sqlite:///{place}") as story:
        desk = story.desk()
        task = desk.tasks()[0]
        assert [turn.text for turn in desk.turns(task.id) if turn.role == "author"][1].startswith("{")
        if task.state == "settling":
            assert desk.proposal(task.proposal).statements == [MOVED]
        assert (task.state == "open") <= ("proposed" not in told)
        assert (task.state == "closed") or story.facts.chapters() == []
        assert ("settled" in told) <= (task.state == "closed")
        brought_to_its_end(desk)
        assert [entry.state for entry in story.log.entries()] == ["applied"]
        assert story.facts.about("Lin Yue").place == "Sarn"
        assert len(story.log.entries(state="applied")) == 1
        assert [each.state for each in desk.tasks()] == ["closed"]
        assert story.episodes.text(3).startswith("Snow lay on the walls of Sarn.")


@pytest.mark.sampled(3)
@pytest.mark.slow
@pytest.mark.parametrize("writes", [2, 5, 9, 14, 20])
def test_a_kill_between_two_writes_loses_nothing_and_settles_nothing_by_half(writes: int, tmp_path: Path) -> None:
    check(tmp_path / "book.db", killed_after(writes, tmp_path / "book.db"))


@pytest.mark.nightly
@pytest.mark.slow
def test_so_does_a_kill_after_every_single_write(tmp_path: Path) -> None:
    for writes in range(1, 200):
        place = tmp_path / f"{writes}.db"
        told = killed_after(writes, place)
        check(place, told)
        if "settled" in told:
            assert writes > 15
            return
    pytest.fail("the child never came to its end")
