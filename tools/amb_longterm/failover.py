"""The store of a memory, and what stands in for it while it is down."""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import Literal, TypeVar

from amb_core.call_lock import CallLock
from amb_core.errors import AmbError, StoreError, StoreGone, StoreUnreachable, UnknownId, WritesWaiting
from amb_core.protocols import Clock
from amb_core.tracing import MemoryOperation, traced
from amb_longterm.calls import Call, Change, Outbox
from amb_longterm.collection import Collection
from amb_longterm.hit_groups import joined_lists
from amb_longterm.hit_search import Search
from amb_longterm.memory_records import DeleteResult, MemoryHit, WriteResult
from amb_longterm.metrics import Metrics
from amb_longterm.namespaces import scope_of

__all__ = ["Failover"]

_log = logging.getLogger("amb.longterm")
_Result = TypeVar("_Result")
_Way = Literal["read", "write"]
_CARRIED_AT_ONCE = 50
"""Waiting calls that one call of the user's carries over; the others are left to the next."""
_LATER = "the store is down; the record is deleted there when it is back"


class Failover:
    """The store while it is up, and while it is down its stand-in, whose queue is carried over afterwards.

    Reading and writing fail apart (a full disk can still be read). After a failure the store is left alone for
    `retry_after` seconds. With `dual_write` the stand-in holds everything the store does.
    """

    def __init__(
        self,
        open_primary: Callable[[], Collection],
        standby: Collection,
        *,
        clock: Clock,
        retry_after: float,
        dual_write: bool,
        metrics: Metrics,
    ) -> None:
        self.standby = standby
        self.primary: Collection | None = None
        self._open_primary = open_primary
        self._outbox = Outbox(standby.store)
        self._clock = clock
        self._retry_after = retry_after
        self._dual_write = dual_write
        self._metrics = metrics
        self._down: dict[_Way, float] = {}
        self._lock = CallLock(repair=self._count)
        self.queued = len(self._outbox)
        """How many calls wait to be carried over."""
        try:
            self._opened()
        except StoreUnreachable as error:  # whatever else is wrong with it, waiting does not mend
            self._failed("read", error)
            self._failed("write", error)

    def read(self, action: Callable[[Collection], _Result]) -> _Result:
        """What `action` finds in the store, or in its stand-in while it is down."""
        return self.attempt("read", action, lambda: action(self.standby))

    def search(self, search: Search) -> list[MemoryHit]:
        """What a search finds in the store, and in the stand-in what waits there."""

        def found(primary: Collection) -> list[MemoryHit]:
            if not self.queued:
                return primary.search(search)
            end = search.offset + search.top_k  # of what both stores hold only one is shown: twice as many are enough
            both = replace(search, offset=0, top_k=2 * end)
            lists = [self.standby.search(both), primary.search(both)]
            return joined_lists(lists)[search.offset : end]

        with traced("search", memory="search_memory", store=scope_of(search.namespace)) as span:
            hits = self.attempt("read", found, lambda: self.standby.search(search))
            span["records"] = len(hits)
            return hits

    def carry_out(self, *calls: Call) -> list[WriteResult]:
        """Carry out writes or updates, all or none, or have them wait; what waits can be found in the stand-in."""

        def done(primary: Collection) -> list[WriteResult]:
            changes = primary.carry_out_all(calls)
            for change, call in zip(changes, calls, strict=True):
                self._follow(change, call)
            return [change.written for change in changes]

        def queued() -> list[WriteResult]:
            for call in calls:
                self._queue(call)
                if call.kind == "write" or self.standby.get(call.record_id, namespace=call.namespace) is not None:
                    self.standby.carry_out(call.model_copy(update={"supersedes": ()}))  # those are in the store
            return [WriteResult(id=call.record_id, status="queued") for call in calls]

        memory: MemoryOperation = "upsert_memory" if calls[0].kind == "write" else "update_memory"
        with traced(calls[0].kind, memory=memory, store=scope_of(calls[0].namespace)) as span:
            written = self.attempt("write", done, queued)
            span.update(record_id=written[0].id, status=written[0].status)
            return written

    def delete(
        self, named: Callable[[Collection], list[str]], *, namespace: str, at: float, why: str, vacuum: bool
    ) -> DeleteResult:
        """Delete the records `named` in a collection, here and in the stand-in, or have that wait."""

        def deleted(primary: Collection | None) -> DeleteResult:
            names = named(primary or self.standby)
            if primary is None:
                for name in names:
                    self._queue(Call(kind="delete", namespace=namespace, record_id=name, at=at, why=why))
            places = [self.standby] if primary is None else [primary, self.standby]
            done = [place.erase(names, namespace=namespace, at=at, why=why, vacuum=vacuum) for place in places]
            unreachable = tuple(each for place in done for each in place.unreachable)
            return DeleteResult(deleted=done[0].deleted, unreachable=unreachable if primary else (*unreachable, _LATER))

        with traced("delete", memory="delete_memory", store=scope_of(namespace)) as span:
            result = self.attempt("write", deleted, lambda: deleted(None))
            span["records"] = result.deleted
            return result

    def attempt(self, way: _Way, action: Callable[[Collection], _Result], otherwise: Callable[[], _Result]) -> _Result:
        """What `action` makes of the store, or `otherwise` while it is down."""
        if self._is_to_be_left_alone(way):
            return otherwise()
        try:
            primary = self._opened()
            if self.queued and not self._is_to_be_left_alone("write"):
                self._carry_over(primary)
            result = action(primary)
        except StoreError as error:
            self._failed(way, error)
            return otherwise()
        self._down.pop(way, None)
        return result

    def close(self) -> None:
        """Carry over what waits, keep the counters, and release both stores.

        Raises WritesWaiting, with nothing released, when the store is still down and the stand-in would forget them.
        """
        if self.primary is not None and self.primary.foreign:
            return  # the parent has it open: a child of a fork lets it be
        try:
            while self.queued:
                self._carry_over(self._opened())
                self.queued = len(self._outbox)
        except StoreError as error:
            self._failed("write", error)
        if self.queued and self.standby.forgets:
            raise WritesWaiting(self.queued, where="memory:// (the fallback)")
        if self.queued:
            _log.warning("%d calls wait in the fallback until the memory is opened again", self.queued)
        try:
            if self.primary is not None:
                self._metrics.keep(self.primary.store)
        except StoreError as error:
            _log.warning("the counters were not kept (%s)", type(error).__name__)
        for place in (self.primary, self.standby):
            if place is not None:
                place.close()

    def _count(self) -> None:
        self.queued = len(self._outbox)

    def _opened(self) -> Collection:
        with self._lock:
            if self.primary is None:
                self.primary = self._open_primary()
            return self.primary

    def _is_to_be_left_alone(self, way: _Way) -> bool:
        since = self._down.get(way)
        return since is not None and 0 <= self._clock.now() - since < self._retry_after

    def _failed(self, way: _Way, error: StoreError) -> None:
        self._down[way] = self._clock.now()
        if isinstance(error, StoreGone):  # the next attempt makes it anew, if it was opened here
            with self._lock, suppress(StoreError):
                if self.primary is not None and self.primary.close():
                    self.primary = None
        self._metrics.count(failed_store=1)
        _log.warning("the store failed to %s (%s); the fallback stands in for it", way, type(error).__name__)

    def _queue(self, call: Call) -> None:
        with self._lock:
            self._outbox.add(call)
            self.queued = len(self._outbox)
        self._metrics.count(queued=1)

    def _carry_over(self, primary: Collection) -> None:
        """Carry out what waits, oldest first; each call leaves the queue when the store has it."""
        with self._lock:
            for number, call in self._outbox.calls(limit=_CARRIED_AT_ONCE).items():
                try:
                    change = _carried_out(primary, call)
                    primary.name_current(call, change.written.id)
                except StoreError:
                    raise
                except AmbError as error:
                    self._metrics.count(refused=1)
                    _log.warning("a waiting %s was refused (%s)", call.kind, type(error).__name__)
                else:
                    self._metrics.count(carried_over=1)
                    self._follow(change, call)
                    if not self._dual_write or change.written.id != call.record_id:
                        self.standby.delete([call.record_id], namespace=call.namespace, at=call.at, why="carried over")
                self._outbox.done(number)
                self.queued -= 1

    def _follow(self, change: Change, call: Call) -> None:
        """Have the stand-in hold what the store now holds, with `dual_write`."""
        if not self._dual_write:
            return
        try:
            self.standby.follow(change, namespace=call.namespace, at=call.at)
        except StoreError as error:
            self._metrics.count(failed_dual_write=1)
            _log.warning("the second store did not take a record (%s)", type(error).__name__)


def _carried_out(primary: Collection, call: Call) -> Change:
    """A waiting call carried out; what it supersedes may be gone by now, and the text is kept all the same."""
    try:
        return primary.carry_out(call)
    except UnknownId:
        if not call.supersedes:
            raise
        _log.warning("a waiting write was kept beside what it supersedes, for not all of that is there")
        return primary.carry_out(call.model_copy(update={"supersedes": ()}))
