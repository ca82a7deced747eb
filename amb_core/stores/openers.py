"""From a URL to a store: the scheme names an entry point `amb.stores`, and that an opener in the store's module.

`open_store` is here, and what an opener has: its protocol, what it may offer besides, and two ready ones for a disk.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol, TypeVar, runtime_checkable

from amb_core.errors import InvalidParameter
from amb_core.frozen import Frozen
from amb_core.protocols import RecordStore
from amb_core.registry import registered

__all__ = [
    "BankPlaces",
    "BanksDeleted",
    "CheckedOpener",
    "FileOpener",
    "FolderOpener",
    "Open",
    "PlacesOpener",
    "StoreOpener",
    "attachment_folder",
    "holds_something",
    "open_store",
    "opener_of",
]

_Found = TypeVar("_Found")


def open_store(url: str, *, synchronous: Literal["NORMAL", "FULL"] = "NORMAL") -> RecordStore:
    """The store a URL names, created when it does not exist.

    `synchronous` is what a commit waits for (see SqliteStore and JsonFolderStore); Chroma always waits for the disk.
    Raises InvalidParameter for a URL AMB does not know, MissingExtra for Qdrant or Chroma without its package, and
    StoreError when the place cannot be opened.
    """
    opener = opener_of(url)
    if opener is None:
        known = ", ".join(registered("amb.stores")) or "none (AMB itself is not installed here, only on the path)"
        raise InvalidParameter(
            f"{url!r} names no store AMB knows. The schemes it knows are {known}. "
            "A place on this disk is written like sqlite:///relative/path or sqlite:////absolute/path."
        )
    return opener.open(url, synchronous=synchronous)


def attachment_folder(url: str) -> Path | None:
    """Where a store's attachments are kept beside it; None for a URL without a place on disk."""
    opener = opener_of(url)
    return None if opener is None else opener.folder(url)


def holds_something(url: str) -> bool:
    """Whether there is anything at the place a URL names, which opening it would create; a server is not asked."""
    opener = opener_of(url)
    return opener is None or opener.holds_something(url)


def opener_of(url: str) -> StoreOpener | None:
    """What opens URLs with this scheme, None where nothing does; the default of every bank needs no look-up."""
    if url == "memory://":
        from amb_core.stores.in_memory import opener  # here, for a bank on a disk needs no store in memory

        return opener
    point = registered("amb.stores").get(url.partition("://")[0])
    return None if point is None else point.load()


class StoreOpener(Protocol):
    """What an entry point `amb.stores` names; the name of the entry point is the scheme in front of `://`."""

    def open(self, url: str, *, synchronous: Literal["NORMAL", "FULL"]) -> RecordStore:
        """The store a URL of this scheme names, created when it does not exist; InvalidParameter for no such place."""
        ...

    def folder(self, url: str) -> Path | None:
        """Where the store's attachments are kept beside it; None for a URL without a place on disk."""
        ...

    def holds_something(self, url: str) -> bool:
        """Whether there is anything at the place, which opening would create; true where that cannot be told."""
        ...


class BanksDeleted(Frozen):
    """What `Banks.delete` removed: so many banks, files and bytes; `bytes_left` is 0 unless that failed.

    In a database the files are those of attachments, and the bytes those of texts and files, without indexes.
    """

    banks: int
    files: int
    bytes: int
    bytes_left: int

    @property
    def found(self) -> bool:
        """Whether there was a bank; if not, see that the user and the thread are the right ones."""
        return self.banks > 0


class BankPlaces(Protocol):
    """Where `Banks` keeps a bank for each key, `user/thread` in letters and digits; thread-safe."""

    def url(self, key: str) -> str:
        """The URL of the bank's store."""
        ...

    def hold(self, key: str) -> Callable[[], None]:
        """Keep other processes from a bank where only one may have it open; returns what lets it go. StoreLocked."""
        ...

    def note_use(self, key: str, now: float) -> None:
        """Remember when a bank was asked for; it is held."""
        ...

    def used_before(self, before: float) -> list[str]:
        """The keys of banks that nobody asked for since then."""
        ...

    def seized(self, key: str, ours: Collection[str]) -> AbstractContextManager[None]:
        """Keep other processes from all banks at or below a key, but `ours`, which are held; StoreLocked."""
        ...

    def take_away(self, key: str, *, before: float | None = None) -> Callable[[], BanksDeleted]:
        """Have nobody find the banks at or below a key, used last `before`; returns what removes them."""
        ...


@runtime_checkable
class PlacesOpener(Protocol):
    """What an opener of stores offers besides where one URL can hold the banks of many users."""

    def places(self, url: str) -> BankPlaces:
        """Where banks are kept at that URL; InvalidParameter for a URL of one bank."""
        ...

    def spaces(self, url: str) -> list[str] | None:
        """The URLs of all stores that hold something, where the URL stands for all of them; else None."""
        ...


@runtime_checkable
class CheckedOpener(Protocol):
    """What an opener of stores offers besides where `amb doctor URL` can say what is missing."""

    def findings(self, url: str) -> Iterable[tuple[str, bool, str]]:
        """What was looked at, whether it is well, and what was found or is to be done; nothing is changed."""
        ...


class Open(Protocol):
    """Opens the store at a path."""

    def __call__(self, path: str, /, *, synchronous: Literal["NORMAL", "FULL"]) -> RecordStore: ...


@dataclass(frozen=True, slots=True)
class FolderOpener:
    """Opens a store in a folder, `scheme:///relative` or `scheme:////absolute`; `mark` matches a file it always has."""

    store: Open
    mark: str

    def open(self, url: str, *, synchronous: Literal["NORMAL", "FULL"]) -> RecordStore:
        """The store in the folder of the URL."""
        return self.store(_needed(url), synchronous=synchronous)

    def folder(self, url: str) -> Path | None:
        """A folder `files` in it."""
        return _with(url, lambda path: (Path(path) / "files").absolute())

    def holds_something(self, url: str) -> bool:
        """Whether the file that marks a store is there."""
        return _with(url, lambda path: any(Path(path).glob(self.mark))) is not False


@dataclass(frozen=True, slots=True)
class FileOpener:
    """Opens a store in one file, `scheme:///relative` or `scheme:////absolute`."""

    store: Open

    def open(self, url: str, *, synchronous: Literal["NORMAL", "FULL"]) -> RecordStore:
        """The store in the file of the URL."""
        return self.store(_needed(url), synchronous=synchronous)

    def folder(self, url: str) -> Path | None:
        """A folder beside it that has its name and `.files`."""
        return _with(url, lambda path: Path(f"{path}.files").absolute())

    def holds_something(self, url: str) -> bool:
        """Whether the file is there."""
        return _with(url, lambda path: Path(path).exists()) is not False


def _with(url: str, find: Callable[[str], _Found]) -> _Found | None:
    path = _path(url)
    return None if path is None else find(path)


def _needed(url: str) -> str:
    path = _path(url)
    if path is None:
        scheme = url.partition(":")[0]
        raise InvalidParameter(
            f"{url!r} names no store: write {scheme}:///relative/path or {scheme}:////absolute/path."
        )
    return path


def _path(url: str) -> str | None:
    """The path in `scheme:///path`; None where there is none that the system has a form for."""
    _, separator, path = url.partition(":///")
    try:
        usable = separator and path.strip() not in ("", ":memory:") and b"\0" not in os.fsencode(path)
    except UnicodeEncodeError:
        return None
    return path if usable else None
