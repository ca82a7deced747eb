"""How a store in PostgreSQL is opened by URL."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import Literal

from amb_core.errors import MissingExtra
from amb_core.protocols import RecordStore
from amb_core.stores.openers import BankPlaces

__all__ = ["opener"]


class _PostgresOpener:
    """Opens postgresql://user@host/database?tenant=T&space=S; the server says what a commit waits for."""

    def open(self, url: str, *, synchronous: Literal["NORMAL", "FULL"]) -> RecordStore:
        try:
            from amb_postgres.postgres_store import PostgresStore
        except ModuleNotFoundError as error:
            if (error.name or "").partition(".")[0] in ("psycopg", "psycopg_pool"):
                raise MissingExtra("psycopg", extra="postgres") from error
            raise
        return PostgresStore(url)

    def places(self, url: str) -> BankPlaces:
        from amb_postgres.tenant_spaces import TenantSpaces

        return TenantSpaces(url)

    def spaces(self, url: str) -> list[str] | None:
        if "space=*" not in url and "space=%2A" not in url:
            return None
        from amb_postgres.tenant_spaces import TenantSpaces

        with closing(TenantSpaces(url)) as spaces:
            return spaces.others()

    def findings(self, url: str) -> Iterable[tuple[str, bool, str]]:
        try:
            from amb_postgres.postgres_findings import findings
        except ModuleNotFoundError as error:
            raise MissingExtra("psycopg", extra="postgres") from error
        return findings(url)

    def folder(self, url: str) -> Path | None:
        return None

    def holds_something(self, url: str) -> bool:
        return True


opener = _PostgresOpener()
