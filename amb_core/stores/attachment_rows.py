"""Attachments beside their bank in a database; they are named as files would be, and are read from nowhere else."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Protocol, runtime_checkable

from amb_core.attachments import Attachment, AttachmentContent, AttachmentType
from amb_core.errors import ForbiddenPath, UnreadableSource
from amb_core.stores.attachment_files import check_size, content_of, read_source, safe_name

__all__ = ["AttachmentRows", "FileStore"]

_KEPT, _WAITING = "kept", "waiting"
_NAME = re.compile(rf"(?:{_KEPT}|{_WAITING})/[\w-]{{1,100}}/[^/]{{1,100}}")
_MOST = 10_000
"""How many files of one name a task may have."""


@runtime_checkable
class FileStore(Protocol):
    """What a store offers besides that keeps files with its records, in the same transactions."""

    def put_file(self, name: str, data: bytes) -> bool:
        """Keep a file; False when there is one of that name, which stays as it is."""
        ...

    def get_file(self, name: str) -> bytes | None:
        """What is in a file; None when there is none."""
        ...

    def delete_files(self, names: Iterable[str]) -> None:
        """Delete files; missing ones are passed over."""
        ...

    def file_names(self, prefix: str) -> list[str]:
        """The names that begin so."""
        ...


class AttachmentRows:
    """The attachments of one bank in its store; the methods are those of AttachmentFiles, and names stand for paths."""

    def __init__(self, store: FileStore, *, max_bytes: int) -> None:
        self._store, self._max_bytes = store, max_bytes

    def receive(
        self, doc_id: str, source: str | Path | bytes, type: AttachmentType, name: str = "", *, kept: bool = False
    ) -> Path:
        """Copy a file or bytes into the store; returns its name. UnreadableSource as with files."""
        if isinstance(source, bytes):
            data, named = check_size(source, name or "the attachment", self._max_bytes), name or type.value
        else:
            data, named = read_source(Path(source), self._max_bytes), name or Path(source).name
        return self._put(f"{_KEPT if kept else _WAITING}/{doc_id}", safe_name(named), data)

    def keep(self, path: str | Path) -> Path:
        """Copy a file that waits to those that are kept; UnreadableSource when it is gone."""
        name = _owned(path)
        data = self._store.get_file(name)
        if data is None:
            raise UnreadableSource(f"the attachment {name} is gone; receive it again.")
        folder, doc_id, last = name.split("/")
        return Path(name) if folder == _KEPT else self._put(f"{_KEPT}/{doc_id}", last, data)

    def read(self, attachment: Attachment) -> AttachmentContent:
        """What is in the file, or a `problem`; ForbiddenPath for what is no name of a file here."""
        name = _owned(attachment.content)
        return content_of(attachment, self._store.get_file(name), name=name, max_bytes=self._max_bytes)

    def equal(self, one: str, other: str) -> bool:
        """Whether two files hold the same bytes."""
        data = self._store.get_file(_owned(one))
        return data is not None and data == self._store.get_file(_owned(other))

    def discard_all(self, doc_id: str) -> None:
        """Delete all files of one Insight Doc."""
        names = (name for folder in (_KEPT, _WAITING) for name in self._store.file_names(f"{folder}/{doc_id}/"))
        self._store.delete_files(names)

    def remove(self, path: str | Path) -> None:
        """Delete one file; a missing one is no error."""
        self._store.delete_files([_owned(path)])

    def remove_others(self, held: Iterable[Attachment]) -> None:
        """Delete the files that none of these attachments names."""
        names = {attachment.content for attachment in held}
        self._store.delete_files([name for name in self._store.file_names("") if name not in names])

    def _put(self, folder: str, name: str, data: bytes) -> Path:
        numbered = (f"{folder}/{name if number == 1 else f'{number}-{name}'}" for number in range(1, _MOST))
        return Path(next(free for free in numbered if self._store.put_file(_owned(free), data)))


def _owned(path: str | Path) -> str:
    name = str(path)
    if not _NAME.fullmatch(name) or name.endswith(("/.", "/..")):
        raise ForbiddenPath(f"{name!r} is not the name of a file of this bank; only received files can be used.")
    return name
