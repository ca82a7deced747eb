"""How a store in PostgreSQL is opened by URL."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from amb_core.errors import MissingExtra
from amb_core.protocols import RecordStore

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

    def folder(self, url: str) -> Path | None:
        return None

    def holds_something(self, url: str) -> bool:
        return True


opener = _PostgresOpener()
