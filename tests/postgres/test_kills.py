"""Any process is killed at any moment: nothing acknowledged is lost or doubled, no half is seen, no other tenant."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections import deque
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

import psycopg
import pytest

from amb_core import MemoryBank
from amb_core.memory.snapshots import damage
from amb_core.models import EntryState
from amb_core.protocols import RecordQuery
from amb_core.stores import open_store
from amb_postgres import postgres_schema
from amb_postgres.digest_worker import DigestWorker
from amb_postgres.local_server import PostgresServer
from amb_postgres.postgres_schema import SCHEMA_VERSION, TABLES

KILLS = int(os.environ.get("KILL_RUNS", "12"))
AT_WORK = 3
"""Processes that work beside each other, of which the oldest is killed next."""
ROLES = ("write", "write raw", "read", "digest", "write", "migrate")
_numbers = count()


@dataclass
class Victim:
    """A process that plays a role, and what it has said by the time it is killed."""

    role: str
    url: str
    name: str
    first: int = 0
    most: int = 1_000_000
    said: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        script = Path(__file__).with_name("kill_roles.py")
        command = [sys.executable, script, self.role, self.url, self.name, str(self.first), str(self.most)]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        assert self.process.stdout.readline() == "ready\n"

    def kill(self) -> None:
        """End it, and hear what it had said."""
        self.process.send_signal(signal.SIGKILL)
        self.end()

    def end(self) -> int:
        """Wait for its end."""
        assert self.process.stdout is not None
        self.said += self.process.stdout.read().split()
        self.process.stdout.close()
        return self.process.wait()

    @property
    def acknowledged(self) -> list[str]:
        """The calls whose texts it was told are kept."""
        return [f"{self.name}-{said}" for said in self.said]


@pytest.fixture
def banks(server: PostgresServer) -> list[str]:
    """Two tenants with two banks each."""
    run = next(_numbers)
    urls = [f"{server.url()}?tenant=t{run}{name}&space={space}" for name in "ab" for space in (1, 2)]
    for url in urls:
        MemoryBank("Chart the buoys.", store=url).close()
    return urls


@pytest.fixture
def older(server: PostgresServer) -> Iterator[str]:
    """A database with the first schema, which others are copied from."""
    name = f"first_schema_{next(_numbers)}"
    with psycopg.connect(server.url(), autocommit=True) as owner:
        owner.execute(f"CREATE DATABASE {name}")
    with psycopg.connect(server.url(name)) as owner:
        postgres_schema._begin(owner)
        for statement in postgres_schema.MIGRATIONS[0]:
            owner.execute(statement)
        postgres_schema._make_key(owner)
        for table in ("spaces", "records", "versions"):
            postgres_schema._close_to_others(owner, table)
        owner.execute("UPDATE amb.version SET version = 1")
        owner.execute("INSERT INTO amb.spaces VALUES ('default', 'default', 1)")
        owner.execute("INSERT INTO amb.records VALUES ('default', 'default', 'n', 'r', 1, '{\"v\":1}', 0, 0, NULL)")
    yield name


def tenant_of(url: str) -> str:
    return url.partition("tenant=")[2].partition("&")[0]


def copied(server: PostgresServer, older: str) -> str:
    name = f"copy_{next(_numbers)}"
    with psycopg.connect(server.url(), autocommit=True) as owner:
        owner.execute(f"CREATE DATABASE {name} TEMPLATE {older}")
    return server.url(name)


def assert_whole_or_untouched(url: str) -> None:
    """A migration that was killed has done all or nothing, and the next one brings it to its end."""
    with psycopg.connect(url) as owner:
        [version] = owner.execute("SELECT version FROM amb.version").fetchone()
        [tables] = owner.execute("SELECT count(*) FROM pg_policies WHERE policyname = 'one_tenant'").fetchone()
    assert (version, tables) in ((1, 3), (SCHEMA_VERSION, len(TABLES)))
    with closing(open_store(url)) as store:
        assert [record.data for record in store.search(RecordQuery("n"))] == [{"v": 1}]


def finish(server: PostgresServer, banks: list[str]) -> None:
    """As a minute does, and then a worker of each tenant."""
    tenants = sorted({tenant_of(url) for url in banks})
    with psycopg.connect(server.url()) as owner:
        owner.execute("UPDATE amb.jobs SET leased_until = '-infinity' WHERE tenant = ANY(%s)", (tenants,))
    for url in {url.partition("&space")[0] for url in banks}:
        with closing(DigestWorker(url)) as worker:
            while worker.work():
                pass
    with psycopg.connect(server.url()) as owner:
        left = owner.execute("SELECT count(*) FROM amb.jobs WHERE tenant = ANY(%s)", (tenants,)).fetchone()
    assert left == (0,)


def calls_of(url: str) -> list[str]:
    """The calls whose texts a bank holds; whole, each digested once, and its tenant's own."""
    with MemoryBank.resume(url) as bank:
        held = bank.snapshot()
    assert damage(held) is None
    assert all(entry.text.startswith(f"{tenant_of(url)}: ") for entry in held.entries)
    assert {digestion.state for digestion in held.digestions} <= {EntryState.DONE}
    sources = [span.entry_id for node in held.nodes for span in node.sources]
    assert sorted(sources) == sorted(entry.entry_id for entry in held.entries)
    return [str(entry.metadata["call_id"]) for entry in held.entries]


@pytest.mark.slow
def test_killed_writers_readers_workers_and_migrations_lose_double_and_mix_up_nothing(
    server: PostgresServer, banks: list[str], older: str
) -> None:
    chance, living, dead = random.Random(19), deque[Victim](), list[Victim]()
    for run in range(KILLS + AT_WORK):
        if run < KILLS:
            role, url = ROLES[run % len(ROLES)], banks[chance.randrange(len(banks))]
            if role == "migrate":
                url = copied(server, older)
            living.append(Victim(role, url, f"{tenant_of(url)}-k{run}"))
        time.sleep(chance.random() * 0.3)
        if len(living) > AT_WORK or run >= KILLS:
            victim = living.popleft()
            victim.kill()
            dead.append(victim)
            if victim.role == "migrate":
                assert_whole_or_untouched(victim.url)
    assert len(dead) == KILLS
    assert not [said for victim in dead if victim.role == "read" for said in victim.said]
    finish(server, banks)
    for url in banks:
        writers = [victim for victim in dead if victim.url == url and victim.role.startswith("write")]
        acknowledged = [call for writer in writers for call in writer.acknowledged]
        calls = calls_of(url)
        assert len(calls) == len(set(calls))
        assert set(acknowledged) <= set(calls)
        assert len(calls) <= len(acknowledged) + len(writers)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("processes", "absorbs", "kills", "places"),
    [
        pytest.param(4, 12, 2, 2, id="4 processes, 12 absorbs"),
        pytest.param(8, 1_000, 5, 4, id="8 processes, 1,000 absorbs, four banks", marks=pytest.mark.nightly),
        pytest.param(8, 1_000, 5, 1, id="8 processes, 1,000 absorbs, one bank", marks=pytest.mark.nightly),
    ],
)
def test_processes_that_are_killed_and_go_on_have_each_text_kept_once(
    server: PostgresServer, banks: list[str], processes: int, absorbs: int, kills: int, places: int
) -> None:
    def work(number: int) -> list[str]:
        chance, url, acknowledged = random.Random(number), banks[number % places], list[str]()
        name = f"{tenant_of(url)}-p{number}"
        for left in reversed(range(kills + 1)):
            writer = Victim("write", url, name, len(acknowledged), absorbs)
            if left:
                with suppress(subprocess.TimeoutExpired):
                    writer.process.wait(chance.random() * absorbs / 25)
                writer.kill()
            else:
                assert writer.end() == 0
            acknowledged += writer.acknowledged
        return acknowledged

    with ThreadPoolExecutor(processes) as threads:
        said = list(threads.map(work, range(processes)))
    finish(server, banks)
    for place in range(places):
        own = [call for number in range(place, processes, places) for call in said[number]]
        assert sorted(calls_of(banks[place])) == sorted(own)
        assert len(own) == absorbs * len(range(place, processes, places))
