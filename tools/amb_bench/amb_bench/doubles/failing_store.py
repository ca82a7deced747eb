"""A store that fails where it is told to, to see what its users make of it (needs no pytest)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

from amb_core.errors import StoreError
from amb_core.protocols import Capabilities, Record, RecordQuery, RecordStore, Scrubbing

__all__ = ["FailingStore"]

_Result = TypeVar("_Result")


class FailingStore:
    """Passes everything on to another store, until a call that `fail_at` has named: that one raises StoreError.

    Calls are counted from `fail_at` on: every method but `close`, and of each outermost transaction its beginning and
    its commit. Nothing of the failing call is done, and it is the only one that fails.
    """

    def __init__(self, store: RecordStore) -> None:
        self._store = store
        self._left = 0
        self._depth = 0

    @property
    def armed(self) -> bool:
        """Whether a failure is still to come."""
        return self._left > 0

    def fail_at(self, call: int) -> None:
        """Fail at the `call`-th call from now on; 0 fails at none."""
        self._left = call

    @property
    def capabilities(self) -> Capabilities:
        """Those of the other store."""
        return self._store.capabilities

    def put(self, records: Sequence[Record], *, keep_history: bool = False) -> None:
        """As the other store does, unless it is this call's turn to fail."""
        self._do("put", lambda: self._store.put(records, keep_history=keep_history))

    def get(self, namespace: str, id: str) -> Record | None:
        """As the other store does, unless it is this call's turn to fail."""
        return self._do("get", lambda: self._store.get(namespace, id))

    def delete(self, namespace: str, ids: Sequence[str]) -> int:
        """As the other store does, unless it is this call's turn to fail."""
        return self._do("delete", lambda: self._store.delete(namespace, ids))

    def search(self, query: RecordQuery) -> list[Record]:
        """As the other store does, unless it is this call's turn to fail."""
        return self._do("search", lambda: self._store.search(query))

    def history(self, namespace: str, id: str) -> list[Record]:
        """As the other store does, unless it is this call's turn to fail."""
        return self._do("history", lambda: self._store.history(namespace, id))

    def damaged(self, namespace: str) -> list[str]:
        """As the other store does, unless it is this call's turn to fail."""
        return self._do("damaged", lambda: self._store.damaged(namespace))

    def namespaces(self, prefix: str = "") -> list[str]:
        """As the other store does, unless it is this call's turn to fail."""
        return self._do("namespaces", lambda: self._store.namespaces(prefix))

    def count(self, namespace: str, *, now: float | None = None) -> int:
        """As the other store does, unless it is this call's turn to fail."""
        return self._do("count", lambda: self._store.count(namespace, now=now))

    def scrub(self, *, vacuum: bool = True) -> None:
        """As the other store does, if it has anything to scrub."""
        store = self._store
        self._do("scrub", lambda: store.scrub(vacuum=vacuum) if isinstance(store, Scrubbing) else None)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """The other store's; the beginning and the commit of the outermost block count as calls."""
        if not self._depth:
            self._count("begin")
        with self._store.transaction():
            self._depth += 1
            try:
                yield
            finally:
                self._depth -= 1
            if not self._depth:
                self._count("commit")

    def close(self) -> None:
        """Close the other store."""
        self._store.close()

    def _do(self, name: str, call: Callable[[], _Result]) -> _Result:
        self._count(name)
        return call()

    def _count(self, name: str) -> None:
        if self._left:
            self._left -= 1
            if not self._left:
                raise StoreError(f"no space left on the device (made up at a {name})")
