"""Banks: a durable bank for each user and thread, opened when somebody comes and closed when nobody needs it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path
from typing import Any

from amb_core.bank import MemoryBank
from amb_core.bank_source import ANY_GOAL, BankOf, BankSource, bank_of
from amb_core.call_lock import CallLock
from amb_core.clock import SteadyClock, SystemClock
from amb_core.errors import InvalidInput, InvalidParameter, StoreError, StoreGone
from amb_core.memory.arguments import named_arguments, require_text, require_type
from amb_core.memory.forgetting import Forgotten, tell_forgotten
from amb_core.protocols import Agents, Clock, Embedder, Redactor
from amb_core.scope import Scope
from amb_core.settings import Settings
from amb_core.stores.openers import BankPlaces, BanksDeleted, PlacesOpener, opener_of
from amb_users.bank_folders import BankFolders
from amb_users.lent_bank import UserBankState

__all__ = ["ANY_GOAL", "BankOf", "BankSource", "Banks", "BanksDeleted", "bank_of"]

_SCHEME = "sqlite:///"
_HOUR, _DAY = 3600.0, 86_400.0


class Banks:
    """A durable bank for each user and thread: `attach(agent, Banks("sqlite:///folder/"))`, or `banks(Scope("ann"))`.

    Each is a SQLite file in a folder named by hashes of the two, so that any text may be an id, or with
    `Banks("postgresql://…?tenant=acme")` a space of that tenant. It is opened when first asked for and handed out again
    while somebody holds it; a file is never opened twice, and another process that has it open gets StoreLocked.
    At most `most_open` are open at once, however many are held, but for those at work: the one used longest ago is put
    aside, and opened again when its holder asks it something. What nobody holds is closed after `idle_seconds`. A bank
    nobody asked for in `keep_days` is deleted (None: never), at the start and once an hour. `goal` is what a new bank
    is for; the other options are MemoryBank's, for all of them. Thread-safe. Raises InvalidParameter for another URL.
    """

    @named_arguments
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
        redactor: Redactor | None = None,
    ) -> None:
        require_text(goal, "the goal of new banks is empty; say in a sentence what they are for, or leave it out")
        if settings is not None and (settings.storage_dir or settings.temp_dir):
            raise InvalidParameter("Banks keeps attachments beside each bank; leave storage_dir and temp_dir out.")
        if most_open < 0 or idle_seconds < 0 or (keep_days is not None and keep_days <= 0):
            raise InvalidParameter("most_open and idle_seconds are 0 or more, and keep_days is more than 0, or None.")
        self._at = _places_of(url)
        self._goal, self._most, self._idle, self._keep = goal, most_open, idle_seconds, keep_days
        self._options: dict[str, Any] = {
            "agents": agents,
            "embedder": embedder,
            "settings": settings,
            "clock": clock,
            "redactor": redactor,
        }
        self._time = SteadyClock(SystemClock() if clock is None else clock)
        self._places: dict[str, UserBankState] = {}
        self._lock = CallLock()
        self._looked = self._time.now()
        self._delete_old(self._looked)

    def __call__(self, scope: Scope) -> MemoryBank:
        """The bank of a user and thread, a new one where there is none; InvalidParameter when neither is named."""
        require_type(scope, Scope, by="Banks(…)(scope)", error=InvalidParameter)
        if not scope:
            raise InvalidParameter(
                "nobody says whose memory this is: name the user_id or thread_id where your framework takes it, or "
                "pass scope=Scope(user=…, thread=…)."
            )
        return self._lent(scope, begin=True)

    def find(self, scope: Scope) -> MemoryBank | None:
        """The bank of a user and thread where there is one; None where there is not, and none is made."""
        require_type(scope, Scope, by="Banks(…).find(scope)", error=InvalidParameter)
        try:
            return self._lent(scope, begin=False) if scope else None
        except StoreGone:
            return None

    def delete(self, *, user: str | None, thread: str | None = None) -> BanksDeleted:
        """Delete all banks of a user, or with a `thread` the one bank of both, whoever has it open in this process.

        `user=None` with a thread is the bank of a thread whose user nobody named. Facts promoted from them go as well
        from each LongTermMemory that is open in this process; `delete_user` of its store finds them too. Raises
        StoreLocked, with nothing deleted, while another process has one open.
        """
        scope = Scope(user, thread)
        if not scope:
            raise InvalidParameter("name whose memory is to be deleted: delete(user=…), or delete(user=…, thread=…).")
        deleted = self._delete(_name(scope.user) if scope.thread is None else _key(scope))
        tell_forgotten(Forgotten(user=scope.user, thread=scope.thread))
        return deleted

    @property
    def folder(self) -> Path | None:
        """Where the files of the banks are; None where they are in a database."""
        return self._at.folder if isinstance(self._at, BankFolders) else None

    def close(self) -> None:
        """Close all banks, also those that somebody holds; they are kept, and opened again when asked for."""
        with self._lock:
            for place in list(self._places.values()):
                with place.turn:
                    self._let_go(place)

    # --- inside ------------------------------------------------------------------------------------------------------

    def _lent(self, scope: Scope, *, begin: bool) -> MemoryBank:
        now, bank, key = self._time.now(), None, _key(scope)
        while bank is None:
            with self._lock:
                place = self._places.get(key)
                if place is None:
                    opening = partial(self._opened, key, scope)
                    place = self._places[key] = UserBankState(key, self._at, opening, self._make_room)
            if place.bank is None:
                self._make_room()
            with place.turn:
                bank = None if place.gone else place.lend(now, begin=begin)
        self._close_idle(now)
        if now - self._looked >= _HOUR:
            self._looked = now
            self._delete_old(now)
        return bank

    def _opened(self, key: str, scope: Scope, begin: bool) -> MemoryBank:
        url = self._at.url(key)
        try:
            bank = MemoryBank.resume(url, **self._options)
        except InvalidInput:  # nothing is there, or it was deleted, or never begun
            if not begin:
                raise StoreGone("this bank was deleted; ask for it again to begin a new one") from None
            bank = MemoryBank(self._goal, store=url, **self._options)
        bank.host.assign(scope)
        return bank

    def _let_go(self, place: UserBankState) -> None:
        """Close a place for good, its turn and the lock held."""
        self._places.pop(place.key, None)
        place.let_go()

    def _make_room(self) -> None:
        """Put banks aside, those used longest ago first, until one more may be opened."""
        with self._lock:
            resting = [place for place in self._places.values() if place.bank is not None]
        many = len(resting) - max(self._most, 1) + 1
        for place in sorted(resting, key=lambda place: place.used) if many > 0 else ():
            many -= self._put_aside(place, lambda place: place.at_rest)
            if many <= 0:
                return

    def _close_idle(self, now: float) -> None:
        """Close what nobody holds and was not asked for in so long; forget what is closed already."""
        with self._lock:
            unheld = [place for place in self._places.values() if place.lent is None]
        for place in unheld:
            self._put_aside(place, lambda place: place.lent is None and now - place.asked > self._idle)
            with self._lock, place.turn.at_once() as free:
                if free and place.bank is None and place.lent is None and self._places.get(place.key) is place:
                    place.gone = True
                    del self._places[place.key]

    @staticmethod
    def _put_aside(place: UserBankState, may: Callable[[UserBankState], bool]) -> bool:
        """Close a bank if it is still open, in nobody's turn, and it may be; whether that was done."""
        with place.turn.at_once() as free:
            if not free or place.bank is None or not may(place):
                return False
            place.put_aside()
            return True

    def _delete(self, key: str, *, before: float | None = None) -> BanksDeleted:
        """Take banks out of the way, then remove them; with `before`, only what was not used since then."""
        with self._lock, ExitStack() as turns:
            places = [place for place in self._places.values() if key in (place.key, place.key.partition("/")[0])]
            if before is not None and places:
                return BanksDeleted(banks=0, files=0, bytes=0, bytes_left=0)
            for place in places:
                turns.enter_context(place.turn)
            with self._at.seized(key, {place.key for place in places if place.bank is not None}):
                for place in places:
                    self._let_go(place)
                remove = self._at.take_away(key, before=before)
        return remove()

    def _delete_old(self, now: float) -> None:
        before = None if self._keep is None else now - self._keep * _DAY
        for key in self._at.used_before(before) if before is not None else ():
            with suppress(StoreError):  # another process works on it
                self._delete(key, before=before)


def _places_of(url: str) -> BankPlaces:
    """Where the banks at a URL are kept."""
    is_file = isinstance(url, str) and url.startswith(_SCHEME)
    opener = None if is_file or not isinstance(url, str) else opener_of(url)
    if isinstance(opener, PlacesOpener):
        return opener.places(url)
    if not is_file or not url[len(_SCHEME) :].strip("/ "):
        raise InvalidParameter(
            "Banks keeps each bank in a folder of its own on this disk, Banks('sqlite:///folder/'), or in a space of "
            "its own in PostgreSQL, Banks('postgresql://…?tenant=…'). For another store, "
            "write the function yourself: lambda scope: MemoryBank(goal, store=…), and keep what it returns."
        )
    return BankFolders(Path(url[len(_SCHEME) :]).absolute())


def _key(scope: Scope) -> str:
    """Where the bank of a user and thread is kept."""
    return f"{_name(scope.user)}/{_name(scope.thread)}"


def _name(named: str | None) -> str:
    """A name for any id; nobody has one of their own."""
    told = b"-" if named is None else b"=" + named.encode("utf-8", "surrogatepass")
    return hashlib.blake2b(told, digest_size=20).hexdigest()
