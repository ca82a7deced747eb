"""The place of a store on disk: a folder for it alone, with a lock, and whether its file is still the one it opened."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import FileIO
from pathlib import Path
from typing import BinaryIO, TypeAlias
from weakref import WeakSet

from amb_core.errors import StoreCorrupt, StoreError, StoreGone, StoreLocked

__all__ = ["FolderLock", "Identity", "check_open_file", "check_there", "folder_errors", "identity_of", "make_folder"]


def make_folder(folder: Path, *, is_ours: Callable[[str], bool], mark: str) -> None:
    """Make the folder; one that holds files of others, by name, and not the file `mark` is a StoreCorrupt."""
    if not folder.parent.is_dir():
        raise StoreError(f"the folder {folder.parent} does not exist; create it, or store the memory elsewhere.")
    folder.mkdir(exist_ok=True)
    strangers = sorted(found.name for found in folder.iterdir() if not is_ours(found.name))
    if strangers and not (folder / mark).exists():
        raise StoreCorrupt(f"{folder} holds other files ({strangers[0]}); name a new folder for the memory.")


@contextmanager
def folder_errors(place: Path | str) -> Iterator[None]:
    """Any OSError inside as a StoreError that says what it means for the user."""
    try:
        yield
    except StoreError:
        raise
    except (NotADirectoryError, FileExistsError, FileNotFoundError, PermissionError) as error:
        raise StoreError(f"{place} cannot be opened or written ({error.strerror}); check the folder.") from error
    except OSError as error:
        if error.errno is None:
            raise  # of no system call: a handler of signals raises TimeoutError when the time is over
        said = error.strerror or error
        raise StoreError(f"{place} could not be written ({said}); free disk space, then repeat.") from error


Identity: TypeAlias = tuple[int, int] | None
"""Device and number of a file; None where the system has none."""


def identity_of(path: Path) -> Identity:
    """What tells the file of that name from another one that is put in its place."""
    try:
        found = path.stat()
    except OSError as error:
        if error.errno is None:
            raise  # as above
        return None
    return (found.st_dev, found.st_ino) if found.st_ino else None


def check_there(path: Path, identity: Identity) -> None:
    """Raise StoreGone unless the file of that name is the one with this identity."""
    if identity is not None and identity_of(path) != identity:
        raise StoreGone(f"{path} was deleted or replaced while it was open; open the store again.")


def check_open_file(path: Path, file: BinaryIO) -> None:
    """Raise StoreGone unless the open file is the one of that name."""
    found = os.fstat(file.fileno())
    check_there(path, (found.st_dev, found.st_ino) if found.st_ino else None)


class FolderLock:
    """Holds a file in a folder; StoreLocked when somebody else, in this process or another, holds it.

    A lock that nobody has any more lets go: an opening that was stopped half way leaves none behind.
    """

    def __init__(self, folder: Path, *, name: str = "lock") -> None:
        self._path = folder / name
        self._file: FileIO | None = FileIO(self._path, "a")
        if not _taken(self._file.fileno()) and not self._is_left_behind():
            self.release()
            raise StoreLocked(f"{folder} is in use by another process or bank; close it there, then open it again.")

        _held.add(self)

    def _is_left_behind(self) -> bool:
        """Whether it was a store of this process that held the file and that nobody has any more: then it is ours."""
        if self._file is None or not any(lock._path == self._path for lock in list(_held)):
            return False
        gc.collect()  # a store is part of a circle, so it stays until these are looked for; no request opens a folder
        return _taken(self._file.fileno())

    def release(self) -> None:
        """Let go; calling twice is no error."""
        if self._file is not None:
            file, self._file = self._file, None
            file.close()

    def __del__(self) -> None:
        if getattr(self, "_file", None) is not None:
            self.release()


_held: WeakSet[FolderLock] = WeakSet()


def _leave_to_parent() -> None:
    """A child of a fork shares the open files of its parent, and would keep the folder locked when that lets go."""
    for lock in list(_held):
        lock.release()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_leave_to_parent)


if sys.platform == "win32":
    import msvcrt

    def _taken(handle: int) -> bool:
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _taken(handle: int) -> bool:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
