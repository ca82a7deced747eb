"""Traces from files: one file, or every file of a folder."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from amb_core.errors import InvalidParameter, UnreadableSource
from amb_replay.trace import Trace

__all__ = ["formats_text", "traces_in"]

_ENDINGS = {".json", ".jsonl", ".ndjson", ".traj", ".log", ".txt"}


def traces_in(path: Path, *, limit: int | None = None) -> list[Trace]:
    """The traces of a file, or of all files of a folder in the order of their names; at most `limit` of them.

    Raises UnreadableSource for a file in no known format and where there is no trace at all.
    """
    if limit is not None and limit < 1:
        raise InvalidParameter("--limit is a number of traces from 1 on")
    if not path.exists():
        raise UnreadableSource(f"{path} does not exist; name a file of traces, or a folder of such files")
    files = [path]
    if path.is_dir():
        files = sorted(file for file in path.rglob("*") if file.suffix.lower() in _ENDINGS and file.is_file())
    found = list(islice((trace for file in files for trace in read_traces(file)), limit))
    if not found:
        raise UnreadableSource(f"{path} holds no trace; `amb replay --help` lists the formats that are read")
    return found


def formats_text() -> str:
    """The formats that are read, for the help."""
    return 'Formats: JSON Lines of {"messages": […]} in OpenAI\'s chat form.'


def read_traces(file: Path) -> Iterator[Trace]:
    """The traces of one file of JSON Lines, each an object with `messages` in OpenAI's chat form."""
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        row = json.loads(line)
        yield Trace(str(row.get("id", number)), tuple(row["messages"]), model=str(row.get("model") or ""))
