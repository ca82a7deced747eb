"""Joins recorded requests of which each repeats the transcript of the one before to the traces they are of."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

from amb_core.errors import UnreadableSource
from amb_replay.trace import Trace

__all__ = ["MOST_TRACES", "GrowingRequests"]

MOST_TRACES = 50_000
"""Traces of one file."""

Message = Mapping[str, Any]


@dataclass(slots=True)
class _Held:
    """A trace as far as it is known, and the digest of all of it."""

    id: str
    messages: list[dict[str, Any]]
    tools: tuple[dict[str, Any], ...]
    model: str
    end: bytes


class GrowingRequests:
    """Takes transcripts in the order they were made; one that goes on where another ended is joined to it.

    System messages at the beginning may differ, and a result is told by its call: an agent that shortens old results
    is one trace, and its messages are those that were seen first.
    """

    def __init__(self, format: str) -> None:
        self._format = format
        self._held: list[_Held] = []
        self._ends: dict[bytes, _Held] = {}

    def add(
        self,
        messages: Sequence[dict[str, Any]],
        *,
        id: str = "",
        tools: tuple[dict[str, Any], ...] = (),
        model: str = "",
    ) -> None:
        """Take in one request's transcript, with its answer where that is known."""
        digests = _digests(messages)
        for at in range(len(digests) - 1, -1, -1):
            held = self._ends.get(digests[at]) if digests[at] else None
            if held is not None:
                del self._ends[held.end]
                held.messages += messages[at + 1 :]
                held.tools, held.model = tools or held.tools, model or held.model
                break
        else:
            if len(self._held) >= MOST_TRACES:
                raise UnreadableSource(f"the file has more than {MOST_TRACES:,} traces; split it.")
            held = _Held(id, list(messages), tools, model, b"")
            self._held.append(held)
        held.end = digests[-1] if digests else b""
        if held.end:
            self._ends[held.end] = held

    def traces(self) -> list[Trace]:
        """The traces, in the order of their first request."""
        return [Trace(h.id, tuple(h.messages), h.tools, h.model, self._format) for h in self._held if h.messages]


def _digests(messages: Sequence[Message]) -> list[bytes]:
    """Of each message what stands for the transcript up to it; b"" for the system messages at the beginning."""
    made: list[bytes] = []
    so_far = b""
    for message in messages:
        if so_far or message["role"] != "system":
            so_far = blake2b(so_far + _told(message).encode(), digest_size=12).digest()
        made.append(so_far)
    return made


def _told(message: Message) -> str:
    """What tells a message from others, where two recordings of one may differ in the rest."""
    if message["role"] == "tool":
        return f"tool {message['tool_call_id']}"
    calls = message.get("tool_calls")
    if calls:
        return "calls " + json.dumps([(call["id"], call["function"]["name"], _same(call)) for call in calls])
    content = message["content"]
    return f"{message['role']} {content.strip() if isinstance(content, str) else json.dumps(content)}"


def _same(call: Mapping[str, Any]) -> str:
    """The arguments of a call, however they were laid out."""
    try:
        return json.dumps(json.loads(call["function"]["arguments"]), sort_keys=True)
    except (ValueError, RecursionError):
        return str(call["function"]["arguments"])
