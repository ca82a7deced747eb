"""The desk: tasks side by side, each with its own queue, and an answer to everything an author may send."""

from __future__ import annotations

from pathlib import Path

import pytest
from amb_book.creativity import CreativityEngine
from amb_book.desk import Command, Desk, Reply
from amb_book.story import Story

from amb_chat.scripted_model import ScriptedChatModel
from amb_core import InvalidParameter, UnknownId
from amb_core.clock import ManualClock
from amb_core.errors import ModelUnavailable


def said(desk: Desk, task: str, *, role: str = "author") -> list[str]:
    return [turn.text for turn in desk.turns(task) if turn.role == role]


def error(reply: Reply) -> str:
    assert reply.error is not None
    assert reply.kind == "error"
    return reply.error.kind


def test_without_a_model_memory_answers_with_its_sources_and_says_what_inventing_needs(desk: Desk) -> None:
    desk.send("/new the siege")
    reply = desk.send("where is the Fox?")
    assert reply.kind == "memory"
    assert "Lin Yue IS_AT the Harbour" in reply.text
    assert "chat model" in reply.text
    assert "fact" in {source.kind for source in reply.sources}


def test_a_model_answers_from_the_task_and_memory(story: Story) -> None:
    chat = ScriptedChatModel(["Option 1:\nBy boat.\nOption 2:\nOn foot.", "{}", "{}", "By night.", "{}", "{}"])
    desk = story.desk(workshop=CreativityEngine(chat, story, options=1))
    reply = desk.send("/new how does Lin Yue reach Sarn?")
    assert (reply.kind, reply.options) == ("answer", ("By boat.", "On foot."))
    desk.send("and when?")
    told = [each for each in chat.requests if each.purpose == "creative"][1].messages
    assert [message["role"] for message in told] == ["system", "user", "assistant", "user"]
    assert "On foot." in str(told[2]["content"])
    assert str(told[3]["content"]).endswith("</story>\n\nand when?")
    assert desk.turns("t1")[-1].context["window"] == [1, 2, 3]


def test_a_model_that_fails_loses_nothing_and_memory_answers(story: Story) -> None:
    desk = story.desk(chat=ScriptedChatModel([ModelUnavailable("it is down")]))
    reply = desk.send("/new what becomes of Lin Yue?")
    assert reply.error is not None
    assert reply.error.kind == "model_failed"
    assert "Lin Yue IS_AT the Harbour" in reply.text
    assert len(desk.turns("t1")) == 2


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("hello", "no_task"),
        ("/settle", "no_task"),
        ("/confirm", "no_task"),
        ("/launch", "unknown_command"),
        ("/switch nowhere", "unknown_task"),
        ("[切换至任务：没有]", "unknown_task"),
        ("/switch", "invalid"),
        ("/new", "invalid"),
        (f"/new {'x' * 300}", "invalid"),
    ],
)
def test_what_cannot_be_done_is_told_and_changes_nothing(desk: Desk, line: str, kind: str) -> None:
    reply = desk.send(line)
    assert error(reply) == kind
    assert desk.tasks() == []
    assert desk.active is None


def test_tasks_of_one_title_are_told_apart_by_number(desk: Desk) -> None:
    desk.send("/new the traitor")
    desk.send("/new The Traitor")
    assert error(desk.send("/switch the traitor")) == "ambiguous_task"
    reply = desk.send("/switch #1")
    assert reply.task is not None
    assert reply.task.id == "t1"


def test_a_task_that_was_closed_is_gone_after_a_day_and_an_open_one_stays(
    story: Story, clock: ManualClock, desk: Desk
) -> None:
    for line in ("/new early", "/settle", "/confirm", "/new open"):
        desk.send(line)
    clock.advance(24 * 3_600 - 1)
    assert [task.title for task in desk.tasks()] == ["early", "open"]
    clock.advance(1)
    assert error(desk.send("/restart early")) == "unknown_task"
    assert [task.title for task in desk.tasks()] == ["open"]
    with pytest.raises(UnknownId):
        desk.turns("t1")


def test_only_text_and_commands_are_taken(desk: Desk) -> None:
    with pytest.raises(InvalidParameter, match="not bytes"):
        desk.send(b"/new x")  # type: ignore[arg-type]


def test_a_window_whose_task_expired_never_speaks_into_another(desk: Desk) -> None:
    desk.send("/new another")
    assert error(desk.send("hello", task="t77")) == "no_task"
    assert said(desk, "t1") == ["another"]
    assert desk.send("/switch another", task="t77").error is None


def test_every_message_is_labelled_with_its_command(desk: Desk, tmp_path: Path) -> None:
    for line in ("[开始新任务：规划]", "林月会去哪里？", "/launch", Command("settle")):
        desk.send(line)
    rows = list(desk.commands.rows())
    assert [row["command"] for row in rows] == ["new", "continue", "unknown", "settle"]
    assert [row["source"] for row in rows] == ["typed", "typed", "typed", "button"]
    assert rows[1]["context"]["task"] == "规划"
    assert rows[1]["language"] == "zh"
    assert desk.commands.export(tmp_path / "commands.jsonl") == 4
    assert "林月会去哪里" in (tmp_path / "commands.jsonl").read_text(encoding="utf-8")
