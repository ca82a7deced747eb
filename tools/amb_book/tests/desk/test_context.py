"""What an answer is built from: a task's own turns and summary, and what the book has; never another task's words."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

import pytest
from amb_book.desk import ContextLimits, Desk, TaskContext
from amb_book.story import Story
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from amb_chat.scripted_model import ScriptedChatModel
from amb_core import InvalidParameter
from amb_core.chat_io import ChatRequest
from amb_core.text import estimate_tokens

SMALL = ContextLimits(turns=4, summary_tokens=80)
MARK = re.compile(r"mark(\d+)x")


def shown(context: TaskContext) -> str:
    """Everything a model would see, and what is kept of it."""
    return json.dumps([list(context.messages), context.receipt], ensure_ascii=False)


def marks(text: str) -> set[int]:
    return {int(found) for found in MARK.findall(text)}


def run(desk: Desk, steps: Sequence[tuple[int, str]]) -> None:
    """Say things in up to 100 tasks: each is opened when it is first come to, and marked in every word of its own."""
    numbers: dict[int, str] = {}
    for task, how in steps:
        word = f"mark{task}x"
        if task not in numbers:
            reply = desk.send(f"/new {word} task")
            assert reply.task is not None
            numbers[task] = reply.task.id
        elif how == "say":
            desk.send(f"{word} 说到 {word} again", task=numbers[task])
        elif how == "end":
            desk.send(f"/settle {word} task")
            desk.send("/confirm")
            desk.send(f"/restart {word} task")
        else:
            desk.send(f"/{how} {word} task")
            desk.send(f"{word} after {how}")


def check_purity(steps: Sequence[tuple[int, str]]) -> None:
    """Carry out the steps at two desks of one book, and look at every context and every request of a model."""
    story = Story(None)
    chat = ScriptedChatModel(lambda request: f"mark{min(marks(str(request.messages)), default=0)}x says the desk")
    seen: list[TaskContext] = []
    for desk in (story.desk(chat=chat, limits=SMALL), story.desk(user="她", limits=SMALL)):
        run(desk, steps)
        for task in desk.tasks():
            assert marks(" ".join(turn.text for turn in desk.turns(task.id))) == marks(task.title)
            seen.append(desk.context(task.id))
    assert all(marks(shown(context)) <= marks(context.task.title) for context in seen)
    assert all(len(marks(str(request.messages))) == 1 for request in chat.requests)


@pytest.mark.slow
def test_of_forty_tasks_none_sees_anything_of_another() -> None:
    check_purity([(number * 37 % 40, "end" if number % 41 == 39 else "say") for number in range(120)])


@pytest.mark.slow
@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    steps=st.lists(
        st.tuples(st.integers(0, 99), st.sampled_from(["say", "say", "say", "switch", "restart", "end"])), max_size=120
    )
)
def test_no_turn_of_another_task_is_ever_in_a_tasks_context(steps: list[tuple[int, str]]) -> None:
    check_purity(steps)


def test_what_is_planned_stands_apart_from_what_has_happened(desk: Desk) -> None:
    desk.send("/new what becomes of Lin Yue at the gate")
    happened, planned = desk.context("t1").block.text.split("Planned, has NOT happened:")
    assert "Lin Yue IS_AT the Harbour" in happened
    assert "opens the gate" not in happened
    assert "opens the gate" in planned


def test_nothing_of_a_later_chapter_is_in_a_context(story: Story) -> None:
    story.episodes.put_chapter(9, "Lin Yue drowns in the ninth chapter.", title="Later", entities=["Lin Yue"])
    story.episodes.put_chapter(2, "Lin Yue walks on the ice.", title="Ice", entities=["Lin Yue"])
    desk = story.desk()
    desk.send("/new Lin Yue")
    assert "walks on the ice" in desk.context("t1").block.text
    assert "drowns" not in shown(desk.context("t1"))


def test_a_long_task_is_shown_as_a_window_and_a_summary_within_bounds(story: Story) -> None:
    desk = story.desk(limits=ContextLimits(turns=6))
    desk.send("/new the gate")
    desk.send("The password of the gate is “seven herons”.")
    for number in range(60):
        desk.send(f"Turn {number}: " + "the wall is high and the moat is deep. " * 12)
    context = desk.context("t1")
    assert 3 < len(context.window) <= 6
    assert context.covered + len(context.window) == 62
    assert estimate_tokens(context.summary) <= 400
    assert int(str(context.receipt["tokens"])) < 3_500
    assert len(desk.turns("t1")) == 124


def summaries(request: ChatRequest) -> str:
    return json.dumps({"summary": "so far"}) if request.purpose == "task_summary" else "yes"


def test_a_summary_is_made_anew_only_when_the_window_moves(story: Story) -> None:
    chat = ScriptedChatModel(summaries)
    desk = story.desk(chat=chat, limits=ContextLimits(turns=8))
    desk.send("/new the gate")
    for number in range(23):
        desk.send(f"thought {number}")
    asked = [request for request in chat.requests if request.purpose == "task_summary"]
    assert len(asked) == 10  # 48 turns, a window of 8 that moves by 4
    assert json.loads(asked[1].messages[1]["content"])["earlier"] == "so far"
    desk.context("t1")
    assert len([request for request in chat.requests if request.purpose == "task_summary"]) == 10


def test_a_summary_that_says_what_nobody_said_is_not_taken(story: Story) -> None:
    chat = ScriptedChatModel(
        lambda request: (
            json.dumps({"summary": "Marshal Korvath holds 9000 men"}) if request.purpose == "task_summary" else "yes"
        )
    )
    desk = story.desk(chat=chat, limits=SMALL)
    desk.send("/new the gate")
    for number in range(6):
        desk.send(f"thought {number}")
    assert "Korvath" not in shown(desk.context("t1"))
    assert "thought 0" in desk.context("t1").summary


def test_a_restart_sums_everything_up_anew_and_looks_broadly_again(story: Story) -> None:
    desk = story.desk()
    desk.send("/new the gate")
    desk.send("Lin Yue comes from the Harbour")
    story.settle(chapter=3, statements=[{"subject": "Lin Yue", "relation": "IS_AT", "object": "Sarn"}])
    reply = desk.send("/restart the gate")
    assert "Lin Yue IS_AT Sarn" in reply.text
    context = desk.context("t1")
    assert (context.window, context.covered) == ((), 2)
    desk.send("go on")
    assert desk.turns("t1")[-1].context["purpose"] == "restart"
    assert [turn.text for turn in desk.context("t1").window] == ["go on"]


@pytest.mark.parametrize("wrong", [{"turns": 1}, {"window_tokens": 0}, {"broad_tokens": -1}])
def test_limits_that_leave_no_room_are_refused(wrong: dict[str, int]) -> None:
    with pytest.raises(InvalidParameter):
        ContextLimits(**wrong)
