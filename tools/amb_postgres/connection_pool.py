"""Connections to one server that threads lend each other, none of which is lost whatever ends a call, at any line."""

from __future__ import annotations

import os
import time
import weakref
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from queue import Empty, SimpleQueue
from typing import Any, TypeAlias, TypeVar

import psycopg

__all__ = ["Connection", "ConnectionPool", "NoneFree", "end"]

Connection: TypeAlias = psycopg.Connection[Any]
Answer = TypeVar("Answer")

_IDLE = 600.0
"""Seconds after which a connection that nobody uses is closed."""
_LOOK = 0.5
"""Seconds after which somebody who waits looks again, whether or not the bell was rung."""
_CANCEL = 5.0
"""Seconds that a server has to be told that nobody waits for a statement any more."""


class NoneFree(Exception):
    """All connections were in use for as long as somebody may wait."""


class _Place:
    """Room for one connection, which is in the pool or with the one who took it.

    An exception can end a call at any line, also between two of the pool itself, where nothing gives the place back. It
    is then held by nobody, and as it goes an empty one comes in its stead.
    """

    def __init__(self, pool: weakref.ref[ConnectionPool]) -> None:
        self._pool = pool
        self.connection: Connection | None = None
        self.since = 0.0

    def drop(self) -> None:
        """Close the connection; nothing of what it was doing is committed unless that had been said already."""
        if self.connection is not None:
            end(self.connection)
            self.connection = None

    def __del__(self) -> None:
        pool = self._pool()
        if pool is not None and pool.pid == os.getpid():  # after a fork the connection is the parent's
            pool.replace(self)


class ConnectionPool:
    """At most `most` connections that `connect` makes, each with one holder at a time. Thread-safe.

    It is made of what no exception can interrupt: appending and popping of a deque, and a queue that wakes who waits.
    """

    def __init__(self, connect: Callable[[], Connection], *, most: int, patience: float) -> None:
        self.pid = os.getpid()
        self._connect, self._most, self._patience = connect, most, patience
        self._closed = False
        self._bell: SimpleQueue[None] = SimpleQueue()
        self._me: weakref.ref[ConnectionPool] = weakref.ref(self)
        self._places = deque(_Place(self._me) for _ in range(most))  # the empty ones left, the newest used right

    @property
    def free(self) -> int:
        """How many connections nobody has, those not made yet included."""
        return len(self._places)

    @contextmanager
    def lent(self, ask: Callable[[Connection], Answer]) -> Iterator[tuple[Connection, Answer]]:
        """A connection for the block, and what it answered when it was first asked; one that is broken is replaced.

        After an exception, whoever raised it, the connection is closed, and what it has not committed is not there.
        """
        place = self._taken()
        try:
            answer = self._asked(place, ask)
            assert place.connection is not None
            yield place.connection, answer
        except BaseException:
            place.drop()
            raise
        finally:
            self._give_back(place)

    def tidy(self) -> None:
        """Close what nobody has used for long."""
        for _ in range(self._most):
            with suppress(IndexError):
                place = self._places.popleft()
                if time.monotonic() - place.since > _IDLE:
                    place.drop()
                self._places.append(place)

    def close(self) -> None:
        """Close all connections, those that are lent as soon as they come back."""
        self._closed = True
        self._drop_idle()

    def replace(self, lost: _Place) -> None:
        """Take in an empty place for one that nobody holds any more."""
        with suppress(Exception):  # nobody could be told
            lost.drop()
        self._give_back(_Place(self._me))

    def _taken(self) -> _Place:
        until = time.monotonic() + self._patience
        while True:
            with suppress(IndexError):
                return self._places.pop()
            left = until - time.monotonic()
            if left <= 0:
                raise NoneFree
            with suppress(Empty):
                self._bell.get(timeout=min(left, _LOOK))

    def _asked(self, place: _Place, ask: Callable[[Connection], Answer]) -> Answer:
        while True:
            is_new = place.connection is None
            if place.connection is None:
                place.connection = self._connect()
            try:
                return ask(place.connection)
            except psycopg.Error:
                if is_new or not place.connection.broken:
                    raise
                place.drop()
                self._drop_idle()  # the server was started again, or cut them all

    def _give_back(self, place: _Place) -> None:
        if self._closed or not _is_usable(place.connection):
            place.drop()
        place.since = time.monotonic()
        if place.connection is None:
            self._places.appendleft(place)
        else:
            self._places.append(place)
        if self._bell.qsize() < self._most:
            self._bell.put(None)

    def _drop_idle(self) -> None:
        for place in list(self._places):
            with suppress(ValueError):  # somebody was faster
                self._places.remove(place)
                place.drop()
                self._places.appendleft(place)


def _is_usable(connection: Connection | None) -> bool:
    return connection is not None and connection.info.transaction_status == psycopg.pq.TransactionStatus.IDLE


def end(connection: Connection) -> None:
    """Close a connection; the statement that it waits for is cancelled first, or the server would go on with it."""
    with suppress(psycopg.Error):
        if connection.info.transaction_status == psycopg.pq.TransactionStatus.ACTIVE:
            connection.cancel_safe(timeout=_CANCEL)
    with suppress(psycopg.Error):
        connection.close()
