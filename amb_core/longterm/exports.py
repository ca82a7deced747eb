"""Memory as files: one JSON line per record with its history; a deleted record leaves the files that were written."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from amb_core.errors import InvalidExport
from amb_core.file_writer import write_file
from amb_core.longterm.memory_records import MemoryRecord
from amb_core.protocols import Record, RecordQuery, RecordStore

__all__ = ["Exports", "read_export"]

_WRITTEN = "memory-exports"
_HEAD = {"format": "amb-long-term-memory", "version": 1}


class Exports:
    """Writes files and remembers where, in the store whose records they hold."""

    def __init__(self, store: RecordStore) -> None:
        self._store = store

    def write(self, path: str | Path, histories: Iterable[list[MemoryRecord]], *, namespace: str) -> Path:
        """Write records with their versions, oldest first; the file is whole or not there. Raises OSError."""
        target = Path(path).absolute()
        head = json.dumps({**_HEAD, "namespace": namespace}, ensure_ascii=True)
        _replace(target, chain([head], (_line(versions) for versions in histories if versions)))
        self._store.put([Record(_WRITTEN, str(target), {"namespace": namespace})])
        return target

    def without(self, record_ids: Iterable[str], *, namespace: str) -> list[str]:
        """Take records out of the files written earlier; returns the files that could not be changed."""
        gone = set(record_ids)
        failed: list[str] = []
        for written in self._store.search(RecordQuery(_WRITTEN, where={"namespace": namespace})):
            path = Path(written.id)
            try:
                _cleaned(path, gone)
            except FileNotFoundError:
                self._store.delete(_WRITTEN, [written.id])
            except (OSError, ValueError):
                failed.append(written.id)
        return failed


def read_export(path: str | Path) -> Iterator[list[MemoryRecord]]:
    """The versions of each record in a file, oldest first; InvalidExport when it is torn, foreign or newer."""
    try:
        with Path(path).open(encoding="utf-8") as lines:
            head = json.loads(next(lines, "{}"))
            if not isinstance(head, dict) or {key: head.get(key) for key in _HEAD} != _HEAD:
                raise InvalidExport(f"{path} is no export of long-term memory that this AMB can read.")
            for line in lines:
                yield [MemoryRecord.model_validate(version) for version in json.loads(line)["versions"]]
    except (OSError, UnicodeError, ValidationError, KeyError, TypeError, json.JSONDecodeError) as error:
        raise InvalidExport(f"{path} cannot be read as an export ({type(error).__name__}); export it again.") from None


def _line(versions: list[MemoryRecord]) -> str:
    data: dict[str, Any] = {"id": versions[-1].id, "versions": [each.model_dump(mode="json") for each in versions]}
    return json.dumps(data, ensure_ascii=True)


def _cleaned(path: Path, gone: set[str]) -> None:
    def is_kept(line: str) -> bool:
        return json.loads(line).get("id") not in gone

    if not all(map(is_kept, _lines(path))):
        _replace(path, filter(is_kept, _lines(path)))


def _lines(path: Path) -> Iterator[str]:
    with path.open(encoding="utf-8") as file:
        for line in file:
            yield line.rstrip("\n")


def _replace(path: Path, lines: Iterable[str]) -> None:
    with write_file(path) as partial, partial.open("w", encoding="utf-8") as file:
        file.writelines(f"{line}\n" for line in lines)
