"""Banks by name: those of a folder, which several servers may share, or some that are open in this process."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from typing import Protocol

from amb_core import (
    AmbError,
    ForbiddenPath,
    InvalidInput,
    InvalidParameter,
    MemoryBank,
    Settings,
    StoreError,
    StoreLocked,
    UnknownId,
)
from amb_core.protocols import Agents
from amb_core.stores.store_folder import FolderLock

__all__ = ["BankFolder", "Banks", "GivenBanks", "checked_name"]

_NAME = re.compile(r"[a-z0-9](?:[a-z0-9_-]{0,62}[a-z0-9])?")
_DEVICES = re.compile(r"con|prn|aux|nul|(?:com|lpt)[0-9]")
"""Names that Windows takes for devices."""
_MEMORY = "memory.db"
_PATIENCE = 30.0
"""Seconds to wait while another server works on the same bank."""
_MOST_OPEN = 16


def checked_name(name: str) -> str:
    """The name, when a bank can have it; small letters of ASCII only, so that no two names look or are stored alike."""
    if not _NAME.fullmatch(name) or _DEVICES.fullmatch(name):
        raise InvalidParameter(
            "a bank's name has 1 to 64 small letters a-z, digits, '-' and '_', and begins and ends with a letter "
            "or digit, such as 'default' or 'trip-2026'"
        )
    return name


class Banks(Protocol):
    """Where a server finds its banks."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all banks, sorted."""
        ...

    def begin(self, name: str, *, goal: str) -> None:
        """A new bank; InvalidInput when there is one of that name."""
        ...

    def working(self, name: str) -> AbstractContextManager[MemoryBank]:
        """The bank, for one piece of work at a time; UnknownId when there is none."""
        ...

    def close(self) -> None:
        """Let go of everything; nothing durable is deleted."""
        ...


class GivenBanks:
    """Banks that are open in this process and stay yours; new ones cannot be begun."""

    def __init__(self, banks: Mapping[str, MemoryBank]) -> None:
        self._banks = {checked_name(name): bank for name, bank in banks.items()}

    @property
    def names(self) -> tuple[str, ...]:
        """The names given, sorted."""
        return tuple(sorted(self._banks))

    def begin(self, name: str, *, goal: str) -> None:
        """Always InvalidInput."""
        raise InvalidInput(f"this server has the banks {', '.join(self.names)} and takes no others; use one of them")

    @contextmanager
    def working(self, name: str) -> Iterator[MemoryBank]:
        """The bank of that name; a bank is thread-safe itself."""
        if checked_name(name) not in self._banks:
            raise UnknownId("bank", name, near=self.names[:3])
        yield self._banks[name]

    def close(self) -> None:
        """Nothing: the banks are yours."""


class _Place:
    """One bank's folder, and the bank while it is open here."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.turn = threading.Lock()
        self.bank: MemoryBank | None = None
        self.seen: tuple[tuple[int, int], ...] = ()

    @property
    def state(self) -> tuple[tuple[int, int], ...]:
        """Changes whenever somebody has written to the store."""
        files = [self.folder / f"{_MEMORY}{ending}" for ending in ("", "-wal")]
        return tuple((stat.st_mtime_ns, stat.st_size) for stat in (file.stat() for file in files if file.exists()))

    def close(self) -> None:
        bank, self.bank = self.bank, None
        if bank is not None:
            with suppress(AmbError):  # all that was acknowledged is in the store
                bank.close(keep=True)


class BankFolder:
    """Each bank is a folder of its own, with a SQLite store in it, inside `folder`.

    Safe for threads and for several processes: work on one bank is done one piece after another, and a bank that
    another server has written to is read anew before it is used. `embedder`, `agents` and `settings` are for all banks;
    there may be `most` of them. Raises ForbiddenPath for symbolic links where a bank should be.
    """

    def __init__(
        self,
        folder: str | Path,
        *,
        embedder: str | None = None,
        agents: Agents | None = None,
        settings: Settings | None = None,
        most: int = 100,
    ) -> None:
        path = Path(folder)
        try:
            path.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise InvalidInput(f"{path} cannot be a folder of banks ({error.strerror}); name another") from None
        self.folder = path.resolve()
        self._embedder, self._agents, self._settings, self._most = embedder, agents, settings, most
        self._places: dict[str, _Place] = {}
        self._lock = threading.Lock()

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the banks that are in the folder now, sorted."""
        return tuple(sorted(file.parent.name for file in self.folder.glob(f"*/{_MEMORY}") if _is_bank(file)))

    def begin(self, name: str, *, goal: str) -> None:
        """A new bank with that goal; InvalidInput when there is one of that name, or too many."""
        with self._turn(name, make=True) as place:
            if (place.folder / _MEMORY).exists():
                raise InvalidInput(f"the bank {name!r} has a task already; use it, or begin one under another name")
            if len(self.names) >= self._most:
                raise InvalidInput(f"there are {self._most} banks, which is as many as there may be; use one of them")
            place.close()
            place.bank = MemoryBank(
                goal, store=_url(place), agents=self._agents, embedder=self._embedder, settings=self._settings
            )
            place.seen = place.state

    @contextmanager
    def working(self, name: str) -> Iterator[MemoryBank]:
        """The bank of that name as it stands in its store, nobody else at work on it meanwhile."""
        with self._turn(name, make=False) as place:
            if place.bank is None or place.seen != place.state:
                place.close()
                place.bank = MemoryBank.resume(
                    _url(place), agents=self._agents, embedder=self._embedder, settings=self._settings
                )
            try:
                yield place.bank
            except StoreError:
                place.close()  # the next call begins with what is stored
                raise
            finally:
                place.seen = place.state

    def close(self) -> None:
        """Close all banks; their stores are kept."""
        with self._lock:
            places = list(self._places.values())
        for place in places:
            with place.turn:
                place.close()

    @contextmanager
    def _turn(self, name: str, *, make: bool) -> Iterator[_Place]:
        """The place of a bank while no other thread or process works on it."""
        place = self._place(checked_name(name))
        with place.turn:
            self._check(place.folder, name, make=make)
            lock = _locked(place.folder)
            try:
                yield place
            finally:
                lock.release()
        self._close_the_oldest()

    def _check(self, folder: Path, name: str, *, make: bool) -> None:
        if make and not folder.is_symlink():
            folder.mkdir(mode=0o700, exist_ok=True)
        if folder.resolve() != folder or (folder.exists() and any(file.is_symlink() for file in folder.iterdir())):
            raise ForbiddenPath(f"the bank {name!r} is a symbolic link or holds one; put the files themselves there")
        if not make and not (folder / _MEMORY).is_file():
            raise UnknownId("bank", name, near=self.names[:3])

    def _place(self, name: str) -> _Place:
        with self._lock:
            place = self._places.pop(name, None) or _Place(self.folder / name)
            self._places[name] = place  # the last is the one used last
            return place

    def _close_the_oldest(self) -> None:
        """No more than a few banks stay open; those at work are passed over."""
        with self._lock:
            places = [place for place in self._places.values() if place.bank is not None]
        for place in places[:-_MOST_OPEN]:
            if place.turn.acquire(blocking=False):
                try:
                    place.close()
                finally:
                    place.turn.release()


def _url(place: _Place) -> str:
    return f"sqlite:///{place.folder / _MEMORY}"


def _is_bank(file: Path) -> bool:
    named = _NAME.fullmatch(file.parent.name) and not _DEVICES.fullmatch(file.parent.name)
    return bool(named) and not file.is_symlink() and not file.parent.is_symlink()


def _locked(folder: Path) -> FolderLock:
    """The lock of a bank's folder, waited for."""
    until = time.monotonic() + _PATIENCE
    while True:
        try:
            return FolderLock(folder)
        except StoreLocked:
            if time.monotonic() > until:
                raise StoreLocked("another server has been working on this bank for long; try again later") from None
            time.sleep(0.01)
