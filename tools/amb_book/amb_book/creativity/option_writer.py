"""Writing one option: a bounded loop in which the model looks things up before and while it writes."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from amb_book.creativity.creative_options import LookedUp
from amb_book.creativity.story_tools import StoryTools
from amb_book.cut_texts import whole_reply, without_thoughts
from amb_core.chat_io import ChatReply, ChatRequest, ToolCall
from amb_core.errors import ModelAnswerInvalid, ModelRefused
from amb_core.protocols import ChatModel
from amb_core.rendering import strip_block

__all__ = ["Writer"]

_ASKED = re.compile(r"^[ \t]*LOOK[:：][ \t]*(?P<name>\w+)[ \t]*(?P<arguments>\{.*\})?[ \t]*$", re.MULTILINE)
_IN_WORDS = {
    "en": 'To look something up, answer only with one line for each, and nothing else:\nLOOK: name {"field": "…"}\n',
    "zh": '要查询时，只回答下面这样的行，每项一行，不写别的：\nLOOK: 名称 {"字段": "…"}\n',
}
_ENOUGH = {"en": "Write it now, from what you know; look nothing more up.", "zh": "现在就写，不要再查询。"}
_TEMPERATURE = 0.9
_MOST_TOKENS = 4_096


class Writer:
    """One generator; whether its model takes tools is learnt once. `lookups` is the most it may look up for a text."""

    def __init__(self, chat: ChatModel, *, lookups: int) -> None:
        self._chat, self._lookups = chat, lookups
        self._takes_tools = True

    def write(
        self,
        messages: Sequence[Mapping[str, Any]],
        *,
        tools: StoryTools,
        language: str,
        purpose: str,
    ) -> tuple[str, tuple[LookedUp, ...]]:
        """A text and what was looked up for it; ModelError when the model brings none.

        A text that was cut off is continued, or ends with a mark.
        """
        said: list[Mapping[str, Any]] = list(messages)
        looked: list[LookedUp] = []
        while True:
            left = self._lookups - len(looked)
            reply = self._reply(said, tools if left > 0 else None, purpose, _IN_WORDS.get(language, _IN_WORDS["en"]))
            calls = _calls(reply)
            if not calls or left <= 0:
                return _text(reply), tuple(looked)
            answers = [
                LookedUp(each.name, each.arguments, tools.call(each.name, each.arguments)) for each in calls[:left]
            ]
            looked += answers
            said += _told(reply, calls, answers)
            if len(looked) >= self._lookups:
                said.append({"role": "user", "content": _ENOUGH.get(language, _ENOUGH["en"])})

    def _reply(
        self, said: Sequence[Mapping[str, Any]], tools: StoryTools | None, purpose: str, in_words: str
    ) -> ChatReply:
        if tools is not None and self._takes_tools:
            try:
                return whole_reply(self._chat, self._request(said, purpose, tools.definitions()))
            except ModelRefused as error:
                if not error.malformed:
                    raise
                self._takes_tools = False
        if tools is not None:
            words = {"role": "system", "content": f"{in_words}{tools.described()}"}
            return whole_reply(self._chat, self._request([said[0], words, *said[1:]], purpose))
        return whole_reply(self._chat, self._request(said, purpose))

    def _request(
        self, said: Sequence[Mapping[str, Any]], purpose: str, tools: tuple[Mapping[str, Any], ...] = ()
    ) -> ChatRequest:
        return ChatRequest(
            tuple(said), tools=tools, temperature=_TEMPERATURE, max_output_tokens=_MOST_TOKENS, purpose=purpose
        )


def _calls(reply: ChatReply) -> list[ToolCall]:
    """What the model wants looked up, asked for as tools or in words."""
    if reply.tool_calls:
        return list(reply.tool_calls)
    found = _ASKED.finditer(without_thoughts(reply.text))
    return [ToolCall(f"look{number}", each["name"], each["arguments"] or "{}") for number, each in enumerate(found, 1)]


def _told(reply: ChatReply, calls: Sequence[ToolCall], answers: Sequence[LookedUp]) -> list[Mapping[str, Any]]:
    """The conversation that goes on: what was asked and answered, in the form in which it was asked."""
    if not reply.tool_calls:
        lines = [f"{each.tool} {each.arguments}\n{each.answer}" for each in answers]
        return [{"role": "assistant", "content": reply.text}, {"role": "user", "content": "\n\n".join(lines)}]
    asked = [
        {"id": each.id, "type": "function", "function": {"name": each.name, "arguments": each.arguments}}
        for each in calls
    ]
    told = [each.answer for each in answers]
    told += ["not looked up: enough is known"] * (len(calls) - len(told))
    return [
        {"role": "assistant", "content": reply.text, "tool_calls": asked},
        *(
            {"role": "tool", "tool_call_id": each.id, "content": answer}
            for each, answer in zip(calls, told, strict=True)
        ),
    ]


def _text(reply: ChatReply) -> str:
    """The text without thoughts, blocks of ours and lines that ask for something."""
    text = _ASKED.sub("", strip_block(without_thoughts(reply.text))).strip()
    if not text:
        raise ModelAnswerInvalid("the model wrote nothing", spent=reply.usage)
    return text
