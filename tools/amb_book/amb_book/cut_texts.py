"""Texts that a model was cut off in: it goes on where it stopped, a few times; what is still cut bears a mark."""

from __future__ import annotations

import re
from dataclasses import replace

from amb_core.chat_io import ChatReply, ChatRequest
from amb_core.errors import ModelError
from amb_core.protocols import ChatModel
from amb_core.rendering import Language
from amb_core.text import detect_language

__all__ = ["CUT_MARK", "whole_reply", "without_thoughts"]

CUT_MARK = " […]"
"""What a text ends with that was cut off."""

_MOST = 4
"""So often a model is asked to go on."""
_OVERLAP = 400
"""So many characters are looked through for what it says again where it goes on."""
_LEAST_OVERLAP = 12
_GO_ON: dict[Language, str] = {
    "en": "You were cut off. Go on exactly where you stopped, in the middle of the word if need be; repeat nothing.",
    "zh": "你的回答被截断了。请从断开的地方接着写，哪怕是在一句话的中间；不要重复。",
}
_THOUGHT = re.compile(r"<think>.*?(?:</think>|\Z)", re.DOTALL)


def without_thoughts(text: str) -> str:
    """A text without what a model thought aloud, also where it was cut off in the middle of that."""
    return _THOUGHT.sub("", text)


def whole_reply(chat: ChatModel, request: ChatRequest) -> ChatReply:
    """The reply to a request; a text that was cut off is continued, or ends with CUT_MARK.

    It is not continued any more when a call fails. Tool calls and thoughts that are cut off come back as they are.
    """
    reply = chat.complete(request)
    text, finish = reply.text, reply.finish_reason
    for _ in range(_MOST):
        if finish != "length" or reply.tool_calls or not without_thoughts(text).strip():
            break
        asked = {"role": "user", "content": _GO_ON[detect_language(text[-2_000:])]}
        said = {"role": "assistant", "content": text}
        try:
            more = chat.complete(replace(request, messages=(*request.messages, said, asked), tools=()))
        except ModelError:
            break
        added = without_thoughts(more.text)
        text, finish = _joined(text, added), more.finish_reason
        if not added.strip():
            break
    is_cut = finish == "length" and not reply.tool_calls and without_thoughts(text).strip()
    return replace(reply, text=f"{text.rstrip()}{CUT_MARK}" if is_cut else text)


def _joined(text: str, more: str) -> str:
    """Two parts of a text, without what the second says again of the first."""
    longest = min(_OVERLAP, len(text), len(more))
    again = next((size for size in range(longest, _LEAST_OVERLAP - 1, -1) if text.endswith(more[:size])), 0)
    return text + more[again:]
