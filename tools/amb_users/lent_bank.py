"""A bank as `Banks` lends it: closed while nobody asks it anything, and opened again when its holder does."""

from __future__ import annotations

import logging
import weakref
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from functools import wraps
from itertools import count
from typing import Any

from amb_core.bank import MemoryBank
from amb_core.bank_host import BankHost, moved_name
from amb_core.call_lock import CallLock
from amb_core.errors import BankClosed, StoreGone
from amb_core.memory.derived_notes import HearsOpinions
from amb_core.memory.events import HeardOpinion, Listener
from amb_core.stores.openers import BankPlaces, holds_something

__all__ = ["UserBank", "UserBankState"]

_log = logging.getLogger("amb.banks")
_uses = count(1)
Opening = Callable[[bool], MemoryBank]
"""Opens a bank; what is not there is begun where that is allowed, and else a StoreGone."""


class UserBank(MemoryBank):
    """A MemoryBank whose every call opens the bank where it is closed, and keeps it open until the call has ended.

    It is closed itself when its holder closes it, or when it was deleted; then it is not opened again.
    """

    def __init__(self, place: UserBankState) -> None:
        self._place, self._closed, self._deleted = place, False, False

    def __getattr__(self, name: str) -> Any:
        if name in ("_parts", "_lock"):  # a bank that works with this one as its shared one looks inside
            with self._lease() as bank:
                return getattr(bank, name)
        return moved_name(self, name)

    def _lease(self) -> AbstractContextManager[MemoryBank]:
        return self._place.lease(self)

    @property
    def closed(self) -> bool:
        """Whether it is at its end; a bank that is only put aside is not."""
        return self._closed

    @property
    def host(self) -> BankHost:
        """What adapters and loops ask of the bank that is open behind it."""
        return _UserHost(self)

    def close(self, *, keep: bool | None = None) -> None:
        """Close the bank for all who hold it; `keep=False` deletes the task."""
        self._place.end(self, keep=keep)

    def delete(self) -> None:
        """End the task and delete it."""
        super().delete()


class _UserHost(BankHost):
    """The host's side of a bank that may be put aside meanwhile."""

    def __init__(self, lent: UserBank) -> None:
        super().__init__(lent)
        self._lease, self._place = lent._lease, lent._place

    @contextmanager
    def metered(self) -> Iterator[None]:
        """Count the model calls made inside; the bank stays open as long."""
        with self._lease() as bank, bank.host.metered():
            yield

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Call `listener` for everything that happens, also after the bank was opened again."""
        with self._lease() as bank:
            return self._place.subscribe(bank, listener)

    @property
    def opinions(self) -> HearsOpinions:
        """Hears what the agent at work says of open disputes."""
        return _UserOpinions(self._lease)


class _UserOpinions:
    """What the agent says of disputes, to a bank that may be put aside meanwhile."""

    def __init__(self, lease: Callable[[], AbstractContextManager[MemoryBank]]) -> None:
        self._lease = lease

    def hear(self, dispute: str, *, holds: str, because: str) -> HeardOpinion:
        """As the bank's own."""
        with self._lease() as bank:
            return bank.host.opinions.hear(dispute, holds=holds, because=because)


def _leased(function: Callable[..., Any], side: Callable[[MemoryBank], Any]) -> Callable[..., Any]:
    """A method on that `side` of the bank that is open behind a lent one; so with a lent bank among its arguments."""

    @wraps(function)
    def call(lent: UserBank | _UserHost, *args: Any, **given: Any) -> Any:
        with ExitStack() as leases:
            bank = leases.enter_context(lent._lease())
            for name, value in given.items():
                if isinstance(value, UserBank):
                    given[name] = leases.enter_context(value._lease())
            return function(side(bank), *args, **given)

    return call


def _lend(whole: type, lent: type, side: Callable[[MemoryBank], Any]) -> None:
    """Give a class a leased method for each public one that another has and it has not itself."""
    for name, member in vars(whole).items():
        if name.startswith("_") or name in vars(lent) or isinstance(member, classmethod):
            continue
        if isinstance(member, property):
            assert member.fget is not None
            setattr(lent, name, property(_leased(member.fget, side)))
        else:
            setattr(lent, name, _leased(member, side))


_lend(MemoryBank, UserBank, lambda bank: bank)
_lend(BankHost, _UserHost, lambda bank: bank.host)


class _Lease:
    """Stands for one call, as long as that runs."""


class UserBankState:
    """The place of one bank, and the bank while it is open; whatever is done with either is done in its `turn`.

    What is lent is one object for all, held weakly, so that it is known when nobody has it any more. `make_room` is
    called, without the turn, before a bank is opened.
    """

    def __init__(self, key: str, at: BankPlaces, opening: Opening, make_room: Callable[[], None]) -> None:
        self.key, self._at, self._opening, self._make_room = key, at, opening, make_room
        self.turn = CallLock()
        self.bank: MemoryBank | None = None
        self.gone, self.asked, self.used = False, 0.0, 0
        self._leases = list[weakref.ref[_Lease]]()
        self._lent: weakref.ref[UserBank] | None = None
        self._listeners = list[_Heard]()
        self._release: Callable[[], None] | None = None

    @property
    def lent(self) -> UserBank | None:
        """What was lent, as long as somebody has it and it is not at its end."""
        lent = None if self._lent is None else self._lent()
        return None if lent is None or lent.closed else lent

    @property
    def at_rest(self) -> bool:
        """Whether the bank is open and may be put aside: no call and no step of a holder runs, nothing is digested."""
        return self.bank is not None and not self._running() and (self.lent is None or self.bank._parts.at_rest)

    def _running(self) -> list[weakref.ref[_Lease]]:
        return [lease for lease in self._leases if lease() is not None]

    def lend(self, now: float, *, begin: bool) -> MemoryBank:
        """The bank, opened where it is closed; the same object as long as somebody has it.

        It is begun where there is none and that is wanted; else that raises StoreGone.
        """
        if self._is_gone():
            self._end(keep=True)
        lent = self.lent
        try:
            self._open(begin=begin and lent is None)
        except StoreGone:  # it was deleted elsewhere while it was put aside
            self._end(keep=True)
            if not begin:
                raise
            self._open(begin=True)
            lent = None
        if lent is None:
            lent = UserBank(self)
            self._lent = weakref.ref(lent)
        self.asked, self.used = now, next(_uses)
        self._at.note_use(self.key, now)
        return lent

    @contextmanager
    def lease(self, lent: UserBank) -> Iterator[MemoryBank]:
        """The open bank, for one call of who holds it; BankClosed for one that is at its end."""
        if self.bank is None and not lent.closed:
            self._make_room()
        with self.turn:
            if lent.closed:
                raise BankClosed("this bank is closed; ask for it again, or resume it from its store")
            try:
                bank, self.used = self._open(begin=False), next(_uses)
            except StoreGone:
                self._end(keep=True)
                raise
            mine = _Lease()  # gone with this frame, however it ends: a counter would stay up after a stop between lines
            self._leases = [*self._running(), weakref.ref(mine)]
        try:
            yield bank
        except StoreGone:
            self.end(lent, keep=True)
            raise

    def subscribe(self, bank: MemoryBank, listener: Listener) -> Callable[[], None]:
        """Have the bank, and whatever is opened in its place, tell a listener."""
        heard = _Heard(listener, bank.host.subscribe(listener))
        self._listeners.append(heard)

        def leave() -> None:
            heard.leave()
            if heard in self._listeners:
                self._listeners.remove(heard)

        return leave

    def end(self, lent: UserBank, *, keep: bool | None) -> None:
        """Close what was lent for good, unless that was done."""
        with self.turn:
            if not lent.closed:
                if keep is False:
                    self._open(begin=False)
                self._end(keep=keep is not False)

    def put_aside(self) -> None:
        """Close the bank; who holds it opens it again by asking it something (hold the turn)."""
        if self.lent is None:
            self._listeners.clear()
        self._close(keep=True)

    def let_go(self) -> None:
        """Close the place for good (hold the turn)."""
        self.gone = True
        self._end(keep=True)

    # --- inside ------------------------------------------------------------------------------------------------------

    def _is_gone(self) -> bool:
        """Whether another process has deleted the open bank."""
        try:
            return self.bank is not None and (self.bank.closed or self.bank.size is None)
        except StoreGone:
            return True

    def _open(self, *, begin: bool) -> MemoryBank:
        """The bank, opened where it is closed."""
        if self.bank is not None:
            return self.bank
        if not begin and not holds_something(self._at.url(self.key)):
            raise StoreGone("this bank was deleted; ask for it again to begin a new one")
        self._release = self._at.hold(self.key)
        try:
            self.bank = self._opening(begin)
            for heard in self._listeners:
                heard.leave = self.bank.host.subscribe(heard.listener)
        except BaseException:
            self._close(keep=True)
            raise
        return self.bank

    def _end(self, *, keep: bool) -> None:
        lent = self.lent
        try:
            self._close(keep=keep)
        finally:
            self._lent = None
            self._listeners.clear()
            if lent is not None:
                lent._closed, lent._deleted = True, not keep

    def _close(self, *, keep: bool) -> None:
        """Close the bank and let the folder go; all that was acknowledged is in the store."""
        bank, release, self._release = self.bank, self._release, None
        try:
            if bank is not None:
                bank.close(keep=keep)
        except Exception as error:
            if not keep:
                raise
            _log.warning("a bank could not be closed in order (%s)", type(error).__name__)
        finally:
            self.bank = None
            if release is not None:
                release()


class _Heard:
    """A listener, and what ends its listening to the bank that is open now."""

    def __init__(self, listener: Listener, leave: Callable[[], None]) -> None:
        self.listener, self.leave = listener, leave
