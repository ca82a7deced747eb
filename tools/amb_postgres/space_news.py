"""What a process hears of changes that others make, and the leases of what it is digesting: one thread for both."""

from __future__ import annotations

import hashlib
import logging
import threading
import time
from collections.abc import Callable, Iterable
from typing import Any, LiteralString

import psycopg

from amb_core.call_lock import CallLock
from amb_core.errors import StoreError

__all__ = ["LEASE", "Leases", "News", "SpaceNews"]

_log = logging.getLogger("amb.postgres")
_CHANNEL = "amb"
LEASE = 60.0
"""Seconds for which an entry is given to the process that digests it; renewed while that process is at work."""
_LOOK = 0.5
"""Seconds after which a reader asks for changes, whatever was heard: news may be lost with their connection."""
_LONGEST = 600.0
"""Seconds for which a lease is renewed at most, so that an entry somebody gave up is given to others."""
_MANY = 100
"""After so many news the leases are looked at."""
_TELL: LiteralString = "SELECT pg_notify('amb', %s)"


class News:
    """The newest change of one space that was heard of, and when somebody last asked for it."""

    def __init__(self) -> None:
        self.heard = -1
        self._looked = 0.0

    def due(self) -> bool:
        """Whether it is time to ask the database."""
        return time.monotonic() - self._looked > _LOOK

    def looked(self, number: int) -> None:
        """Say what the database answered."""
        self._looked = time.monotonic()
        self.heard = max(self.heard, number)


class Leases:
    """The entries that one store is digesting; `renew` has the database give it more time for them."""

    def __init__(self, renew: Callable[[], None]) -> None:
        self._renew = renew
        self._since: dict[str, float] = {}

    def begin(self, entries: Iterable[str]) -> None:
        """Say that these are being digested."""
        self._since.update(dict.fromkeys(entries, time.monotonic()))

    def end(self, entries: Iterable[str]) -> None:
        """Say that these are not, or no longer."""
        for entry in entries:
            self._since.pop(entry, None)

    def keep(self) -> None:
        """Renew them, unless there are none, or they all are too old."""
        young = time.monotonic() - _LONGEST
        if any(since > young for since in list(self._since.values())):
            try:
                self._renew()
            except StoreError as error:
                _log.warning("leases were not renewed: %s", error)


class SpaceNews:
    """Listens for what processes tell one another about the spaces of one server; they name a space by a secret hash.

    Without a connection nothing is heard, and those who read find out by asking, half a second later. `meanwhile` is
    called as often as leases are renewed.
    """

    def __init__(self, place: str, key: bytes, *, meanwhile: Callable[[], None]) -> None:
        self._place, self._key, self._meanwhile = place, key, meanwhile
        self._news: dict[str, News] = {}
        self._leases: dict[str, Leases] = {}
        self._ended = threading.Event()
        self._guard = CallLock()
        self._thread: threading.Thread | None = None

    def of(self, names: tuple[str, str]) -> News:
        """The news of a space, which is listened for from now on."""
        with self._guard:
            if self._thread is None:  # noted once it runs: an interrupt before that leaves it to the next one
                thread = threading.Thread(target=self._listen, name="amb-news", daemon=True)
                thread.start()
                self._thread = thread
            return self._news.setdefault(self._name(names), News())

    def lease(self, holder: str, renew: Callable[[], None]) -> Leases:
        """The leases of a store, which are renewed until `unlease`."""
        with self._guard:
            leases = self._leases[holder] = Leases(renew)
        return leases

    def unlease(self, holder: str) -> None:
        """Renew nothing for a store any more."""
        with self._guard:
            self._leases.pop(holder, None)

    def tell(self, connection: psycopg.Connection[Any], names: tuple[str, str], number: int) -> None:
        """Tell the others, when this transaction is committed, that a space has changes up to a number.

        Those that were committed before it, and are not told of because the process dies, are found by asking.
        """
        connection.execute(_TELL, (f"{self._name(names)} {number}",))

    def end(self) -> None:
        """Stop listening, soon."""
        self._ended.set()

    def _name(self, names: tuple[str, str]) -> str:
        told = b"%d:%b%b" % (len(names[0]), names[0].encode(), names[1].encode())
        return hashlib.blake2b(told, key=self._key, digest_size=12).hexdigest()

    def _listen(self) -> None:
        renewed = time.monotonic()
        while not self._ended.is_set():
            try:
                with psycopg.connect(self._place, autocommit=True, connect_timeout=10) as connection:
                    connection.execute(f"LISTEN {_CHANNEL}")
                    while not self._ended.is_set():
                        for told in connection.notifies(timeout=_LOOK, stop_after=_MANY):
                            self._hear(told.payload)
                        renewed = self._keep_leases(renewed)
            except (psycopg.Error, OSError):
                self._ended.wait(_LOOK)
                renewed = self._keep_leases(renewed)

    def _hear(self, told: str) -> None:
        name, _, number = told.partition(" ")
        news = self._news.get(name)
        if news is not None and number.isdigit():
            news.heard = max(news.heard, int(number))

    def _keep_leases(self, renewed: float) -> float:
        """Renew the leases when a third of their time is over; returns when that was done last."""
        if time.monotonic() - renewed < LEASE / 3:
            return renewed
        with self._guard:
            leases = list(self._leases.values())
        for each in leases:
            each.keep()
        self._meanwhile()
        return time.monotonic()
