"""SQLite files as earlier versions wrote them, to see that they are migrated whatever happens meanwhile."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from amb_core.stores.sqlite_schema import APPLICATION_ID, MIGRATIONS, open_database

__all__ = ["make_old"]


def make_old(path: Path) -> None:
    """Turn a store's file into one of schema 1, as far as that can hold what is in it."""
    old = path.with_name(f"{path.name}.old")
    with closing(open_database(path, synchronous="NORMAL", busy_timeout=5)) as current:  # brings in what a log holds
        current.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    with closing(sqlite3.connect(old)) as connection, connection:
        for statement in MIGRATIONS[0]:
            connection.execute(statement)
        connection.execute("ATTACH ? AS current", (str(path),))
        for table in ("records", "links"):
            columns = ", ".join(name for _, name, *_ in connection.execute(f"PRAGMA main.table_info({table})"))
            connection.execute(f"INSERT INTO main.{table} ({columns}) SELECT {columns} FROM current.{table}")
        connection.execute(f"PRAGMA main.application_id = {APPLICATION_ID}")
        connection.execute("PRAGMA main.user_version = 1")
    old.replace(path)
