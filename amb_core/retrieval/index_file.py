"""A file of named arrays and JSON values that is either exactly as it was written, or not there at all."""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray
from pydantic import JsonValue
from pydantic_core import from_json

import amb_core.text
from amb_core.file_writer import write_file
from amb_core.retrieval.index_arrays import Packed

__all__ = ["Kept", "read_index", "recipe", "write_index"]

_FORMAT = 2
_MAGIC = b"AMB index\n"
_DIGEST = 32
_VALUES = "values"


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
    arrays: dict[str, NDArray[Any]] = {}
    values: dict[str, Packed] = {part: {} for part in parts}
    for part, packed in parts.items():
        for name, value in packed.items():
            if isinstance(value, np.ndarray):
                arrays[f"{part}:{name}"] = value
            else:
                values[part][name] = value
    arrays[_VALUES] = np.frombuffer(_json_bytes({"header": dict(header), "parts": values}), dtype=np.uint8)
    with write_file(path) as partial, partial.open("w+b") as file:
        file.write(_MAGIC + bytes(_DIGEST))
        np.savez(file, **arrays)  # type: ignore[arg-type]
        file.seek(len(_MAGIC) + _DIGEST)
        digest = hashlib.file_digest(file, "sha256").digest()
        file.seek(len(_MAGIC))
        file.write(digest)


def read_index(path: Path) -> Kept | None:
    """What is in the file; None when there is none, or not exactly what was written."""
    try:
        with path.open("rb") as file:
            start = file.read(len(_MAGIC) + _DIGEST)
            if start != _MAGIC + hashlib.file_digest(file, "sha256").digest():
                return None
            file.seek(len(start))
            with np.load(file, allow_pickle=False) as arrays:
                return _kept({name: arrays[name] for name in arrays.files})
    except (OSError, ValueError, TypeError, KeyError, BadZipFile):  # what is in a foreign or torn file may be anything
        return None


def _kept(arrays: dict[str, NDArray[Any]]) -> Kept:
    told = _parsed(arrays.pop(_VALUES).tobytes())
    kept = Kept(told["header"], told["parts"])
    for name, array in arrays.items():
        part, _, field = name.partition(":")
        kept.parts[part][field] = array
    return kept


def _json_bytes(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")


def _parsed(raw: bytes) -> Any:
    try:
        return from_json(raw)  # several times faster than json, but it takes no lone surrogates
    except ValueError:
        return json.loads(raw.decode("utf-8", "surrogatepass"))
