"""The blocks of a store's transactions: each ends once, and with it the lock that it holds."""

from __future__ import annotations

from types import TracebackType
from typing import Any, Protocol

from amb_core.call_lock import CallLock

__all__ = ["TransactionBlock", "Transactional"]


class Transactional(Protocol):
    """A store whose transactions are blocks under one lock, whose `repair` undoes what a stopped call has left."""

    lock: CallLock

    def begin_block(self) -> Any:
        """Begin a block, maybe inside another one; returns what ends it."""

    def keep_block(self, begun: Any) -> None:
        """End a block, the outermost one by a commit; where that fails, `undo_block` is called."""

    def undo_block(self, begun: Any) -> None:
        """End a block, and take back what it has done."""


class TransactionBlock:
    """All writes inside or, when it raises, none. No generator, for a stopped one would end long after its call."""

    __slots__ = ("_begun", "_hold", "_store")

    def __init__(self, store: Transactional) -> None:
        self._store = store
        self._begun: Any = None
        self._hold: object = None

    def __enter__(self) -> None:
        store = self._store
        store.lock.__enter__()
        try:
            self._hold = store.lock.hold
            self._begun = store.begin_block()
        except BaseException as error:
            store.lock.__exit__(type(error), error, None)
            raise

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        store = self._store
        if store.lock.hold is not self._hold:
            return  # its call was stopped, and what it did was undone since
        try:
            if kind is None:
                store.keep_block(self._begun)
        except BaseException as failure:
            kind, error = type(failure), failure
            raise
        finally:
            try:
                if kind is not None:
                    store.undo_block(self._begun)
            finally:
                store.lock.__exit__(kind, error, trace)
