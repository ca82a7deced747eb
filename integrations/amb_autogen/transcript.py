"""AutoGen's messages as the adapter sees them: OpenAI-style, one for each call turn and one for each result."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from autogen_core import FunctionCall
from autogen_core.models import (
    AssistantMessage,
    FunctionExecutionResult,
    FunctionExecutionResultMessage,
    LLMMessage,
    SystemMessage,
)

__all__ = ["ChatMessages", "chat_messages"]

ChatMessages = list[dict[str, Any]]


def chat_messages(messages: Sequence[LLMMessage]) -> list[ChatMessages]:
    """Each message as OpenAI-style messages: one, or as many as there are results in a FunctionExecutionResultMessage.

    Where a model leaves call ids blank or uses one twice in a turn, calls and results are matched in their order.
    """
    open_calls: list[tuple[str, str]] = []
    found: list[ChatMessages] = []
    for at, message in enumerate(messages):
        if isinstance(message, FunctionExecutionResultMessage):
            found.append([_result(result, open_calls) for result in message.content])
        elif isinstance(message, AssistantMessage) and not isinstance(message.content, str):
            open_calls = _named(message.content, at)
            found.append([_calls(message, [name for _, name in open_calls])])
        else:
            found.append([_plain(message)])
    return found


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
    }


def _plain(message: LLMMessage) -> dict[str, Any]:
    if isinstance(message, SystemMessage):
        return {"role": "system", "content": message.content}
    if isinstance(message, AssistantMessage):
        return {"role": "assistant", "content": "\n".join(filter(None, [message.thought, str(message.content)]))}
    content = message.content
    if isinstance(content, str):
        return {"role": "user", "content": content}
    parts = [{"type": "text", "text": part} if isinstance(part, str) else {"type": "image_url"} for part in content]
    return {"role": "user", "content": parts}
