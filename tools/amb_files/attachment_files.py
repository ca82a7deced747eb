"""The files of attachments: temporary until recognised, then permanent, and never read from anywhere else."""

from __future__ import annotations

import base64
import errno
import filecmp
import mimetypes
import os
import re
import shutil
import stat
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO, Protocol, runtime_checkable

from amb_core.attachments import Attachment, AttachmentContent, AttachmentType
from amb_core.errors import ForbiddenPath, InvalidParameter, StoreError, UnreadableSource
from amb_core.file_writer import write_file
from amb_files.pdf_text import pdf_text
from amb_files.text_decoder import decode_text

__all__ = ["AttachmentFiles", "AttachmentRows", "FileStore", "check_size", "content_of", "read_source", "safe_name"]

_FOLDER_NAME = re.compile(r"[\w-]{1,100}")
_IMAGE_SIGNATURES = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF8", "image/gif"),
    (b"BM", "image/bmp"),
)


class AttachmentFiles:
    """Owns two folders: files wait in the temporary one, per Insight Doc, and are copied to the other to be kept.

    `max_bytes` bounds one file. Every path outside both folders, also over `..` or a symbolic link, is a ForbiddenPath.
    """

    def __init__(self, storage_dir: str | Path, temp_dir: str | Path, *, max_bytes: int = 20_000_000) -> None:
        if max_bytes < 1:
            raise InvalidParameter(f"max_bytes is {max_bytes}; pass 1 or more.")
        self._storage = Path(storage_dir).resolve()
        self._temp = Path(temp_dir).resolve()
        if self._storage == self._temp:
            raise InvalidParameter(f"{self._storage} cannot be both storage and temporary folder; name two folders.")
        self._max_bytes = max_bytes

    def receive(
        self, doc_id: str, source: str | Path | bytes, type: AttachmentType, name: str = "", *, kept: bool = False
    ) -> Path:
        """Copy a file or bytes into the folder of one Insight Doc; returns where it is.

        That is the temporary folder, or with `kept` the permanent one. `source` is read as given, wherever it is: it
        must come from code, never from a model. Raises UnreadableSource for a file that is missing, no regular file
        or too large; nothing is left behind then.
        """
        folder = self._owned((self._storage if kept else self._temp) / self._folder_name(doc_id))
        if isinstance(source, bytes):
            data = check_size(source, name or "the attachment", self._max_bytes)
            return _place(data, folder, safe_name(name or type.value))
        path = Path(source)
        return _place(read_source(path, self._max_bytes), folder, safe_name(name or path.name))

    def keep(self, path: str | Path) -> Path:
        """Copy a received file to permanent storage; a kept file stays where it is.

        The received file stays as well, until `remove`, so that nothing is lost when what keeps it fails. Raises
        UnreadableSource when the file is gone.
        """
        found = self._owned(path)
        if not found.is_relative_to(self._temp):
            if not found.is_file():
                raise UnreadableSource(f"the attachment {found} is gone; receive it again.")
            return found
        try:
            with _opened(found) as file:
                data = file.read()
        except OSError:
            raise UnreadableSource(f"the attachment {found} is gone; receive it again.") from None
        return _place(data, self._storage / found.relative_to(self._temp).parent, found.name)

    def read(self, attachment: Attachment) -> AttachmentContent:
        """What is in the file: base64 for images, text for code, text and PDF documents, base64 for what has no text.

        A file that is missing, too large or unreadable gives a `problem`, not an exception; ForbiddenPath as always.
        """
        path = self._owned(attachment.content)
        try:
            with _opened(path) as file:
                data = file.read(self._max_bytes + 1)
        except OSError as error:
            return _content(attachment, problem=f"the file cannot be read: {_reason(error)}")
        return content_of(attachment, data, name=path.name, max_bytes=self._max_bytes)

    def discard(self, doc_id: str) -> None:
        """Delete the temporary files of one Insight Doc; none there is no error."""
        _delete(self._temp / self._folder_name(doc_id))

    def discard_all(self, doc_id: str) -> None:
        """Delete the temporary and the permanent files of one Insight Doc; none there is no error."""
        self.discard(doc_id)
        _delete(self._storage / self._folder_name(doc_id))

    def remove(self, path: str | Path) -> None:
        """Delete one file from either folder, and its folder when it was the last; a missing file is no error.

        Raises StoreError when the file cannot be deleted.
        """
        found = self._owned(path)
        try:
            found.unlink(missing_ok=True)
            if (
                found.parent not in (self._storage, self._temp)
                and found.parent.is_dir()
                and not any(found.parent.iterdir())
            ):
                found.parent.rmdir()
        except OSError as error:
            raise StoreError(f"{found} cannot be deleted ({_reason(error)}); delete it by hand.") from error

    def _owned(self, path: str | Path) -> Path:
        try:
            found = (self._storage / path).resolve()
            if _leads_in_a_circle(found):
                found = Path("/")
        except (OSError, ValueError, RuntimeError):  # NUL or lone surrogate in the name, or links in a circle
            found = Path("/")
        if any(found != root and found.is_relative_to(root) for root in (self._storage, self._temp)):
            return found
        raise ForbiddenPath(f"{str(path)!r} is outside the attachment folders; only received files can be used.")

    def _folder_name(self, doc_id: str) -> str:
        if not _FOLDER_NAME.fullmatch(doc_id):
            raise ForbiddenPath(f"{doc_id!r} cannot name a folder; use letters, digits, '-' and '_'.")
        return doc_id

    def equal(self, one: str, other: str) -> bool:
        """Whether two files hold the same bytes."""
        return filecmp.cmp(one, other, shallow=False)


def check_size(data: bytes, name: str, most: int) -> bytes:
    """The data, or UnreadableSource when they are more than so many bytes."""
    if len(data) > most:
        raise UnreadableSource(
            f"{name} is over the limit of {most:,} bytes; raise max_attachment_bytes or pass a part."
        )
    return data


def read_source(path: Path, most: int) -> bytes:
    """What is in a file anywhere; UnreadableSource when it is missing, no regular file or too large."""
    try:
        with _opened(path) as file:
            return check_size(file.read(most + 1), str(path), most)
    except (OSError, ValueError) as error:
        if isinstance(error, UnreadableSource):
            raise
        raise UnreadableSource(
            f"the attachment {str(path)[-200:]} cannot be read ({_reason(error)[:200]}); check the path."
        ) from None


def content_of(attachment: Attachment, data: bytes | None, *, name: str, max_bytes: int) -> AttachmentContent:
    """An attachment with what is in its file, as text where it is text, else as base64; None is a file that is gone."""
    if data is None:
        return _content(attachment, problem="the file cannot be read: it is not there any more")
    if len(data) > max_bytes:
        return _content(attachment, problem=f"the file is over the limit of {max_bytes:,} bytes")
    media_type = attachment.media_type or _media_type(Path(name), data)
    text = None if attachment.type is AttachmentType.IMAGE else _text(data)
    if text is None:
        encoded = base64.b64encode(data).decode("ascii")
        return _content(attachment, media_type=media_type, file_content=encoded, encoding="base64")
    return _content(attachment, media_type=media_type, file_content=text)


def _leads_in_a_circle(path: Path) -> bool:
    """Whether links on the way lead back to themselves; from Python 3.13 on `resolve` leaves such a path as it is."""
    try:
        path.stat()
    except OSError as error:
        return error.errno == errno.ELOOP
    return False


def _opened(path: Path) -> BinaryIO:
    """The file open for reading; refuses pipes and devices, which would block, before reading from them."""
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise OSError(errno.EINVAL, "it is no regular file")
    return os.fdopen(handle, "rb")


def safe_name(name: str) -> str:
    """A name of a file in the letters that every system takes, made of any other."""
    last = re.split(r"[/\\]", name)[-1]
    safe = re.sub(r"[^\w.-]", "_", last).lstrip(".")
    stem, dot, suffix = safe.rpartition(".")
    return f"{stem[:60]}.{suffix[:10]}" if dot and stem else safe[:60] or "file"


def _reserve(folder: Path, name: str) -> Path:
    """An empty file under a free name, so that nobody else takes it."""
    folder.mkdir(parents=True, exist_ok=True)
    while True:
        target = _free_name(folder, name)
        with suppress(FileExistsError):
            target.open("xb").close()
            return target


def _free_name(folder: Path, name: str) -> Path:
    """The name, or with a number before it; found in few looks among many files of one name."""

    def numbered(number: int) -> Path:
        return folder / (name if number == 1 else f"{number}-{name}")

    taken, free = 0, 1
    while os.path.lexists(numbered(free)):
        taken, free = free, 2 * free
    while free - taken > 1:
        middle = (taken + free) // 2
        taken, free = (middle, free) if os.path.lexists(numbered(middle)) else (taken, middle)
    return numbered(free)


def _place(data: bytes, folder: Path, name: str) -> Path:
    """Write the bytes under a temporary name and rename them into place."""
    try:
        target = _reserve(folder, name)
        _write_whole(data, target)
    except OSError as error:
        raise StoreError(f"the attachment {name} could not be written ({_reason(error)}); free space.") from error
    return target


def _write_whole(data: bytes, target: Path) -> None:
    try:
        with write_file(target, prefix=".") as unfinished:
            unfinished.write_bytes(data)
    except BaseException:
        target.unlink(missing_ok=True)
        raise


def _delete(folder: Path) -> None:
    """Delete a folder; of a link, the link alone."""
    if folder.is_symlink():
        folder.unlink()
    elif folder.is_dir():
        shutil.rmtree(folder, ignore_errors=True)


def _text(data: bytes) -> str | None:
    if data.startswith(b"%PDF-"):
        try:
            return pdf_text(data)
        except UnreadableSource:
            return None
    decoded = decode_text(data)
    return None if decoded is None else decoded.text


def _media_type(path: Path, data: bytes) -> str:
    for signature, media_type in _IMAGE_SIGNATURES:
        if data.startswith(signature):
            return media_type
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "image/webp"
    return mimetypes.guess_type(path.name)[0] or "application/octet-stream"


def _content(attachment: Attachment, **found: str) -> AttachmentContent:
    return AttachmentContent.model_validate(attachment.model_dump() | found)


def _reason(error: Exception) -> str:
    return (getattr(error, "strerror", None) or str(error)).strip()


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
