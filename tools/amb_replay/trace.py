"""A recorded run of an agent, whatever wrote it down, and what a format of such files is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

__all__ = ["Record", "Trace", "TraceFormat"]


@dataclass(frozen=True, slots=True)
class Trace:
    """The messages of one run in OpenAI's chat form, in order, and what else its file says.

    Calls stand in `tool_calls`, results are messages of role "tool" with `tool_call_id`, and reasoning is
    `reasoning_content`. `tools` are the schemas the agent was given, `model` what it ran on, and `format` the name of
    the format it was read from; each is empty where the file does not say.
    """

    id: str
    messages: tuple[dict[str, Any], ...]
    tools: tuple[dict[str, Any], ...] = ()
    model: str = ""
    format: str = ""


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
