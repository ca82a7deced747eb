"""Gemini contents: parts of user and model, `functionCall` and `functionResponse` with and without ids, signatures."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import count
from typing import Any

from amb_core.adapter.chat_messages import fingerprint_of, text_of
from amb_core.adapter.origins import made_from, written_back
from amb_core.adapter.wire_forms import ANSWERED_INSIDE, ChatMessage, Fields, fields_of
from amb_wire_forms.form_parts import answered_inside, blocks_from, readable_text, told_part, with_fields
from amb_wire_forms.turn_pieces import Piece, Turn, new_piece, pieces_of, write_turns

__all__ = ["GeminiForm"]

_ROLES = frozenset({None, "user", "model", "function", "tool"})
_SAID = ("output", "result", "content", "text", "error")
"""Keys under which a response has its text, when it has no other."""
_FAILED = ("OUTCOME_FAILED", "OUTCOME_DEADLINE_EXCEEDED")
_SERVER_CALLS = {"executable_code": "code_execution_result", "tool_call": "tool_response"}


class GeminiForm:
    """Contents with a `role` and `parts`; keys of dicts are in camel or in snake case, and stay as they are."""

    name = "gemini"

    def is_own(self, item: Fields) -> bool:
        """Whether the item is a content: no other form has parts without a type."""
        return "parts" in item and self.allows(item)

    def allows(self, item: Fields) -> bool:
        """Whether the item is a content with a list of parts, none of which has a type."""
        if item.get("role") not in _ROLES or not {"role", "parts"} & item.keys() or "content" in item:
            return False
        parts = item.get("parts") or ()
        if not isinstance(parts, list | tuple):
            return False
        return all(part == {} or (fields_of(part) and "type" not in fields_of(part)) for part in parts)

    def read(self, items: Sequence[Any]) -> list[ChatMessage]:
        """A content of the model is one message, one of the user as many as it has responses and texts between."""
        return self.begin()(items)

    def begin(self) -> Callable[[Sequence[Any]], list[ChatMessage]]:
        """What reads the items of one transcript, some after others."""
        calls, places = _Calls(), count()

        def read(items: Sequence[Any]) -> list[ChatMessage]:
            chat: list[ChatMessage] = []
            for item, at in zip(items, places, strict=False):
                fields = fields_of(item)
                turn = Turn(item, at, str(fields.get("role") or "user"), tuple(fields.get("parts") or ()))
                if turn.role == "model":
                    chat += made_from(Piece(turn, turn.role, turn.blocks), _model(turn, calls))
                else:
                    pieces = pieces_of(turn, stands_alone=_is_response)
                    chat += [told for piece in pieces for told in made_from(piece, _of_user(piece, calls))]
            return chat

        return read

    def write(self, chat: Iterable[Mapping[str, Any]]) -> list[Any]:
        """The contents, each with what is left of it; what AMB adds is text of the user, joined where roles repeat."""
        pieces: list[Piece] = written_back(chat, changed=_changed, new=lambda told: new_piece(told, _written))
        return write_turns(pieces, key="parts", as_block=_as_part, stands_first=_is_response)


class _Calls:
    """Ids for calls and responses: their own, or for want of one the call's tool, arguments and number.

    A response without an id answers the oldest call of its tool that is open.
    """

    def __init__(self) -> None:
        self._open: list[tuple[str, Any]] = []
        self._seen: Counter[str] = Counter()

    def ask(self, call: Fields) -> str:
        """The id of a call, which is open from now on."""
        name, own = call.get("name"), call.get("id")
        if own is None:
            asked = f"{text_of(name)}:{fingerprint_of(readable_text(call.get('args')))[:10]}"
            self._seen[asked] += 1
            own = f"{asked}:{self._seen[asked]}"
        self._open.append((text_of(own), name))
        return text_of(own)

    def answer(self, response: Fields) -> str | None:
        """The id of the call that a response answers; None when none is open."""
        name, own = response.get("name"), response.get("id")
        found = next((one for one in self._open if (one[1] == name if own is None else one[0] == text_of(own))), None)
        if found is not None:
            self._open.remove(found)
        return (None if own is None else text_of(own)) if found is None else found[0]


# --- reading ----------------------------------------------------------------------------------------------------------


def _snake(fields: Fields) -> dict[str, Any]:
    """The fields with names in snake case."""
    return {"".join(f"_{c.lower()}" if c.isupper() else c for c in str(key)): value for key, value in fields.items()}


def _part_of(part: Any) -> dict[str, Any]:
    return _snake(fields_of(part))


def _name(part: Any, name: str) -> str:
    """How a part itself writes the name of a field."""
    own = fields_of(part)
    return next((key for key in own if _snake({key: None}).keys() == {name}), name)


def _is_response(part: Any) -> bool:
    return _part_of(part).get("function_response") is not None


def _model(turn: Turn, calls: _Calls) -> ChatMessage:
    """A turn of the model: what it says, the calls it makes, and apart from both what only its provider reads."""
    texts, asked, carried, inside = list[str](), list[ChatMessage](), list[str](), list[ChatMessage]()
    signed = False
    opened: list[tuple[str, Any]] = []
    for part in turn.blocks:
        fields = _part_of(part)
        signed = signed or bool(fields.get("thought_signature") or fields.get("thought"))
        if isinstance(fields.get("text"), str) and not fields.get("thought"):
            texts.append(fields["text"])
        elif (call := fields.get("function_call")) is not None:
            function = {"name": fields_of(call).get("name"), "arguments": fields_of(call).get("args")}
            asked.append({"id": calls.ask(fields_of(call)), "type": "function", "function": function})
        elif "inline_data" not in fields:
            carried.append(readable_text(fields))
        carried.append(_signature(fields))
        inside += _inside(fields, opened, turn.at)
    told = {"role": "assistant", "content": "\n".join(texts), "signed": signed}
    told["reasoning_content"] = "\n".join(filter(None, carried))
    return told | ({"tool_calls": asked} if asked else {}) | ({ANSWERED_INSIDE: inside} if inside else {})


def _signature(fields: Fields) -> str:
    signature = fields.get("thought_signature") or ""
    return signature.hex() if isinstance(signature, bytes) else str(signature)


def _inside(fields: Fields, opened: list[tuple[str, Any]], at: int) -> list[ChatMessage]:
    """What the provider answered itself, beside what was asked: code that it ran, tools of its own."""
    for asking, answering in _SERVER_CALLS.items():
        if fields.get(asking) is not None:
            opened.append((answering, fields_of(fields[asking])))
        if fields.get(answering) is not None:
            at_open = next((n for n, (kind, _) in enumerate(opened) if kind == answering), None)
            asked = {} if at_open is None else opened.pop(at_open)[1]
            return _answered(asking, asked, fields_of(fields[answering]), f"{answering}:{at}:{len(opened)}")
    return []


def _answered(asking: str, asked: Fields, answer: Fields, otherwise: str) -> list[ChatMessage]:
    call_id = text_of(answer.get("id") or asked.get("id") or otherwise)
    failed = str(getattr(answer.get("outcome"), "value", answer.get("outcome"))) in _FAILED
    arguments = {"code": asked.get("code", "")} if asking == "executable_code" else asked.get("args")
    name = "code_execution" if asking == "executable_code" else text_of(_snake(asked).get("tool_type") or "")
    output = answer.get("output") if asking == "executable_code" else answer.get("response")
    return answered_inside(name, call_id, arguments, output or "", failed=failed)


def _of_user(piece: Piece, calls: _Calls) -> ChatMessage:
    """A response, or what stands between responses."""
    first = piece.blocks[0] if piece.blocks else None
    if not _is_response(first):
        return {"role": "user", "content": [_told(part) for part in piece.blocks]}
    response = fields_of(_part_of(first)["function_response"])
    call_id, said = calls.answer(response), fields_of(response.get("response"))
    text = readable_text(said[_said_key(said)] if _said_key(said) else said or response.get("response"))
    shown = [told_part(part, None, image=True) for part in response.get("parts") or ()]
    told = {
        "role": "function" if call_id is None else "tool",
        "name": text_of(response.get("name") or ""),
        "content": [{"type": "text", "text": text}, *shown] if shown else text,
        "is_error": bool(said.get("error")),
    }
    return told | ({} if call_id is None else {"tool_call_id": call_id})


def _said_key(said: Fields) -> str:
    """The key of a response's text, when it has nothing else."""
    (key,) = said if len(said) == 1 else ("",)
    return key if key in _SAID and isinstance(said[key], str) else ""


def _told(part: Any) -> ChatMessage:
    fields = _part_of(part)
    if isinstance(fields.get("text"), str):
        return told_part(part, fields["text"])
    media = _snake(fields_of(fields.get("inline_data") or fields.get("file_data")))
    url = f"data:{media.get('mime_type')};base64,{media['data']}" if isinstance(media.get("data"), str) else ""
    return told_part(part, None, image=text_of(media.get("mime_type")).startswith("image"), url=url)


# --- writing ----------------------------------------------------------------------------------------------------------


def _changed(piece: Piece, told: Sequence[Mapping[str, Any]]) -> Piece:
    now = told[0]
    if now["role"] in ("tool", "function"):
        return Piece(piece.turn, piece.role, (_response(piece.blocks[0], now["content"]),))
    if piece.role == "model":
        return Piece(piece.turn, piece.role, tuple(_said_by_model(piece, now)))
    kept = _written(now["content"])
    unread = [part for part in piece.blocks if not _part_of(part).keys() & {"text", "inline_data", "file_data"}]
    return Piece(piece.turn, piece.role, (*kept, *(one for one in unread if not any(one is k for k in kept))))


def _response(part: Any, content: Any) -> Any:
    """A response with another text under the key it had, and with what is left of its images."""
    name = _name(part, "function_response")
    response = fields_of(part)[name]
    fields = fields_of(response)
    said = fields_of(fields.get("response"))
    texts = [one for one in [content] if isinstance(one, str)] or [p["text"] for p in content if "text" in p]
    key = _said_key(said) or ("error" if said.get("error") else "output")
    left: dict[str, Any] = {"response": {key: "\n".join(texts)}}
    if fields.get("parts"):
        left["parts"] = [one for one in _written(content) if any(one is own for own in fields["parts"])] or None
    if left.get("parts", ...) is None and isinstance(response, Mapping):
        del left["parts"]
        response = {key: value for key, value in fields.items() if key != "parts"}
    return with_fields(part, **{name: with_fields(response, **left)})


def _said_by_model(piece: Piece, now: Mapping[str, Any]) -> list[Any]:
    """A turn of the model with other text or arguments; one that is signed stays as it came, or is plain text."""
    text = now["content"] if isinstance(now["content"], str) else readable_text(now["content"])
    if "tool_calls" not in now:
        return [{"text": text}] if text else []
    if now.get("signed"):
        return list(piece.blocks)
    arguments = [call["function"]["arguments"] for call in now["tool_calls"]]
    own = (_part_of(part).get("text") for part in piece.blocks)
    same = text == "\n".join(one for one in own if isinstance(one, str))
    parts: list[Any] = [] if same or not text else [{"text": text}]
    for part in piece.blocks:
        fields = _part_of(part)
        if fields.get("function_call") is not None:
            parts.append(_asking(part, arguments.pop(0)))
        elif same or not isinstance(fields.get("text"), str):
            parts.append(part)
    return parts


def _asking(part: Any, arguments: Any) -> Any:
    name = _name(part, "function_call")
    call = fields_of(part)[name]
    given = json.loads(arguments) if isinstance(arguments, str) else arguments
    return part if given == fields_of(call).get("args") else with_fields(part, **{name: with_fields(call, args=given)})


def _written(content: Any) -> list[Any]:
    return blocks_from(content, text=lambda text: {"text": text}, image=_image)


def _image(url: str) -> dict[str, Any] | None:
    head, found, data = url.partition(";base64,")
    return {"inlineData": {"mimeType": head.removeprefix("data:"), "data": data}} if found else None


def _as_part(part: Any, beside: Sequence[Any]) -> Any:
    """The part, as an object when those beside it are objects."""
    kinds = {type(one) for one in beside if not isinstance(one, Mapping)}
    return kinds.pop().model_validate(dict(part)) if isinstance(part, Mapping) and len(kinds) == 1 else part
