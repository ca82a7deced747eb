"""The store in PostgreSQL keeps the published contract."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest

from amb_contracts.record_store import RecordStoreContract
from amb_core.protocols import RecordStore
from amb_core.stores import open_store
from amb_postgres.postgres_address import address_of


class TestPostgresStore(RecordStoreContract):
    @pytest.fixture
    def store(self, space: str) -> Iterator[RecordStore]:
        self.url, self.opened = space, [open_store(space)]
        yield self.opened[0]
        for each in self.opened:
            each.close()

    def reopen(self, store: RecordStore) -> RecordStore:
        self.opened.append(open_store(self.url))
        return self.opened[-1]

    def corrupt(self, store: RecordStore, namespace: str, id: str) -> None:
        address = address_of(self.url)
        with psycopg.connect(address.server) as connection:
            sql = "UPDATE amb.records SET data = '{broken' WHERE space = %s AND namespace = %s AND id = %s"
            assert connection.execute(sql, (address.space, namespace, id)).rowcount == 1
