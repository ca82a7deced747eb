"""What a format of trace files is: how it is told, and how its records become traces."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from amb_replay.trace import Trace

__all__ = ["Record", "TraceFormat"]

Record = Any
"""One JSON value of a file: a line of it, an element of its one list, or all of it."""


@dataclass(frozen=True, slots=True)
class TraceFormat:
    """One format of trace files.

    `knows` says whether a record can only be of this format; `fields` names what it looks for, for the error. `read`
    makes traces of all records of a file, the ids being those in the file or "". `in_pieces` says that each record is
    a file of its own, so that the files of one folder are one trace. `experimental` says what of the format was never
    tested on a file that its product wrote.
    """

    name: str
    fields: str
    knows: Callable[[Record], bool]
    read: Callable[[Iterable[Record]], Iterator[Trace]]
    in_pieces: bool = False
    experimental: str = ""
