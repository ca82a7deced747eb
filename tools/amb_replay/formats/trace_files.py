"""Reads the traces of a file or a folder, whatever format each file has."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import chain, islice
from pathlib import Path
from typing import Any

from amb_core.errors import ForbiddenPath, InvalidInput, UnreadableSource
from amb_replay.formats.agent_logs import (
    AG2_CHATS,
    ATIF,
    AUTOGEN_MESSAGES,
    LANGGRAPH_STATES,
    OPENCODE,
    OPENHANDS_OUTPUT,
    PI,
    TAU_BENCH,
)
from amb_replay.formats.agent_sessions import CLAUDE_CODE, CODEX_ROLLOUT, OPENHANDS_EVENTS, SWE_AGENT
from amb_replay.formats.json_values import LARGEST_VALUE, read_values
from amb_replay.formats.provider_messages import ANTHROPIC_MESSAGES, OPENAI_CHAT, OPENAI_RESPONSES
from amb_replay.formats.span_formats import GEN_AI_SPANS, LANGFUSE_OBSERVATIONS, LANGSMITH_RUNS, OPEN_INFERENCE
from amb_replay.trace import Trace, TraceFormat

__all__ = ["EXPERIMENTAL", "FORMATS", "read_traces"]

FORMATS: tuple[TraceFormat, ...] = (
    CLAUDE_CODE,
    CODEX_ROLLOUT,
    PI,
    OPENCODE,
    SWE_AGENT,
    OPENHANDS_OUTPUT,
    OPENHANDS_EVENTS,
    ATIF,
    TAU_BENCH,
    AUTOGEN_MESSAGES,
    AG2_CHATS,
    LANGGRAPH_STATES,
    LANGSMITH_RUNS,
    LANGFUSE_OBSERVATIONS,
    OPEN_INFERENCE,
    GEN_AI_SPANS,
    OPENAI_RESPONSES,
    ANTHROPIC_MESSAGES,
    OPENAI_CHAT,
)
"""Every format that is read. The first one that knows a record of a file is the file's: the plainest comes last."""

EXPERIMENTAL: dict[str, str] = {known.name: known.experimental for known in FORMATS if known.experimental}
"""What was never tested on a file that the product itself wrote, by the name of its format."""

_LOOKED_AT = 200
"""Records of a file by which its format is told."""

_STUMBLES = (AttributeError, IndexError, KeyError, TypeError)
"""What reading a field brings that is of another kind than expected."""

_LARGEST_PIECE = 2**20
_SHOWN, _MOST_SHOWN = 30, 8
"""So much is told of the fields of a file in no format."""

_MOST_FILES, _MOST_BYTES = 20_000, 2**30
"""Files of a folder that are looked at, and bytes of those that hold no trace; what lies behind is passed over."""

OnSkip = Callable[[Path, InvalidInput], None]
OnFile = Callable[[Path], None]


def read_traces(
    path: str | Path,
    *,
    on_skip: OnSkip | None = None,
    on_file: OnFile | None = None,
    largest: int = LARGEST_VALUE,
) -> Iterator[Trace]:
    """The traces in a file, or in all files of a folder and the folders in it, by name; a file is read whole or not.

    The format is told by content. In a folder, what is hidden is passed over, and so is what holds no trace, cannot
    be read or lies elsewhere, of which `on_skip(path, error)` is told, also where there are too many files to look at;
    `on_file(path)` is told of each file before it is read. `largest` bytes may one line have, or a file that is not
    JSON Lines.
    Raises UnreadableSource for a file that cannot be read or is of no known format, and for a folder without traces.
    """
    if not isinstance(path, str | os.PathLike) or not str(path) or "\0" in str(path):
        raise UnreadableSource(f"{str(path)[:80]!r} is no path; name a folder or a file.")
    told = on_skip or (lambda _path, _error: None), on_file or (lambda _path: None)
    return _unlike(_read(Path(path), *told, largest))


def _read(path: Path, on_skip: OnSkip, on_file: OnFile, largest: int) -> Iterator[Trace]:
    if not path.is_dir():
        yield from _read_files([path], largest)
        return
    found = in_vain = 0
    for files in _grouped(_first(_files(path, on_skip), path, on_skip, on_file), largest):
        try:
            traces = _read_files(files, largest)
        except InvalidInput as error:
            on_skip(files[0], error)
            in_vain += sum(file.stat().st_size for file in files if file.is_file()) if _is_json(files[0]) else 0
            if in_vain > _MOST_BYTES:
                on_skip(path, UnreadableSource(f"{path} holds much JSON that is no trace; name a folder in it."))
                break
            continue
        found += len(traces)
        yield from traces
    if not found:
        raise UnreadableSource(f"{path} holds no trace; `amb replay --help` lists the formats that are read")


def _unlike(traces: Iterable[Trace]) -> Iterator[Trace]:
    """The traces, those whose id came before with a number behind it."""
    seen: Counter[str] = Counter()
    for trace in traces:
        seen[trace.id] += 1
        yield trace if seen[trace.id] == 1 else replace(trace, id=f"{trace.id}#{seen[trace.id]}")


# --- files ------------------------------------------------------------------------------------------------------------


def _files(folder: Path, on_skip: OnSkip) -> Iterator[Path]:
    real = os.path.realpath(folder)

    def unlistable(error: OSError) -> None:
        on_skip(Path(error.filename), UnreadableSource(f"{error.filename} cannot be listed ({error.strerror})."))

    for parent, folders, names in os.walk(folder, onerror=unlistable):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        linked = [name for name in folders if Path(parent, name).is_symlink()]
        for path in (Path(parent, name) for name in sorted([*names, *linked])):
            if path.is_symlink() and not Path(os.path.realpath(path)).is_relative_to(real):
                on_skip(path, ForbiddenPath(f"{path} is a link out of the folder, which is not followed."))
            elif not path.name.startswith(".") and not path.is_dir():
                yield path


def _first(files: Iterable[Path], folder: Path, on_skip: OnSkip, on_file: OnFile) -> Iterator[Path]:
    """So many files as are looked at, each told of."""
    for number, path in enumerate(files):
        if number == _MOST_FILES:
            on_skip(folder, UnreadableSource(f"{folder}: only the first {number:,} files were looked at."))
            return
        on_file(path)
        yield path


def _is_json(path: Path) -> bool:
    """Whether a file begins as JSON does: only such files are read to their end."""
    try:
        with path.open("rb") as file:
            return file.read(64).lstrip()[:1] in (b"{", b"[")
    except OSError:
        return False


def _grouped(files: Iterable[Path], largest: int) -> Iterator[list[Path]]:
    """The files that are read together: alone, or a folder's next to each other that are pieces of one trace."""
    group: list[Path] = []
    for path in files:
        piece = _is_piece(path, largest)
        if group and not (piece and group[0].parent == path.parent):
            yield group
            group = []
        if piece:
            group.append(path)
        else:
            yield [path]
    if group:
        yield group


def _is_piece(path: Path, largest: int) -> bool:
    """Whether a file is one event alone."""
    try:
        if path.stat().st_size > _LARGEST_PIECE:
            return False
        records = list(islice(read_values(path, largest=largest), 2))
    except (OSError, UnreadableSource):
        return False
    return len(records) == 1 and any(known.in_pieces and _is_of(known, records[0]) for known in FORMATS)


def _read_files(files: list[Path], largest: int) -> list[Trace]:
    """The traces of one file, or of the pieces of one; all or an error."""
    name = os.fsencode(files[0].stem if len(files) == 1 else _folder_name(files[0])).decode("utf-8", "replace")
    records = chain.from_iterable(_records(file, largest) for file in files)
    try:
        first = list(islice(records, _LOOKED_AT))
        known = _format_of(files[0], first)
        traces = [trace for trace in _traces(files[0], known, _consumed(first, records)) if trace.messages]
    except RecursionError:
        raise UnreadableSource(f"{files[0]} is nested too deeply to be read; leave that part out.") from None
    if not traces:
        raise UnreadableSource(f"{files[0]} is of the format {known.name} and holds no messages; record them as well.")
    return [trace if trace.id else replace(trace, id=name) for trace in traces]


def _traces(path: Path, known: TraceFormat, records: Iterable[Any]) -> list[Trace]:
    """What a format makes of records; what it stumbles over is told with the number of the record."""
    number = 0

    def counted() -> Iterator[Any]:
        nonlocal number
        for number, record in enumerate(records, 1):  # noqa: B007 - it is read when something goes wrong
            yield record

    try:
        return list(known.read(counted()))
    except _STUMBLES as error:
        raise UnreadableSource(
            f"{path}: record {number} has a field of another kind than {known.name} has ({error}); leave it out."
        ) from error
    except UnreadableSource as error:
        raise error if str(path) in str(error) else UnreadableSource(f"{path}: record {number}: {error}") from None


def _folder_name(file: Path) -> str:
    """The name of a conversation whose events are files; the folder of events is named for what is in it."""
    parent = file.parent
    return parent.parent.name if parent.name == "events" else parent.name


def _records(path: Path, largest: int) -> Iterator[Any]:
    """The values of a file; where all of it is one list, the elements of that."""
    values = read_values(path, largest=largest)
    first = next(values)
    second = next(values, None)
    if second is None and isinstance(first, list):
        yield from _consumed(first, ())
        return
    yield first
    del first
    if second is not None:
        yield second
        del second
        yield from values


def _consumed(first: list[Any], rest: Iterable[Any]) -> Iterator[Any]:
    """The values of a list, which are let go one by one, and those behind it."""
    first.reverse()
    while first:
        yield first.pop()
    yield from rest


def _format_of(path: Path, records: list[Any]) -> TraceFormat:
    for known in FORMATS:
        if any(_is_of(known, record) for record in records):
            return known
    raise UnreadableSource(
        f"{path} is of no format that is read: {_seen(records)}; `amb replay --help` lists the formats and what each "
        "is known by"
    )


def _seen(records: list[Any]) -> str:
    """What a file begins with, in the names of its fields, none of its values."""
    first = records[0] if records else None
    if isinstance(first, Mapping):
        names = ", ".join(str(name)[:_SHOWN] for name in list(first)[:_MOST_SHOWN])
        return f"it begins with an object with the fields {names}" if names else "it begins with an empty object"
    return f"it begins with a {type(first).__name__}" if records else "it is empty"


def _is_of(known: TraceFormat, record: Any) -> bool:
    """Whether a record is of a format, whatever its fields are."""
    try:
        return known.knows(record)
    except _STUMBLES:
        return False
