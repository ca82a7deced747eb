"""The lock of a bank: against the threads of one process, or of several processes that work on its store.

It is also the one place where a bank is read anew: when a call was stopped while it had the lock, whatever it was at,
and when another process has written.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from types import TracebackType
from typing import Protocol

from amb_core.call_lock import CallLock, take_for_caller
from amb_core.errors import AmbError
from amb_core.protocols import Changed, FollowedStore, RecordStore

__all__ = ["BankLock", "FollowingBankLock"]

take_for_caller(__file__)


class BankLock(CallLock):
    """Guards the state of one bank against other threads; may be taken again by the one that has it."""

    def reading(self) -> AbstractContextManager[None]:
        """The lock for somebody who only looks at the state."""
        return self

    def end(self) -> None:
        """Take nothing up any more: the store is closed."""


class _Followed(FollowedStore, RecordStore, Protocol):
    """A record store that several processes write to."""


class FollowingBankLock(BankLock):
    """Holds a transaction besides, so that one process writes at a time, and takes up first what others wrote.

    `follow` is given what has changed, or None for whatever is not known, and whether everything has to be read anew.
    What is written under the lock is committed when it is let go, and seen by others only then; a call that is stopped
    has written nothing. Who only reads waits for no process: the state is brought up to date when a change was heard
    of.
    """

    def __init__(self, store: _Followed, *, prefix: str, follow: Callable[[Changed | None, bool], None]) -> None:
        super().__init__(forks=False)
        self._own = CallLock(repair=self._lose, forks=False)
        """The one that is held by readers too, always taken first."""
        self._store, self._prefix, self._follow = store, prefix, follow
        self._seen: int | None = None
        """The number of the last change that the state holds; None before the first look, whoever opens the bank."""
        self._lost = False
        self._transaction: AbstractContextManager[None] | None = None

    def __enter__(self) -> None:
        self._own.__enter__()
        try:
            super().__enter__()
        except BaseException as error:
            self._own.__exit__(type(error), error, None)
            raise

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            super().__exit__(kind, error, trace)
        finally:
            self._own.__exit__(kind, error, trace)

    def reading(self) -> AbstractContextManager[None]:
        return _Reading(self._own, self._look)

    def end(self) -> None:
        with self._own:
            self._seen, self._lost = None, False

    def _lose(self) -> None:
        self._lost = True

    def _look(self) -> None:
        """Bring the state up to date for a reader."""
        seen = self._seen
        if self.hold is not None or seen is None or not (self._lost or self._store.may_be_ahead(seen)):
            return
        changed = None if self._lost else self._store.changes_after(seen, prefix=self._prefix)
        if changed is None:
            with self:  # which takes up everything
                pass
        else:
            self._take_up(changed, changed.number)

    def _begin(self, *, after_stop: bool) -> None:
        self._lost = self._lost or after_stop
        self._roll_back()
        transaction = self._store.transaction()
        transaction.__enter__()
        self._transaction = transaction
        try:
            number = self._store.change_number()
            if self._seen is None:
                self._seen = number
            elif self._lost or number != self._seen:
                changed = None if self._lost else self._store.changes_after(self._seen, prefix=self._prefix)
                self._take_up(changed, number)
        except BaseException:
            self._roll_back()
            raise

    def _finish(self, *, stopped: bool) -> None:
        """Commit; what was not committed is in the state none the less, which is then read anew."""
        lost, self._lost = self._lost, True
        try:
            if not stopped and self._transaction is not None:
                number = self._store.change_number()
                transaction, self._transaction = self._transaction, None
                transaction.__exit__(None, None, None)
                self._seen, self._lost = number, lost
        finally:
            self._roll_back()

    def _roll_back(self) -> None:
        """Take back what was not committed, if anything."""
        transaction, self._transaction = self._transaction, None
        if transaction is not None:
            with suppress(AmbError):
                transaction.__exit__(GeneratorExit, GeneratorExit(), None)

    def _take_up(self, changed: Changed | None, number: int) -> None:
        anew, self._lost = self._lost, True
        self._follow(changed, anew)
        self._seen, self._lost = number, False


class _Reading:
    """The lock as readers take it."""

    def __init__(self, own: CallLock, look: Callable[[], None]) -> None:
        self._own, self._look = own, look

    def __enter__(self) -> None:
        self._own.__enter__()
        try:
            self._look()
        except BaseException as error:
            self._own.__exit__(type(error), error, None)
            raise

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._own.__exit__(kind, error, trace)
