"""`amb worker`: a process that digests what others have only taken in, for all spaces of a database or of a tenant."""

from __future__ import annotations

import logging
import threading
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import LiteralString

from amb_core import MemoryBank, Settings
from amb_core.errors import AmbError, StoreError
from amb_core.protocols import Agents, Embedder
from amb_postgres.postgres_address import ANY_SPACE, address_of, text_of_stored, url_of_space
from amb_postgres.postgres_space import PostgresSpace

__all__ = ["DigestWorker"]

_log = logging.getLogger("amb.worker")
_WAITING: LiteralString = """SELECT tenant, space FROM amb.jobs WHERE leased_until < clock_timestamp() AND tries < 5
    GROUP BY tenant, space ORDER BY random() LIMIT 100"""


class DigestWorker:
    """Digests what waits in the spaces of a tenant or, where the URL names none, of all tenants of the key.

    Each entry is leased before it is digested, so that any number of workers share the work, and the entry of one that
    dies is given to another. At most `most_open` banks stay open. `agents` and `embedder` are MemoryBank's: the
    embedder must be the one the banks were made with.
    """

    def __init__(
        self,
        url: str,
        *,
        agents: Agents | None = None,
        embedder: Embedder | str | None = None,
        most_open: int = 32,
    ) -> None:
        self._address = address_of(url)
        tenant = self._address.tenant if "tenant=" in url.partition("?")[2] else ANY_SPACE
        self._all = PostgresSpace(replace(self._address, tenant=tenant, space=ANY_SPACE), make=False)
        self._agents, self._embedder, self._most = agents, embedder, most_open
        self._settings = Settings(digests="here")
        self._banks: OrderedDict[tuple[str, str], MemoryBank] = OrderedDict()

    def work(self) -> int:
        """Digest all that waits now; returns in how many spaces something waited."""
        waiting = [(text_of_stored(row[0]), text_of_stored(row[1])) for row in self._all.ask(_WAITING, ())]
        for names in waiting:
            self._digest(*names)
        return len(waiting)

    def run(self, stop: threading.Event, *, pause: float = 0.5, report: Callable[[int], object] = int) -> None:
        """Work until `stop` is set, with a pause where nothing waits; a server that does not answer is waited for."""
        while not stop.is_set():
            try:
                done = self.work()
            except StoreError as error:
                _log.warning("the worker waits: %s", error)
                done = 0
            report(done)
            if not done:
                stop.wait(pause)

    def close(self) -> None:
        """Close all banks."""
        for bank in self._banks.values():
            with suppress(AmbError):
                bank.close(keep=True)
        self._banks.clear()
        self._all.close()

    def _digest(self, tenant: str, space: str) -> None:
        """Digest what waits in a space; one that cannot be worked on is left for later."""
        try:
            self._bank(tenant, space).host.flush()
        except AmbError as error:
            _log.warning("a space could not be worked on (%s): %s", type(error).__name__, error)
            self._let_go((tenant, space))

    def _bank(self, tenant: str, space: str) -> MemoryBank:
        bank = self._banks.pop((tenant, space), None)
        if bank is None:
            url = url_of_space(self._address, tenant=tenant, space=space, key=self._all.server.key)
            bank = MemoryBank.resume(url, agents=self._agents, embedder=self._embedder, settings=self._settings)
        self._banks[tenant, space] = bank
        while len(self._banks) > self._most:
            self._let_go(next(iter(self._banks)))
        return bank

    def _let_go(self, names: tuple[str, str]) -> None:
        bank = self._banks.pop(names, None)
        if bank is not None:
            with suppress(AmbError):
                bank.close(keep=True)
