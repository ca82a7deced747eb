"""The traces a user names, and the formats they may have."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import Any

from amb_core.errors import InvalidInput, InvalidParameter, UnreadableSource
from amb_replay.trace import Trace

__all__ = ["formats_text", "traces_in"]

_READERS = "amb_replay.formats"
OnSkip = Callable[[Path, InvalidInput], object]


def traces_in(path: Path, *, limit: int | None = None, on_skip: OnSkip = lambda path, error: None) -> list[Trace]:
    """The traces of a file, or of all files of a folder; at most `limit` of them, the first ones.

    Of what is passed over in a folder `on_skip` is told. Raises UnreadableSource for a file in no known format and
    where there is no trace at all.
    """
    if limit is not None and limit < 1:
        raise InvalidParameter("--limit is a number of traces from 1 on")
    if not path.exists():
        raise UnreadableSource(f"{path} does not exist; name a file of traces, or a folder of such files")
    if find_spec(_READERS) is None:
        found = list(islice(_plain_traces(path), limit))
    else:
        found = list(islice(import_module(_READERS).read_traces(path, on_skip=on_skip), limit))
    if not found:
        raise UnreadableSource(f"{path} holds no trace; `amb replay --help` lists the formats that are read")
    return found


def formats_text() -> str:
    """The formats that are read, for the help; what was never tested on a product's own file is marked."""
    formats: Any = import_module(_READERS) if find_spec(_READERS) is not None else None
    known: Mapping[str, str] = {one.name: one.fields for one in formats.FORMATS} if formats else {}
    marked: Mapping[str, str] = formats.EXPERIMENTAL if formats else {}
    known = known or {"openai-chat": "messages with `role` and `content` under `messages`, one object a line"}
    lines = [f"  {name:20} {fields}{_mark(marked.get(name, ''))}" for name, fields in known.items()]
    return "Formats, told by what is in a file:\n" + "\n".join(lines)


def _mark(untested: str) -> str:
    return f"\n{'':23}EXPERIMENTAL: {untested}" if untested else ""


def _plain_traces(path: Path) -> Iterator[Trace]:
    """Objects with `messages` in OpenAI's chat form, one a line."""
    files = sorted(path.glob("*.jsonl")) if path.is_dir() else [path]
    for file in files:
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
            try:
                row = json.loads(line)
                yield Trace(str(row.get("id", number)), tuple(row["messages"]), model=str(row.get("model") or ""))
            except (ValueError, KeyError, TypeError, AttributeError):
                raise UnreadableSource(f"line {number} of {file} is no object with `messages`") from None
