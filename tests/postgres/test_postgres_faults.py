"""Killed writers, a server that dies, cut connections: what was acknowledged is there, once, and nothing half-made."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from pathlib import Path

import psycopg
import pytest

from amb_core import MemoryBank, ToolResult
from amb_core.errors import StoreError, StoreUnreachable, StoreVersionError
from amb_core.protocols import Record, RecordQuery
from amb_core.stores import open_store
from amb_postgres import postgres_schema
from amb_postgres.local_server import PostgresServer

KILLS = int(os.environ.get("KILL_RUNS", "8"))
WRITER = """
import sys
from amb_core.protocols import Record
from amb_core.stores import open_store
store, name = open_store(sys.argv[1]), sys.argv[2]
for number in range(100_000):
    with store.transaction():
        store.put([Record("n", f"{name}-{number}-{part}", {"v": number}) for part in "ab"], keep_history=True)
    print(number, flush=True)
"""


@pytest.fixture
def own_server(folders: Path, server: PostgresServer) -> Iterator[PostgresServer]:
    """A server that may die."""
    own = PostgresServer(server.programs, Path(tempfile.mkdtemp(dir=folders)) / "own")
    own.start()
    yield own
    with suppress(ProcessLookupError):
        own.stop()


def cut_connections(server: PostgresServer) -> None:
    with psycopg.connect(server.url()) as connection:
        connection.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'amb'")


def acknowledged_by_killed_writers(space: str, name: str, *, after: float) -> int:
    """How many pairs a writer says it has written before it is killed."""
    command = [sys.executable, "-c", WRITER, space, name]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None
        writer.stdout.readline()
        time.sleep(after)
        writer.send_signal(signal.SIGKILL)
        return 1 + len(writer.stdout.read().split("\n")) - 1


@pytest.mark.slow
def test_a_killed_writer_loses_nothing_it_acknowledged_and_leaves_no_half(space: str) -> None:
    chance = random.Random(5)
    for run in range(KILLS):
        said = acknowledged_by_killed_writers(space, f"w{run}", after=chance.random() * 0.2)
        with closing(open_store(space)) as store:
            found = [record.id for record in store.search(RecordQuery("n")) if record.id.startswith(f"w{run}-")]
        whole = [f"w{run}-{number}-{part}" for number in range(len(found) // 2) for part in "ab"]
        assert found == whole
        assert said <= len(found) // 2 <= said + 1


def test_a_store_goes_on_after_its_connections_were_cut(server: PostgresServer, space: str) -> None:
    with closing(open_store(space)) as store:
        store.put([Record("n", "before", {})])
        cut_connections(server)
        assert store.get("n", "before") is not None
        cut_connections(server)
        store.put([Record("n", "after", {})])
        assert store.count("n") == 2


def test_a_transaction_that_loses_its_connection_leaves_nothing(server: PostgresServer, space: str) -> None:
    with closing(open_store(space)) as store:

        def block() -> None:
            with store.transaction():
                store.put([Record("n", "r1", {})])
                cut_connections(server)
                store.put([Record("n", "r2", {})])

        with pytest.raises(StoreUnreachable):
            block()
        assert store.count("n") == 0
        store.put([Record("n", "r3", {})])


def test_a_server_that_was_killed_and_started_again_has_what_it_acknowledged(own_server: PostgresServer) -> None:
    with closing(open_store(own_server.url())) as store:
        written = []
        for number in range(30):
            store.put([Record("n", str(number), {})])
            written.append(str(number))
            if number == 15:
                own_server.stop(kill=True)
                with pytest.raises(StoreUnreachable, match="does not answer"):
                    store.put([Record("n", "lost", {})])
                own_server.start()
        assert [record.id for record in store.search(RecordQuery("n"))] == written


def test_a_server_that_is_not_there_is_named_without_the_password() -> None:
    with pytest.raises(StoreUnreachable) as caught:
        open_store("postgresql://me:hidden@127.0.0.1:9/memory")
    assert "127.0.0.1:9/memory" in str(caught.value)
    assert "hidden" not in str(caught.value)


def test_a_replica_is_said_to_be_one(server: PostgresServer, space: str) -> None:
    open_store(space).close()
    with pytest.raises(StoreError, match="replica"):
        open_store(f"{space}&options=-c%20default_transaction_read_only=on")


def test_many_who_open_an_empty_database_at_once_make_one_schema(server: PostgresServer) -> None:
    with psycopg.connect(server.url(), autocommit=True) as connection:
        connection.execute("CREATE DATABASE fresh")
    url = server.url("fresh")
    opening = "import sys; from amb_core.stores import open_store; open_store(sys.argv[1]).close()"
    with ThreadPoolExecutor(4) as threads:
        runs = [threads.submit(subprocess.run, [sys.executable, "-c", opening, url]) for _ in range(4)]
        assert [run.result().returncode for run in runs] == [0, 0, 0, 0]


def test_a_schema_of_a_newer_amb_is_refused_and_left_alone(own_server: PostgresServer) -> None:
    open_store(own_server.url()).close()
    with psycopg.connect(own_server.url()) as owner:
        owner.execute("UPDATE amb.version SET version = 99")
    with pytest.raises(StoreVersionError, match="upgrade AMB"):
        open_store(own_server.url())


def test_banks_of_many_threads_and_spaces_share_few_connections(server: PostgresServer) -> None:
    def work(number: int) -> bool:
        with MemoryBank("Find the code.", store=f"{server.url()}?tenant=many&space={number}") as bank:
            bank.absorb(ToolResult(tool="read", arguments={"n": number}, output=f"The code is C-{number:04}."))
            return f"C-{number:04}" in bank.recall("Which code?").text

    with ThreadPoolExecutor(12) as threads:
        assert all(threads.map(work, range(24)))
    assert threading.active_count() < 40


def test_two_who_migrate_an_older_schema_at_once_lose_nothing_and_close_every_table(
    server: PostgresServer, first_schema: Callable[[str], None]
) -> None:
    with psycopg.connect(server.url(), autocommit=True) as connection:
        connection.execute("CREATE DATABASE older")
    url = server.url("older")
    first_schema(url)
    opening = "import sys; from amb_core.stores import open_store; open_store(sys.argv[1]).close()"
    with ThreadPoolExecutor(4) as threads:
        runs = [threads.submit(subprocess.run, [sys.executable, "-c", opening, url]) for _ in range(4)]
        assert [run.result().returncode for run in runs] == [0, 0, 0, 0]
    with closing(open_store(url)) as store:
        assert [record.data for record in store.search(RecordQuery("n"))] == [{"v": 1}]
    with psycopg.connect(url) as owner:
        sql = "SELECT count(*) FROM pg_class WHERE relnamespace = to_regnamespace('amb') AND relforcerowsecurity"
        assert owner.execute(sql).fetchone() == (len(postgres_schema.TABLES),)
        assert owner.execute("SELECT id FROM amb.jobs").fetchall() == [("e1",)]


def test_banks_go_on_after_the_server_was_killed_and_know_what_was_acknowledged(own_server: PostgresServer) -> None:
    url = own_server.url()
    with MemoryBank("Chart the buoys.", store=url) as bank, MemoryBank.resume(url) as second:
        said = []
        for number in range(12):
            if number == 6:
                own_server.stop(kill=True)
                with pytest.raises(StoreUnreachable):
                    bank.read("Buoy lost lies nowhere.", source="chart")
                own_server.start()
            one = (bank, second)[number % 2]
            one.read(f"Buoy {number} lies {number} miles out.", source="chart")
            said.append(f"Buoy {number} lies {number} miles out.")
        bank.read("All buoys are charted.", source="chart")  # who writes knows first what the other one wrote
        held = bank.snapshot()
        assert [entry.text for entry in held.entries] == [*said, "All buoys are charted."]
    with MemoryBank.resume(url) as later:
        assert later.snapshot().nodes == held.nodes


def test_a_bank_whose_connection_is_cut_in_the_middle_of_a_change_keeps_nothing_of_it(
    server: PostgresServer, space: str
) -> None:
    with MemoryBank("Chart the buoys.", store=space) as bank:
        bank.read("Buoy 1 lies 4 miles out.", source="chart")

        def cut_in_the_middle() -> None:
            with bank._parts.lock:
                bank.read("Buoy 2 lies 5 miles out.", source="chart")
                cut_connections(server)

        with pytest.raises(StoreUnreachable):
            cut_in_the_middle()
        assert [entry.text for entry in bank.snapshot().entries] == ["Buoy 1 lies 4 miles out."]
        bank.read("Buoy 3 lies 6 miles out.", source="chart")
        with MemoryBank.resume(space) as second:
            assert second.snapshot() == bank.snapshot()


@pytest.fixture
def small_disk(folders: Path) -> Iterator[Path]:
    """A folder on a disk of 60 MB."""
    place = Path(tempfile.mkdtemp(dir=folders))
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=60m", "tmpfs", place], check=False, capture_output=True
    )
    if mounted.returncode:
        pytest.skip("needs to mount a small disk, as root")
    yield place
    subprocess.run(["umount", "-l", place], check=True)


def test_a_full_tablespace_is_said_and_what_was_acknowledged_stays(
    own_server: PostgresServer, small_disk: Path
) -> None:
    url = own_server.url()
    open_store(url).close()
    shutil.chown(small_disk, own_server.folder.owner())
    with psycopg.connect(url, autocommit=True) as owner:
        owner.execute(f"CREATE TABLESPACE small LOCATION '{small_disk}'")
        owner.execute("ALTER TABLE amb.records SET TABLESPACE small")
    written, noise = [], random.Random(3)
    with closing(open_store(url)) as store:

        def fill() -> None:
            for number in range(100_000):
                store.put([Record("n", str(number), {"v": noise.randbytes(40_000).hex()})])
                written.append(str(number))

        with pytest.raises(StoreError, match="no disk space left; free some, then repeat"):
            fill()
        assert [record.id for record in store.search(RecordQuery("n"))] == written
        subprocess.run(["mount", "-o", "remount,size=90m", small_disk], check=True)
        store.put([Record("n", "after", {})])
        assert store.get("n", "after") is not None


def test_a_primary_that_waits_for_a_slow_replica_loses_nothing_and_goes_on_when_it_is_gone(
    own_server: PostgresServer,
) -> None:
    """A synchronous replica that does not answer holds back every commit, for readers it holds back nothing."""
    url = own_server.url()
    with closing(open_store(f"{url}?options=-c%20statement_timeout%3D2s")) as store:
        store.put([Record("n", "before", {})])
        _wait_for_replica(url, "slow")
        with ThreadPoolExecutor(1) as threads:
            late = threads.submit(store.put, [Record("n", "late", {})])
            time.sleep(0.5)
            assert not late.done()
            assert store.get("n", "before") is not None
            _wait_for_replica(url, "")
            late.result(10)
        assert [record.id for record in store.search(RecordQuery("n"))] == ["before", "late"]


def _wait_for_replica(url: str, name: str) -> None:
    with psycopg.connect(url, autocommit=True) as owner:
        owner.execute("SET synchronous_commit = local")
        owner.execute(f"ALTER SYSTEM SET synchronous_standby_names = '{name}'")
        owner.execute("SELECT pg_reload_conf()")
    time.sleep(0.3)
