"""The bank's own folders for attachments, and deletion down to the bytes, also after a process died half-way."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from amb_core.attachments import Attachment, AttachmentContent, AttachmentType
from amb_core.errors import ForbiddenPath, InvalidParameter, UnreadableSource
from amb_core.memory.bank_state import BankState
from amb_core.memory.journal import RowStore
from amb_core.protocols import RecordQuery, RecordStore, SharedStore
from amb_core.registry import from_package
from amb_core.settings import Settings
from amb_core.stores import attachment_folder
from amb_core.stores.eraser import Eraser

__all__ = ["ERASING", "BankEraser", "BankFiles", "drop_old_index"]


class BankFiles:
    """Attachments of one bank: in its store or beside its file, where the settings say, or in a temporary folder."""

    def __init__(self, settings: Settings, *, store_url: str | None, store: RecordStore | None = None) -> None:
        self._rows = store if not (settings.storage_dir or settings.temp_dir) else None
        beside = None if store_url is None else attachment_folder(store_url)
        self._beside = beside
        self._storage = settings.storage_dir or (beside and beside / "storage")
        self._temp = settings.temp_dir or (beside and beside / "temp")
        if settings.storage_dir and settings.temp_dir and settings.storage_dir.resolve() == settings.temp_dir.resolve():
            raise InvalidParameter("storage_dir and temp_dir are one folder; name two different ones")
        self._max_bytes = settings.max_attachment_bytes
        self._scratch: tempfile.TemporaryDirectory[str] | None = None

    @cached_property
    def _in_store(self) -> Any:
        """The files in the store, where that keeps some."""
        if not isinstance(self._rows, SharedStore):
            return None
        if not isinstance(self._rows, from_package("amb_files.attachment_files:FileStore")):
            return None
        return from_package("amb_files.attachment_files:AttachmentRows")(self._rows, max_bytes=self._max_bytes)

    @cached_property
    def _folders(self) -> Any:
        if self._in_store is not None:
            return self._in_store
        storage, temp = self._storage, self._temp
        if storage is None or temp is None:
            self._scratch = tempfile.TemporaryDirectory(prefix="amb-")
            storage = storage or Path(self._scratch.name) / "storage"
            temp = temp or Path(self._scratch.name) / "temp"
        return from_package("amb_files:AttachmentFiles")(storage, temp, max_bytes=self._max_bytes)

    def receive(self, doc_id: str, path: Path, *, type: AttachmentType) -> Path:
        """Copy a file into temporary storage; returns where it is now."""
        received: Path = self._folders.receive(doc_id, path, type=type)
        return received

    def keep(self, waiting: Iterable[Attachment]) -> tuple[Attachment, ...]:
        """Copy waiting files to permanent storage; those whose files are gone or not the bank's are left out.

        The waiting files stay until `remove`. Raises StoreError with none of them kept.
        """
        kept: list[Attachment] = []
        try:
            for attachment in waiting:
                with suppress(UnreadableSource, ForbiddenPath):
                    stored = self._folders.keep(attachment.content)
                    kept.append(attachment.model_copy(update={"content": str(stored)}))
        except BaseException:
            self.remove(kept)
            raise
        return tuple(kept)

    def adopt(self, attachments: Iterable[Attachment], *, doc_id: str) -> tuple[Attachment, ...]:
        """Copy the files a tool returned into permanent storage: all of them, or none and UnreadableSource."""
        adopted: list[Attachment] = []
        try:
            for attachment in attachments:
                stored = self._folders.receive(doc_id, Path(attachment.content), type=attachment.type, kept=True)
                adopted.append(attachment.model_copy(update={"content": str(stored)}))
        except BaseException:
            self.remove(adopted)
            raise
        return tuple(adopted)

    def read(self, attachment: Attachment) -> AttachmentContent:
        """The attachment with what is in its file; a file outside the bank's folders is a `problem` as well."""
        try:
            content: AttachmentContent = self._folders.read(attachment)
            return content
        except ForbiddenPath:
            problem = "the file is not in the attachment folders of this bank; was the bank moved or loaded?"
            return AttachmentContent.model_validate(attachment.model_dump() | {"problem": problem})

    def same(self, some: Sequence[Attachment], others: Sequence[Attachment]) -> bool:
        """Whether two lists of stored attachments hold the same files, byte for byte; missing ones equal nothing."""

        def equal(a: Attachment, b: Attachment) -> bool:
            with suppress(OSError, ForbiddenPath):
                return a.type == b.type and self._folders.equal(a.content, b.content)
            return False

        return len(some) == len(others) and all(equal(a, b) for a, b in zip(some, others, strict=True))

    def remove(self, attachments: Iterable[Attachment]) -> None:
        """Delete the files of attachments; missing ones and such that are not this bank's are passed over."""
        for attachment in attachments:
            with suppress(ForbiddenPath):
                self._folders.remove(attachment.content)

    def sweep(self, doc_id: str, *, held: Callable[[], Iterable[Attachment]], everywhere: bool) -> None:
        """Delete the files beside the store that no attachment that is `held` names, as a process that died left them.

        `everywhere` also looks through this task's folders in places that the settings name and other tasks share.
        """
        if self._in_store is not None:
            self._in_store.remove_others(held())
            return
        beside = self._beside
        folders = [] if beside is None else [beside / "storage", beside / "temp"]
        if everywhere and doc_id:
            folders += [root / doc_id for root in (self._storage, self._temp) if root is not None]
        found = [path for folder in folders for path in sorted(folder.rglob("*"), reverse=True)]
        names = {Path(attachment.content).parts[-3:] for attachment in held()} if found else set()
        for path in found:
            if path.is_dir() and not path.is_symlink():
                with suppress(OSError):  # not empty
                    path.rmdir()
            elif path.absolute().parts[-3:] not in names:
                path.unlink(missing_ok=True)

    def discard(self, doc_id: str, *, keep: bool) -> None:
        """End the files of a task: all of them, or with `keep` only those in the private folder."""
        if not keep and self._in_store is not None:
            self._in_store.discard_all(doc_id)
        elif not keep and ("_folders" in self.__dict__ or self._storage is not None or self._temp is not None):
            with suppress(ForbiddenPath):  # an id that cannot name a folder has none
                self._folders.discard_all(doc_id)
            if self._beside is not None:
                for folder in (self._beside / "storage", self._beside / "temp", self._beside):
                    with suppress(OSError):  # not there, or something of another task in it
                        folder.rmdir()
        if self._scratch is not None:
            self._scratch.cleanup()


def drop_old_index(store: RecordStore) -> None:
    """Delete the file in which older versions kept the words of a bank's notes beside its store."""
    if isinstance(store, RowStore):
        for ending in (".index", ".index.part"):
            store.path.with_name(f"{store.path.name}{ending}").unlink(missing_ok=True)


ERASING = "task/erasing"
"""Where a record stands from before something is forgotten until no file of the store holds it any more."""


@dataclass(frozen=True, slots=True)
class BankEraser(Eraser):
    """Erases what one bank has forgotten; a file is not rewritten while its lock, and so a transaction, is held."""

    files: BankFiles
    state: BankState

    def drop(self, attachments: Iterable[Attachment]) -> None:
        """Delete the files of attachments, and every word that only deleted notes had (hold the bank's lock)."""
        self.state.graph.forget_removed()
        self.files.remove(attachments)

    def sweep(self) -> list[str]:
        """Delete files that nobody holds; returns what is still to be erased (hold the bank's lock)."""
        marks = [record.id for record in self.store.search(RecordQuery(self.marks))]
        self.files.sweep(self.state.insight.doc_id, held=self._held, everywhere=bool(marks))
        return marks

    def _held(self) -> Iterator[Attachment]:
        yield from self.state.waiting.values()
        for entry in self.state.tree.entries.values():
            yield from entry.attachments
