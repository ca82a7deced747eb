"""The lines of a JSON journal: one operation each, as JSON with a checksum; a `commit` line ends a transaction.

    {"crc":"5c1a0b7e","put":["namespace","id",created_at,updated_at,expires_at],"keep":false,"data":{…}}
    {"crc":"…","delete":["namespace",["id",…]]}
    {"crc":"…","version":[…as put…],"data":{…}}        a replaced version that was kept (snapshots only)
    {"crc":"…","damaged":["namespace","id"]}            a record that could not be read back (snapshots only)
    {"crc":"…","commit":3}                              the three lines before it happened, all of them

The first line of a file names the format, its version, and the generation (see `json_folder`). Lone surrogates are
written as the bytes they have in UTF-8, so that any text survives.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import JsonValue

from amb_core.errors import StoreCorrupt, StoreVersionError
from amb_core.protocols import Record
from amb_core.stores.record_codec import encode

__all__ = ["Operation", "Transactions", "commit_line", "header_line", "line", "record_line"]

_FORMAT = "amb-journal"
_VERSION = 1
_PREFIX = len('{"crc":"01234567",')

Operation = Mapping[str, Any]
"""One line without its checksum."""


def line(name: str, target: list[Any] | int | str, **more: JsonValue) -> bytes:
    """One operation as a line."""
    payload = encode({name: target, **more})
    raw = payload if isinstance(payload, bytes) else payload.encode()
    body = raw[1:]
    return b'{"crc":"%08x",%b\n' % (zlib.crc32(body), body)


def record_line(name: str, record: Record, **more: JsonValue) -> bytes:
    """A `put` or `version` line."""
    frame = [record.namespace, record.id, record.created_at, record.updated_at, record.expires_at]
    return line(name, frame, **more, data=dict(record.data))


def commit_line(count: int) -> bytes:
    """The end of a transaction of `count` lines."""
    return line("commit", count)


def header_line(generation: int) -> bytes:
    """The first line of a file."""
    return line("format", _FORMAT, version=_VERSION, generation=generation)


@dataclass(slots=True)
class Transactions:
    """The transactions of one file. `sound_bytes` is where the last complete one ended, once all were read.

    What follows the last `commit` is what a process was writing when it was killed: it did not happen. A damaged
    `put` before that is given as `damaged`; any other damaged line is a StoreCorrupt that names it.
    """

    path: Path
    generation: int = -1
    sound_bytes: int = 0
    torn_bytes: int = 0
    _waiting: list[Operation] = field(default_factory=list)
    _broken: int | None = None

    def __iter__(self) -> Iterator[list[Operation]]:
        position = 0
        with self.path.open("rb") as file:
            for number, raw in enumerate(file, 1):
                position += len(raw)
                if number == 1:
                    if not raw.endswith(b"\n"):
                        break  # cut off while the file was being made
                    self._read_header(raw)
                    self.sound_bytes = position
                    continue
                operation = _operation(raw)
                if operation is not None and "commit" in operation:
                    yield self._committed(operation["commit"])
                    self.sound_bytes = position
                elif operation is not None:
                    self._waiting.append(operation)
                else:
                    self._broken = self._broken or number
        self.torn_bytes = position - self.sound_bytes

    def _read_header(self, raw: bytes) -> None:
        header = _operation(raw)
        if header is None or header.get("format") != _FORMAT:
            raise StoreCorrupt(f"{self.path} is no journal of AMB, or its first line is damaged; restore it.")
        if header["version"] > _VERSION:
            raise StoreVersionError(
                f"{self.path} has version {header['version']}, this AMB knows {_VERSION}; upgrade AMB to open it."
            )
        self.generation = header["generation"]

    def _committed(self, count: int) -> list[Operation]:
        done, self._waiting = self._waiting, []
        if self._broken is not None or len(done) != count:
            at = f"line {self._broken}" if self._broken else f"the {count} lines before its byte {self.sound_bytes}"
            raise StoreCorrupt(f"{self.path}: {at} cannot be read back; restore the folder from a backup.")
        return done


def _operation(raw: bytes) -> Operation | None:
    """What a line says; `damaged` for a put whose data cannot be trusted; None for any other damaged line."""
    body = raw[_PREFIX:-1]
    try:
        sound = raw.endswith(b"\n") and raw[:_PREFIX] == b'{"crc":"%08x",' % zlib.crc32(body)
        text = (b"{" + body).decode("utf-8", "surrogatepass")
        if sound:
            operation: Operation = json.loads(text)
            return operation
    except (ValueError, RecursionError):
        return _salvage(body)
    return _salvage(body)


def _salvage(body: bytes) -> Operation | None:
    start = b'"put":'
    if not body.startswith(start):
        return None
    try:
        frame, _ = json.JSONDecoder().raw_decode(body[len(start) :].decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return None
    if isinstance(frame, list) and len(frame) == 5 and all(isinstance(name, str) for name in frame[:2]):
        return {"damaged": frame[:2]}
    return None
