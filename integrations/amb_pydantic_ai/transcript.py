"""Pydantic AI's messages as the adapter sees them, OpenAI-style, and back; none is changed in place."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any

from pydantic_ai.messages import (
    BinaryContent,
    ModelMessage,
    ModelRequest,
    ModelResponse,
    SystemPromptPart,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)

from amb_core.adapter import arguments_in, made_from, parts_written_back, written_back
from amb_core.rendering import strip_block

__all__ = ["ChatMessages", "chat_messages", "model_messages"]

ChatMessages = list[dict[str, Any]]
_Piece = tuple[Any, Any]
"""A request (None for what AMB adds) with one of its parts, or a response with all of them."""


def chat_messages(messages: Iterable[ModelMessage]) -> ChatMessages:
    """The messages OpenAI-style: a response is one, a request as many as it has parts."""
    chat: ChatMessages = []
    for message in messages:
        if isinstance(message, ModelRequest):
            chat += [told for part in message.parts for told in made_from((message, part), _of_part(part))]
        else:
            chat += made_from((message, message.parts), _of_response(message))
    return chat


def _of_response(message: ModelResponse) -> dict[str, Any]:
    text = "\n".join(part.content for part in message.parts if isinstance(part, TextPart | ThinkingPart))
    calls = [
        {"id": part.tool_call_id, "function": {"name": part.tool_name, "arguments": part.args_as_json_str()}}
        for part in message.parts
        if isinstance(part, ToolCallPart)
    ]
    signed = any(getattr(part, "signature", None) for part in message.parts)
    return {"role": "assistant", "content": text, "signed": signed} | ({"tool_calls": calls} if calls else {})


def _of_part(part: Any) -> dict[str, Any]:
    if isinstance(part, UserPromptPart):
        return {"role": "user", "content": part.content if isinstance(part.content, str) else _parts(part.content)}
    if isinstance(part, SystemPromptPart):
        return {"role": "system", "content": part.content}
    answer = {"role": "tool", "tool_call_id": getattr(part, "tool_call_id", ""), "name": getattr(part, "tool_name", "")}
    if isinstance(part, ToolReturnPart):
        text = part.model_response_str()
        failed = getattr(part, "outcome", "success") in ("failed", "retried")
        return answer | {"content": _parts([text, *part.files]) if part.files else text, "is_error": failed}
    if part.part_kind == "retry-prompt":  # older versions ask for another try in a part of its own kind
        asked = {"content": part.model_response(), "is_error": True}
        return {**answer, **asked} if part.tool_name is not None else {"role": "user", **asked}
    return {"role": "marker", "content": ""}


def _parts(content: Sequence[Any]) -> ChatMessages:
    return [told for part in content for told in made_from(part, _part(part))]


def _part(part: Any) -> dict[str, Any]:
    text = part if isinstance(part, str) else getattr(part, "content", None)
    return {"type": "text", "text": text} if isinstance(text, str) else {"type": "image_url"}


def model_messages(chat: Iterable[Mapping[str, Any]]) -> list[ModelMessage]:
    """The messages that OpenAI-style ones were made from, with their content as it is now.

    What AMB added at the end joins the last request, which keeps the roles in turn and the instructions with it.
    """
    messages: list[ModelMessage] = []
    added = False
    pieces: list[_Piece] = written_back(chat, changed=_changed, new=_new)
    for _, group in groupby(pieces, key=lambda piece: id(piece[0])):
        message, parts = _joined(list(group))
        added = message is None
        messages.append(ModelRequest(parts=parts) if message is None else message)
    if added and len(messages) > 1 and isinstance(before := messages[-2], ModelRequest):
        messages[-2:] = [replace(before, parts=[*before.parts, *messages[-1].parts])]
    return messages


def _joined(pieces: Sequence[_Piece]) -> tuple[ModelMessage | None, list[Any]]:
    """The message of some pieces, the very same when all of it is there; None with the parts for a new one."""
    message, parts = pieces[0]
    if not isinstance(message, ModelResponse):
        parts = [part for _, part in pieces]
    if message is None or (len(parts) == len(message.parts) and all(map(_is, parts, message.parts))):
        return message, parts
    return replace(message, parts=parts), parts


def _is(one: object, other: object) -> bool:
    return one is other


def _changed(piece: _Piece, told: Sequence[Mapping[str, Any]]) -> _Piece:
    message, part = piece
    content = told[0]["content"]
    if not isinstance(message, ModelResponse):
        return message, replace(part, content=_content(content))
    if "tool_calls" not in told[0]:
        return message, [TextPart(content)]
    given = arguments_in(told[0])
    return message, [_with_less(one, given) for one in part]


def _with_less(part: Any, given: Mapping[str, Any]) -> Any:
    """A part of a response without a block that the model quoted, and a call with the arguments that are left."""
    if isinstance(part, TextPart):
        return replace(part, content=strip_block(part.content))
    if (
        isinstance(part, ToolCallPart)
        and given.get(part.tool_call_id, part.args_as_json_str()) != part.args_as_json_str()
    ):
        return replace(part, args=given[part.tool_call_id])
    return part


def _new(told: Mapping[str, Any]) -> _Piece:
    kind = SystemPromptPart if told["role"] == "system" else UserPromptPart
    return None, kind(_content(told["content"]))


def _content(content: Any) -> Any:
    if isinstance(content, str):
        return content
    return parts_written_back(content, text=str, image=BinaryContent.from_data_uri)
