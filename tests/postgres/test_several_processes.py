"""Several processes on one bank: what one writes others know, each text is digested once, and kills lose nothing."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from itertools import count

import psycopg
import pytest

from amb_core import MemoryBank, Settings, ToolResult
from amb_core.errors import StoreGone
from amb_core.models import EntryState
from amb_core.protocols import Record
from amb_core.stores import open_store
from amb_postgres.digest_worker import DigestWorker
from amb_postgres.local_server import PostgresServer

KILLS = int(os.environ.get("KILL_RUNS", "10"))
ABSORB = """
import sys
from amb_core import MemoryBank, Settings, ToolResult
url, name, most, digests = sys.argv[1:]
bank = MemoryBank.resume(url, settings=Settings(digests=digests))
for number in range(int(most)):
    bank.absorb(ToolResult(tool="read", call_id=f"{name}-{number}", output=f"Buoy {name}-{number} is out."))
    print(number, flush=True)
"""
ENDLESS = "1000000"


def process(space: str, name: str, most: str, *, digests: str = "here") -> subprocess.Popen[str]:
    command = [sys.executable, "-c", ABSORB, space, name, most, digests]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def say(bank: MemoryBank, text: str) -> None:
    bank.absorb(ToolResult(tool="read", output=text))


def jobs(server: PostgresServer, space: str) -> int:
    name = space.rpartition("space=")[2]
    with psycopg.connect(server.url()) as owner:
        return owner.execute("SELECT count(*) FROM amb.jobs WHERE space = %s", (name,)).fetchone()[0]


@pytest.fixture
def bank(space: str) -> Iterator[MemoryBank]:
    with MemoryBank("Chart the buoys.", store=space) as bank:
        yield bank


def assert_each_is_digested_once(bank: MemoryBank, *, least: int) -> None:
    held = bank.snapshot()
    calls = [entry.metadata["call_id"] for entry in held.entries]
    assert len(calls) == len(set(calls)) >= least
    assert all(digestion.state is EntryState.DONE for digestion in held.digestions)
    sources = [span.entry_id for node in held.nodes for span in node.sources]
    assert sorted(sources) == sorted(entry.entry_id for entry in held.entries)


def test_what_one_bank_writes_another_one_in_its_space_knows_at_its_next_look(space: str, bank: MemoryBank) -> None:
    with MemoryBank.resume(space) as second:
        say(bank, "The ferry leaves at 07:40.")
        say(second, "The ferry leaves from the west pier.")
        assert "west pier" in bank.recall("Where does the ferry leave from?").text or seen_soon(bank, "west pier")
        assert "07:40" in second.recall("When does the ferry leave?").text
        assert [len(each.snapshot().entries) for each in (bank, second)] == [2, 2]
        assert bank.nodes == second.nodes


def seen_soon(bank: MemoryBank, text: str) -> bool:
    """Whether a text is found at the latest when the half second is over after which a reader asks."""
    return any(text in bank.recall(text).text or time.sleep(0.05) for _ in range(100))


def test_four_processes_on_one_bank_lose_nothing_and_digest_each_text_once(space: str, bank: MemoryBank) -> None:
    writers = [process(space, f"w{number}", "15") for number in range(4)]
    assert [writer.wait(120) for writer in writers] == [0, 0, 0, 0]
    say(bank, "All buoys are charted.")
    with MemoryBank.resume(space) as later:
        assert len(later.snapshot().entries) == 4 * 15 + 1
        assert later.snapshot() == bank.snapshot()
        assert len({node.summary for node in later.nodes}) == 4 * 15 + 1
    for writer in writers:
        writer.stdout.close()


@pytest.mark.slow
def test_writers_that_are_killed_leave_nothing_half_and_their_texts_are_digested_once(
    server: PostgresServer, space: str, bank: MemoryBank
) -> None:
    chance, said = random.Random(3), 0
    for run in range(KILLS):
        with process(space, f"k{run}", ENDLESS) as writer:
            writer.stdout.readline()
            time.sleep(chance.random() * 0.2)
            writer.send_signal(signal.SIGKILL)
            said += writer.stdout.read().count("\n") + 1
    expire_leases(server, space)
    bank.host.flush()
    assert_each_is_digested_once(bank, least=said)
    assert len(bank.snapshot().entries) <= said + KILLS
    assert jobs(server, space) == 0


def expire_leases(server: PostgresServer, space: str) -> None:
    """As a minute does."""
    with psycopg.connect(server.url()) as owner:
        owner.execute(
            "UPDATE amb.jobs SET leased_until = '-infinity' WHERE space = %s", (space.rpartition("space=")[2],)
        )


def test_a_worker_digests_what_banks_took_in_raw(server: PostgresServer, space: str) -> None:
    with MemoryBank("Chart the buoys.", store=space, settings=Settings(digests="worker")) as bank:
        reports = [bank.absorb(ToolResult(tool="read", output=f"Buoy {n} lies {n} miles out.")) for n in range(6)]
        assert all(report.pending for report in reports)
        assert (jobs(server, space), bank.nodes) == (6, ())
        with closing(DigestWorker(space)) as worker:
            while worker.work():
                pass
        assert seen_soon(bank, "Buoy 5")
        assert (jobs(server, space), len(bank.nodes)) == (0, 6)


def test_a_bank_opens_though_others_take_in_more_meanwhile_than_it_can_digest(space: str) -> None:
    raw = MemoryBank("Chart the buoys.", store=space, settings=Settings(digests="worker"))
    opened, numbers = threading.Event(), count()

    def take_in() -> None:
        while not opened.is_set() and (number := next(numbers)) < 20_000:
            say(raw, f"Buoy {number} lies {number} miles out.")

    with raw, ThreadPoolExecutor(1) as threads:
        busy = threads.submit(take_in)
        while len(raw.snapshot().entries) < 5:
            time.sleep(0.01)
        with MemoryBank.resume(space) as second:
            opened.set()
            assert second.nodes
        busy.result()
        assert next(numbers) < 20_000


def test_workers_share_the_work_of_all_tenants_and_a_killed_one_gives_its_job_back(
    server: PostgresServer, space: str
) -> None:
    raw = Settings(digests="worker")
    places = [f"{server.url()}?tenant=t{number}&space=shared" for number in range(3)]
    banks = [MemoryBank("Chart the buoys.", store=place, settings=raw) for place in places]
    for number, bank in enumerate(banks * 4):
        bank.absorb(ToolResult(tool="read", call_id=f"c{number}", output=f"Buoy {number} lies {number} miles out."))
    with closing(open_store(places[0])) as killed:  # a worker that took an entry and is no more
        assert killed.claim_next() == "e1"
        command = [sys.executable, "-m", "amb_cli", "worker", server.url(), "--once"]
        workers = [subprocess.Popen(command) for _ in range(2)]
        assert [worker.wait(120) for worker in workers] == [0, 0]
        with MemoryBank.resume(places[0], settings=raw) as first:
            assert [each.state for each in first.snapshot().digestions].count(EntryState.RAW) == 1
    expire_leases(server, "space=shared")
    subprocess.run(command, check=True)
    for bank in banks:
        bank.close()
    for place in places:
        with MemoryBank.resume(place) as bank:
            assert_each_is_digested_once(bank, least=4)


def test_an_entry_that_passed_to_another_process_meanwhile_is_digested_once(server: PostgresServer, space: str) -> None:
    raw = Settings(digests="worker")
    with MemoryBank("Chart the buoys.", store=space, settings=raw) as bank:
        bank.absorb(ToolResult(tool="read", call_id="c", output="Buoy 1 lies 4 miles out."))
        slow = open_store(space)
        assert slow.claim_next() == "e1"
        expire_leases(server, space)
        with MemoryBank.resume(space) as quick:
            assert quick.nodes
            assert_each_is_digested_once(quick, least=1)
        slow.close()


def test_numbers_of_changes_have_no_gap_whoever_writes(server: PostgresServer, space: str) -> None:
    numbers = count(1)
    with MemoryBank("Chart the buoys.", store=space) as bank, closing(open_store(space)) as reader:
        seen = 0
        for _ in range(5):
            say(bank, f"Buoy {next(numbers)} lies out there.")
            changed = reader.changes_after(seen, prefix="")
            assert changed is not None
            assert changed.number > seen
            assert len(changed.records) + len(changed.deleted) <= changed.number - seen
            seen = changed.number
        assert reader.changes_after(seen, prefix="").records == ()


def test_who_follows_one_namespace_misses_nothing_while_others_write_to_others(space: str) -> None:
    """Numbers are counted by space: one that another namespace has is no change still to come."""

    def write(namespace: str) -> None:
        with closing(open_store(space)) as store:
            for number in range(30):
                store.put([Record(namespace, f"r{number}", {})])

    with closing(open_store(space)) as reader, ThreadPoolExecutor(3) as threads:
        writers = [threads.submit(write, name) for name in ("a", "b", "c")]
        seen, ids = 0, list[str]()
        while len(ids) < 30:
            written = all(writer.done() for writer in writers)
            changed = reader.changes_after(seen, prefix="b")
            assert changed is not None
            seen, ids = changed.number, [*ids, *(record.id for record in changed.records)]
            assert ids == [f"r{number}" for number in range(len(ids))]
            assert len(ids) == 30 or not written
    assert seen <= 90


def test_a_bank_whose_task_another_process_deleted_says_so(space: str, bank: MemoryBank) -> None:
    with MemoryBank.resume(space) as second:
        say(bank, "The ferry leaves at 07:40.")
        second.delete()
    with pytest.raises(StoreGone, match="deleted by another process"):
        say(bank, "The ferry leaves at 08:15.")
    bank._closed = True


def test_a_bank_that_is_open_while_the_database_is_restored_goes_on_from_what_was_restored(
    server: PostgresServer, space: str, bank: MemoryBank
) -> None:
    say(bank, "The ferry leaves at 07:40.")
    name = space.rpartition("space=")[2]
    with psycopg.connect(server.url()) as owner:
        sql = "CREATE TABLE public.{0}_{1} AS SELECT * FROM amb.{0} WHERE space = %s"
        for table in ("spaces", "records"):
            owner.execute(sql.format(table, f"of_{name}"), (name,))
    say(bank, "The ferry leaves at 08:15.")
    with psycopg.connect(server.url()) as owner:
        for table in ("spaces", "records"):
            owner.execute(f"DELETE FROM amb.{table} WHERE space = %s", (name,))
            owner.execute(f"INSERT INTO amb.{table} SELECT * FROM public.{table}_of_{name}")
    say(bank, "The ferry leaves at 09:00.")
    assert [entry.text[-6:] for entry in bank.snapshot().entries] == ["07:40.", "09:00."]


def test_a_reader_hears_of_changes_also_when_nobody_tells_it(
    server: PostgresServer, space: str, bank: MemoryBank
) -> None:
    with MemoryBank.resume(space) as second:
        with psycopg.connect(server.url()) as owner:  # those who listen are cut off
            owner.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%'")
        say(bank, "The ferry leaves at 07:40.")
        assert seen_soon(second, "07:40")
