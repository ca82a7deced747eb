"""Banks: a durable bank for each user and thread, opened when somebody comes and closed when nobody needs it."""

from __future__ import annotations

import hashlib
import logging
import os
import shutil
import threading
import uuid
import weakref
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TypeAlias

from amb_core.bank import MemoryBank
from amb_core.clock import SteadyClock, SystemClock
from amb_core.errors import InvalidInput, InvalidParameter, StoreError
from amb_core.frozen import Frozen
from amb_core.memory.arguments import require_text, require_type
from amb_core.protocols import Agents, Clock, Embedder
from amb_core.scope import Scope
from amb_core.settings import Settings
from amb_core.stores.folder_lock import FolderLock

__all__ = ["ANY_GOAL", "BankOf", "BankSource", "Banks", "BanksDeleted"]

_log = logging.getLogger("amb.banks")
BankOf: TypeAlias = Callable[[Scope], MemoryBank]
"""Gives the bank of a user and thread."""
BankSource: TypeAlias = MemoryBank | BankOf
"""One bank, or what gives each user and thread theirs."""
ANY_GOAL = "Help the user with what they ask."
"""The goal of a new bank, until the user has asked something."""
_MEMORY, _LOCK, _DELETED = "memory.db", "lock", ".deleted-"
_SCHEME = "sqlite:///"
_HOUR, _DAY = 3600.0, 86_400.0


class BanksDeleted(Frozen):
    """What `Banks.delete` removed: so many banks, files and bytes; `bytes_left` is 0 unless that failed."""

    banks: int
    files: int
    bytes: int
    bytes_left: int


class Banks:
    """A durable bank for each user and thread: `attach(agent, Banks("sqlite:///folder/"))`, or `banks(Scope("ann"))`.

    Each is a SQLite file in a folder named by hashes of the two, so that any text may be an id. It is opened when
    first asked for and handed out again while it is open; the file is never opened twice, and another process that has
    it open gets StoreLocked. At most `most_open` stay open that nobody holds, for `idle_seconds` after they were last
    asked for. A bank nobody asked for in `keep_days` is deleted (None: never), at the start and once an hour.
    `goal` is what a new bank is for; the other options are MemoryBank's, for all of them. Thread-safe. Raises
    InvalidParameter for a URL of another kind.
    """

    def __init__(
        self,
        url: str,
        *,
        goal: str = ANY_GOAL,
        agents: Agents | None = None,
        embedder: Embedder | str | None = None,
        settings: Settings | None = None,
        clock: Clock | None = None,
        most_open: int = 64,
        idle_seconds: float = 600.0,
        keep_days: float | None = None,
    ) -> None:
        require_text(goal, "the goal of new banks is empty; say in a sentence what they are for, or leave it out")
        if settings is not None and (settings.storage_dir or settings.temp_dir):
            raise InvalidParameter("Banks keeps attachments beside each bank; leave storage_dir and temp_dir out.")
        if most_open < 0 or idle_seconds < 0 or (keep_days is not None and keep_days <= 0):
            raise InvalidParameter("most_open and idle_seconds are 0 or more, and keep_days is more than 0, or None.")
        self.folder = _folder_of(url)
        self._goal, self._most, self._idle, self._keep = goal, most_open, idle_seconds, keep_days
        self._agents, self._embedder, self._settings, self._clock = agents, embedder, settings, clock
        self._time = SteadyClock(SystemClock() if clock is None else clock)
        self._places: dict[Path, _Place] = {}
        self._lock = threading.RLock()
        self._looked = self._time.now()
        self._remove_rests()
        self._delete_old(self._looked)

    def __call__(self, scope: Scope) -> MemoryBank:
        """The bank of a user and thread, a new one where there is none; InvalidParameter when neither is named."""
        require_type(scope, Scope, by="Banks(…)(scope)", error=InvalidParameter)
        if not scope:
            raise InvalidParameter(
                "nobody says whose memory this is: name the user_id or thread_id where your framework takes it, or "
                "pass scope=Scope(user=…, thread=…)."
            )
        now, bank = self._time.now(), None
        while bank is None:
            place = self._place(scope)
            with place.turn:
                bank = None if place.gone else place.lend(partial(self._opened, place.folder, scope), now)
        self._tidy(now)
        return bank

    def delete(self, *, user: str | None, thread: str | None = None) -> BanksDeleted:
        """Delete all banks of a user, or with a `thread` the one bank of both, whoever has it open in this process.

        `user=None` with a thread is the bank of a thread whose user nobody named. Raises StoreLocked, with nothing
        deleted, while another process has one open.
        """
        scope = Scope(user, thread)
        if not scope:
            raise InvalidParameter("name whose memory is to be deleted: delete(user=…), or delete(user=…, thread=…).")
        folder = self.folder / _name(scope.user)
        return self._delete(folder if scope.thread is None else folder / _name(scope.thread))

    def close(self) -> None:
        """Close all banks, also those that somebody holds; they are kept, and opened again when asked for."""
        with self._lock:
            for place in list(self._places.values()):
                with place.turn:
                    self._let_go(place)

    # --- inside ------------------------------------------------------------------------------------------------------

    def _place(self, scope: Scope) -> _Place:
        """The place of a scope, which now is the one used last."""
        folder = self.folder / _name(scope.user) / _name(scope.thread)
        with self._lock:
            place = self._places.pop(folder, None)
            if place is None:
                folder.mkdir(mode=0o700, parents=True, exist_ok=True)
                place = _Place(folder)
            self._places[folder] = place
            return place

    def _opened(self, folder: Path, scope: Scope) -> MemoryBank:
        url = f"{_SCHEME}{folder / _MEMORY}"
        try:
            bank = MemoryBank.resume(
                url, agents=self._agents, embedder=self._embedder, settings=self._settings, clock=self._clock
            )
        except InvalidInput:  # nothing is there, or it was deleted, or never begun
            bank = MemoryBank(
                self._goal,
                store=url,
                agents=self._agents,
                embedder=self._embedder,
                settings=self._settings,
                clock=self._clock,
            )
        bank.assign(scope)
        return bank

    def _let_go(self, place: _Place) -> None:
        """Close a place for good, its turn and the lock held."""
        place.gone = True
        self._places.pop(place.folder, None)
        place.close()

    def _tidy(self, now: float) -> None:
        """Close what nobody holds and what is too old, or too many; once an hour look for what is to be deleted."""
        for place in self._due(now):
            try:
                place.close()
            finally:
                place.turn.release()
        if now - self._looked >= _HOUR:
            self._looked = now
            self._delete_old(now)

    def _due(self, now: float) -> list[_Place]:
        """The places to close, whose turns are taken; those that are closed already are forgotten."""
        due = list[_Place]()
        with self._lock:
            idle = [place for place in self._places.values() if not place.held]
            many = len(idle) - self._most
            for at, place in enumerate(idle):
                if not place.turn.acquire(blocking=False):
                    continue
                if place.bank is None:
                    place.gone = True
                    del self._places[place.folder]
                elif not place.held and (at < many or now - place.used > self._idle):
                    due.append(place)
                    continue
                place.turn.release()
        return due

    def _delete(self, folder: Path, *, before: float | None = None) -> BanksDeleted:
        """Take a folder of banks out of the way, then remove it; with `before`, only if it was not used since then."""
        locks, moved = list[FolderLock](), self.folder / f"{_DELETED}{uuid.uuid4().hex}"
        with self._lock:
            places = [place for place in self._places.values() if folder in (place.folder, place.folder.parent)]
            if before is not None and (places or _used(folder) >= before):
                return BanksDeleted(banks=0, files=0, bytes=0, bytes_left=0)
            try:
                ours = {place.folder for place in places if place.bank is not None}
                locks += [FolderLock(bank) for bank in _banks_in(folder) if bank not in ours]
                for place in places:
                    with place.turn:
                        self._let_go(place)
                with suppress(FileNotFoundError):
                    folder.rename(moved)
            finally:
                for lock in locks:
                    lock.release()
            if folder.parent != self.folder:
                with suppress(OSError):  # the user has other threads
                    folder.parent.rmdir()
        return _removed(moved)

    def _delete_old(self, now: float) -> None:
        before = None if self._keep is None else now - self._keep * _DAY
        for folder in _banks_in(self.folder) if before is not None else ():
            if _used(folder) < (before or 0.0):
                with suppress(StoreError):  # another process works on it
                    self._delete(folder, before=before)

    def _remove_rests(self) -> None:
        """Remove what a process that died while it was deleting has left."""
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise InvalidInput(f"{self.folder} cannot be a folder of banks ({error.strerror}); name another") from None
        for rest in self.folder.glob(f"{_DELETED}*"):
            _removed(rest)


class _Place:
    """One bank's folder, and the bank while it is open; whatever is done with either is done in its `turn`.

    What is lent is another object with the same state, so that it is known when nobody has it any more.
    """

    def __init__(self, folder: Path) -> None:
        self.folder, self.turn = folder, threading.Lock()
        self.bank: MemoryBank | None = None
        self.gone, self.used = False, 0.0
        self._lent: weakref.ref[MemoryBank] | None = None
        self._lock: FolderLock | None = None

    @property
    def held(self) -> bool:
        """Whether somebody has the bank."""
        return self._lent is not None and self._lent() is not None

    def lend(self, opened: Callable[[], MemoryBank], now: float) -> MemoryBank:
        """The bank, opened where it is closed; the same object as long as somebody has it."""
        lent = None if self._lent is None else self._lent()
        if self.bank is None or self.bank.closed:
            self._lock, lent = self._lock or FolderLock(self.folder, name=_LOCK), None
            try:
                self.bank = opened()
            except BaseException:
                self.close()
                raise
        if lent is None:
            lent = MemoryBank.__new__(MemoryBank)
            lent.__dict__ = self.bank.__dict__
            self._lent = weakref.ref(lent)
        self.used = now
        os.utime(self.folder / _LOCK, (now, now))
        return lent

    def close(self) -> None:
        """Close the bank and let the folder go; all that was acknowledged is in the store."""
        bank, self.bank, self._lent = self.bank, None, None
        lock, self._lock = self._lock, None
        try:
            if bank is not None:
                bank.close(keep=True)
        except Exception as error:  # noqa: BLE001 - whatever fails, the file must not be open any longer
            _log.warning("a bank could not be closed in order (%s)", type(error).__name__)
        finally:
            if lock is not None:
                lock.release()


def _folder_of(url: str) -> Path:
    """The folder that a URL names."""
    if not isinstance(url, str) or not url.startswith(_SCHEME) or not url[len(_SCHEME) :].strip("/ "):
        raise InvalidParameter(
            "Banks keeps each bank in a folder of its own on this disk: Banks('sqlite:///folder/'). For another store, "
            "write the function yourself: lambda scope: MemoryBank(goal, store=…), and keep what it returns."
        )
    return Path(url[len(_SCHEME) :]).absolute()


def _name(named: str | None) -> str:
    """A folder's name for any id; nobody has one of their own."""
    told = b"-" if named is None else b"=" + named.encode("utf-8", "surrogatepass")
    return hashlib.blake2b(told, digest_size=20).hexdigest()


def _banks_in(folder: Path) -> list[Path]:
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


def _removed(folder: Path) -> BanksDeleted:
    """Remove a folder; what stayed is counted."""
    banks, sizes = len(list(folder.rglob(_MEMORY))), [file.stat().st_size for file in _files(folder)]
    shutil.rmtree(folder, ignore_errors=True)
    left = sum(file.stat().st_size for file in _files(folder))
    return BanksDeleted(banks=banks, files=len(sizes), bytes=sum(sizes), bytes_left=left)
