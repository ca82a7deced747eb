"""What a message tells the desk to do, English and Chinese."""

from __future__ import annotations

import pytest
from amb_book.desk.commands import KINDS, SHOWN, Command, PlainText, read_message

from amb_core import InvalidParameter


@pytest.mark.parametrize(
    ("typed", "kind", "argument", "text"),
    [
        ("/new outline the siege", "new", "outline the siege", ""),
        ("  /NEW   outline\u3000the siege \n\nstart with the walls\nthen the gate", "new", "outline the siege",
         "start with the walls\nthen the gate"),
        ("/new: outline", "new", "outline", ""),
        ("／ｎｅｗ　规划短期大纲", "new", "规划短期大纲", ""),
        ("/new规划短期大纲", "new", "规划短期大纲", ""),
        ("/新建任务：规划短期大纲", "new", "规划短期大纲", ""),
        ("/开始新任务规划短期大纲", "new", "规划短期大纲", ""),
        ("[开始新任务：规划短期大纲]", "new", "规划短期大纲", ""),
        ("【开始新任务:规划短期大纲】先想城墙", "new", "规划短期大纲", "先想城墙"),
        ("[切换至任务：规划短期大纲]", "switch", "规划短期大纲", ""),
        ("[Start a new task: outline the siege] the walls first", "new", "outline the siege", "the walls first"),
        ("[Switch to task: 2]", "switch", "2", ""),
        ("[restart: the siege]", "restart", "the siege", ""),
        ("[Settle and close the task: the siege]", "settle", "the siege", ""),
        ("[切换任务： 2 ]", "switch", "2", ""),
        ("[切换至任务：甲[乙]丙]", "switch", "甲[乙]丙", ""),
        ("[重启任务：设定人物“张三”]", "restart", "设定人物“张三”", ""),
        ("[结算并关闭任务：设定人物“张三”]", "settle", "设定人物“张三”", ""),
        ("/switch 3", "switch", "3", ""),
        ("/restart \"the traitor\"", "restart", "the traitor", ""),
        ("/settle", "settle", "", ""),
        ("/结算", "settle", "", ""),
        ("/tasks", "tasks", "", ""),
        ("/任务", "tasks", "", ""),
        ("/confirm 41", "confirm", "41", ""),
        ("/放弃", "discard", "", ""),
        ("/continue what about the traitor?\nand the gate", "continue", "", "what about the traitor?\nand the gate"),
        ("/help", "help", "", ""),
    ],
)  # fmt: skip
def test_a_command_is_read_with_what_belongs_to_it(typed: str, kind: str, argument: str, text: str) -> None:
    assert read_message(typed) == Command(kind, argument, text)


@pytest.mark.parametrize(
    "typed",
    [
        "what about the traitor?",
        "either/or",
        "and /new is a word in the middle",
        "/usr/local/bin",
        "/new/old gates",
        "/ a stroke of the pen",
        "/12 of them",
        "[a note: she lies]",
        "[任务：这是一个括号里的说明]",
        "[开始新任务：没有关上",
        "我们[切换至任务：规划]吧",
        "[Start new task: broken\nover lines]",
        "",
        "\x00\ud800",
        "“/settle”, she wrote",
    ],
)
def test_text_that_merely_looks_like_a_command_is_text(typed: str) -> None:
    assert read_message(typed) == PlainText(typed)


def test_two_slashes_begin_a_text_with_a_slash() -> None:
    assert read_message("//new is a command") == PlainText("/new is a command")


def test_a_button_cannot_send_a_command_that_nobody_knows() -> None:
    with pytest.raises(InvalidParameter, match="known are new"):
        Command("launch")  # type: ignore[arg-type]


def test_every_command_is_explained_in_both_languages() -> None:
    assert set(SHOWN["en"]) == set(SHOWN["zh"]) == set(KINDS)
