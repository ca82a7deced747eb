"""Files and folders of text, Markdown, tables, HTML and PDF as documents."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from amb_core.errors import UnreadableSource
from amb_files.pdf_text import pdf_text
from amb_files.text_decoder import decode_text, looks_binary
from amb_tools.html_text import declared_charset, html_text

__all__ = ["Document", "read_corpus"]

_TEXT = frozenset((".txt", ".md", ".csv", ".tsv"))
_HTML = frozenset((".html", ".htm"))
_KNOWN = _TEXT | _HTML | {".pdf"}


@dataclass(frozen=True, slots=True)
class Document:
    """One source: its name (path within the folder that was read, else the file name), text, file and decoding."""

    name: str
    text: str
    path: Path
    encoding: str = "utf-8"


def read_corpus(
    path: str | Path, *, on_skip: Callable[[Path, str], None] | None = None, max_bytes: int = 50_000_000
) -> list[Document]:
    """The documents in a file or, sorted by name and recursively, in a folder.

    A file that is given may have any ending; of a folder .txt, .md, .csv, .tsv, .html, .htm and .pdf are read. There
    hidden files are passed over, and what cannot be read is reported through `on_skip(path, reason)`.
    Raises UnreadableSource when a single given file cannot be read, or when a folder holds nothing that can.
    """
    if not isinstance(path, str | os.PathLike) or not str(path):
        raise UnreadableSource(f"{str(path)[:80]!r} is no path; name a folder or a file.")
    root = Path(path)
    try:
        if root.is_dir():
            return _read_folder(root, on_skip or (lambda _path, _reason: None), max_bytes)
        return [_read_file(root, root.name, max_bytes, given=True)]
    except ValueError as error:
        if isinstance(error, UnreadableSource):
            raise
        raise UnreadableSource(f"{str(path)!r} is no path; check it for unprintable characters.") from None


def _read_folder(folder: Path, on_skip: Callable[[Path, str], None], max_bytes: int) -> list[Document]:
    documents: list[Document] = []
    for path in _visible_files(folder, on_skip):
        try:
            documents.append(_read_file(path, path.relative_to(folder).as_posix(), max_bytes, given=False))
        except UnreadableSource as error:
            on_skip(path, str(error))
    if not documents:
        raise UnreadableSource(
            f"{folder} has no readable .txt, .md, .csv, .tsv, .html, .htm or .pdf file; name another folder or a file."
        )
    return documents


def _visible_files(folder: Path, on_skip: Callable[[Path, str], None]) -> Iterator[Path]:
    found: list[Path] = []
    real = os.path.realpath(folder)

    def unlistable(error: OSError) -> None:
        on_skip(Path(error.filename), f"the folder cannot be listed ({error.strerror})")

    for parent, folders, files in os.walk(folder, onerror=unlistable):
        folders[:] = [name for name in folders if not name.startswith(".")]
        found += [Path(parent, name) for name in folders if Path(parent, name).is_symlink()]
        found += [Path(parent, name) for name in files if not name.startswith(".")]
    for path in sorted(found, key=lambda path: path.relative_to(folder).parts):
        if path.is_symlink() and (path.is_dir() or not Path(os.path.realpath(path)).is_relative_to(real)):
            on_skip(path, "it is a link to another place, which is not followed; read that place by its own path")
        else:
            yield path


def _read_file(path: Path, name: str, max_bytes: int, *, given: bool) -> Document:
    suffix = path.suffix.lower()
    if not given and suffix not in _KNOWN:
        raise UnreadableSource(f"{path} is none of .txt, .md, .csv, .tsv, .html, .htm, .pdf; convert it.")
    data = _bytes_of(path, max_bytes)
    if suffix == ".pdf" or data.startswith(b"%PDF-"):
        try:
            return Document(name, pdf_text(data), path, "pdf")
        except UnreadableSource as error:
            raise UnreadableSource(f"{path} cannot be read: {error}.") from None
    decoded = decode_text(data, declared=declared_charset(data) if suffix in _HTML else None)
    if decoded is None:
        raise UnreadableSource(_not_text(path, data))
    text = html_text(decoded.text) if suffix in _HTML else decoded.text
    if not text.strip():
        raise UnreadableSource(f"{path} is empty; leave it out or put text in it.")
    return Document(name, text, path, decoded.encoding)


def _bytes_of(path: Path, max_bytes: int) -> bytes:
    try:
        if path.exists() and not path.is_file():
            raise UnreadableSource(f"{path} is no regular file; name a file or a folder.")
        size = path.stat().st_size
        if size > max_bytes:
            raise UnreadableSource(f"{path} has {size:,} bytes, over the limit of {max_bytes:,}; split it.")
        return path.read_bytes()
    except FileNotFoundError:
        raise UnreadableSource(f"{path} does not exist; check the path.") from None
    except OSError as error:
        raise UnreadableSource(f"{path} cannot be read ({error.strerror}); check its permissions.") from None


def _not_text(path: Path, data: bytes) -> str:
    if looks_binary(data):
        return f"{path} is a binary file; convert it to text, HTML or PDF."
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        return f"{path} is not UTF-8 (byte 0x{data[error.start]:02x} at {error.start}); save it as UTF-8."
    return f"{path} is no text; save it as UTF-8."
