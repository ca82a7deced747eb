"""A writer of a chapter has the last chapters, the lore of the scene, and all the room its text needs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from amb_book.creativity import CreativityEngine
from amb_book.cut_texts import CUT_MARK, whole_reply
from amb_book.desk import WorkshopAnswer
from amb_book.story import Story

from amb_chat.scripted_model import ScriptedChatModel
from amb_core.chat_io import ChatReply, ChatRequest
from amb_core.errors import ModelUnavailable

BEGIN = {"en": "/new chapter 9", "zh": "[开始新任务：撰写第九章]"}
LINE = {"en": "In chapter {} it rained on the walls, line {}.", "zh": "第{}章，城头下着雨，第{}行。"}
LANGUAGES = pytest.mark.parametrize("language", ["en", "zh"])


def written(story: Story, language: str, *, lines: int = 6) -> Story:
    """Chapters 1 to 8 of so many lines."""
    for number in range(1, 9):
        text = "\n\n".join(LINE[language].format(number, line) for line in range(lines))
        story.episodes.put_chapter(number, text)
    return story


class Listener:
    """A workshop that notes all it is shown."""

    def __init__(self) -> None:
        self.shown: Sequence[Mapping[str, Any]] = ()

    def answer(self, messages: Sequence[Mapping[str, Any]]) -> WorkshopAnswer:
        self.shown = messages
        return WorkshopAnswer("Noted.")

    def rework(self, messages: Sequence[Mapping[str, Any]], option: str, *, feedback: str) -> WorkshopAnswer:
        return WorkshopAnswer(f"{option} {feedback}")


def block(story: Story, language: str, message: str = "") -> str:
    """What a writer is shown with a message of a task about chapter 9."""
    listener = Listener()
    desk = story.desk(workshop=listener)
    desk.send(BEGIN[language])
    desk.send(message or {"en": "Write the scene.", "zh": "写这一场。"}[language])
    return str(listener.shown[-1]["content"])


@LANGUAGES
def test_the_five_chapters_before_stand_whole_and_in_order_where_they_fit(language: str, story: Story) -> None:
    shown = block(written(story, language), language)
    places = [shown.find(LINE[language].format(number, 5)) for number in (4, 5, 6, 7, 8)]
    assert -1 not in places
    assert places == sorted(places)
    assert (
        LINE[language].format(3, 5) not in shown.partition({"en": "The last chapters", "zh": "最近几章"}[language])[2]
    )


@LANGUAGES
def test_of_long_chapters_the_end_is_shown_the_last_one_most_and_what_is_left_out_is_told(
    language: str, story: Story
) -> None:
    shown = block(written(story, language, lines=400), language)
    last = shown.partition({"en": "The last chapters", "zh": "最近几章"}[language])[2]
    mark = {"en": "In chapter {} it", "zh": "第{}章，"}[language]
    counts = [last.count(mark.format(number)) for number in (4, 5, 6, 7, 8)]
    assert all(LINE[language].format(number, 399) in last for number in (4, 5, 6, 7, 8))
    assert counts[-1] > 2 * max(counts[:-1])
    assert last.count({"en": "characters before this are left out]", "zh": "字略去]"}[language]) == 5


def test_a_task_about_something_else_has_no_chapters(story: Story) -> None:
    listener = Listener()
    written(story, "en").desk(workshop=listener).send("/new character Bo Lind")
    assert "The last chapters" not in str(listener.shown[-1]["content"])


@LANGUAGES
def test_the_lore_of_the_scene_comes_also_when_the_message_does_not_speak_of_it(language: str) -> None:
    story = Story(None)
    for kind in ("general_outline", "long_outline", "short_outline"):
        story.plan.add(kind, title=kind)  # type: ignore[arg-type]
    step = {"en": ("The gate", "Lin Yue lights red salt at the gate"), "zh": ("城门", "林月在城门点燃赤盐")}[language]
    story.plan.add("step", title=step[0], text=step[1], id="gate")
    story.plan.start("gate")
    for number in range(30):
        story.lore.put(f"{number}", {"en": f"The {number}th moon is small.", "zh": f"第{number}个月亮很小。"}[language])
    key, text = {"en": ("red salt", "It burns blue."), "zh": ("赤盐", "其焰为蓝色。")}[language]
    story.lore.put(key, text)
    assert text in block(story, language, {"en": "Go on.", "zh": "继续。"}[language])


def cut(*parts: str) -> ScriptedChatModel:
    """A model whose every answer but the last is cut off."""
    finish: list[Any] = ["length"] * (len(parts) - 1) + ["stop"]
    return ScriptedChatModel([ChatReply(text, finish_reason=end) for text, end in zip(parts, finish, strict=True)])


@LANGUAGES
def test_a_text_that_was_cut_off_is_continued_without_saying_anything_twice(language: str) -> None:
    first, second = {
        "en": ("Snow lay on the walls of Sarn, and Lin", "on the walls of Sarn, and Lin Yue counted the fires."),
        "zh": ("望江城的城头落了雪，林月数着江对岸", "望江城的城头落了雪，林月数着江对岸的火光。"),
    }[language]
    chat = cut(first, second)
    whole = {"en": "Snow lay on the walls of Sarn, and Lin Yue counted the fires.", "zh": second}[language]
    assert whole_reply(chat, ChatRequest(({"role": "user", "content": "Write."},))).text == whole
    asked = chat.requests[1].messages
    assert [each["role"] for each in asked[-2:]] == ["assistant", "user"]
    assert ("cut off" if language == "en" else "截断") in str(asked[-1]["content"])


def test_a_text_that_never_ends_or_cannot_go_on_bears_a_mark() -> None:
    endless = ScriptedChatModel(
        lambda request: ChatReply(f"On and on, {len(request.messages)}.", finish_reason="length")
    )
    request = ChatRequest(({"role": "user", "content": "Write."},))
    text = whole_reply(endless, request).text
    assert text.endswith(CUT_MARK)
    assert len(endless.requests) == 5
    broken = ScriptedChatModel([ChatReply("Snow lay on", finish_reason="length"), ModelUnavailable("it is down")])
    assert whole_reply(broken, request).text == f"Snow lay on{CUT_MARK}"


def test_options_of_the_engine_are_continued_too(story: Story) -> None:
    replies = [ChatReply("By night they came over the", finish_reason="length"), ChatReply(" ice."), ChatReply("{}")]
    chat = ScriptedChatModel(replies)
    found = CreativityEngine(chat, story, options=1).options([{"role": "user", "content": "Write."}])
    assert [each.text for each in found.options] == ["By night they came over the ice."]


@LANGUAGES
def test_facts_are_shown_with_their_properties_and_their_time(language: str, story: Story) -> None:
    who, other, reason, time = {
        "en": ("Lin Yue", "Bo Lind", "the fire", "ten years ago"),
        "zh": ("林月", "柏林", "那场火", "十年前"),
    }[language]
    hates = {"subject": who, "relation": "HATES", "object": other, "properties": {"reason": reason}, "time": time}
    story.settle(chapter=2, statements=[hates])
    shown = block(story, language, who)
    assert f"{who} HATES {other} ({time}, reason: {reason})" in shown
