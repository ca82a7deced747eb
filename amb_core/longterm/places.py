"""Where records are kept: the store, and what stands in for it while it is down."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Literal, TypeVar

from amb_core.errors import AmbError, StoreError, StoreGone, StoreUnreachable, WritesWaiting
from amb_core.longterm.collection import Change, Collection
from amb_core.longterm.metrics import Metrics
from amb_core.longterm.outbox import Outbox, Waiting
from amb_core.longterm.records import MemoryRecord
from amb_core.protocols import Clock

__all__ = ["Places"]

_log = logging.getLogger("amb.longterm")
_Result = TypeVar("_Result")
_Way = Literal["read", "write"]
_CARRIED_AT_ONCE = 50
"""Waiting calls that one call of the user's carries over; the others are left to the next."""


class Places:
    """The store while it is up, and while it is down its stand-in, whose queue is carried over afterwards.

    Reading and writing fail apart (a full disk can still be read). After a failure the store is left alone for
    `retry_after` seconds. With `dual_write` the stand-in holds everything the store does.
    """

    def __init__(
        self,
        opening: Callable[[], Collection],
        standby: Collection,
        *,
        carry: Callable[[Collection, Waiting], Change],
        clock: Clock,
        retry_after: float,
        dual_write: bool,
        metrics: Metrics,
    ) -> None:
        self.standby = standby
        self.dual_write = dual_write
        self.primary: Collection | None = None
        self.waiting = Outbox(standby.store)
        self._opening = opening
        self._carry = carry
        self._clock = clock
        self._retry_after = retry_after
        self._metrics = metrics
        self._down: dict[_Way, float] = {}
        self._lock = threading.RLock()
        self._left = len(self.waiting)
        try:
            self._opened()
        except StoreUnreachable as error:  # whatever else is wrong with it, waiting does not mend
            self._failed("read", error)
            self._failed("write", error)

    @property
    def down(self) -> bool:
        """Whether the store failed when it was last used."""
        return self.primary is None or bool(self._down)

    @property
    def queued(self) -> int:
        """How many calls wait to be carried over."""
        return self._left

    def attempt(self, way: _Way, action: Callable[[Collection], _Result], otherwise: Callable[[], _Result]) -> _Result:
        """What `action` makes of the store, or `otherwise` while it is down."""
        if self._is_to_be_left_alone(way):
            return otherwise()
        try:
            primary = self._opened()
            if self._left and not self._is_to_be_left_alone("write"):
                self._carry_over(primary)
            result = action(primary)
        except StoreError as error:
            self._failed(way, error)
            return otherwise()
        self._down.pop(way, None)
        return result

    def queue(self, call: Waiting) -> None:
        """Have a call carried out when the store is back."""
        with self._lock:
            self.waiting.add(call)
            self._left = len(self.waiting)
        self._metrics.count(queued=1)

    def adopt(self, histories: Sequence[list[MemoryRecord]], *, at: float) -> int:
        """Take in the records that are not here yet; StoreError while the store is down."""

        def adopted(primary: Collection) -> int:
            return sum(primary.adopt(versions, at=at) for versions in histories)

        def not_now() -> int:
            raise StoreError("the store is down; load the file again when it is back.")

        return self.attempt("write", adopted, not_now)

    def followed(self, change: Change, *, namespace: str, at: float) -> None:
        """Have the stand-in hold what the store now holds, with `dual_write`."""
        if not self.dual_write:
            return
        try:
            self.standby.follow(change, namespace=namespace, at=at)
        except StoreError as error:
            self._metrics.count(failed_dual_write=1)
            _log.warning("the second store did not take a record (%s)", type(error).__name__)

    def close(self) -> None:
        """Carry over what waits, keep the counters, and release both stores.

        Raises WritesWaiting, with nothing released, when the store is still down and the stand-in would forget them.
        """
        self._carry_all()
        if self._left and self.standby.forgets:
            raise WritesWaiting(self._left, where="memory:// (the fallback)")
        if self._left:
            _log.warning("%d calls wait in the fallback until the memory is opened again", self._left)
        try:
            if self.primary is not None:
                self._metrics.keep(self.primary.store)
        except StoreError as error:
            _log.warning("the counters were not kept (%s)", type(error).__name__)
        for place in (self.primary, self.standby):
            if place is not None:
                place.close()

    def _is_to_be_left_alone(self, way: _Way) -> bool:
        since = self._down.get(way)
        return since is not None and 0 <= self._clock.now() - since < self._retry_after

    def _opened(self) -> Collection:
        with self._lock:
            if self.primary is None:
                self.primary = self._opening()
            return self.primary

    def _let_go(self) -> None:
        """Close a store whose file is gone; the next attempt makes it anew, if it was opened here."""
        with self._lock, suppress(StoreError):
            if self.primary is not None and self.primary.close():
                self.primary = None

    def _carry_over(self, primary: Collection) -> None:
        """Carry out what waits, oldest first; each call leaves the queue when the store has it."""
        with self._lock:
            for call in self.waiting.calls(limit=_CARRIED_AT_ONCE):
                try:
                    change = self._carry(primary, call)
                except StoreError:
                    raise
                except AmbError as error:
                    self._metrics.count(refused=1)
                    _log.warning("a waiting %s was refused (%s)", call.kind, type(error).__name__)
                else:
                    self._metrics.count(carried_over=1)
                    self._settled(call, change)
                self.waiting.done(call)
                self._left -= 1

    def _carry_all(self) -> None:
        """Carry out all that waits, whenever the store failed last; what it does not take now is left."""
        try:
            while self._left:
                self._carry_over(self._opened())
                self._left = len(self.waiting)
        except StoreError as error:
            self._failed("write", error)

    def _settled(self, call: Waiting, change: Change) -> None:
        if self.dual_write:
            self.followed(change, namespace=call.namespace, at=call.at)
        if not self.dual_write or change.written.id != call.record_id:
            self.standby.delete([call.record_id], namespace=call.namespace, at=call.at, why="carried over")

    def _failed(self, way: _Way, error: StoreError) -> None:
        self._down[way] = self._clock.now()
        if isinstance(error, StoreGone):
            self._let_go()
        self._metrics.count(failed_store=1)
        _log.warning("the store failed to %s (%s); the fallback stands in for it", way, type(error).__name__)
