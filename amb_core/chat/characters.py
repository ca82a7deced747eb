"""Text that a request can carry: half a character, which some models write, is shown as its escape."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from amb_core.chat_io import ChatReply

__all__ = ["encodable", "readable"]


def encodable(value: Any) -> Any:
    """The value with every lone surrogate in its texts as an escape; lists and mappings are copied."""
    if isinstance(value, str):
        return value if value.isascii() else value.encode("utf-8", "backslashreplace").decode("utf-8")
    if isinstance(value, Mapping):
        return {encodable(key): encodable(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [encodable(item) for item in value]
    return value


def readable(reply: ChatReply) -> ChatReply:
    """The reply with texts that can be encoded: they are shown, logged, stored, and sent with the next request."""
    calls = tuple(
        replace(call, id=encodable(call.id), name=encodable(call.name), arguments=encodable(call.arguments))
        for call in reply.tool_calls
    )
    return replace(reply, text=encodable(reply.text), tool_calls=calls, model=encodable(reply.model))
