"""Anthropic Messages: content blocks, results of tools in messages of the user, thinking that is signed."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import count
from typing import Any

from amb_core.adapter.chat_messages import text_of
from amb_core.adapter.origins import made_from, written_back
from amb_core.adapter.wire_forms import ANSWERED_INSIDE, ChatMessage, Fields, fields_of
from amb_wire_forms.form_parts import (
    answered_inside,
    blocks_from,
    mark_of,
    plain_fields,
    readable_text,
    told_part,
    with_fields,
)
from amb_wire_forms.turn_pieces import Piece, Turn, new_piece, pieces_of, write_turns

__all__ = ["AnthropicForm"]

_ROLES = frozenset({"user", "assistant", "system"})
_SIGNED = frozenset({"thinking", "redacted_thinking"})
_USES = frozenset({"server_tool_use", "mcp_tool_use"})
_OWN = frozenset({"tool_use", "tool_result", "redacted_thinking", "container_upload", *_USES})
_FOREIGN = ("input_", "output_", "image_url", "tool-", "tool_call", "function")
_OF_CHAT = ("tool_calls", "tool_call_id", "function_call", "parts")
_STATE = "compaction"
"""A block that stands for everything before it."""
_UNTOLD = ("image", "document", "text", "search_result")


class AnthropicForm:
    """Messages of user and assistant in turn; a `tool_result` answers the `tool_use` of the message before."""

    name = "anthropic"

    def is_own(self, item: Fields) -> bool:
        """Whether the item is a message with a block that no other form has."""
        return self.allows(item) and any(_is_own(fields_of(block)) for block in _blocks(item))

    def allows(self, item: Fields) -> bool:
        """Whether the item is a message of the right roles, of text or of blocks with a type."""
        if item.get("role") not in _ROLES or any(item.get(key) is not None for key in _OF_CHAT):
            return False
        if not isinstance(item.get("content"), str | list | tuple) and item.get("content") is not None:
            return False
        kinds = [fields_of(block).get("type") for block in _blocks(item) if not isinstance(block, str)]
        return all(isinstance(kind, str) and not kind.startswith(_FOREIGN) for kind in kinds)

    def read(self, items: Sequence[Any]) -> list[ChatMessage]:
        """A message of the assistant is one, a message of the user one for each result in it and one for the rest."""
        return self.begin()(items)

    def begin(self) -> Callable[[Sequence[Any]], list[ChatMessage]]:
        """What reads the items of one transcript, some after others."""
        used: dict[str, Fields] = {}
        places = count()

        def read(items: Sequence[Any]) -> list[ChatMessage]:
            chat: list[ChatMessage] = []
            for item, at in zip(items, places, strict=False):
                fields = fields_of(item)
                turn = Turn(item, at, str(fields["role"]), tuple(_blocks(fields)))
                if turn.role == "assistant":
                    chat += made_from(Piece(turn, turn.role, turn.blocks), _assistant(turn, used))
                else:
                    pieces = pieces_of(turn, stands_alone=_is_result)
                    chat += [told for piece in pieces for told in made_from(piece, _of_user(piece))]
            return chat

        return read

    def write(self, chat: Iterable[Mapping[str, Any]]) -> list[Any]:
        """The messages, each with what is left of it; what AMB adds is text of the user, joined where roles repeat."""
        pieces: list[Piece] = written_back(chat, changed=_changed, new=lambda told: new_piece(told, _written))
        return write_turns(pieces, key="content", as_block=_as_block, stands_first=_is_result)


# --- reading ----------------------------------------------------------------------------------------------------------


def _blocks(item: Fields) -> Sequence[Any]:
    content = item.get("content")
    if isinstance(content, list | tuple):
        return content
    return [content] if content else []


def _is_own(block: Fields) -> bool:
    kind = text_of(block.get("type"))
    return kind in _OWN or kind.endswith("_tool_result") or (kind == "thinking" and "signature" in block)


def _is_result(block: Any) -> bool:
    return fields_of(block).get("type") == "tool_result"


def _text(block: Any) -> str | None:
    """What a block says; None for one that is no text."""
    if isinstance(block, str):
        return block
    fields = fields_of(block)
    text = fields.get("text") if fields.get("type") == "text" else None
    return text if isinstance(text, str) else None


def _assistant(turn: Turn, used: dict[str, Fields]) -> ChatMessage:
    """A turn of the model: what it says, the calls it makes, and apart from both what only its provider reads."""
    texts, calls, carried, inside = list[str](), list[ChatMessage](), list[str](), list[ChatMessage]()
    signed = False
    role = "assistant"
    for block in turn.blocks:
        fields, text = fields_of(block), _text(block)
        kind = text_of(fields.get("type"))
        signed = signed or kind in _SIGNED
        if text is not None:
            texts.append(text)
        elif kind == "tool_use":
            function = {"name": fields.get("name"), "arguments": fields.get("input")}
            calls.append({"id": fields.get("id"), "type": "function", "function": function})
        else:
            carried.append(json.dumps(plain_fields(block), ensure_ascii=False, default=str))
        if kind in _USES:
            used[text_of(fields.get("id"))] = fields
        elif kind.endswith("_tool_result"):
            inside += _inside(fields, used)
        elif kind == _STATE:
            role = "marker"
    told = {"role": role, "content": "\n".join(texts), "signed": signed, "reasoning_content": "\n".join(carried)}
    return told | ({"tool_calls": calls} if calls else {}) | ({ANSWERED_INSIDE: inside} if inside else {})


def _inside(result: Fields, used: Mapping[str, Fields]) -> list[ChatMessage]:
    call_id = text_of(result.get("tool_use_id"))
    asked, content = used.get(call_id, {}), result.get("content")
    failed = result.get("is_error") is True or text_of(fields_of(content).get("type")).endswith("_error")
    return answered_inside(text_of(asked.get("name") or ""), call_id, asked.get("input"), content, failed=failed)


def _of_user(piece: Piece) -> ChatMessage:
    """A result, or what stands between results."""
    first = piece.blocks[0] if piece.blocks else ""
    if not _is_result(first):
        said = first if isinstance(first, str) else [_part(block) for block in piece.blocks]
        return {"role": piece.role, "content": said}
    fields = fields_of(first)
    content = fields.get("content")
    return {
        "role": "tool",
        "tool_call_id": text_of(fields.get("tool_use_id")),
        "content": [_part(block) for block in content] if isinstance(content, list | tuple) else content or "",
        "is_error": fields.get("is_error") is True,
    }


def _part(block: Any) -> ChatMessage:
    fields = fields_of(block)
    kind, source = fields.get("type"), fields_of(fields.get("source"))
    if kind == "image":
        data = f"data:{source.get('media_type')};base64,{source.get('data')}"
        return told_part(block, None, image=True, url=data if "data" in source else text_of(source.get("url", "")))
    if kind == "search_result":
        texts = [_text(one) or "" for one in fields.get("content") or ()]
        return told_part(block, "\n".join([text_of(fields.get("title", "")), *texts]))
    if kind == "document" and source.get("type") == "text":
        return told_part(block, text_of(source.get("data", "")))
    return told_part(block, _text(block))


# --- writing ----------------------------------------------------------------------------------------------------------


def _changed(piece: Piece, told: Sequence[Mapping[str, Any]]) -> Piece:
    now = told[0]
    if now["role"] == "tool":
        return Piece(piece.turn, piece.role, (_result(piece.blocks[0], now["content"]),))
    if piece.role == "assistant":
        return Piece(piece.turn, piece.role, tuple(_said_by_model(piece, now)))
    content = now["content"]
    if isinstance(content, str) and isinstance(piece.blocks[0], str):
        return Piece(piece.turn, piece.role, (content,) if content else ())
    kept = _with_mark(_written(content), piece.blocks)
    unread = [block for block in piece.blocks if fields_of(block).get("type", "text") not in _UNTOLD]
    return Piece(piece.turn, piece.role, (*kept, *(one for one in unread if not any(one is k for k in kept))))


def _result(block: Any, content: Any) -> Any:
    """A result with other content, in the shape it had."""
    if isinstance(content, str) and not isinstance(fields_of(block).get("content"), list | tuple):
        return with_fields(block, content=content)
    return with_fields(block, content=_written(content))


def _said_by_model(piece: Piece, now: Mapping[str, Any]) -> list[Any]:
    """A turn of the model with other text or arguments; one that is signed stays as it came, or is plain text."""
    texts = [text for block in piece.blocks if (text := _text(block)) is not None]
    text = now["content"] if isinstance(now["content"], str) else readable_text(now["content"])
    if "tool_calls" not in now:
        if any(isinstance(block, str) for block in piece.blocks):
            return [text] if text else []
        return _with_mark(_written(text), piece.blocks)
    if now.get("signed"):
        return list(piece.blocks)
    asked = {text_of(call["id"]): call["function"]["arguments"] for call in now["tool_calls"]}
    blocks: list[Any] = []
    said = text == "\n".join(texts)
    for block in piece.blocks:
        fields = fields_of(block)
        if fields.get("type") == "tool_use":
            blocks.append(_asking(block, asked.get(text_of(fields.get("id")), fields.get("input"))))
        elif _text(block) is None or text == "\n".join(texts):
            blocks.append(block)
        elif not said:
            blocks += [with_fields(block, text=text)] if text else []
            said = True
    return blocks


def _asking(block: Any, arguments: Any) -> Any:
    given = json.loads(arguments) if isinstance(arguments, str) else arguments
    return block if given == fields_of(block).get("input") else with_fields(block, input=given)


def _with_mark(blocks: list[Any], before: Sequence[Any]) -> list[Any]:
    """The blocks with the cache mark that those before them had."""
    mark = mark_of(before)
    if mark is None or not blocks or mark_of(blocks) is not None:
        return blocks
    return [*blocks[:-1], with_fields(blocks[-1], cache_control=mark)]


def _written(content: Any) -> list[Any]:
    return blocks_from(content, text=lambda text: {"type": "text", "text": text}, image=_image)


def _image(url: str) -> dict[str, Any]:
    head, found, data = url.partition(";base64,")
    if not found:
        return {"type": "image", "source": {"type": "url", "url": url}}
    source = {"type": "base64", "media_type": head.removeprefix("data:"), "data": data}
    return {"type": "image", "source": source}


def _as_block(block: Any, beside: Sequence[Any]) -> Any:
    return {"type": "text", "text": block} if isinstance(block, str) else block
