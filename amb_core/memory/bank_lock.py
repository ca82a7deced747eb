"""The lock of a bank: against the threads of one process, or of several processes that share its store."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from types import TracebackType
from typing import Protocol

from amb_core.protocols import Changed, RecordStore, SharedStore

__all__ = ["BankLock", "SharedBankLock"]


class BankLock:
    """Guards the state of one bank against other threads; may be taken again by the one that has it."""

    def __init__(self) -> None:
        self._own = threading.RLock()

    def __enter__(self) -> None:
        self._own.acquire()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._own.release()

    def reading(self) -> AbstractContextManager[None]:
        """The lock for somebody who only looks at the state."""
        return self

    def end(self) -> None:
        """Take nothing up any more: the store is closed."""


class _Shared(SharedStore, RecordStore, Protocol):
    """A record store that several processes write to."""


class SharedBankLock(BankLock):
    """Holds a transaction besides, so that one process writes at a time, and takes up first what others wrote.

    `follow` is given what has changed, or None when everything has to be read anew. What is written under the lock is
    committed when it is let go, and seen by others only then. Who only reads waits for no process: the state is
    brought up to date when a change was heard of.
    """

    def __init__(self, store: _Shared, *, prefix: str, follow: Callable[[Changed | None], None]) -> None:
        super().__init__()
        self._store, self._prefix, self._follow = store, prefix, follow
        self._seen: int | None = None
        """The number of the last change that the state holds; None before the first look, whoever opens the bank."""
        self._lost = False
        self._depth = 0
        self._transaction = ExitStack()

    def __enter__(self) -> None:
        self._own.acquire()
        try:
            if not self._depth:
                self._begin()
        except BaseException:
            self._own.release()
            raise
        self._depth += 1

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._depth -= 1
        try:
            if not self._depth:
                self._end()
        finally:
            self._own.release()

    @contextmanager
    def reading(self) -> Iterator[None]:
        with self._own:
            if not self._depth and self._seen is not None and (self._lost or self._store.may_be_ahead(self._seen)):
                changed = None if self._lost else self._store.changes_after(self._seen, prefix=self._prefix)
                if changed is None:
                    with self:  # which reads everything anew
                        pass
                else:
                    self._take_up(changed, changed.number)
            yield

    def end(self) -> None:
        with self._own:
            self._seen, self._lost = None, False

    def _begin(self) -> None:
        with ExitStack() as stack:
            stack.enter_context(self._store.transaction())
            number = self._store.change_number()
            if self._seen is None:
                self._seen = number
            elif self._lost or number != self._seen:
                changed = None if self._lost else self._store.changes_after(self._seen, prefix=self._prefix)
                self._take_up(changed, number)
            self._transaction = stack.pop_all()

    def _end(self) -> None:
        """Commit; what was not committed is in the state none the less, which is then read anew."""
        try:
            number = self._store.change_number()
            self._transaction.close()
            self._seen = number
        except BaseException:
            self._lost = True
            self._transaction.close()
            raise

    def _take_up(self, changed: Changed | None, number: int) -> None:
        self._lost = True
        self._follow(changed)
        self._seen, self._lost = number, False
