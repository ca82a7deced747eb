"""All spaces of a tenant: where `Banks` keeps a bank for each user and thread, and what deletion looks through."""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Collection
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from typing import LiteralString

from amb_core.call_lock import CallLock
from amb_core.clock import SystemClock
from amb_core.errors import InvalidParameter
from amb_core.protocols import Clock
from amb_core.stores.openers import BanksDeleted
from amb_postgres.postgres_address import ANY_SPACE, address_of, text_of_stored, url_of_space
from amb_postgres.postgres_space import PostgresSpace

__all__ = ["TenantSpaces"]

_BANK = "bank/"
"""What the names of banks' spaces begin with; the key follows."""
_PAUSE = 60.0
"""Seconds between two notes of when a bank was asked for."""
# Times are the database's, to which is added how far somebody is from the clock of this process: machines may differ.
_THEN: LiteralString = "extract(epoch FROM clock_timestamp())::float8 + %(away)s"
_USED: LiteralString = f"""UPDATE amb.spaces SET used_at = {_THEN}
    WHERE tenant = %(tenant)s AND space = %(space)s AND used_at < {_THEN}"""
_OLD: LiteralString = f"""SELECT space FROM amb.spaces WHERE tenant = %(tenant)s AND starts_with(space, %(bank)s)
    AND used_at > 0 AND used_at < {_THEN}"""
_BELOW: LiteralString = f"""SELECT space FROM amb.spaces WHERE tenant = %(tenant)s
    AND (space = %(space)s OR starts_with(space, %(space)s || '/'))
    AND (%(away)s::float8 IS NULL OR used_at > 0 AND used_at < {_THEN}) FOR UPDATE"""
_SIZES: LiteralString = """SELECT
    (SELECT count(*) FROM amb.files WHERE tenant = %(tenant)s AND space = ANY(%(spaces)s)),
    (SELECT coalesce(sum(octet_length(data)), 0) FROM amb.files WHERE tenant = %(tenant)s AND space = ANY(%(spaces)s))
    + (SELECT coalesce(sum(octet_length(data)), 0) FROM amb.records
        WHERE tenant = %(tenant)s AND space = ANY(%(spaces)s))
    + (SELECT coalesce(sum(octet_length(data)), 0) FROM amb.versions
        WHERE tenant = %(tenant)s AND space = ANY(%(spaces)s))"""
_TABLES: tuple[LiteralString, ...] = ("files", "jobs", "gone", "versions", "records", "indexed", "spaces")


class TenantSpaces:
    """The spaces of the tenant a URL names; `BankPlaces` says what the methods promise.

    `clock` is that of this machine, which may be wrong: when a bank was used is told by the database's.
    """

    def __init__(self, url: str, *, clock: Clock | None = None) -> None:
        self._clock = SystemClock() if clock is None else clock
        self._address = address_of(url)
        if self._address.space not in ("default", ANY_SPACE):
            raise InvalidParameter("Banks makes a space for each user and thread; leave `space` out of the URL.")
        self._all = PostgresSpace(replace(self._address, space=ANY_SPACE), make=False)
        self._noted: dict[str, float] = {}
        self._guard = CallLock()

    def url(self, key: str) -> str:
        """The URL of a bank's space."""
        return url_of_space(self._address, tenant=self._address.tenant, space=_space(key), key=self._address.key)

    def hold(self, key: str) -> Callable[[], None]:
        """Nobody is kept away: several processes may have a bank open."""
        return _nothing

    def note_use(self, key: str, now: float) -> None:
        """Remember when a bank was asked for, at most once a minute."""
        with self._guard:
            if abs(now - self._noted.get(key, 0.0)) < _PAUSE:
                return
            self._noted[key] = now
        with self._all.beside() as connection:
            named = {"tenant": self._all.names[0], "space": _space(key), "away": self._away(now)}
            connection.execute(_USED, named)

    def used_before(self, before: float) -> list[str]:
        """The keys of banks that nobody asked for since then."""
        named: dict[str, object] = {"tenant": self._all.names[0], "bank": _BANK, "away": self._away(before)}
        rows = self._all.ask(_OLD, named)
        return [_key(row[0]) for row in rows]

    def seized(self, key: str, ours: Collection[str]) -> AbstractContextManager[None]:
        """Nothing: a deletion waits for the writers, and whoever comes after it finds that the bank is gone."""
        return nullcontext()

    def take_away(self, key: str, *, before: float | None = None) -> Callable[[], BanksDeleted]:
        """Delete all rows of the banks at or below a key, in one transaction; returns the receipt."""
        tenant = self._all.names[0]
        with self._guard:
            for known in [known for known in self._noted if f"{known}/".startswith(f"{key}/")]:
                del self._noted[known]
        with self._all.beside() as connection:
            away = None if before is None else self._away(before)
            named = {"tenant": tenant, "space": _space(key), "away": away}
            spaces = [row[0] for row in connection.execute(_BELOW, named)]
            held = {"tenant": tenant, "spaces": spaces}
            files, size = connection.execute(_SIZES, held).fetchone() or (0, 0)
            for table in _TABLES:
                sql: LiteralString = f"DELETE FROM amb.{table} WHERE tenant = %(tenant)s AND space = ANY(%(spaces)s)"
                connection.execute(sql, held)
            _, left = connection.execute(_SIZES, held).fetchone() or (0, 0)
            for space in spaces:
                self._all.server.news.tell(connection, (tenant, space), 2**62)
        receipt = BanksDeleted(banks=len(spaces), files=files, bytes=int(size), bytes_left=int(left))
        return lambda: receipt

    def others(self) -> list[str]:
        """The URLs of the tenant's spaces that are no banks of `Banks`."""
        sql: LiteralString = "SELECT space FROM amb.spaces WHERE tenant = %s AND NOT starts_with(space, %s)"
        names = [text_of_stored(row[0]) for row in self._all.ask(sql, (self._all.names[0], _BANK))]
        key = self._address.key
        return [url_of_space(self._address, tenant=self._address.tenant, space=name, key=key) for name in names]

    def close(self) -> None:
        """Give the connections back."""
        self._all.close()

    def _away(self, time: float) -> float:
        """How far a time is from that of this machine's clock."""
        return time - self._clock.now()


def _space(key: str) -> str:
    """The space of a key; its hashes stand in every row and index, so they are written with fewer characters."""
    return _BANK + "/".join(urlsafe_b64encode(bytes.fromhex(name)).decode() for name in key.split("/"))


def _key(space: str) -> str:
    return "/".join(urlsafe_b64decode(name).hex() for name in space.removeprefix(_BANK).split("/"))


def _nothing() -> None:
    """What lets go of nothing."""
