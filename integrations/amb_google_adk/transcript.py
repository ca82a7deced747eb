"""ADK's contents as the adapter sees them, OpenAI-style, and back; none is changed in place.

ADK takes the ids it made itself out of a request: a result without one answers the oldest call of its name that waits.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any

from google.genai import types

from amb_core.adapter import arguments_in, digest_of, made_from, written_back
from amb_core.rendering import strip_block

__all__ = ["ChatMessages", "chat_messages", "contents_of"]

ChatMessages = list[dict[str, Any]]
_Piece = tuple[Any, Any]
"""A content (None for what AMB adds) with one of its parts, or a whole turn of the model with None."""
_WRAPPED = ({"result"}, {"output"}, {"error"})


def chat_messages(contents: Iterable[types.Content]) -> ChatMessages:
    """The contents OpenAI-style: a turn of the model is one, a turn of the user as many as it has parts."""
    chat: ChatMessages = []
    waiting: list[tuple[str, str]] = []
    for content in contents:
        if content.role == "model":
            chat += made_from((content, None), _of_turn(content, waiting))
        else:
            chat += [
                told for part in content.parts or () for told in made_from((content, part), _of_part(part, waiting))
            ]
    return chat


def _of_turn(content: types.Content, waiting: list[tuple[str, str]]) -> dict[str, Any]:
    """A turn of the model; its calls wait for their results from now on."""
    parts = content.parts or []
    calls: ChatMessages = []
    for part in parts:
        if (call := part.function_call) is not None:
            arguments = json.dumps(call.args or {}, default=str)
            named = {"name": call.name, "arguments": arguments}
            called = call.id or _id_of(f"{call.name} {arguments}", [one["id"] for one in calls])
            waiting.append((called, call.name or ""))
            calls.append({"id": called, "type": "function", "function": named})
    text = "".join(part.text or "" for part in parts)
    signed = any(part.thought_signature for part in parts)
    return {"role": "assistant", "content": text, "signed": signed} | ({"tool_calls": calls} if calls else {})


def _id_of(call: str, taken: Sequence[str]) -> str:
    """An id for a call without one: the same wherever it stands, as ADK may shorten a talk."""
    found = str(digest_of(call))[:16]
    return f"{found}-{len(taken)}" if found in taken else found


def _of_part(part: types.Part, waiting: list[tuple[str, str]]) -> dict[str, Any]:
    if (answer := part.function_response) is not None:
        mine = next((one for one in waiting if one[0] == answer.id), None) or next(
            (one for one in waiting if one[1] == answer.name), None
        )
        if mine is not None:
            waiting.remove(mine)
        response = answer.response or {}
        told = {"role": "tool", "tool_call_id": mine[0] if mine else answer.id or "", "name": answer.name}
        return told | {"content": _text(response), "is_error": "error" in response}
    return {"role": "user", "content": part.text} if part.text is not None else {"role": "marker", "content": ""}


def _text(response: Mapping[str, Any]) -> str:
    """What a tool returned; ADK puts all that is no mapping under `result`."""
    value = next(iter(response.values())) if set(response) in _WRAPPED else response
    return "" if value is None else value if isinstance(value, str) else _json(value)


def _json(value: object) -> str:
    return json.dumps(value, default=str, ensure_ascii=False)


def contents_of(chat: Iterable[Mapping[str, Any]]) -> list[types.Content]:
    """The contents that the messages were made from; what AMB adds joins the turn of the user before it."""
    contents: list[types.Content] = []
    pieces: list[_Piece] = written_back(chat, changed=_changed, new=_new)
    for _, group in groupby(pieces, key=lambda piece: id(piece[0])):
        found = list(group)
        content, first = found[0]
        parts = [part for _, part in found]
        if content is not None and (first is None or _same(parts, content.parts)):
            contents.append(content)
        elif content is None and contents and contents[-1].role == "user":
            contents[-1] = types.Content(role="user", parts=[*(contents[-1].parts or ()), *parts])
        else:
            contents.append(types.Content(role="user", parts=parts))
    return contents


def _same(parts: Sequence[Any], before: Sequence[Any]) -> bool:
    return len(parts) == len(before) and all(map(lambda one, other: one is other, parts, before))


def _new(told: Mapping[str, Any]) -> _Piece:
    return None, types.Part(text=told["content"])


def _changed(piece: _Piece, told: Sequence[Mapping[str, Any]]) -> _Piece:
    content, part = piece
    text = told[0]["content"]
    if part is None:
        left = iter(arguments_in(told[0]).values())
        return types.Content(role="model", parts=[_with_less(one, left) for one in content.parts]), None
    if (answer := part.function_response) is not None:
        changed = types.FunctionResponse(id=answer.id, name=answer.name, response={"result": text})
        return content, types.Part(function_response=changed)
    return content, types.Part(text=text)


def _with_less(part: types.Part, left: Any) -> types.Part:
    """A part of a turn without what a model quoted of memory, and a call with the arguments that are left."""
    if part.text is not None:
        return part.model_copy(update={"text": strip_block(part.text)})
    if (call := part.function_call) is not None:
        given = next(left, None)
        if given not in (None, json.dumps(call.args or {}, default=str)):
            changed = call.model_copy(update={"args": json.loads(given or "{}")})
            return part.model_copy(update={"function_call": changed})
    return part
