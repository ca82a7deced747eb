"""Banks in PostgreSQL: a space for each user and thread, whoever they are, and a deletion that leaves no row."""

from __future__ import annotations

import gc
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from itertools import count

import psycopg
import pytest

from amb_core import Banks, InvalidParameter, ManualClock, MemoryBank, Scope, StoreGone, ToolResult
from amb_longterm import LongTermMemory, LongTermSettings
from amb_longterm.user_data import delete_user
from amb_postgres.local_server import PostgresServer
from amb_postgres.postgres_schema import TABLES

ODD = [
    "ann",
    "Ann",
    "../ann",
    "..",
    "a/b",
    "nul\0byte",
    "x" * 10_000,
    "小明",
    "\ud800",
    "'; DROP TABLE amb.records; --",
    "*",
]
DAY = 86_400.0
_tenants = count()


@pytest.fixture
def tenant() -> str:
    return f"banks{next(_tenants)}"


@pytest.fixture
def url(server: PostgresServer, tenant: str) -> str:
    return f"{server.url()}?tenant={tenant}"


@pytest.fixture
def banks(url: str) -> Iterator[Banks]:
    with closing(Banks(url)) as banks:
        yield banks


def say(bank: MemoryBank, text: str) -> None:
    bank.absorb(ToolResult(tool="read", output=text, call_id=text[:40]))


def texts(bank: MemoryBank) -> list[str]:
    return [entry.text for entry in bank.snapshot().entries]


def rows(server: PostgresServer, tenant: str) -> dict[str, int]:
    """How many rows of a tenant each table has, by a role that sees all."""
    with psycopg.connect(server.url()) as owner:
        sql = "SELECT count(*) FROM amb.{} WHERE tenant = %s"
        found = {table: owner.execute(sql.format(table), (tenant,)).fetchone()[0] for table in TABLES}
    return {table: number for table, number in found.items() if number}


def test_each_user_and_thread_has_a_bank_of_its_own(banks: Banks) -> None:
    scopes = [Scope("ann", "1"), Scope("ann", "2"), Scope("ben", "1"), Scope("ann"), Scope(thread="1")]
    for number, scope in enumerate(scopes):
        say(banks(scope), f"The quay of Lyness is {number} metres long.")
    banks.close()
    assert [texts(banks(scope)) for scope in scopes] == [[f"The quay of Lyness is {n} metres long."] for n in range(5)]
    assert [banks(scope).host.scope for scope in scopes] == scopes


def test_any_text_may_be_an_id_and_reaches_nobody_else(banks: Banks, server: PostgresServer, tenant: str) -> None:
    for name in ODD:
        say(banks(Scope(name)), f"I am {name[:20]!r}, said the user of this bank.")
        say(banks(Scope(thread=name)), f"I am the thread {name[:20]!r}, said the user of this bank.")
    assert len({tuple(texts(banks(Scope(name)))) for name in ODD}) == len(ODD)
    assert rows(server, tenant)["spaces"] == 2 * len(ODD)
    for left in range(len(ODD), 0, -1):
        assert rows(server, tenant)["spaces"] == len(ODD) + left
        assert banks.delete(user=ODD[left - 1]).banks == 1


def test_deleting_a_user_leaves_no_row(banks: Banks, server: PostgresServer, tenant: str) -> None:
    ann = banks(Scope("ann", "1"))
    say(ann, "The quay of Lyness is 80 metres long.")
    say(banks(Scope("ann", "2")), "The quay of Lyness is 90 metres long.")
    receipt = banks.delete(user="ann")
    assert (receipt.banks, receipt.bytes_left, receipt.bytes > 0) == (2, 0, True)
    assert ann.closed
    assert rows(server, tenant) == {}
    assert texts(banks(Scope("ann", "1"))) == []


def test_deleting_a_thread_leaves_the_others(banks: Banks) -> None:
    for thread in ("1", "2"):
        say(banks(Scope("ann", thread)), f"The quay of Lyness is 8{thread} metres long.")
    assert banks.delete(user="ann", thread="1").banks == 1
    assert banks.delete(user="ann", thread="1").banks == 0
    assert [len(texts(banks(Scope("ann", thread)))) for thread in ("1", "2")] == [0, 1]


def test_a_bank_that_another_process_deleted_is_gone_here_and_begins_anew(banks: Banks, url: str) -> None:
    ann = banks(Scope("ann"))
    say(ann, "The quay of Lyness is 80 metres long.")
    code = "import sys; from amb_core import Banks; print(Banks(sys.argv[1]).delete(user='ann').banks)"
    assert subprocess.run([sys.executable, "-c", code, url], check=True, capture_output=True, text=True).stdout == "1\n"
    with pytest.raises(StoreGone):
        say(ann, "The quay of Lyness is 90 metres long.")
    assert texts(banks(Scope("ann"))) == []


def test_several_processes_may_have_one_bank_open(banks: Banks, url: str) -> None:
    held = banks(Scope("ann"))
    code = """import sys; from amb_core import Banks, Scope
bank = Banks(sys.argv[1])(Scope('ann')); bank.read('The quay is 80 metres long.', source='sign'); bank.close()"""
    subprocess.run([sys.executable, "-c", code, url], check=True)
    say(held, "The fog horn was silent.")
    assert texts(held) == ["The quay is 80 metres long.", "The fog horn was silent."]


def test_deleting_at_work_ends_in_nothing_or_in_a_new_bank(banks: Banks, server: PostgresServer, tenant: str) -> None:
    with ThreadPoolExecutor(8) as pool:
        came = [pool.submit(lambda number=number: banks(Scope("ann", str(number % 4)))) for number in range(40)]
        deleted = [pool.submit(lambda: banks.delete(user="ann")) for _ in range(10)]
    assert [each.exception() for each in (*came, *deleted)] == [None] * 50
    banks.delete(user="ann")
    assert rows(server, tenant) == {}


def test_what_nobody_asked_for_in_so_many_days_is_deleted(url: str, server: PostgresServer, tenant: str) -> None:
    clock = ManualClock(1e9)
    with closing(Banks(url, clock=clock, keep_days=30)) as banks:
        say(banks(Scope("ann")), "The quay of Lyness is 80 metres long.")
        clock.advance(20 * DAY)
        say(banks(Scope("ben")), "The quay of Scapa is 70 metres long.")
        gc.collect()
        clock.advance(20 * DAY)
        banks(Scope("eve"))
    with closing(Banks(url, clock=clock, keep_days=30)) as later:
        assert [len(texts(later(Scope(name)))) for name in ("ann", "ben")] == [0, 1]


def test_a_user_is_deleted_from_all_spaces_of_a_tenant(url: str, server: PostgresServer, tenant: str) -> None:
    with closing(Banks(url)) as banks:
        say(banks(Scope("ana", "1")), "The quay of Lyness is 80 metres long.")
    with LongTermMemory(f"{url}&space=people", settings=LongTermSettings(search_in="engine")) as memory:
        for user, text in (("ana", "I am allergic to peanuts."), ("ben", "I live in Stromness.")):
            memory.write(text, namespace=f"user_profile/{user}")
            assert memory.search(text, namespace=f"user_profile/{user}")  # so that the database has an index of it
    receipt = delete_user(f"{url}&space=*", user="ana")
    assert (receipt.banks, receipt.longterm, receipt.found) == (1, 1, True)
    assert not delete_user(f"{url}&space=*", user="ana").found
    with psycopg.connect(server.url()) as owner:
        assert owner.execute("SELECT count(*) FROM amb.indexed WHERE tenant = %s", (tenant,)).fetchone() == (1,)
        for table in TABLES:
            found = owner.execute(f"SELECT t::text FROM amb.{table} t WHERE tenant = %s", (tenant,)).fetchall()
            assert not [row for row in found for word in ("Lyness", "peanuts", "/ana") if word in row[0]]


def test_a_space_in_the_url_of_banks_is_refused(url: str) -> None:
    with pytest.raises(InvalidParameter, match="leave `space` out"):
        Banks(f"{url}&space=trip")
