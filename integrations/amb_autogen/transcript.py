"""AutoGen's messages as the adapter sees them, OpenAI-style and one for each result, and back; none is changed."""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from autogen_core import FunctionCall, Image
from autogen_core.models import (
    AssistantMessage,
    FunctionExecutionResult,
    FunctionExecutionResultMessage,
    LLMMessage,
    SystemMessage,
    UserMessage,
)

from amb_core.adapter import arguments_in, made_from, parts_written_back, written_back
from amb_core.adapter.chat_messages import MATE

__all__ = ["SOURCE", "autogen_messages", "chat_messages"]

_log = logging.getLogger("amb.autogen")
_RESULT = "result"
"""Where an OpenAI-style message keeps the one of several results that it tells."""

SOURCE = "amb"
"""Who the block and the index line say they are from."""

ChatMessages = list[dict[str, Any]]


def chat_messages(messages: Sequence[LLMMessage], *, mates: Collection[str] = ()) -> ChatMessages:
    """The messages OpenAI-style, as many for a FunctionExecutionResultMessage as there are results in it.

    What comes from one of the team's `mates` says so: AutoGen hands it on as a user's.
    Where a model leaves call ids blank or uses one twice in a turn, calls and results are matched in their order.
    """
    open_calls: list[tuple[str, str]] = []
    chat: ChatMessages = []
    for at, message in enumerate(messages):
        if isinstance(message, FunctionExecutionResultMessage):
            told = [_result(result, open_calls) for result in message.content]
        elif isinstance(message, AssistantMessage) and not isinstance(message.content, str):
            open_calls = _named(message.content, at)
            told = [_calls(message, [name for _, name in open_calls])]
        else:
            mate = message.source if isinstance(message, UserMessage) and message.source in mates else ""
            told = [_text(message) | ({"name": mate, MATE: True} if mate else {})]
        chat += made_from(message, *told)
    return chat


def _named(calls: Sequence[FunctionCall], at: int) -> list[tuple[str, str]]:
    """Each call's id as the model gave it, and the one it goes by here."""
    given = [call.id for call in calls]
    return [(name, name if name and given.count(name) == 1 else f"{name}#{at}.{n}") for n, name in enumerate(given)]


def _calls(message: AssistantMessage, names: Sequence[str]) -> dict[str, Any]:
    calls = [
        {"id": name, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
        for name, call in zip(names, message.content, strict=True)
        if isinstance(call, FunctionCall)
    ]
    return {"role": "assistant", "content": message.thought, "tool_calls": calls}


def _result(result: FunctionExecutionResult, open_calls: list[tuple[str, str]]) -> dict[str, Any]:
    asked = next((call for call in open_calls if call[0] == result.call_id), None)
    if asked is not None:
        open_calls.remove(asked)
    return {
        "role": "tool",
        "tool_call_id": asked[1] if asked else result.call_id,
        "name": result.name,
        "content": result.content,
        "is_error": bool(result.is_error),
        _RESULT: result,
    }


def _text(message: LLMMessage) -> dict[str, Any]:
    if isinstance(message, AssistantMessage):
        return {"role": "assistant", "content": "\n".join(filter(None, [message.thought, str(message.content)]))}
    content: Any = message.content
    if not isinstance(content, str):
        content = [told for part in content for told in made_from(part, _part(part))]
    return {"role": "system" if isinstance(message, SystemMessage) else "user", "content": content}


def _part(part: str | Image) -> dict[str, Any]:
    return {"type": "text", "text": part} if isinstance(part, str) else {"type": "image_url"}


def autogen_messages(chat: Iterable[Mapping[str, Any]]) -> list[LLMMessage]:
    """The messages that OpenAI-style ones were made from, with their content as it is now; new ones for what is new."""
    return written_back(chat, changed=_changed, new=_new)


def _changed(message: LLMMessage, told: Sequence[Mapping[str, Any]]) -> LLMMessage:
    content = told[0]["content"]
    if isinstance(message, FunctionExecutionResultMessage):
        content = [one[_RESULT].model_copy(update={"content": one["content"]}) for one in told]
    elif isinstance(message, AssistantMessage):
        if isinstance(message.content, str):
            return message.model_copy(update={"content": content, "thought": None})
        given = arguments_in(told[0]).values()
        calls = [replace(call, arguments=now) for call, now in zip(message.content, given, strict=True)]
        return message.model_copy(update={"thought": content, "content": calls})
    elif isinstance(message, UserMessage):
        content = _shown(content)
    return message.model_copy(update={"content": content})


def _new(told: Mapping[str, Any]) -> LLMMessage:
    content = told["content"]
    return (
        SystemMessage(content=content)
        if told["role"] == "system"
        else UserMessage(content=_shown(content), source=SOURCE)
    )


def _shown(content: Any) -> str | list[str | Image]:
    return content if isinstance(content, str) else parts_written_back(content, text=str, image=_image)


def _image(url: str) -> Image | None:
    try:
        return Image.from_base64(url.partition(",")[2])
    except (OSError, ValueError):
        _log.warning("a waiting attachment is no image AutoGen can open; it is not shown")
        return None
