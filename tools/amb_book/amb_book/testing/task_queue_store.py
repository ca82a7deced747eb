"""The contract of `TaskQueueStore`: subclass `TaskQueueStoreContract` and provide the fixture `queues`, empty."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Literal

import pytest

from amb_book.desk.tasks import ANY_STATE, Task, TaskQueueStore, Turn
from amb_core.errors import InvalidInput, UnknownId

__all__ = ["TaskQueueStoreContract"]

TEXTS = ("", "汉字：“玉佩”", "quotes ' \" ` \\", "%_*?[]{}", "a\0b", "\ud800 half", "line\nbreaks\r\n", "😀" * 50)


def said(queues: TaskQueueStore, task: Task, text: str, role: Literal["author", "desk"] = "author") -> Task | None:
    """Append one turn."""
    return queues.append(task.id, Turn(role, text, 5.0))


def texts(queues: TaskQueueStore, task: Task) -> list[str]:
    """What stands in a queue."""
    return [turn.text for turn in queues.turns(task.id)]


class TaskQueueStoreContract:
    """What every store of task queues promises, one sentence a test."""

    @pytest.fixture
    def queues(self) -> TaskQueueStore:
        """Override with an empty store."""
        pytest.fail("override the fixture queues")

    def another(self, queues: TaskQueueStore) -> TaskQueueStore:
        """Another opening of the same place; the same object where there can be no other."""
        return queues

    # --- queues -------------------------------------------------------------------------------------------------------

    def test_a_new_task_is_open_and_its_queue_is_empty(self, queues: TaskQueueStore) -> None:
        task = queues.add("  outline\n the siege ", now=3.25, kind="outline", language="zh")
        assert task == Task(task.id, "outline the siege", "open", 3.25, kind="outline", language="zh")
        assert queues.task(task.id) == task
        assert queues.turns(task.id) == []

    def test_a_turn_goes_into_the_queue_of_its_own_task_alone(self, queues: TaskQueueStore) -> None:
        one, other = queues.add("one", now=1.0), queues.add("other", now=2.0)
        for text, task in (("a", one), ("b", other), ("c", one)):
            said(queues, task, text)
        assert (texts(queues, one), texts(queues, other)) == (["a", "c"], ["b"])
        assert [turn.number for turn in queues.turns(one.id)] == [1, 2]
        assert queues.task(one.id).turns == 2

    def test_all_of_a_turn_comes_back(self, queues: TaskQueueStore) -> None:
        task = queues.add("one", now=1.0)
        turn = Turn("desk", "answer", 1_790_000_000.123456, "new", 1, {"window": [1, 2], "tokens": 3.5})
        queues.append(task.id, turn)
        assert queues.turns(task.id) == [turn]

    @pytest.mark.parametrize("text", TEXTS, ids=range(len(TEXTS)))
    def test_any_text_survives(self, queues: TaskQueueStore, text: str) -> None:
        task = queues.add(f"title {text}", now=1.0)
        said(queues, task, text)
        assert texts(queues, task) == [text]
        assert queues.task(task.id).title == " ".join(f"title {text}".split())

    @pytest.mark.parametrize("title", ["", " \n", "x" * 201])
    def test_a_title_that_is_none_is_refused(self, queues: TaskQueueStore, title: str) -> None:
        with pytest.raises(InvalidInput):
            queues.add(title, now=1.0)
        assert queues.tasks() == []

    def test_tasks_come_in_the_order_in_which_they_were_added(self, queues: TaskQueueStore) -> None:
        added = [queues.add(str(number), now=100.0 - number).id for number in range(12)]
        assert [task.id for task in queues.tasks()] == added

    @pytest.mark.parametrize("id", ["t99", "", "%", "T1", "t1' or 1=1", "*"])
    def test_an_unknown_id_is_told_as_such(self, queues: TaskQueueStore, id: str) -> None:
        task = queues.add("one", now=1.0)
        for call in (queues.task, queues.turns, lambda wanted: queues.append(wanted, Turn("author", "x", 1.0))):
            with pytest.raises(UnknownId):
                call(id)
        assert queues.turns(task.id) == []

    # --- states -------------------------------------------------------------------------------------------------------

    def test_a_state_changes_for_whoever_saw_the_task_last(self, queues: TaskQueueStore) -> None:
        task = queues.add("one", now=1.0)
        settling = queues.change(task, state="settling", proposal="作者.p1")
        assert settling is not None
        assert (settling.state, settling.proposal) == ("settling", "作者.p1")
        assert queues.task(task.id) == settling
        closed = queues.change(settling, state="closed", closed=9.125)
        assert closed is not None
        assert (closed.state, closed.proposal, closed.closed) == ("closed", "", 9.125)

    def test_of_two_windows_that_saw_the_same_only_one_changes_it(self, queues: TaskQueueStore) -> None:
        task, other = queues.add("one", now=1.0), self.another(queues)
        assert queues.change(task, state="settling", proposal="mine") is not None
        assert other.change(task, state="settling", proposal="theirs") is None
        assert other.task(task.id).proposal == "mine"

    def test_a_turn_that_came_in_between_stops_a_change(self, queues: TaskQueueStore) -> None:
        task = queues.add("one", now=1.0)
        said(self.another(queues), task, "wait")
        assert queues.change(task, state="settling") is None

    def test_many_threads_settle_one_task_and_one_wins(self, queues: TaskQueueStore) -> None:
        task = queues.add("one", now=1.0)
        with ThreadPoolExecutor(8) as pool:
            won = list(pool.map(lambda n: queues.change(task, state="settling", proposal=f"p{n}"), range(16)))
        winners = [each for each in won if each is not None]
        assert len(winners) == 1
        assert queues.task(task.id) == winners[0]

    def test_a_turn_is_taken_only_in_the_states_it_is_meant_for(self, queues: TaskQueueStore) -> None:
        task = queues.add("one", now=1.0)
        queues.change(task, state="settling")
        assert said(queues, task, "late") is None
        assert queues.append(task.id, Turn("desk", "proposal", 1.0), states=ANY_STATE) is not None
        assert texts(queues, task) == ["proposal"]

    def test_turns_of_many_threads_are_all_there_each_in_its_queue(self, queues: TaskQueueStore) -> None:
        tasks = [queues.add(str(number), now=1.0) for number in range(4)]
        with ThreadPoolExecutor(8) as pool:
            list(pool.map(lambda n: said(queues, tasks[n % 4], f"{n % 4}.{n}"), range(80)))
        for number, task in enumerate(tasks):
            found = texts(queues, task)
            assert len(found) == 20
            assert all(text.startswith(f"{number}.") for text in found)

    # --- expiry -------------------------------------------------------------------------------------------------------

    def test_what_was_closed_by_then_goes_with_its_queue_and_nothing_else(self, queues: TaskQueueStore) -> None:
        early, late, still = (queues.add(name, now=1.0) for name in ("early", "late", "open"))
        for task, closed in ((early, 10.0), (late, 10.5)):
            said(queues, task, "x")
            queues.change(queues.task(task.id), state="closed", closed=closed)
        assert queues.purge(closed_before=10.0) == [early.id]
        assert [task.id for task in queues.tasks()] == [late.id, still.id]
        with pytest.raises(UnknownId):
            queues.turns(early.id)
        assert texts(queues, late) == ["x"]

    def test_an_id_is_never_given_twice(self, queues: TaskQueueStore) -> None:
        first = queues.add("one", now=1.0)
        queues.change(first, state="closed", closed=2.0)
        queues.purge(closed_before=2.0)
        assert queues.add("one", now=3.0).id != first.id

    def test_a_task_that_is_open_again_does_not_expire(self, queues: TaskQueueStore) -> None:
        task = queues.add("one", now=1.0)
        closed = queues.change(task, state="closed", closed=2.0)
        assert closed is not None
        assert queues.change(closed, state="open") is not None
        assert queues.purge(closed_before=99.0) == []

    def test_what_one_opening_writes_another_reads(self, queues: TaskQueueStore) -> None:
        task = queues.add("one", now=1.0)
        said(queues, task, "a")
        other = self.another(queues)
        assert other.task(task.id) == queues.task(task.id)
        assert other.turns(task.id) == queues.turns(task.id)

    def test_closing_twice_is_no_error(self, queues: TaskQueueStore) -> None:
        queues.close()
        queues.close()
