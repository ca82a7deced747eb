"""A file of named arrays and JSON values that is either exactly as it was written, or not there at all."""

from __future__ import annotations

import hashlib
import json
import math
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray
from pydantic import JsonValue
from pydantic_core import from_json

import amb_core.text
from amb_core.retrieval.packing import Packed

__all__ = ["Kept", "read_index", "recipe", "write_index"]

_FORMAT = 1
_MAGIC = b"AMB index\n"
_DIGEST = 32
_LENGTH = 8
_JSON = "json"
_ALIGNED = 64
_DTYPES = {"<f4", "<f8", "<i8", "<i4", "<u4", "|u1", "|S12"}


@dataclass(frozen=True, slots=True)
class Kept:
    """What a file holds: a `header` that says what it belongs to, and the packed parts by name."""

    header: dict[str, JsonValue]
    parts: dict[str, Packed]


@cache
def recipe(*files: Path) -> str:
    """A hash of the code that turns text into an index: another one makes another index of the same records.

    `files` are those of the caller's that have a part in it, beside all of `amb_core.text` and `amb_core.retrieval`.
    """
    digest = hashlib.sha256(f"{_FORMAT} {sys.byteorder}".encode())
    folders = [Path(amb_core.text.__file__ or "").parent, Path(__file__).parent]
    for file in (*files, *(file for folder in folders for file in sorted(folder.glob("*.py")))):
        digest.update(file.read_bytes() if file.exists() else b"")
    return digest.hexdigest()


def write_index(path: Path, header: Mapping[str, JsonValue], parts: Mapping[str, Packed]) -> None:
    """Write a file beside `path` and move it there, so that a reader sees the old one, the new one or none.

    Raises OSError when the disk will not take it; nothing is left behind then.
    """
    directory: list[JsonValue] = []
    blocks: list[bytes | memoryview] = []
    for part, values in parts.items():
        for name, value in values.items():
            kind, shape, block = _block(value)
            directory.append([part, name, kind, shape, len(block)])
            gap = -len(block) % _ALIGNED
            blocks += [block, bytes(gap)]
    head = _json_bytes({"header": dict(header), "directory": directory})
    head += b" " * (-(len(_MAGIC) + _DIGEST + _LENGTH + len(head)) % _ALIGNED)
    digest = hashlib.sha256(head)
    for block in blocks:
        digest.update(block)
    partial = path.with_name(f"{path.name}.part")
    try:
        with partial.open("wb") as file:
            file.write(_MAGIC + digest.digest() + len(head).to_bytes(_LENGTH, "little") + head)
            for block in blocks:
                file.write(block)
        os.replace(partial, path)
    except OSError:
        partial.unlink(missing_ok=True)
        raise


def read_index(path: Path) -> Kept | None:
    """What is in the file; None when there is none, or not exactly what was written."""
    try:
        with path.open("rb") as file:
            return _read(file)
    except (OSError, ValueError, TypeError, KeyError):  # what is in a foreign or torn file may be anything
        return None


def _read(file: BinaryIO) -> Kept | None:
    start = file.read(len(_MAGIC) + _DIGEST + _LENGTH)
    if start[: len(_MAGIC)] != _MAGIC:
        return None
    size = os.fstat(file.fileno()).st_size
    length = int.from_bytes(start[-_LENGTH:], "little")
    if len(start) + length > size:
        return None
    head = file.read(length)
    digest = hashlib.sha256(head)
    kept, texts = Kept({}, {}), []
    directory = _parsed(head)
    kept.header.update(directory["header"])
    for part, name, kind, shape, bytes_ in directory["directory"]:
        if bytes_ > size or kind not in (_JSON, *_DTYPES):
            return None
        if kind != _JSON and math.prod(shape) * np.dtype(kind).itemsize != bytes_:
            return None
        block = np.empty([bytes_], dtype=np.uint8) if kind == _JSON else np.empty(shape, dtype=kind)
        _fill(file, block, digest)
        kept.parts.setdefault(part, {})[name] = block
        if kind == _JSON:
            texts.append((part, name))
    if file.read(1) or digest.digest() != start[len(_MAGIC) : -_LENGTH]:
        return None
    for part, name in texts:
        kept.parts[part][name] = _parsed(kept.parts[part][name].tobytes())
    return kept


def _fill(file: BinaryIO, block: NDArray[Any], digest: hashlib._Hash) -> None:
    """Read an array and the gap after it; ValueError when the file ends before."""
    content = block.reshape(-1).view(np.uint8).data
    gap = -len(content) % _ALIGNED
    if file.readinto(content) != len(content):  # type: ignore[attr-defined]
        raise ValueError("the file ends too early")
    digest.update(content)
    digest.update(file.read(gap))


def _block(value: NDArray[Any] | JsonValue) -> tuple[str, list[JsonValue], bytes | memoryview]:
    if not isinstance(value, np.ndarray):
        return _JSON, [], _json_bytes(value)
    whole = np.ascontiguousarray(value)
    kind = whole.dtype.newbyteorder("<").str
    if kind not in _DTYPES:
        raise TypeError(f"arrays of {kind} are not kept")
    return kind, list(whole.shape), whole.astype(kind, copy=False).reshape(-1).view(np.uint8).data


def _json_bytes(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")


def _parsed(raw: bytes) -> Any:
    try:
        return from_json(raw)  # several times faster than json, but it takes no lone surrogates
    except ValueError:
        return json.loads(raw.decode("utf-8", "surrogatepass"))
