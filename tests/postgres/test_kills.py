"""Any process is killed at any moment: nothing acknowledged is lost or doubled, no half is seen, no other tenant."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from itertools import count
from pathlib import Path

import psycopg
import pytest

from amb_core import MemoryBank
from amb_core.memory.snapshots import damage
from amb_core.models import EntryState
from amb_core.protocols import RecordQuery
from amb_core.stores import open_store
from amb_postgres.digest_worker import DigestWorker
from amb_postgres.local_server import PostgresServer
from amb_postgres.postgres_schema import SCHEMA_VERSION, TABLES

KILLS = int(os.environ.get("KILL_RUNS", "6"))
AT_WORK = 3
"""Processes that work beside each other, of which the oldest is killed next."""
ROLES = ("write", "write raw", "read", "digest", "write", "migrate")
_numbers = count()


class Victim:
    """A process that plays a role, and what it has said by the time it has ended."""

    def __init__(self, roles: Roles, role: str, url: str, name: str, *, first: int = 0, most: int = 1_000_000) -> None:
        self.role, self.url, self.name = role, url, name
        self._file = roles.folder / f"{name}-{next(_numbers)}"
        self._process = roles.begin([str(self._file), role, url, name, first, most])
        while not self.said and self.lives:
            time.sleep(0.005)

    @property
    def said(self) -> list[str]:
        """All lines but the first, which says that it is ready."""
        return self._file.read_text().splitlines() if self._file.exists() else []

    @property
    def lives(self) -> bool:
        """Whether the process is there."""
        return Path(f"/proc/{self._process}").exists()

    def kill(self, *, after: float = 0.0) -> None:
        """End it now, or after some seconds, if it is still there."""
        until = time.monotonic() + after
        while self.lives and time.monotonic() < until:
            time.sleep(0.005)
        with suppress(ProcessLookupError):
            os.kill(self._process, signal.SIGKILL)
        self.wait()

    def wait(self) -> None:
        """Wait for its end; it must not have failed by itself."""
        while self.lives:
            time.sleep(0.005)
        assert not [line for line in self.said if line.startswith("fault")]

    @property
    def acknowledged(self) -> list[str]:
        """The calls whose texts it was told are kept."""
        return [f"{self.name}-{line}" for line in self.said if line.isdigit()]


class Roles:
    """The process that forks victims, with all of AMB loaded."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        command = [sys.executable, Path(__file__).with_name("kill_roles.py")]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self._turn = threading.Lock()

    def begin(self, order: list[str | int]) -> int:
        """The number of a new process."""
        with self._turn:
            assert self._process.stdin is not None
            assert self._process.stdout is not None
            print(json.dumps(order), file=self._process.stdin, flush=True)
            return int(self._process.stdout.readline())

    def end(self) -> None:
        """Take no more orders."""
        self._process.communicate()


@pytest.fixture
def roles(tmp_path: Path) -> Iterator[Roles]:
    roles = Roles(tmp_path)
    yield roles
    roles.end()


@pytest.fixture
def banks(server: PostgresServer) -> list[str]:
    """Two tenants with two banks each."""
    run = next(_numbers)
    urls = [f"{server.url()}?tenant=t{run}{name}&space={space}" for name in "ab" for space in (1, 2)]
    for url in urls:
        MemoryBank("Chart the buoys.", store=url).close()
    return urls


@pytest.fixture
def older(server: PostgresServer, first_schema: Callable[[str], None]) -> str:
    """A database with the first schema, which others are copied from."""
    name = f"first_schema_{next(_numbers)}"
    with psycopg.connect(server.url(), autocommit=True) as owner:
        owner.execute(f"CREATE DATABASE {name}")
    first_schema(server.url(name))
    return name


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


def assert_kept_once(url: str, writers: list[Victim]) -> None:
    """A bank holds what its writers were told is kept, and at most the one text each was at when it was killed."""
    acknowledged, calls = [call for writer in writers for call in writer.acknowledged], calls_of(url)
    assert len(calls) == len(set(calls))
    assert set(acknowledged) <= set(calls)
    assert len(calls) <= len(acknowledged) + len(writers)


@pytest.mark.slow
def test_killed_writers_readers_workers_and_migrations_lose_double_and_mix_up_nothing(
    server: PostgresServer, roles: Roles, banks: list[str], older: str
) -> None:
    chance, living, dead = random.Random(19), deque[Victim](), list[Victim]()
    for run in range(KILLS + AT_WORK):
        if run < KILLS:
            role, url = ROLES[run % len(ROLES)], banks[chance.randrange(len(banks))]
            if role == "migrate":
                url = copied(server, older)
            living.append(Victim(roles, role, url, f"{tenant_of(url)}-k{run}"))
        time.sleep(chance.random() * 0.3)
        if len(living) > AT_WORK or run >= KILLS:
            victim = living.popleft()
            victim.kill()
            dead.append(victim)
            if victim.role == "migrate":
                assert_whole_or_untouched(victim.url)
    assert len(dead) == KILLS
    finish(server, banks)
    for url in banks:
        assert_kept_once(url, [victim for victim in dead if victim.url == url and victim.role.startswith("write")])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("processes", "absorbs", "kills", "places"),
    [
        pytest.param(4, 10, 1, 2, id="4 processes, 10 absorbs"),
        pytest.param(8, 1_000, 5, 4, id="8 processes, 1,000 absorbs, four banks", marks=pytest.mark.nightly),
        pytest.param(8, 1_000, 5, 1, id="8 processes, 1,000 absorbs, one bank", marks=pytest.mark.nightly),
    ],
)
def test_processes_that_are_killed_and_go_on_have_each_text_kept_once(
    server: PostgresServer, roles: Roles, banks: list[str], processes: int, absorbs: int, kills: int, places: int
) -> None:
    def work(number: int) -> list[str]:
        chance, url, acknowledged = random.Random(number), banks[number % places], list[str]()
        name = f"{tenant_of(url)}-p{number}"
        for left in reversed(range(kills + 1)):
            writer = Victim(roles, "write", url, name, first=len(acknowledged), most=absorbs)
            if left:
                writer.kill(after=chance.random() * absorbs / 25)
            else:
                writer.wait()
            acknowledged += writer.acknowledged
        return acknowledged

    with ThreadPoolExecutor(processes) as threads:
        said = list(threads.map(work, range(processes)))
    finish(server, banks)
    for place in range(places):
        own = [call for number in range(place, processes, places) for call in said[number]]
        assert sorted(calls_of(banks[place])) == sorted(own)
        assert len(own) == absorbs * len(range(place, processes, places))
