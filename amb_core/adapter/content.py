"""What stands in a message: any content as text, what it costs, and images as parts."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from hashlib import sha1
from typing import Any

from amb_core.models import AttachmentContent, AttachmentType
from amb_core.text import estimate_tokens

__all__ = ["TokenCounter", "attachment_part", "digest_of", "parts_of", "text_of"]

_MESSAGE_OVERHEAD = 4
_IMAGE_TOKENS = 800
"""What a request pays for one image, roughly; providers differ and charge by size."""


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


def parts_of(content: object) -> list[Any]:
    """Message content as a list of parts."""
    if isinstance(content, list | tuple):
        return list(content)
    text = text_of(content)
    return [{"type": "text", "text": text}] if text else []


def attachment_part(content: AttachmentContent) -> dict[str, Any] | None:
    """A waiting attachment as a message part: an image as a data URL; None for what is not to be looked at."""
    if content.type is not AttachmentType.IMAGE or content.encoding != "base64" or content.problem:
        return None
    url = f"data:{content.media_type or 'image/png'};base64,{content.file_content}"
    return {"type": "image_url", "image_url": {"url": url}}


def digest_of(text: str) -> str:
    """A short fingerprint of a text."""
    return sha1(text.encode("utf-8", "surrogatepass"), usedforsecurity=False).hexdigest()


class TokenCounter:
    """Says what messages cost; a text that was counted once is not counted again.

    `count` counts one text exactly; without it `estimate_tokens` does.
    """

    def __init__(self, count: Callable[[str], int] | None = None) -> None:
        self._count_text = count or estimate_tokens
        self._known: dict[str, int] = {}

    def text(self, text: str) -> int:
        """The cost of one text."""
        if len(text) < 200:
            return self._count_text(text)
        key = digest_of(text)
        if key not in self._known:
            self._known[key] = self._count_text(text)
        return self._known[key]

    def message(self, message: Mapping[str, Any]) -> int:
        """The cost of one message with its tool calls and images."""
        content = message.get("content")
        calls = [message[key] for key in ("tool_calls", "function_call") if message.get(key)]
        return (
            _MESSAGE_OVERHEAD
            + self.text(text_of(content))
            + sum(self.text(text_of(call)) for call in calls)
            + self.images(message)
        )

    @staticmethod
    def images(message: Mapping[str, Any]) -> int:
        """The cost of the images in one message."""
        content = message.get("content")
        parts = content if isinstance(content, list | tuple) else ()
        return sum(isinstance(part, Mapping) and text_of([part]) == "[image]" for part in parts) * _IMAGE_TOKENS
