"""Pydantic AI's messages as the adapter sees them, and new lists made from old ones; none is changed in place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from pydantic_ai.messages import (
    BinaryContent,
    ModelMessage,
    ModelRequest,
    ModelRequestPart,
    ModelResponse,
    SystemPromptPart,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)

from amb_core.condensing import Action, Condensed
from amb_core.rendering import strip_block

__all__ = ["ChatMessages", "chat_messages", "condensed", "placed", "without_blocks"]

ChatMessages = list[dict[str, Any]]


def chat_messages(message: ModelMessage) -> ChatMessages:
    """A message as OpenAI-style messages: a response is one, a request as many as it has parts."""
    if isinstance(message, ModelRequest):
        return [_of_part(part) for part in message.parts]
    text = "\n".join(part.content for part in message.parts if isinstance(part, TextPart | ThinkingPart))
    calls = [_call(part) for part in message.parts if isinstance(part, ToolCallPart)]
    return [{"role": "assistant", "content": text} | ({"tool_calls": calls} if calls else {})]


def _call(part: ToolCallPart) -> dict[str, Any]:
    named = {"name": part.tool_name, "arguments": part.args_as_json_str()}
    return {"id": part.tool_call_id, "type": "function", "function": named}


def _answers(part: Any) -> bool:
    """Whether a part answers a tool call; older versions ask for another try in a part of its own kind."""
    return isinstance(part, ToolReturnPart) or (part.part_kind == "retry-prompt" and part.tool_name is not None)


def _of_part(part: Any) -> dict[str, Any]:
    if _answers(part):
        returned = isinstance(part, ToolReturnPart)
        text = part.model_response_str() if returned else part.model_response()
        content = [{"type": "text", "text": text}, *({"type": "image_url"} for _ in part.files)] if returned else text
        failed = not returned or getattr(part, "outcome", "success") in ("failed", "retried")
        named = {"tool_call_id": part.tool_call_id, "name": part.tool_name}
        return {"role": "tool", **named, "content": content, "is_error": failed}
    if isinstance(part, UserPromptPart):
        return {"role": "user", "content": part.content if isinstance(part.content, str) else _parts(part.content)}
    if isinstance(part, SystemPromptPart):
        return {"role": "system", "content": part.content}
    if part.part_kind == "retry-prompt":
        return {"role": "user", "content": part.model_response()}
    return {"role": "system", "content": ""}  # a marker of the framework's: never touched


def _parts(content: Sequence[Any]) -> ChatMessages:
    texts = [_text(part) for part in content]
    return [{"type": "image_url"} if text is None else {"type": "text", "text": text} for text in texts]


def _text(part: Any) -> str | None:
    return part if isinstance(part, str) else getattr(part, "content", None) if hasattr(part, "content") else None


def without_blocks(messages: Sequence[ModelMessage]) -> list[ModelMessage]:
    """The messages without AMB's blocks, wherever somebody quoted one."""
    return [_stripped(message) if isinstance(message, ModelRequest) else message for message in messages]


def _stripped(message: ModelRequest) -> ModelRequest:
    parts = [_part_without_block(part) for part in message.parts]
    same = all(new is old for new, old in zip(parts, message.parts, strict=True))
    return message if same else replace(message, parts=parts)


def _part_without_block(part: ModelRequestPart) -> ModelRequestPart:
    content = part.content if isinstance(part, UserPromptPart | ToolReturnPart) else None
    if isinstance(content, str):
        clean: Any = strip_block(content)
    elif isinstance(content, list):
        clean = [strip_block(item) if isinstance(item, str) else item for item in content]
    else:
        return part
    return part if clean == content else replace(part, content=clean)


def condensed(messages: Sequence[ModelMessage], outcome: Condensed) -> list[ModelMessage]:
    """The messages after condensing; the index is a user prompt."""
    kept: list[ModelMessage] = []
    index, at = outcome.index, 0
    for message in messages:
        size = len(message.parts) if isinstance(message, ModelRequest) else 1
        actions = outcome.actions[at : at + size]
        at += size
        if index and at > outcome.index_at:
            kept.append(ModelRequest(parts=[UserPromptPart(index)]))
            index = ""
        shown = _shown(message, actions)
        if shown is not None:
            kept.append(shown)
    return kept


def _shown(message: ModelMessage, actions: Sequence[Action]) -> ModelMessage | None:
    """The message with what its actions leave of it; None when that is nothing."""
    if all(action.kind == "keep" for action in actions):
        return message
    if isinstance(message, ModelResponse):
        return None if actions[0].kind == "drop" else replace(message, parts=[TextPart(actions[0].text)])
    pairs = zip(message.parts, actions, strict=True)
    parts = [_with(part, action) for part, action in pairs if action.kind != "drop"]
    return replace(message, parts=parts) if parts else None


def _with(part: Any, action: Action) -> Any:
    return part if action.kind == "keep" else replace(part, content=action.text)


def placed(
    messages: Sequence[ModelMessage], text: str, *, images: Sequence[BinaryContent], placement: str
) -> list[ModelMessage]:
    """The messages with the block where `placement` says: at the end of the last request, before its prompt, or first.

    It joins a request that is there, which keeps the roles in turn and the instructions with their request.
    """
    own = UserPromptPart([text, *images] if images else text)
    if placement == "system":
        shown = [ModelRequest(parts=[UserPromptPart(list(images))])] if images else []
        return [ModelRequest(parts=[SystemPromptPart(text)]), *messages, *shown]
    prompts = [at for at, message in enumerate(messages) if _asks(message)]
    at = prompts[-1] if placement == "user_prefix" and prompts else len(messages) - 1
    request = messages[at] if messages else None
    if not isinstance(request, ModelRequest):
        return [*messages, ModelRequest(parts=[own])]
    parts = [own, *request.parts] if placement == "user_prefix" else [*request.parts, own]
    return [*messages[:at], replace(request, parts=parts), *messages[at + 1 :]]


def _asks(message: ModelMessage) -> bool:
    return isinstance(message, ModelRequest) and any(isinstance(part, UserPromptPart) for part in message.parts)
