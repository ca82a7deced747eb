"""Two windows on one book: each in its own opening of the file, as two processes have it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from amb_book.desk import Desk, Extracted, Proposal, Turn
from amb_book.story import Story

DEAD = {"status": {"of": "Lin Yue", "is": "dead"}}
ALIVE = {"status": {"of": "Lin Yue", "is": "alive"}}


@pytest.fixture
def stories(tmp_path: Path) -> Iterator[tuple[Story, Story]]:
    with Story(tmp_path / "book") as one, Story(tmp_path / "book") as other:
        yield one, other


@pytest.fixture
def windows(stories: tuple[Story, Story]) -> tuple[Desk, Desk]:
    """Two windows, both at the task `chapter 5`, in which a statement was written."""
    one, other = (story.desk() for story in stories)
    one.send("/new chapter 5")
    one.send(json.dumps(DEAD))
    other.send("/switch chapter 5")
    return one, other


def settle(desk: Desk) -> Proposal:
    proposal = desk.send("/settle").proposal
    assert proposal is not None
    return proposal


def test_of_two_that_confirm_the_second_is_told_what_the_first_settled(
    windows: tuple[Desk, Desk], stories: tuple[Story, Story]
) -> None:
    one, other = windows
    proposal = settle(one)
    assert one.confirm(proposal.id).kind == "settled"
    for reply in (other.confirm(proposal.id, statements=[ALIVE]), other.send("/confirm"), other.discard(proposal.id)):
        assert reply.error is not None
        assert reply.error.kind == "already_settled"
        assert "chapter 5" in reply.text
    assert stories[1].facts.about("Lin Yue").status == "dead"


class Interrupting:
    """An extractor during which the other window goes on with the task, once or always."""

    def __init__(self, other: Desk, *, always: bool) -> None:
        self.other, self.always, self.heard = other, always, list[int]()

    def extract(self, turns: list[Turn], *, story: Story, chapter: int) -> list[Extracted]:
        self.heard.append(len(turns))
        if self.always or len(self.heard) == 1:
            self.other.send("one more thing", task="t1")
        return [Extracted(DEAD)]


def test_a_task_that_never_rests_is_left_open(stories: tuple[Story, Story]) -> None:
    other = stories[1].desk()
    desk = stories[0].desk(extractor=Interrupting(other, always=True))
    desk.send("/new chapter 5")
    reply = desk.send("/settle")
    assert reply.error is not None
    assert reply.error.kind == "being_settled"
    assert [task.state for task in desk.tasks()] == ["open"]


def test_many_windows_confirm_at_once_and_it_is_settled_once(stories: tuple[Story, Story]) -> None:
    desks = [story.desk() for story in stories for _ in range(3)]
    desks[0].send("/new chapter 5")
    desks[0].send(json.dumps(DEAD))
    proposal = settle(desks[0])
    with ThreadPoolExecutor(6) as pool:
        replies = list(pool.map(lambda desk: desk.confirm(proposal.id), desks))
    assert sorted(reply.kind for reply in replies) == ["error"] * 5 + ["settled"]
    assert {reply.error.kind for reply in replies if reply.error} == {"already_settled"}
    assert [entry.state for entry in stories[0].log.entries()] == ["applied"]


def test_contradicting_tasks_of_two_windows_show_as_a_conflict_before_the_second_is_confirmed(
    windows: tuple[Desk, Desk],
) -> None:
    one, other = windows
    other.send("/new chapter 5 again")
    other.send(json.dumps(ALIVE))
    second = settle(other)
    assert second.contradictions == ()
    one.send("/settle")
    assert one.send("/confirm").kind == "settled"
    assert [clash.kind for clash in other.proposal(second.id).contradictions] == ["contradicts"]
    reply = other.send("/confirm")
    assert reply.error is not None
    assert reply.error.kind == "contradiction"
    assert "dead" in reply.text


@pytest.mark.slow
def test_a_hundred_tasks_of_many_threads_keep_to_their_queues(stories: tuple[Story, Story]) -> None:
    desks = [story.desk() for story in stories]

    def work(number: int) -> tuple[str, list[str]]:
        desk = desks[number % 2]
        task = desk.send(f"/new task {number}").task
        assert task is not None
        desk.send(f"text {number}", task=task.id)
        desks[1 - number % 2].send(f"更多 {number}", task=task.id)
        return task.id, [f"task {number}", f"text {number}", f"更多 {number}"]

    with ThreadPoolExecutor(8) as pool:
        done = list(pool.map(work, range(100)))
    assert len({task for task, _ in done}) == 100
    for task, said in done:
        assert [turn.text for turn in desks[0].turns(task) if turn.role == "author"] == said


def test_a_correction_to_what_another_window_corrected_is_refused_and_shows_how_it_stands(
    windows: tuple[Desk, Desk],
) -> None:
    one, other = windows
    seen = settle(one)
    first = one.correct(seen.id, statements=[{"status": {"of": "Lin Yue", "is": "safe"}}], revision=seen.revision)
    for late in (
        other.correct(seen.id, chapter=7, revision=seen.revision),
        other.confirm(seen.id, revision=seen.revision),
    ):
        assert late.error is not None
        assert (late.error.kind, late.proposal and late.proposal.statements) == (
            "changed",
            first.proposal and first.proposal.statements,
        )
    now = other.proposal(seen.id)
    assert (now.revision, now.state) == (seen.revision + 1, "open")
    assert other.confirm(seen.id, revision=now.revision).kind == "settled"
