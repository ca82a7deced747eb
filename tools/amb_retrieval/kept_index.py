"""An index that is kept in a file beside its store: exactly as it was written, or not there at all.

A disk that does not take it costs time at the next opening, nothing else.
"""

from __future__ import annotations

import hashlib
import json
import logging
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray
from pydantic import JsonValue
from pydantic_core import from_json

import amb_core.retrieval
import amb_core.text
import amb_retrieval
from amb_core.file_writer import part_of, write_file
from amb_core.retrieval import Packed

__all__ = ["Kept", "KeptIndex"]

_log = logging.getLogger("amb.retrieval")
_FORMAT = 2
_MAGIC = b"AMB index\n"
_DIGEST = 32
_VALUES = "values"


@dataclass(frozen=True, slots=True)
class Kept:
    """What a file holds: a `header` that says what it belongs to, and the packed parts by name."""

    header: dict[str, JsonValue]
    parts: dict[str, Packed]


class KeptIndex:
    """The file at `path`; `sources` are the caller's modules that have a part in what is kept, as their files.

    An index that was made by another version of them, of `amb_core.text` or of the indexes is not there.
    """

    def __init__(self, path: Path, *sources: Path) -> None:
        self.path = path
        self._sources = sources

    def read(self) -> Kept | None:
        """What is in the file; None when there is none, or not exactly what this version wrote."""
        try:
            with self.path.open("rb") as file:
                start = file.read(len(_MAGIC) + _DIGEST)
                if start != _MAGIC + hashlib.file_digest(file, "sha256").digest():
                    return None
                file.seek(len(start))
                with np.load(file, allow_pickle=False) as arrays:
                    kept = _kept({name: arrays[name] for name in arrays.files})
        except (OSError, ValueError, TypeError, KeyError, BadZipFile):  # a foreign or torn file may hold anything
            return None
        return kept if kept.header.pop("recipe", None) == _recipe(*self._sources) else None

    def write(self, header: Mapping[str, JsonValue], parts: Callable[[], Mapping[str, Packed]]) -> bool:
        """Write the file anew: a reader sees the old one, the new one or none. False when the disk does not take it."""
        try:
            _replace(self.path, {**header, "recipe": _recipe(*self._sources)}, parts())
        except (OSError, UnicodeError) as error:  # a StoreError is an OSError
            _log.warning("an index was not kept (%s); the next opening makes it anew", type(error).__name__)
            with suppress(OSError):  # one that is left is behind its store, and noticed to be
                self.drop()
            return False
        return True

    def drop(self) -> None:
        """Remove the file, with every word in it."""
        for path in (self.path, part_of(self.path)):
            path.unlink(missing_ok=True)


@cache
def _recipe(*sources: Path) -> str:
    """A hash of the code that turns text into an index: another one makes another index of the same records."""
    digest = hashlib.sha256(f"{_FORMAT} {sys.byteorder}".encode())
    modules = (amb_core.text, amb_core.retrieval, amb_retrieval)
    folders = [Path(module.__file__ or "").parent for module in modules]
    for file in (*sources, *(file for folder in folders for file in sorted(folder.glob("*.py")))):
        digest.update(file.read_bytes() if file.exists() else b"")
    return digest.hexdigest()


def _replace(path: Path, header: Mapping[str, JsonValue], parts: Mapping[str, Packed]) -> None:
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
