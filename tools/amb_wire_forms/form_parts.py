"""Parts of messages that are dicts or objects of an SDK, read as parts of OpenAI-style messages and made anew."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from amb_core.adapter import made_from, origin_of, parts_of, parts_written_back, text_of
from amb_core.adapter.wire_forms import ChatMessage, fields_of
from amb_core.text.tokens import as_json

__all__ = ["answered_inside", "blocks_from", "mark_of", "plain_fields", "readable_text", "told_part", "with_fields"]

_Item = TypeVar("_Item")
_DEEPEST = 100
"""Of what is nested more deeply only the texts are read."""
_OPAQUE = frozenset({"encrypted_content", "encrypted_index", "signature", "fingerprint", "made_from"})


def with_fields(item: _Item, **new: Any) -> _Item:
    """A copy of an item, of its own kind, with other values in it."""
    if isinstance(item, Mapping):
        return {**item, **new}  # type: ignore[return-value]
    copied: _Item = item.model_copy(update=new)  # type: ignore[attr-defined]
    return copied


def told_part(block: Any, text: str | None, *, image: bool = False, url: str = "") -> ChatMessage:
    """A part of a message's content for a block with this text, or for one that is an image or a file."""
    if text is not None:
        part: ChatMessage = {"type": "text", "text": text}
    elif image:  # not `image_url`, which is how AMB itself adds images and knows them again
        part = {"type": "image", "image_url": {"url": url}}
    else:
        part = {"type": "file"}
    return made_from(block, part)[0]


def blocks_from(
    content: object, *, text: Callable[[str], Any], image: Callable[[str], Any], key: str = "text"
) -> list[Any]:
    """A message's content in the blocks of a form: those that did not change, changed ones with their own marks.

    `text` and `image` make a block of a text and of a data URL; `key` is where a block has its text.
    """
    blocks: list[Any] = []
    for part in parts_of(content):
        theirs = origin_of(part) if isinstance(part, Mapping) else None
        (made,) = parts_written_back([part], text=text, image=image) or (None,)
        if theirs is not None and made is not theirs and isinstance(fields_of(theirs).get(key), str):
            made = with_fields(theirs, **{key: part["text"]})
        if made is not None and fields_of(made).get(key) != "":
            blocks.append(made)
    return blocks


def mark_of(blocks: Iterable[Any], name: str = "cache_control") -> Any:
    """The last mark of this name on some blocks; None where there is none."""
    marks = [mark for block in blocks if (mark := fields_of(block).get(name)) is not None]
    return marks[-1] if marks else None


def answered_inside(name: str, call_id: str, arguments: Any, output: Any, *, failed: bool = False) -> list[ChatMessage]:
    """A call that the provider itself has answered, as the two messages in which memory looks for results."""
    function = {"name": name or "tool", "arguments": arguments}
    answer = {"role": "tool", "tool_call_id": call_id, "content": readable_text(output), "is_error": failed}
    calls = [{"id": call_id, "type": "function", "function": function}]
    return [{"role": "assistant", "content": "", "tool_calls": calls}, answer]


def plain_fields(value: Any) -> Any:
    """A value with the objects of an SDK in it as plain ones, at any depth."""
    return _plain(value, 0)


def _plain(value: Any, depth: int) -> Any:
    if isinstance(value, list | tuple):
        return [_plain(one, depth + 1) for one in value] if depth < _DEEPEST else as_json(value)
    fields = fields_of(value)
    if fields and depth >= _DEEPEST:
        return as_json(fields)
    return {str(key): _plain(one, depth + 1) for key, one in fields.items()} if fields else value


def readable_text(value: Any) -> str:
    """A value as text: a string as it is, anything else as JSON without what only its provider can read."""
    if isinstance(value, str):
        return value
    readable = _readable(value, 0)
    return "" if readable in (None, [], {}) else text_of(json.loads(json.dumps(readable, default=str)))


def _readable(value: Any, depth: int) -> Any:
    if isinstance(value, bytes | bytearray):
        return f"[{len(value)} bytes]"
    if isinstance(value, str | int | float | bool) or value is None:
        return value
    if depth >= _DEEPEST:
        return as_json(value)
    if isinstance(value, list | tuple):
        return [_readable(one, depth + 1) for one in value]
    named = ((str(key), one) for key, one in fields_of(value).items())
    return {key: _readable(one, depth + 1) for key, one in named if key not in _OPAQUE and one is not None}
