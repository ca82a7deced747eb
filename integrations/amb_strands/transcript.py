"""Strands' messages, which are those of Bedrock's Converse, as the adapter sees them, and back; none is changed."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any

from amb_core.adapter import arguments_in, made_from, written_back
from amb_core.rendering import strip_block

__all__ = ["ChatMessages", "chat_messages", "strands_messages"]

ChatMessages = list[dict[str, Any]]
_Piece = tuple[Any, Any]
"""A message (None for what AMB adds) with one of its content blocks, or a whole turn of the assistant with None."""


def chat_messages(messages: Iterable[Mapping[str, Any]]) -> ChatMessages:
    """The messages OpenAI-style: a turn of the assistant is one, a turn of the user as many as it has blocks."""
    chat: ChatMessages = []
    for message in messages:
        if message["role"] == "assistant":
            chat += made_from((message, None), _of_turn(message["content"]))
        else:
            chat += [told for block in message["content"] for told in made_from((message, block), _of_block(block))]
    return chat


def _of_turn(content: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    calls = [
        {
            "id": call["toolUseId"],
            "type": "function",
            "function": {"name": call["name"], "arguments": json.dumps(call["input"], default=str)},
        }
        for block in content
        if (call := block.get("toolUse"))
    ]
    text = "\n".join(block["text"] for block in content if "text" in block)
    signed = any("reasoningContent" in block for block in content)
    return {"role": "assistant", "content": text, "signed": signed} | ({"tool_calls": calls} if calls else {})


def _of_block(block: Mapping[str, Any]) -> dict[str, Any]:
    if result := block.get("toolResult"):
        told = {"role": "tool", "tool_call_id": result["toolUseId"], "is_error": result.get("status") == "error"}
        return told | {"content": _text(result["content"])}
    return {"role": "user", "content": block["text"]} if "text" in block else {"role": "marker", "content": ""}


def _text(content: Sequence[Mapping[str, Any]]) -> str:
    texts = (part["text"] if "text" in part else _json(part.get("json")) for part in content)
    return "\n".join(text for text in texts if text)


def _json(value: object) -> str:
    return "" if value is None else json.dumps(value, default=str, ensure_ascii=False)


def strands_messages(chat: Iterable[Mapping[str, Any]]) -> list[Any]:
    """The messages that OpenAI-style ones were made from; what AMB adds joins the turn of the user before it."""
    messages: list[Any] = []
    pieces: list[_Piece] = written_back(chat, changed=_changed, new=_new)
    for _, group in groupby(pieces, key=lambda piece: id(piece[0])):
        found = list(group)
        message, first = found[0]
        blocks = [block for _, block in found]
        if message is not None and (first is None or _same(blocks, message["content"])):
            messages.append(message)
        elif message is None and messages and messages[-1]["role"] == "user":
            messages[-1] = {**messages[-1], "content": [*messages[-1]["content"], *blocks]}
        else:
            messages.append({**(message or {"role": "user"}), "content": blocks})
    return messages


def _same(blocks: Sequence[Any], content: Sequence[Any]) -> bool:
    return len(blocks) == len(content) and all(map(lambda one, other: one is other, blocks, content))


def _new(told: Mapping[str, Any]) -> _Piece:
    return None, {"text": told["content"]}


def _changed(piece: _Piece, told: Sequence[Mapping[str, Any]]) -> _Piece:
    message, block = piece
    content = told[0]["content"]
    if block is None:
        given = arguments_in(told[0])
        return {**message, "content": [_with_less(one, given) for one in message["content"]]}, None
    if "toolResult" in block:
        return message, {"toolResult": {**block["toolResult"], "content": [{"text": content}]}}
    return message, {"text": content}


def _with_less(block: Mapping[str, Any], given: Mapping[str, str]) -> Mapping[str, Any]:
    """A block of a turn without what a model quoted of memory, and a call with the arguments that are left."""
    if "text" in block:
        return {"text": strip_block(block["text"])}
    call = block.get("toolUse")
    if call and (left := given.get(call["toolUseId"])) not in (None, json.dumps(call["input"], default=str)):
        return {"toolUse": {**call, "input": json.loads(left or "{}")}}
    return block
