"""Memory as files: one JSON line per record with its history; a deleted record leaves the files that were written."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
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
        lines = [json.dumps({**_HEAD, "namespace": namespace}, ensure_ascii=True)]
        lines += [_line(versions) for versions in histories if versions]
        _replace(target, lines)
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
        lines = Path(path).read_text(encoding="utf-8").splitlines()
        head = json.loads(lines[0]) if lines else {}
        if not isinstance(head, dict) or {key: head.get(key) for key in _HEAD} != _HEAD:
            raise InvalidExport(f"{path} is no export of long-term memory that this AMB can read.")
        for line in lines[1:]:
            yield [MemoryRecord.model_validate(version) for version in json.loads(line)["versions"]]
    except (OSError, UnicodeError, ValidationError, KeyError, TypeError, json.JSONDecodeError) as error:
        raise InvalidExport(f"{path} cannot be read as an export ({type(error).__name__}); export it again.") from None


def _line(versions: list[MemoryRecord]) -> str:
    data: dict[str, Any] = {"id": versions[-1].id, "versions": [each.model_dump(mode="json") for each in versions]}
    return json.dumps(data, ensure_ascii=True)


def _cleaned(path: Path, gone: set[str]) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    kept = [line for line in lines if json.loads(line).get("id") not in gone]
    if len(kept) != len(lines):
        _replace(path, kept)


def _replace(path: Path, lines: list[str]) -> None:
    with write_file(path) as partial:
        partial.write_text("\n".join(lines) + "\n", encoding="utf-8")
