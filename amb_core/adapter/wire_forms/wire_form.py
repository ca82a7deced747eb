"""What a wire form promises, and how messages that are dicts or objects of an SDK are read and made anew."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol, TypeVar

from amb_core.adapter.chat_messages import parts_of
from amb_core.adapter.origins import made_from, origin_of, parts_written_back
from amb_core.text.tokens import text_of

__all__ = [
    "ANSWERED_INSIDE",
    "ChatMessage",
    "Fields",
    "WireForm",
    "answered_inside",
    "blocks_from",
    "fields_of",
    "mark_of",
    "plain_fields",
    "readable_text",
    "told_part",
    "with_fields",
]

Fields = Mapping[str, Any]
ChatMessage = dict[str, Any]
_Item = TypeVar("_Item")
ANSWERED_INSIDE = "answered_inside"
"""Key of an OpenAI-style message: calls with their results that stand inside the one message it was made from."""
_OPAQUE = frozenset({"encrypted_content", "encrypted_index", "signature", "fingerprint", "made_from"})


class WireForm(Protocol):
    """One way in which providers write a transcript: a list of messages or items, dicts or objects of an SDK.

    `read` gives OpenAI-style messages that remember what they were made from. `write` gives the list that these stand
    for now: what did not change as the very same objects, what is new in this form. Neither changes its input.
    """

    @property
    def name(self) -> str:
        """What people call the form: the value of `form=`."""
        ...

    def is_own(self, item: Fields) -> bool:
        """Whether an item can be of this form alone."""
        ...

    def allows(self, item: Fields) -> bool:
        """Whether an item may stand in a list of this form."""
        ...

    def read(self, items: Sequence[Any]) -> list[ChatMessage]:
        """The items as OpenAI-style messages."""
        ...

    def write(self, chat: Iterable[Mapping[str, Any]]) -> list[Any]:
        """The items for what is left of the messages of `read`, and for new ones."""
        ...


def fields_of(item: Any) -> Fields:
    """What an item has in it, one level deep; empty for what is neither a mapping nor an object of an SDK."""
    if isinstance(item, Mapping):
        return item
    names = getattr(type(item), "model_fields", None)
    if names is None:
        return item.model_dump(exclude_none=True) if hasattr(item, "model_dump") else {}
    named = {name: getattr(item, name) for name in (*names, *(getattr(item, "model_extra", None) or ()))}
    return {name: value for name, value in named.items() if value is not None}


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
    if isinstance(value, list | tuple):
        return [plain_fields(one) for one in value]
    fields = fields_of(value)
    return {key: plain_fields(one) for key, one in fields.items()} if fields else value


def readable_text(value: Any) -> str:
    """A value as text: a string as it is, anything else as JSON without what only its provider can read."""
    if isinstance(value, str):
        return value
    readable = _readable(value)
    return "" if readable in (None, [], {}) else text_of(json.loads(json.dumps(readable, default=str)))


def _readable(value: Any) -> Any:
    if isinstance(value, bytes | bytearray):
        return f"[{len(value)} bytes]"
    if isinstance(value, str | int | float | bool) or value is None:
        return value
    if isinstance(value, list | tuple):
        return [_readable(one) for one in value]
    return {key: _readable(one) for key, one in fields_of(value).items() if key not in _OPAQUE and one is not None}
