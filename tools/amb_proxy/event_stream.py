"""Server-sent events, as they come in pieces of any size: each event whole, with the very bytes it was."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

__all__ = ["Event", "EventReader", "as_bytes", "as_json"]

_END = re.compile(rb"\n(?:\r\n|\n|\r(?=[^\n]))|\r(?:\n(?:\r\n|\n|\r(?=[^\n]))|\r\n|\r)")
"""Two ends of lines behind each other; half an end (`\\r` of `\\r\\n`) waits for its other half."""
_LOOKS_BACK = 3
_LINES = re.compile(rb"\r\n|\n|\r")
_MARK = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class Event:
    """One event: its bytes with the blank line behind it, and its JSON object, empty where it has none."""

    raw: bytes
    fields: Mapping[str, Any]

    @property
    def kind(self) -> str:
        """Its `type`, empty where it names none."""
        kind = self.fields.get("type")
        return kind if isinstance(kind, str) else ""

    def changed(self, fields: Mapping[str, Any]) -> Event:
        """The same event with another JSON object; its other lines stay as they came."""
        others = [line for line in _LINES.split(self.raw) if line and not line.startswith(b"data:")]
        return Event(b"\n".join([*others, b"data: " + as_bytes(fields), b"", b""]), fields)


class EventReader:
    """Cuts a stream into events, in time proportional to its length; what is not ended yet waits in `rest`."""

    def __init__(self) -> None:
        self.rest = bytearray()

    def feed(self, piece: bytes) -> list[Event]:
        """The events that this piece of the stream ends."""
        seen = max(0, len(self.rest) - _LOOKS_BACK)
        self.rest += piece
        if self.rest.find(b"\n", seen) < 0 and self.rest.find(b"\r", seen) < 0:
            return []  # which is far quicker than the pattern
        ends = [found.end() for found in _END.finditer(self.rest, seen)]
        raws = [bytes(self.rest[start:end]) for start, end in zip([0, *ends], ends, strict=False)]
        del self.rest[: ends[-1] if ends else 0]
        return [Event(raw, _fields(raw)) for raw in raws]


def as_json(value: Any) -> str:
    """A value as the JSON that is sent."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def as_bytes(body: Mapping[str, Any]) -> bytes:
    """A body as it is sent; half a character, which clients make when they cut a text, stays escaped as it came."""
    try:
        return as_json(body).encode()
    except UnicodeEncodeError:
        return json.dumps(body, separators=(",", ":")).encode()


def _fields(raw: bytes) -> Mapping[str, Any]:
    lines = _LINES.split(raw.removeprefix(_MARK))
    data = b"\n".join(line[5:].removeprefix(b" ") for line in lines if line.startswith(b"data:"))
    try:
        fields = json.loads(data) if data.lstrip().startswith(b"{") else {}
    except (ValueError, RecursionError):
        return {}
    return fields if isinstance(fields, Mapping) else {}
