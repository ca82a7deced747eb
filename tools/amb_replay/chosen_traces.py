"""The traces a user names, and the formats they may have."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from pathlib import Path

from amb_cli.user_language import translate
from amb_core.errors import InvalidInput, InvalidParameter, UnreadableSource
from amb_replay.formats import EXPERIMENTAL, FORMATS, read_traces
from amb_replay.trace import Trace

__all__ = ["formats_text", "traces_in"]

OnSkip = Callable[[Path, InvalidInput], None]
OnFile = Callable[[Path], None]


def traces_in(
    path: Path,
    *,
    limit: int | None = None,
    on_skip: OnSkip = lambda path, error: None,
    on_file: OnFile = lambda path: None,
) -> list[Trace]:
    """The traces of a file, or of all files of a folder; at most `limit` of them, the first ones.

    Of what is passed over in a folder `on_skip` is told, and of what is looked at `on_file`. Raises UnreadableSource
    for a file in no known format and where there is no trace at all.
    """
    if limit is not None and limit < 1:
        raise InvalidParameter("--limit is a number of traces from 1 on")
    if not path.exists():
        raise UnreadableSource(f"{path} does not exist; name a file of traces, or a folder of such files")
    found = list(islice(read_traces(path, on_skip=on_skip, on_file=on_file), limit))
    if not found:
        raise UnreadableSource(f"{path} holds no trace; `amb replay --help` lists the formats that are read")
    return found


def formats_text() -> str:
    """The formats that are read, for the help; what was never tested on a product's own file is marked."""
    lines = [f"  {one.name:20} {translate(one.fields)}{_mark(EXPERIMENTAL.get(one.name, ''))}" for one in FORMATS]
    return "Formats, told by what is in a file:\n" + "\n".join(lines)


def _mark(untested: str) -> str:
    return f"\n{'':23}{translate('EXPERIMENTAL')}: {translate(untested)}" if untested else ""
