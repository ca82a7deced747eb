"""A folder of banks: one SQLite file for each, in folders named by its key, and what keeps two processes apart."""

from __future__ import annotations

import os
import shutil
import uuid
from collections.abc import Callable, Collection, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path

from amb_core.errors import InvalidInput
from amb_core.stores.openers import BanksDeleted
from amb_core.stores.store_folder import FolderLock

__all__ = ["BankFolders"]

_MEMORY, _LOCK, _DELETED = "memory.db", "lock", ".deleted-"
_SCHEME = "sqlite:///"


class BankFolders:
    """Banks in folders below one folder; see `BankPlaces` for what the methods promise."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise InvalidInput(f"{self.folder} cannot be a folder of banks ({error.strerror}); name another") from None
        for rest in self.folder.glob(f"{_DELETED}*"):  # what a process that died while it was deleting has left
            _remove(rest)

    def url(self, key: str) -> str:
        """The SQLite file of a bank."""
        return f"{_SCHEME}{self.folder / key / _MEMORY}"

    def hold(self, key: str) -> Callable[[], None]:
        """Lock a bank's folder, which is made where there is none; returns what lets it go."""
        while True:
            with suppress(FileNotFoundError):  # another process deletes the user's last bank at this moment
                (self.folder / key).mkdir(mode=0o700, parents=True, exist_ok=True)
                break
        return FolderLock(self.folder / key, name=_LOCK).release

    def note_use(self, key: str, now: float) -> None:
        """Remember when a bank was asked for, as the time of its lock."""
        os.utime(self.folder / key / _LOCK, (now, now))

    def used_before(self, before: float) -> list[str]:
        """The keys of banks that nobody asked for since then."""
        found = (bank for bank in self._banks_in(self.folder) if _used(bank) < before)
        return [bank.relative_to(self.folder).as_posix() for bank in found]

    @contextmanager
    def seized(self, key: str, ours: Collection[str]) -> Iterator[None]:
        """Keep other processes from the banks below a key, but for those that are `ours` already."""
        own = {self.folder / each for each in ours}
        with ExitStack() as locks:
            for bank in self._banks_in(self.folder / key):
                if bank not in own:
                    locks.callback(FolderLock(bank).release)
            yield

    def take_away(self, key: str, *, before: float | None = None) -> Callable[[], BanksDeleted]:
        """Rename what is below a key, so that nobody finds it any more; returns what removes it."""
        folder, moved = self.folder / key, self.folder / f"{_DELETED}{uuid.uuid4().hex}"
        if before is None or _used(folder) < before:
            with suppress(FileNotFoundError):
                folder.rename(moved)
            if folder.parent != self.folder:
                with suppress(OSError):  # the user has other threads
                    folder.parent.rmdir()
        return partial(_remove, moved)

    def _banks_in(self, folder: Path) -> list[Path]:
        """The folders of the banks at, in, or two levels below a folder."""
        found = (file.parent for depth in ("", "*/", "*/*/") for file in folder.glob(f"{depth}{_LOCK}"))
        return sorted(bank for bank in found if not bank.relative_to(folder).as_posix().startswith(_DELETED))


def _used(folder: Path) -> float:
    """When a bank was asked for last."""
    try:
        return (folder / _LOCK).stat().st_mtime
    except OSError:
        return float("inf")


def _files(folder: Path) -> Iterator[Path]:
    return (file for file in folder.rglob("*") if file.is_file())


def _remove(folder: Path) -> BanksDeleted:
    """Remove a folder; what stayed is counted."""
    banks, sizes = len(list(folder.rglob(_MEMORY))), [file.stat().st_size for file in _files(folder)]
    shutil.rmtree(folder, ignore_errors=True)
    left = sum(file.stat().st_size for file in _files(folder))
    return BanksDeleted(banks=banks, files=len(sizes), bytes=sum(sizes), bytes_left=left)
