"""Memory in PostgreSQL: `open_store("postgresql://user@host/database?tenant=acme&space=trip")`.

postgres_store.py      a space of a tenant as a RecordStore
postgres_search.py     candidates of a search, found by the database
postgres_space.py      transactions in a space; record_rows.py: records as rows
space_news.py          what is heard of other processes, and the leases of what is being digested
digest_worker.py       `amb worker`
tenant_spaces.py       all spaces of a tenant, for Banks and for deletion
postgres_pool.py       the server that the stores of a process share, and what its errors mean
connection_pool.py     connections that threads lend each other, whatever ends a call
postgres_schema.py     tables, policies, the key of the tenants, migrations
postgres_address.py    what the URL says
postgres_opener.py     the entry point `amb.stores`, and what `amb doctor URL` says
postgres_command.py    `amb postgres` and `amb worker`
local_server.py        a server of one's own, for tests and trials
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from amb_core.deferred import deferred

if TYPE_CHECKING:
    from amb_postgres.local_server import PostgresServer
    from amb_postgres.postgres_store import PostgresStore

__all__ = ["PostgresServer", "PostgresStore"]

__getattr__ = deferred(__name__, {"PostgresServer": "local_server", "PostgresStore": "postgres_store"})
