"""What stands in a message: any content as text, what it costs, and images as parts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from hashlib import sha1
from typing import Any

from amb_core.models import AttachmentContent, AttachmentType
from amb_core.text import estimate_tokens
from amb_core.text.messages import image_tokens, message_tokens, request_tokens, text_of

__all__ = ["TokenCounter", "attachment_part", "digest_of", "parts_of", "text_of"]


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
        return message_tokens(message, count=self.text)

    def request(self, messages: Iterable[Mapping[str, Any]], *, tools: Sequence[object] = ()) -> int:
        """The cost of a request with these messages and tools."""
        return request_tokens(messages, beside=[tools], count=self.text)

    @staticmethod
    def images(message: Mapping[str, Any]) -> int:
        """The cost of the images in one message."""
        return image_tokens(message)
