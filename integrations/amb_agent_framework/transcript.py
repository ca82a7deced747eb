"""Agent Framework's messages as the adapter sees them, OpenAI-style, and back; none is changed in place."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any

from agent_framework import Content, Message

from amb_core.adapter import arguments_in, made_from, written_back
from amb_core.rendering import strip_block

__all__ = ["ChatMessages", "chat_messages", "framework_messages"]

ChatMessages = list[dict[str, Any]]
_Piece = tuple[Any, Any]
"""A message (None for what AMB adds) with one of the results in it, or the whole message with None."""


def chat_messages(messages: Iterable[Message]) -> ChatMessages:
    """The messages OpenAI-style: one that holds several results is told in as many."""
    chat: ChatMessages = []
    for message in messages:
        results = [content for content in message.contents if content.type == "function_result"]
        if results:
            chat += [told for result in results for told in made_from((message, result), _of_result(result))]
        else:
            chat += made_from((message, None), _of_message(message))
    return chat


def _of_result(result: Content) -> dict[str, Any]:
    text = _text(result.result) or _text(result.exception)
    return {
        "role": "tool",
        "tool_call_id": result.call_id or "",
        "content": text,
        "is_error": result.exception is not None,
    }


def _of_message(message: Message) -> dict[str, Any]:
    calls = [
        {"id": call.call_id, "type": "function", "function": {"name": call.name, "arguments": _text(call.arguments)}}
        for call in message.contents
        if call.type == "function_call"
    ]
    signed = any(content.type == "text_reasoning" for content in message.contents)
    told = {"role": str(message.role), "content": message.text, "signed": signed}
    return told | ({"tool_calls": calls} if calls else {})


def _text(value: object) -> str:
    if value is None or isinstance(value, str):
        return value or ""
    return json.dumps(value, default=str, ensure_ascii=False)


def framework_messages(chat: Iterable[Mapping[str, Any]]) -> list[Message]:
    """The messages that OpenAI-style ones were made from; what AMB adds joins a last message of the user."""
    messages: list[Message] = []
    pieces: list[_Piece] = written_back(chat, changed=_changed, new=lambda told: (None, told))
    for _, group in groupby(pieces, key=lambda piece: id(piece[0]) if piece[0] is not None else id(piece[1])):
        found = list(group)
        message, first = found[0]
        if message is None:
            _add(messages, first)
        elif first is None:
            messages.append(message)
        else:
            left = [content for _, content in found]
            results = [each for each in message.contents if each.type == "function_result"]
            same = len(left) == len(results) and all(map(lambda one, other: one is other, left, results))
            messages.append(message if same else _with(message, left))
    return messages


def _add(messages: list[Message], told: Mapping[str, Any]) -> None:
    text = Content.from_text(told["content"])
    if messages and messages[-1].role == told["role"] == "user":
        messages[-1] = _with(messages[-1], [*messages[-1].contents, text])
    else:
        messages.append(Message(told["role"], [text]))


def _with(message: Message, contents: Sequence[Content]) -> Message:
    return Message(message.role, list(contents), author_name=message.author_name, message_id=message.message_id)


def _changed(piece: _Piece, told: Sequence[Mapping[str, Any]]) -> _Piece:
    message, result = piece
    content = told[0]["content"]
    if result is not None:
        return message, Content.from_function_result(call_id=result.call_id, result=content)
    if message.role != "assistant":
        rest = [each for each in message.contents if each.type != "text"]
        return _with(message, [Content.from_text(content), *rest]), None
    given = arguments_in(told[0])
    return _with(message, [_with_less(each, given) for each in message.contents]), None


def _with_less(content: Content, given: Mapping[str, str]) -> Content:
    """A content without what a model quoted of memory, and a call with the arguments that are left."""
    if content.type == "text":
        return Content.from_text(strip_block(content.text or ""))
    if content.type == "function_call" and given.get(content.call_id or "", "") != _text(content.arguments):
        arguments = given.get(content.call_id or "", "{}")
        return Content.from_function_call(call_id=content.call_id or "", name=content.name or "", arguments=arguments)
    return content
