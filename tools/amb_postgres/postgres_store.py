"""A record store in PostgreSQL: one space of one tenant, which the database itself keeps apart from the others."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from itertools import chain, islice
from typing import LiteralString

import numpy as np
from numpy.typing import NDArray

from amb_core.errors import InvalidParameter, StoreCorrupt
from amb_core.protocols import Capabilities, Changed, Record, RecordQuery
from amb_core.stores.record_codec import checked_query, matches
from amb_postgres.postgres_address import ANY_SPACE, address_of, stored_text, text_of_stored
from amb_postgres.postgres_search import SearchIndex
from amb_postgres.postgres_space import PostgresSpace
from amb_postgres.record_rows import Row, record_of, row_of, written
from amb_postgres.space_news import LEASE

__all__ = ["PostgresStore"]

_HERE: LiteralString = "tenant = %s AND space = %s AND namespace = %s"
_COLUMNS: LiteralString = "namespace, id, data, created_at, updated_at, expires_at"
# Many rows in one statement, so that the policies are asked once.
_ROWS: LiteralString = f"""unnest(%s::bigint[], %s::bigint[], %s::text[], %s::text[], %s::text[],
    %s::float8[], %s::float8[], %s::float8[]) AS given (place, changed, {_COLUMNS})"""
_PUT: LiteralString = f"""INSERT INTO amb.records (tenant, space, place, changed, {_COLUMNS})
    SELECT %s, %s, place, changed, {_COLUMNS} FROM {_ROWS}
    ON CONFLICT (tenant, space, namespace, id) DO UPDATE SET data = excluded.data, created_at = excluded.created_at,
    updated_at = excluded.updated_at, expires_at = excluded.expires_at, changed = excluded.changed"""
_KEEP: LiteralString = f"""INSERT INTO amb.versions (tenant, space, {_COLUMNS})
    SELECT tenant, space, {_COLUMNS} FROM amb.records WHERE tenant = %s AND space = %s
    AND (namespace, id) IN (SELECT * FROM unnest(%s::text[], %s::text[]))"""
_DELETE: LiteralString = f"""WITH deleted AS (DELETE FROM amb.records WHERE {_HERE} AND id = ANY(%s)
    RETURNING tenant, space, namespace, id)
    INSERT INTO amb.gone SELECT tenant, space, %s + row_number() OVER (ORDER BY id), namespace, id FROM deleted"""
# Of a namespace without records the index keeps no row, for its name may be a user's.
_FORGET_INDEXED: LiteralString = f"""DELETE FROM amb.indexed WHERE {_HERE}
    AND NOT EXISTS (SELECT FROM amb.records WHERE {_HERE})"""
# By a step of the index for each namespace there is.
_NAMESPACES: LiteralString = """WITH RECURSIVE names(name) AS (
    (SELECT namespace FROM amb.records WHERE tenant = %(tenant)s AND space = %(space)s AND namespace >= %(prefix)s
        ORDER BY namespace LIMIT 1)
    UNION ALL SELECT (SELECT namespace FROM amb.records WHERE tenant = %(tenant)s AND space = %(space)s
        AND namespace > name ORDER BY namespace LIMIT 1) FROM names WHERE starts_with(name, %(prefix)s))
    SELECT name FROM names WHERE starts_with(name, %(prefix)s)"""
# One statement, so that one moment answers it; the last row says how far it goes and from where on all is known.
_CHANGED: LiteralString = f"""SELECT {_COLUMNS}, changed, false AS gone FROM amb.records
    WHERE tenant = %(tenant)s AND space = %(space)s AND changed > %(after)s AND starts_with(namespace, %(prefix)s)
    UNION ALL SELECT namespace, id, NULL, 0, 0, NULL, changed, true FROM amb.gone
    WHERE tenant = %(tenant)s AND space = %(space)s AND changed > %(after)s AND starts_with(namespace, %(prefix)s)
    UNION ALL SELECT NULL, NULL, NULL, 0, 0, NULL, CASE
        WHEN known_from > %(after)s OR last_change < %(after)s THEN -1 ELSE last_change END, false
    FROM amb.spaces WHERE tenant = %(tenant)s AND space = %(space)s AND born = %(born)s
    ORDER BY changed"""
_NUMBER: LiteralString = "SELECT last_change FROM amb.spaces WHERE tenant = %s AND space = %s AND born = %s"
_FORGET_GONE: LiteralString = """WITH forgotten AS (
    DELETE FROM amb.gone WHERE tenant = %s AND space = %s AND changed <= %s)
    UPDATE amb.spaces SET known_from = greatest(known_from, %s) WHERE tenant = %s AND space = %s"""
_CLAIM: LiteralString = """INSERT INTO amb.jobs (tenant, space, id, leased_until, holder, tries)
    VALUES (%s, %s, %s, clock_timestamp() + make_interval(secs => %s), %s, 1)
    ON CONFLICT (tenant, space, id) DO UPDATE SET leased_until = excluded.leased_until, holder = excluded.holder,
    tries = jobs.tries + 1
    WHERE jobs.holder = excluded.holder OR (jobs.leased_until < clock_timestamp() AND jobs.tries < %s)
    RETURNING id"""
_CLAIM_NEXT: LiteralString = """UPDATE amb.jobs SET leased_until = clock_timestamp() + make_interval(secs => %s),
    holder = %s, tries = tries + 1 WHERE (tenant, space, id) = (SELECT tenant, space, id FROM amb.jobs
        WHERE tenant = %s AND space = %s AND leased_until < clock_timestamp() AND tries < %s
        ORDER BY queued LIMIT 1 FOR UPDATE SKIP LOCKED) RETURNING id"""
_WAIT: LiteralString = """INSERT INTO amb.jobs (tenant, space, id, leased_until, holder)
    VALUES (%s, %s, %s, CASE WHEN %s = '' THEN '-infinity' ELSE clock_timestamp() + make_interval(secs => %s) END, %s)
    ON CONFLICT (tenant, space, id) DO UPDATE SET leased_until = excluded.leased_until"""
_RENEW: LiteralString = """UPDATE amb.jobs SET leased_until = clock_timestamp() + make_interval(secs => %s)
    WHERE tenant = %s AND space = %s AND holder = %s"""
_FEW = 1_000
"""Deleted records that are remembered for those who follow; who is further behind reads everything anew."""
_TRIES = 5
"""How often an entry is given to somebody to digest."""
_MOST_AT_ONCE = 1_000
"""Rows written by one statement."""
_PAGE = 5_000
"""Rows asked for at once."""
_ALL, _WIDER = 10_000, 4
"""How many records a native search ranks at most, and how many times more are looked at when some are not allowed."""


class PostgresStore:
    """Records of one tenant's space in a PostgreSQL database, `postgresql://user@host/database?tenant=T&space=S`.

    Safe for threads and processes: one writes to a space at a time, and readers see what is committed. Connections are
    shared by all stores of a process on one server, 8 at most. What is committed is on the server's disk (as its
    `synchronous_commit` says). A role that owns nothing is worked as, and row level security shows it the rows of a
    tenant only with a proof, for which the key is in AMB_POSTGRES_KEY, or read by the owner of the schema.
    """

    def __init__(self, url: str) -> None:
        address = address_of(url)
        if address.space == ANY_SPACE:
            raise InvalidParameter(f"a store is one space; {ANY_SPACE!r} stands for all of them. Name another.")
        self._space = PostgresSpace(address)
        self._names = self._space.names
        self._index = SearchIndex(self._space)
        self._holder = uuid.uuid4().hex
        self._news = self._space.server.news.of(self._names)
        self._leases = self._space.server.news.lease(self._holder, self._renew_leases)

    @property
    def capabilities(self) -> Capabilities:
        """Durable; threads, processes and machines may work on it."""
        return Capabilities(durable=True, concurrent=True, native_search=True)

    def put(self, records: Sequence[Record], *, keep_history: bool = False) -> None:
        """Insert or replace all of them or none; InvalidParameter when one is not JSON."""
        rows = [row_of(record) for record in records]
        with self._space.writing() as work, work.connection.pipeline(), work.connection.cursor() as cursor:
            for some in _each_once(rows):
                columns = [list(column) for column in zip(*some, strict=True)]
                if keep_history:
                    cursor.execute(_KEEP, (*self._names, *columns[:2]))
                places, changes = (range(last + 1, last + len(some) + 1) for last in (work.place, work.change))
                cursor.execute(_PUT, (*self._names, list(places), list(changes), *columns))
                work.place, work.change = places[-1], changes[-1]

    def get(self, namespace: str, id: str) -> Record | None:
        """The record, or None; StoreCorrupt when it is there but cannot be read back."""
        rows = self._space.ask(f"SELECT {_COLUMNS} FROM amb.records WHERE {_HERE} AND id = %s", self._in(namespace, id))
        if not rows:
            return None
        record = record_of(rows[0])
        if record is None:
            raise StoreCorrupt(f"record {id!r} in {namespace!r} cannot be read back; put it again or delete it.")
        return record

    def delete(self, namespace: str, ids: Sequence[str]) -> int:
        """Delete records with their history; returns how many records there were."""
        count, names = 0, iter([stored_text(each) for each in ids])
        with self._space.writing() as work:
            while some := list(islice(names, _MOST_AT_ONCE)):
                gone = (*self._in(namespace), some)
                with work.connection.pipeline():
                    work.connection.execute(f"DELETE FROM amb.versions WHERE {_HERE} AND id = ANY(%s)", gone)
                    deleted = work.connection.execute(_DELETE, (*gone, work.change))
                work.change += deleted.rowcount
                count += deleted.rowcount
            if count:
                work.connection.execute(_FORGET_INDEXED, (*self._in(namespace), *self._in(namespace)))
            if count and work.change // _FEW > work.before[1] // _FEW:
                self._forget_deleted(work.change - _FEW)
        return count

    def search(self, query: RecordQuery) -> list[Record]:
        """The matching readable records in insertion order, or newest first."""
        return [record for page in self.pages(query) for record in page]

    def pages(self, query: RecordQuery) -> Iterator[list[Record]]:
        """What `search` finds, in its order, 5,000 rows read at a time."""
        checked_query(query)
        left = query.limit
        for rows in self._found(query):
            readable = (record for row in rows if (record := record_of(row)) and matches(record.data, query))
            page = list(islice(readable, left))
            left = None if left is None else left - len(page)
            if page:
                yield page
            if left == 0:
                return

    def expired(self, namespace: str, *, now: float, limit: int) -> list[str]:
        """At most so many ids of records whose time has passed by `now`, those first that were over first."""
        sql: LiteralString = f"SELECT id FROM amb.records WHERE {_HERE} AND expires_at <= %s"
        sql += " ORDER BY expires_at LIMIT %s"
        return [text_of_stored(row[0]) for row in self._space.ask(sql, (*self._in(namespace), now, limit))]

    def search_natively(
        self, query: RecordQuery, *, text: str, vector: NDArray[np.float32] | None = None
    ) -> list[tuple[Record, float]]:
        """The best of the records that `query` allows, as the database ranks them; without `query.limit` 10,000."""
        checked_query(query)
        limit = _ALL if query.limit is None else min(query.limit, _ALL)
        narrows = bool(query.where or query.within)
        most, allowed = max(limit * (_WIDER if narrows else 1), 1), list[tuple[Record, float]]()
        while limit:
            found = self._index.find(query.namespace, text=text, vector=vector, most=most)
            allowed = [one for one in self._ranked(query.namespace, found) if _allows(query, one[0])]
            if len(allowed) >= limit or len(found) < most or most >= _ALL:
                break
            most = min(most * _WIDER, _ALL)
        return allowed[:limit]

    def history(self, namespace: str, id: str) -> list[Record]:
        """The replaced versions that were kept and can be read, oldest first."""
        sql: LiteralString = f"SELECT {_COLUMNS} FROM amb.versions WHERE {_HERE} AND id = %s ORDER BY place"
        return [
            record for row in self._space.ask(sql, self._in(namespace, id)) if (record := record_of(row)) is not None
        ]

    def damaged(self, namespace: str) -> list[str]:
        """Ids of records that are there but cannot be read back, in insertion order."""
        found = self._found(RecordQuery(namespace))
        return [text_of_stored(row[1]) for rows in found for row in rows if record_of(row) is None]

    def namespaces(self, prefix: str = "") -> list[str]:
        """The namespaces that hold records and begin with `prefix`, by a step of the index for each there is."""
        named: dict[str, object] = {"tenant": self._names[0], "space": self._names[1], "prefix": stored_text(prefix)}
        names = (text_of_stored(row[0]) for row in self._space.ask(_NAMESPACES, named))
        return sorted(name for name in names if name.startswith(prefix))

    def count(self, namespace: str, *, now: float | None = None) -> int:
        """How many records there are, damaged ones included; `now` leaves out the expired."""
        sql: LiteralString = f"SELECT count(*) FROM amb.records WHERE {_HERE}"
        if now is None:
            return int(self._space.ask(sql, self._in(namespace))[0][0])
        return int(self._space.ask(f"{sql} AND coalesce(expires_at > %s, true)", (*self._in(namespace), now))[0][0])

    def transaction(self) -> AbstractContextManager[None]:
        """All writes of the block or, when it raises, none; an inner block commits with the outermost one."""
        return self._space.transaction()

    def close(self) -> None:
        """Give the connections back; an open transaction is rolled back; calling twice is no error."""
        self._space.server.news.unlease(self._holder)
        self._space.close()

    # --- with other processes ----------------------------------------------------------------------------------------

    def change_number(self) -> int:
        """The number of the newest change; inside a transaction with those of it."""
        work = self._space.work
        if work is not None:
            return work.change
        rows = self._space.ask(_NUMBER, (*self._names, self._space.born))
        if not rows:
            raise self._space.gone()
        return int(rows[0][0])

    def changes_after(self, number: int, *, prefix: str) -> Changed | None:
        """The changes after a number in namespaces that begin so; None when not all of them are known any more."""
        named: dict[str, object] = {"tenant": self._names[0], "space": self._names[1], "prefix": stored_text(prefix)}
        rows = self._space.ask(_CHANGED, {**named, "after": number, "born": self._space.born})
        last = next((row for row in rows if row[0] is None), None)
        if last is None:
            raise self._space.gone()
        deleted = tuple((text_of_stored(row[0]), text_of_stored(row[1])) for row in rows if row[-1])
        records = [record_of(row) for row in rows if row[0] is not None and not row[-1]]
        if last[-2] < 0 or None in records:
            return None
        self._news.looked(last[-2])
        return Changed(last[-2], tuple(record for record in records if record is not None), deleted)

    def may_be_ahead(self, number: int) -> bool:
        """Whether there may be a later change: what was heard, or half a second after the last look, asked for."""
        if not self._news.due():
            return self._news.heard > number
        newest = self.change_number()
        self._news.looked(newest)
        return newest != number  # it is behind after a restore from a backup

    def queue(self, waiting: list[str], done: list[str], *, claimed: bool) -> None:
        """Say which entries wait to be digested, at once `claimed` by this store or not, and which no longer do."""
        holder = self._holder if claimed else ""
        with self._space.writing() as work, work.connection.pipeline():
            for entry in waiting:
                values = (*self._names, stored_text(entry), holder, LEASE, holder)
                work.connection.execute(_WAIT, values)
            if done:
                ids = [stored_text(each) for each in done]
                sql: LiteralString = "DELETE FROM amb.jobs WHERE tenant = %s AND space = %s AND id = ANY(%s)"
                work.connection.execute(sql, (*self._names, ids))
        self._leases.end(waiting)
        self._leases.end(done)
        if claimed:
            self._leases.begin(waiting)

    def claim_next(self) -> str | None:
        """Have the entry for this store to digest that waits longest and nobody has; None when there is none."""
        with self._space.beside() as connection:
            found = connection.execute(_CLAIM_NEXT, (LEASE, self._holder, *self._names, _TRIES)).fetchone()
        if found is None:
            return None
        entry = text_of_stored(found[0])
        self._leases.begin([entry])
        return entry

    def claim(self, entry: str) -> bool:
        """Have an entry for this store to digest; False while another one has it, or when it failed too often."""
        with self._space.writing(keeps=False) as work:
            cursor = work.connection.execute(_CLAIM, (*self._names, stored_text(entry), LEASE, self._holder, _TRIES))
            claimed = cursor.fetchone() is not None
        if claimed:
            self._leases.begin([entry])
        return claimed

    # --- the files of attachments ------------------------------------------------------------------------------------

    def put_file(self, name: str, data: bytes) -> bool:
        """Keep a file in this thread's transaction, or one of its own; False when there is one of that name."""
        sql: LiteralString = """INSERT INTO amb.files (tenant, space, name, data) VALUES (%s, %s, %s, %s)
            ON CONFLICT DO NOTHING"""
        with self._space.writing() as work:
            return work.connection.execute(sql, (*self._names, stored_text(name), data)).rowcount == 1

    def get_file(self, name: str) -> bytes | None:
        """What is in a file; None when there is none."""
        sql: LiteralString = "SELECT data FROM amb.files WHERE tenant = %s AND space = %s AND name = %s"
        rows = self._space.ask(sql, self._in(name))
        return bytes(rows[0][0]) if rows else None

    def delete_files(self, names: Iterable[str]) -> None:
        """Delete files; missing ones are passed over."""
        gone = [stored_text(name) for name in names]
        sql: LiteralString = "DELETE FROM amb.files WHERE tenant = %s AND space = %s AND name = ANY(%s)"
        if gone:
            with self._space.writing() as work:
                work.connection.execute(sql, (*self._names, gone))

    def file_names(self, prefix: str) -> list[str]:
        """The names of files that begin so."""
        sql: LiteralString = "SELECT name FROM amb.files WHERE tenant = %s AND space = %s AND starts_with(name, %s)"
        return [text_of_stored(row[0]) for row in self._space.ask(sql, self._in(prefix))]

    def scrub(self, *, vacuum: bool = True) -> None:
        """Delete also the names of what was deleted, by which those who follow are told; see the page on VACUUM."""
        with self._space.writing() as work:
            self._forget_deleted(work.change)

    # --- inside ------------------------------------------------------------------------------------------------------

    def _renew_leases(self) -> None:
        with self._space.beside() as connection:
            connection.execute(_RENEW, (LEASE, *self._names, self._holder))

    def _forget_deleted(self, number: int) -> None:
        with self._space.writing() as work:
            work.connection.execute(_FORGET_GONE, (*self._names, number, number, *self._names))

    def _ranked(self, namespace: str, found: Sequence[tuple[str, float]]) -> Iterator[tuple[Record, float]]:
        """The readable ones among some records, in their order."""
        sql: LiteralString = f"SELECT {_COLUMNS} FROM amb.records WHERE {_HERE} AND id = ANY(%s)"
        names = [name for name, _ in found]
        rows = {row[1]: row for row in self._space.ask(sql, (*self._in(namespace), names))} if names else {}
        for name, score in found:
            if name in rows and (record := record_of(rows[name])) is not None:
                yield record, score

    def _found(self, query: RecordQuery) -> Iterator[list[Row]]:
        """The rows of a namespace a page at a time, those left out that cannot be meant."""
        sql, values = self._narrowed(query)
        page = min(_PAGE, query.limit) if query.limit is not None and len(values) == 3 else _PAGE
        turn: LiteralString = "DESC" if query.newest_first else "ASC"
        beyond: LiteralString = "" if query.limit == 0 else sql
        after: list[object] = []
        while beyond:
            rows = self._space.ask(f"{beyond} ORDER BY place {turn} LIMIT %s", (*values, *after, page))
            yield rows
            if len(rows) < page:
                return
            after = [rows[-1][-1]]
            beyond = f"{sql} AND place < %s" if query.newest_first else f"{sql} AND place > %s"

    def _narrowed(self, query: RecordQuery) -> tuple[LiteralString, list[object]]:
        """What SQL can decide without a doubt; the rest, and every final word, is `matches`."""
        sql: LiteralString = f"SELECT {_COLUMNS}, place FROM amb.records WHERE {_HERE}"
        values: list[object] = [*self._in(query.namespace)]
        if query.now is not None:
            sql += " AND coalesce(expires_at > %s, true)"
            values.append(query.now)
        holding = self._index.holding(query.namespace, query.where, most=_ALL) if query.where else None
        if holding is not None:
            sql += " AND (id = ANY(%s) OR changed > %s)"
            values += holding
        for name, value in chain(query.where.items(), *(fields.items() for fields in query.within.values())):
            if isinstance(value, str):
                sql += " AND (strpos(data, %s) > 0 OR strpos(data, %s) > 0)"
                values += written(name, value)
        return sql, values

    def _in(self, namespace: str, *ids: str) -> tuple[str, ...]:
        return (*self._names, stored_text(namespace), *map(stored_text, ids))


def _each_once(rows: Sequence[Row]) -> Iterator[Sequence[Row]]:
    """The rows in their order, in parts of a statement each, none of which has a record twice."""
    begin, seen = 0, set[tuple[str, str]]()
    for end, row in enumerate(rows):
        if row[:2] in seen or len(seen) == _MOST_AT_ONCE:
            yield rows[begin:end]
            begin, seen = end, set()
        seen.add(row[:2])
    if seen:
        yield rows[begin:]


def _allows(query: RecordQuery, record: Record) -> bool:
    """Whether a query allows a record: its fields, and the time."""
    over = query.now is not None and record.expires_at is not None and record.expires_at <= query.now
    return not over and matches(record.data, query)
