"""AutoGen's messages as the adapter sees them, OpenAI-style and one for each result, and back; none is changed."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
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

__all__ = ["SOURCE", "autogen_messages", "chat_messages"]

_log = logging.getLogger("amb.autogen")
_MADE_OF, _RESULT = "autogen", "result"
"""Where an OpenAI-style message, or a part of one, keeps what it was made from."""

SOURCE = "amb"
"""Who the block and the index line say they are from."""

ChatMessages = list[dict[str, Any]]


def chat_messages(messages: Sequence[LLMMessage]) -> ChatMessages:
    """The messages OpenAI-style, as many for a FunctionExecutionResultMessage as there are results in it.

    Where a model leaves call ids blank or uses one twice in a turn, calls and results are matched in their order.
    """
    open_calls: list[tuple[str, str]] = []
    chat: ChatMessages = []
    for at, message in enumerate(messages):
        if isinstance(message, FunctionExecutionResultMessage):
            made = [_result(result, open_calls) for result in message.content]
        elif isinstance(message, AssistantMessage) and not isinstance(message.content, str):
            open_calls = _named(message.content, at)
            made = [_calls(message, [name for _, name in open_calls])]
        else:
            made = [_text(message)]
        chat += [{**one, _MADE_OF: message} for one in made]
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
        content = [part if isinstance(part, str) else {"type": "image_url", _MADE_OF: part} for part in content]
    return {"role": "system" if isinstance(message, SystemMessage) else "user", "content": content}


def autogen_messages(chat: Sequence[Mapping[str, Any]]) -> list[LLMMessage]:
    """The messages that OpenAI-style ones were made from, with their content as it is now; new ones for what is new."""
    messages: list[LLMMessage] = []
    answered: object = None
    for one in chat:
        origin, content = one.get(_MADE_OF), one.get("content")
        if isinstance(origin, FunctionExecutionResultMessage):
            if origin is not answered:
                messages.append(origin.model_copy(update={"content": []}))
            messages[-1].content.append(one[_RESULT].model_copy(update={"content": content}))  # type: ignore[union-attr]
        elif isinstance(origin, AssistantMessage):
            messages.append(_said(origin, content))
        elif isinstance(origin, SystemMessage) or one["role"] == "system":
            messages.append(SystemMessage(content=str(content)))
        elif shown := _shown(content):
            messages.append(UserMessage(content=shown, source=getattr(origin, "source", SOURCE)))
        answered = origin
    return messages


def _said(origin: AssistantMessage, content: str | None) -> AssistantMessage:
    if not isinstance(origin.content, str):
        return origin.model_copy(update={"thought": content})
    same = content == _text(origin)["content"]
    return origin if same else origin.model_copy(update={"content": content, "thought": None})


def _shown(content: Any) -> str | list[str | Image]:
    """A user message's content with AutoGen's own images; one that AutoGen cannot open is left out."""
    if isinstance(content, str):
        return content
    shown: list[str | Image] = []
    for part in content:
        if isinstance(part, str) or part["type"] == "text":
            shown.append(part if isinstance(part, str) else part["text"])
        elif _MADE_OF in part:
            shown.append(part[_MADE_OF])
        else:
            try:
                shown.append(Image.from_base64(part["image_url"]["url"].partition(",")[2]))
            except (OSError, ValueError):
                _log.warning("a waiting attachment is no image AutoGen can open; it is not shown")
    return shown
