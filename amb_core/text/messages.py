"""Messages of a chat as text, and about how many tokens a request with them has, in OpenAI's form."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from amb_core.text.tokens import estimate_tokens

__all__ = ["REASONING", "image_tokens", "message_tokens", "request_tokens", "text_of"]

_EACH_MESSAGE, _EACH_REQUEST = 4, 3
"""Tokens a chat template adds, about."""
_IMAGE_TOKENS = 1_000
"""What a request pays for one image, roughly; providers differ and charge by size."""

REASONING = ("reasoning_content", "reasoning", "reasoning_details", "thinking", "thinking_blocks")
"""Where messages keep what a model thought, by the ways of several providers."""


def text_of(content: object) -> str:
    """Any message content as text: text parts as they are, images as `[image]`, everything else as JSON."""
    if isinstance(content, str):
        return content
    if content is None:
        return ""
    if isinstance(content, bytes | bytearray):
        return f"[{len(content)} bytes]"
    if isinstance(content, list | tuple) and content and all(map(_is_part, content)):
        return "\n".join(map(_part_text, content))
    return json.dumps(content, ensure_ascii=False, sort_keys=True, default=str)


def image_tokens(message: Mapping[str, Any]) -> int:
    """The cost of the images in one message."""
    content = message.get("content")
    parts = content if isinstance(content, list | tuple) else ()
    return sum(map(_is_image, parts)) * _IMAGE_TOKENS


def message_tokens(message: Mapping[str, Any], *, count: Callable[[str], int] = estimate_tokens) -> int:
    """The cost of one message with its tool calls, reasoning and images; `count` says what one text costs."""
    others = [text_of(message[key]) for key in ("tool_calls", "function_call", *REASONING) if message.get(key)]
    return _EACH_MESSAGE + sum(map(count, [text_of(message.get("content")), *others])) + image_tokens(message)


def request_tokens(
    messages: Iterable[Mapping[str, Any]],
    *,
    beside: Sequence[object] = (),
    count: Callable[[str], int] = estimate_tokens,
) -> int:
    """The cost of a request; `beside` is what it carries as JSON beside its messages: tools, the form of the answer."""
    others = sum(count(json.dumps(one, ensure_ascii=False, default=str)) for one in beside if one)
    return _EACH_REQUEST + sum(message_tokens(message, count=count) for message in messages) + others


def _is_image(part: object) -> bool:
    return isinstance(part, Mapping) and not isinstance(part.get("text"), str) and text_of([part]) == "[image]"


def _is_part(part: object) -> bool:
    return isinstance(part, str) or (isinstance(part, Mapping) and isinstance(part.get("type"), str))


def _part_text(part: str | Mapping[str, Any]) -> str:
    if isinstance(part, str):
        return part
    for key in ("text", "refusal"):
        if isinstance(part.get(key), str):
            return str(part[key])
    if any(word in part["type"] for word in ("image", "audio", "file")):
        return f"[{part['type'].partition('_')[0]}]"
    return json.dumps(part, ensure_ascii=False, sort_keys=True, default=str)
