"""A writer of a chapter has the last chapters, the lore of the scene, and all the room its text needs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest
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
