"""Server-sent events, as they come in pieces of any size: each event whole, with the very bytes it was."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

__all__ = ["Event", "EventReader", "event_of"]

_END = re.compile(rb"\r\n\r\n|\n\n|\r\r")
_LINES = re.compile(rb"\r\n|\n|\r")


@dataclass(frozen=True, slots=True)
class Event:
    """One event: its bytes with the blank line behind it, and its JSON object, empty where it has none."""

    raw: bytes
    fields: Mapping[str, Any]


class EventReader:
    """Cuts a stream into events; what is not ended yet waits in `rest`."""

    def __init__(self) -> None:
        self.rest = b""

    def feed(self, piece: bytes) -> list[Event]:
        """The events that this piece of the stream ends."""
        self.rest += piece
        found, start = list[Event](), 0
        for end in _END.finditer(self.rest):
            raw = self.rest[start : end.end()]
            found.append(Event(raw, _fields(raw)))
            start = end.end()
        self.rest = self.rest[start:]
        return found


def event_of(fields: Mapping[str, Any], *, named: bool) -> Event:
    """An event of our own; `named` ones say their type in a line of their own, as Anthropic and Responses do."""
    name = f"event: {fields.get('type')}\n" if named else ""
    data = json.dumps(fields, ensure_ascii=False, separators=(",", ":"))
    return Event(f"{name}data: {data}\n\n".encode(), fields)


def _fields(raw: bytes) -> Mapping[str, Any]:
    data = b"\n".join(_data(_LINES.split(raw)))
    try:
        fields = json.loads(data) if data.startswith(b"{") else {}
    except ValueError:
        return {}
    return fields if isinstance(fields, Mapping) else {}


def _data(lines: Iterable[bytes]) -> Iterable[bytes]:
    for line in lines:
        if line.startswith(b"data:"):
            yield line[5:].removeprefix(b" ")
