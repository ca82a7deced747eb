"""A record store in a folder of JSON lines: a snapshot, and a journal of what happened since."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO, Literal

from pydantic import JsonValue

from amb_core.errors import InvalidParameter, StoreCorrupt, StoreError
from amb_core.file_writer import write_file
from amb_core.protocols import Capabilities, Record
from amb_core.stores.in_memory import UNREADABLE, InMemoryStore
from amb_core.stores.journal_lines import Operation, Transactions, commit_line, header_line, line, record_line
from amb_core.stores.openers import FolderOpener
from amb_core.stores.store_folder import FolderLock, check_open_file, folder_errors, make_folder

__all__ = ["JsonFolderStore", "opener"]

_log = logging.getLogger("amb.stores")
_SNAPSHOT = "snapshot.jsonl"
_OURS = ("lock", _SNAPSHOT, f"{_SNAPSHOT}.part", "files")


class JsonFolderStore(InMemoryStore):
    """Records in memory, every transaction appended to `journal-N.jsonl` in a folder of its own before it counts.

    When the journal has outgrown `compact_bytes` and twice the snapshot, and whenever deleted text is scrubbed, all
    that lives is written to a new `snapshot.jsonl`, whose generation N + 1 makes the old journal void. One bank at a
    time: a second opening is StoreLocked, until the first one ends, however it ends. A killed process loses nothing
    that was committed; a power cut may lose the last commits with `synchronous="NORMAL"`, nothing with `"FULL"`.
    A transaction cut off in the middle is dropped with a warning in the log `amb.stores`.
    """

    def __init__(
        self,
        folder: str | Path,
        *,
        synchronous: Literal["NORMAL", "FULL"] = "NORMAL",
        compact_bytes: int = 4_000_000,
    ) -> None:
        super().__init__()
        if synchronous not in ("NORMAL", "FULL"):
            raise InvalidParameter(f"synchronous is {synchronous!r}; pass 'NORMAL' or 'FULL'.")
        self._folder = Path(folder).absolute()
        self._full, self._compact_bytes = synchronous == "FULL", compact_bytes
        self._generation = self._sound = self._snapshot_bytes = 0
        self._file: BinaryIO | None = None
        self._uncut = False
        """Whether something of a failed write may stand behind the last commit."""
        self._lines: list[bytes] = []
        self.lock.forks = False
        with folder_errors(self._folder):
            make_folder(self._folder, is_ours=_is_ours, mark="lock")
            self._held = FolderLock(self._folder)
            try:
                self._read()
            except BaseException:
                self._held.release()
                raise

    @property
    def path(self) -> Path:
        """Where the folder is (absolute)."""
        return self._folder

    @property
    def capabilities(self) -> Capabilities:
        """Durable; threads may share one store, but a place has one opening at a time."""
        return Capabilities(durable=True, concurrent=False)

    # --- writing -----------------------------------------------------------------------------------------------------

    def put(self, records: Sequence[Record], *, keep_history: bool = False) -> None:
        """Insert or replace all of them or none; InvalidParameter when one is not JSON."""
        with self.transaction():
            for record in records:
                super().put([record], keep_history=keep_history)
                kept = self._records[record.namespace][record.id].record
                self._lines.append(record_line("put", kept, keep=keep_history))

    def delete(self, namespace: str, ids: Sequence[str]) -> int:
        """Delete records with their history; returns how many records there were."""
        with self.transaction():
            self._lines.append(line("delete", [namespace, list(ids)]))
            return super().delete(namespace, ids)

    def scrub(self, *, vacuum: bool = True) -> None:
        """Make sure that deleted text is in no file of this store, by writing the folder anew without it.

        There is no lesser way, so `vacuum` changes nothing. What a disk keeps of freed blocks is beyond a program.
        """
        with self.lock:
            self._check_open()
            if self._depth:
                raise StoreError("a store cannot be scrubbed inside a transaction; call scrub() after it.")
            self._compact()

    def close(self) -> None:
        """Close the files and let the folder go; calling twice is no error."""
        with self.lock:
            if self._file is not None:
                with suppress(OSError):
                    os.fsync(self._file.fileno())
                self._file.close()
                self._file = None
            self._held.release()
            self._lines.clear()
            super().close()

    def begin_block(self) -> tuple[Any, int]:
        """Begin a block of a transaction; returns what was there before it (the lock held)."""
        return super().begin_block(), len(self._lines)

    def keep_block(self, begun: tuple[Any, int]) -> None:
        """End a block, the outermost one by a commit; a journal that has outgrown its bounds is compacted then."""
        super().keep_block(begun[0])
        if not self._depth and self._sound > max(self._compact_bytes, 2 * self._snapshot_bytes):
            with suppress(StoreError):  # what was committed is safe; the next commit tries again
                self._compact()

    def undo_block(self, begun: tuple[Any, int]) -> None:
        """End a block, and put back what it has overwritten."""
        super().undo_block(begun[0])
        del self._lines[begun[1] :]

    def _renew(self) -> None:
        """Hold what the files hold, whatever a call that was stopped has left here."""
        if self._closed:
            return
        super()._renew()
        self._records.clear()
        self._versions.clear()
        self._lines.clear()
        self._generation = self._sound = self._snapshot_bytes = 0
        if self._file is not None:
            self._file.close()
            self._file = None
        with folder_errors(self._folder):
            self._read()

    def _commit(self) -> None:
        """Append what the transaction did; StoreError with nothing appended."""
        if not self._lines:
            return
        data = b"".join([*self._lines, commit_line(len(self._lines))])
        self._lines.clear()
        with folder_errors(self._folder):
            file = self._journal()
            check_open_file(self._journal_path(self._generation), file)
            try:
                self._uncut = True
                file.seek(self._sound)
                _write_all(file, data)
                if self._full:
                    os.fsync(file.fileno())
                self._uncut = False
            except BaseException:
                with suppress(OSError):
                    self._cut(file)
                raise
            self._sound += len(data)

    def _journal(self) -> BinaryIO:
        """The journal of this generation, open and with nothing behind its last commit."""
        if self._file is None:
            path = self._journal_path(self._generation)
            self._file = path.open("r+b" if path.exists() else "w+b", buffering=0)
            assert self._file is not None
        if self._uncut:
            self._cut(self._file)
        if not self._sound:
            header = header_line(self._generation)
            self._uncut = True
            self._file.seek(0)
            _write_all(self._file, header)
            self._sound, self._uncut = len(header), False
            if self._full:
                _sync_folder(self._folder)
        return self._file

    def _cut(self, file: BinaryIO) -> None:
        file.truncate(self._sound)
        self._uncut = False

    def _journal_path(self, generation: int) -> Path:
        return self._folder / f"journal-{generation}.jsonl"

    # --- the snapshot ------------------------------------------------------------------------------------------------

    def _compact(self) -> None:
        """Write all that lives as the snapshot of the next generation, then delete the journal it makes void."""
        following = self._generation + 1
        with folder_errors(self._folder):
            with write_file(self._folder / _SNAPSHOT) as unfinished, unfinished.open("wb") as file:
                file.write(header_line(following))
                count = 0
                for count, each in enumerate(self._living(), 1):  # noqa: B007
                    file.write(each)
                file.write(commit_line(count))
                file.flush()
                os.fsync(file.fileno())
                size = file.tell()
            self._generation, self._snapshot_bytes, self._sound, self._uncut = following, size, 0, False
            if self._file is not None:
                self._file.close()
                self._file = None
            _sync_folder(self._folder)
            self._remove_void()

    def _living(self) -> Iterator[bytes]:
        """Everything as lines that bring an empty store here: versions, records in order."""
        for versions in self._versions.values():
            yield from (record_line("version", record) for record in versions)
        rows = [row for table in self._records.values() for row in table.values()]
        for row in sorted(rows, key=lambda row: row.place):
            yield _record_or_damage(row.record)

    def _remove_void(self) -> None:
        """Delete journals of other generations and unfinished snapshots."""
        current = self._journal_path(self._generation)
        for found in [*self._folder.glob("journal-*.jsonl"), self._folder / f"{_SNAPSHOT}.part"]:
            if found != current:
                found.unlink(missing_ok=True)

    # --- reading back ------------------------------------------------------------------------------------------------

    def _read(self) -> None:
        """Bring this empty store to where its folder stands; cut off what was never committed."""
        snapshot = self._folder / _SNAPSHOT
        if snapshot.exists():
            transactions = Transactions(snapshot)
            self._replay(transactions)
            if transactions.torn_bytes or not transactions.sound_bytes:
                raise StoreCorrupt(f"{snapshot} is cut off; restore the folder from a backup.")
            self._generation, self._snapshot_bytes = transactions.generation, transactions.sound_bytes
        self._remove_void()
        journal = self._journal_path(self._generation)
        if journal.exists():
            transactions = Transactions(journal)
            self._replay(transactions)
            self._sound = transactions.sound_bytes
            if transactions.torn_bytes:
                _log.warning("%s: %d bytes of an unfinished write were dropped", journal, transactions.torn_bytes)
                self._uncut = True
                self._journal()

    def _replay(self, transactions: Iterable[Sequence[Operation]]) -> None:
        for operations in transactions:
            for operation in operations:
                self._redo(operation)
            self._overwritten = []

    def _redo(self, operation: Operation) -> None:
        match operation:
            case {"put": frame, "keep": keep, "data": data}:
                super().put([_record(frame, data)], keep_history=keep)
            case {"delete": [namespace, ids]}:
                super().delete(namespace, ids)
            case {"link": _} | {"unlink": _}:
                pass  # files of AMB 0.1 may hold what joined two records; nothing ever asked for it
            case {"version": frame, "data": data}:
                record = _record(frame, data)
                key = (record.namespace, record.id)
                self._versions[key] = (*self._versions.get(key, ()), record)
            case {"damaged": [namespace, id]}:
                self._put_unreadable(namespace, id)
            case _:
                raise StoreCorrupt(f"{self._folder} holds an operation this AMB does not know; upgrade AMB.")


def _record(frame: Sequence[object], data: Mapping[str, JsonValue]) -> Record:
    namespace, key, created_at, updated_at, expires_at = frame
    return Record(str(namespace), str(key), data, created_at, updated_at, expires_at)  # type: ignore[arg-type]


def _record_or_damage(record: Record) -> bytes:
    if record.data is UNREADABLE:
        return line("damaged", [record.namespace, record.id])
    return record_line("put", record, keep=False)


def _is_ours(name: str) -> bool:
    return name in _OURS or (name.startswith("journal-") and name.endswith(".jsonl"))


def _write_all(file: BinaryIO, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[file.write(rest) :]


def _sync_folder(folder: Path) -> None:
    """Have the disk keep the names in a folder; where folders cannot be opened they need not be."""
    with suppress(PermissionError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


opener = FolderOpener(JsonFolderStore, mark="*.jsonl")
