"""The JSON values of a file, read in bounded memory: JSON Lines line by line, anything else as a whole."""

from __future__ import annotations

import json
import math
import os
import re
import stat
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

from amb_core.errors import UnreadableSource

__all__ = ["LARGEST_VALUE", "parse_text", "read_values"]

LARGEST_VALUE = 64 * 2**20
"""Bytes of one line, or of a file that is not JSON Lines."""

_LONGEST_NUMBER = 400
_MEMORY_FACTOR = 10
_SMALL = 2**20
"""Bytes below which it does not matter how much memory a value takes."""

_HALVES = re.compile(
    r"(?<!\\)((?:\\\\)*+)(?:(?P<pairs>(?:\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2})++)"
    r"|\\u[dD][89a-fA-F][0-9a-fA-F]{2})"
)
"""Escaped surrogates: whole pairs, or a half alone."""

_HEAD = 4_096
"""Bytes by which a file that is no JSON is told, so that a large one is not read for nothing."""

_BOM = b"\xef\xbb\xbf"
_WIDE_BOMS = (b"\xff\xfe", b"\xfe\xff")
_BLANK = re.compile(r"[ \t\r\n]*+")


class _Refused(ValueError):
    """JSON that is understood and not accepted."""


def read_values(path: Path, *, largest: int = LARGEST_VALUE) -> Iterator[Any]:
    """The JSON values of a file, in order: one a line, or several below each other in any layout.

    Raises UnreadableSource for what is missing, no file, not UTF-8, no JSON, over `largest` bytes, or so built that it
    would take more than ten times its size in memory; the text says where.
    """
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            raise UnreadableSource(f"{path} is no regular file; name a file or a folder.")
        with path.open("rb") as file:
            yield from _values(path, file, largest)
    except FileNotFoundError:
        raise UnreadableSource(f"{path} does not exist; check the path.") from None
    except OSError as error:
        raise UnreadableSource(f"{path} cannot be read ({error.strerror}); check its permissions.") from None


def parse_text(text: str) -> Any:
    """The value of a JSON text, under the same rules as a file; raises ValueError for anything else."""
    _check_memory(text)
    text = _whole_pairs(text)
    value, end = _DECODER.raw_decode(text, _after_blanks(text, 0))
    if _after_blanks(text, end) < len(text):
        raise ValueError("there is more behind the value")
    return value


def _values(path: Path, file: BinaryIO, largest: int) -> Iterator[Any]:
    head = file.read(_HEAD).removeprefix(_BOM)
    if head.strip() and not (head.startswith(_WIDE_BOMS) or head.lstrip().startswith((b"{", b"["))):
        raise UnreadableSource(
            f"{path} is no JSON: it begins with no bracket; `amb replay --help` lists the formats that are read"
        )
    file.seek(0)
    number, first = 0, b""
    while not first.strip():
        first = _line(path, file, largest, number := number + 1)
        if not first:
            raise UnreadableSource(f"{path} is empty; name a file with a trace in it.")
        if number == 1:
            if first.startswith(_WIDE_BOMS):
                raise UnreadableSource(f"{path} is UTF-16; save it as UTF-8.")
            first = first.removeprefix(_BOM)
    try:
        value = _parse(path, number, first)
    except UnreadableSource:
        rest = file.read(min(largest, os.fstat(file.fileno()).st_size) - len(first) + 1)
        if not rest.strip():
            raise
        yield from _laid_out(path, first + rest, largest)
        return
    del first
    yield value
    del value
    while line := _line(path, file, largest, number := number + 1):
        if line.strip():
            yield _parse(path, number, line)


def _line(path: Path, file: BinaryIO, largest: int, number: int) -> bytes:
    line = file.readline(largest + 1)
    if len(line) > largest:
        raise UnreadableSource(f"{path}:{number} is a line of more than {largest:,} bytes; split the file.")
    return line


def _parse(path: Path, number: int, line: bytes) -> Any:
    place = f"{path}:{number}"
    text = _decoded(place, line)
    del line
    try:
        return parse_text(text)
    except (ValueError, RecursionError) as error:
        raise _unreadable(place, error) from None


def _laid_out(path: Path, data: bytes, largest: int) -> Iterator[Any]:
    """Values below each other, each in as many lines as it likes."""
    if len(data) > largest:
        raise UnreadableSource(f"{path} has more than {largest:,} bytes and is not JSON Lines; split it.")
    text = _decoded(str(path), data)
    del data
    try:
        _check_memory(text)
    except _Refused as error:
        raise _unreadable(str(path), error) from None
    text = _whole_pairs(text)
    at = 0
    while (at := _after_blanks(text, at)) < len(text):
        try:
            value, at = _DECODER.raw_decode(text, at)
        except (ValueError, RecursionError) as error:
            raise _unreadable(str(path), error) from None
        yield value


def _after_blanks(text: str, at: int) -> int:
    found = _BLANK.match(text, at)
    return found.end() if found else at


def _decoded(place: str, data: bytes) -> str:
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise UnreadableSource(
            f"{place} is not UTF-8 (byte {error.start:,} is 0x{data[error.start]:02x}); save it as UTF-8."
        ) from None
    return text


def _whole_pairs(text: str) -> str:
    """The text with U+FFFD for each escaped half of a surrogate pair, which no store could hold."""
    if "\\ud" not in text and "\\uD" not in text:
        return text
    return _HALVES.sub(lambda found: found[0] if found["pairs"] else f"{found[1]}\\ufffd", text)


def _check_memory(text: str) -> None:
    """Refuses what would take far more memory than its own size, of which that of its characters is the least."""
    if len(text) > _SMALL and _memory_of(text) > _MEMORY_FACTOR * len(text):
        raise _Refused(
            f"would take more than {_MEMORY_FACTOR} times its size in memory; leave out its many tiny values"
        )


def _memory_of(text: str) -> int:
    """About how many bytes the text and the values in it take; never much less."""
    objects, lists, colons = text.count("{"), text.count("["), text.count(":")
    strings = max(0, text.count('"') // 2 - colons)
    wide = max(0, colons - 5 * objects)
    return sys.getsizeof(text) + 184 * objects + 64 * lists + 30 * text.count(",") + 50 * strings + 100 * wide


def _unreadable(place: str, error: Exception) -> UnreadableSource:
    if isinstance(error, RecursionError):
        return UnreadableSource(f"{place} is nested too deeply to be read; leave that part out.")
    if isinstance(error, _Refused):
        return UnreadableSource(f"{place} {error}.")
    return UnreadableSource(f"{place} is no JSON; the file may be cut off, or of another kind.")


# --- what is not accepted ---------------------------------------------------------------------------------------------


def _unrepeated(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        twice = Counter(name for name, _ in pairs).most_common(1)[0][0]
        raise _Refused(f"has the key {twice[:40]!r} twice in one object; keep one of them")
    return made


def _integer(digits: str) -> int:
    if len(digits) > _LONGEST_NUMBER:
        raise _Refused(f"has a number of {len(digits):,} digits; write it as text")
    return int(digits)


def _fraction(digits: str) -> float:
    number = float(digits)
    if math.isinf(number):
        raise _Refused(f"has the number {digits[:40]}, which is too large; write it as text")
    return number


def _no_number(_name: str) -> None:
    """NaN and Infinity, which some libraries write and JSON does not know."""


_DECODER = json.JSONDecoder(
    object_pairs_hook=_unrepeated, parse_int=_integer, parse_float=_fraction, parse_constant=_no_number
)
