"""Several gateways on one PostgreSQL: a talk may come to any of them, and none is mixed, lost or taken in twice."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from functools import partial
from importlib.util import find_spec
from itertools import count
from pathlib import Path

import httpx2
import pytest

from amb_core import InvalidParameter
from amb_proxy import AMBProxy

if find_spec("psycopg") is None:
    pytest.skip("needs the postgres extra; make test-postgres has it", allow_module_level=True)

import psycopg

from amb_postgres.local_server import PostgresServer, find_programs

pytestmark = pytest.mark.slow

TURNS = 9
SECRET = re.compile(rb"SECRET-(\d+)-")
_tenants = count()


def page(number: int) -> str:
    return f"The code of station {number} is ST-{number * 7919}.\n" + "Lamps, tides and ropes are counted here. " * 95


def secret_page(whose: int, number: int) -> str:
    return f"SECRET-{whose}- is what page {number} says. " + "The rest of the page is about lamps and tides. " * 80


@pytest.fixture(scope="module")
def server() -> Iterator[PostgresServer]:
    programs = find_programs()
    if programs is None:
        pytest.skip("needs a PostgreSQL server; make test-postgres has one")
    with tempfile.TemporaryDirectory(prefix="amb-postgres-") as folder:
        server = PostgresServer(programs, Path(folder) / "server")
        server.start()
        yield server
        server.stop()


@pytest.fixture
def store(server: PostgresServer) -> str:
    """The URL of a tenant of its own."""
    return f"{server.url()}?tenant=gateways-{next(_tenants)}"


@contextmanager
def process(upstream: str, folder: Path, store: str) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """`amb proxy --store` as a process of its own: where it listens, and the process."""
    command = [sys.executable, "-m", "amb_cli", "proxy", "--upstream", upstream, "--folder", str(folder)]
    running = subprocess.Popen(
        [*command, "--store", store, "--port", "0", "--budget", "6000"], stderr=subprocess.PIPE, text=True
    )
    assert running.stderr is not None
    said = running.stderr.readline()
    try:
        yield said.split()[2], running
    finally:
        running.kill()
        running.wait()
        running.stderr.close()


@pytest.fixture
def two(provider, tmp_path, store):
    """Two gateways, each a process: their URLs and the processes."""
    with ExitStack() as both:
        yield [both.enter_context(process(provider.url, tmp_path / name, store)) for name in ("one", "two")]


def in_turns(talk, urls, result, *, turns):
    """A talk whose every request comes to the next gateway."""
    for number in range(turns):
        talk.url = urls[number % len(urls)]
        talk.go_on(result)
    return talk


def whole(url: str, folder: Path, name: str) -> str:
    token = (folder / "operator-token").read_text()
    return httpx2.get(f"{url}/amb/conversations/{name}", headers={"x-amb-token": token}).text


def test_a_talk_that_comes_to_both_in_turns_is_one_and_has_every_fact_once(begin, two, provider, tmp_path, store):
    (one, _), (other, _) = two
    talk = in_turns(begin(one), [one, other], page, turns=TURNS)
    assert len(talk.names) == 1
    (name,) = talk.names
    for url, folder in ((one, "one"), (other, "two")):
        told = whole(url, tmp_path / folder, name)
        assert [number for number in range(1, TURNS) if f"ST-{number * 7919}" not in told] == []
    assert talk.says[-1].split("entries=")[1] == str(TURNS - 1)
    said = subprocess.run(
        [sys.executable, "-m", "amb_cli", "proxy", "status", "--store", store],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert f"{name}  {TURNS - 1} requests" in said


@pytest.mark.parametrize("talks", [6, pytest.param(100, marks=pytest.mark.nightly)])
def test_talks_that_begin_alike_and_come_to_both_are_never_mixed(talks, begin, two, provider):
    urls = [url for url, _ in two]
    begun = [begin(urls[0]) for _ in range(talks)]
    with ThreadPoolExecutor(min(talks, 20)) as pool:
        list(pool.map(lambda at: in_turns(begun[at], urls, partial(secret_page, at), turns=4), range(talks)))
    assert [len(talk.names) for talk in begun] == [1] * talks
    assert len(set.union(*(talk.names for talk in begun))) == talks
    assert max(len(set(SECRET.findall(seen.raw))) for seen in provider.seen) == 1


def test_another_credential_reaches_nothing_through_the_other_gateway(begin, two, provider):
    (one, _), (other, _) = two
    ann = begin(one, "key-of-ann").go_on(partial(secret_page, 1), turns=3)
    thief = begin(other, "key-of-eve", messages=list(ann.messages))
    thief.ask()
    assert not ann.names & thief.names


def test_when_one_is_killed_in_the_middle_of_a_stream_the_other_goes_on(begin, two, provider, tmp_path):
    (one, running), (other, _) = two
    talk = begin(one).go_on(page, turns=5)
    body = {"model": "m", "messages": talk.messages, "tools": [{"type": "function", "function": {"name": "look"}}]}
    headers = {"authorization": "Bearer key-of-ann", "x-fault": "slow"}
    with httpx2.stream("POST", f"{one}/v1/chat/completions", json=body | {"stream": True}, headers=headers) as answer:
        next(answer.iter_bytes())
        running.send_signal(signal.SIGKILL)
        running.wait()
    talk.url = other
    talk.go_on(page, turns=TURNS - 5)
    assert len(talk.names) == 1
    told = whole(other, tmp_path / "two", next(iter(talk.names)))
    assert [number for number in range(1, TURNS) if f"ST-{number * 7919}" not in told] == []


def rows_with(server: PostgresServer, store: str, *words: str) -> list[str]:
    """The tables in which one of the words stands in a row of the tenant, as the superuser of the server sees them."""
    tenant = store.rpartition("=")[2]
    tables = ("spaces", "records", "versions", "gone", "jobs", "files")
    found = []
    with psycopg.connect(server.url()) as connection:
        connection.execute("SET row_security = off")
        for table in tables:
            for (row,) in connection.execute(f"SELECT {table}::text FROM amb.{table} WHERE tenant = %s", [tenant]):  # type: ignore[arg-type]
                found += [table] if any(word in row for word in words) else []
    return found


def test_a_deleted_user_leaves_nothing_in_any_table_and_the_others_stay(begin, two, server, tmp_path, store):
    (one, _), (other, _) = two
    ann = begin(one, "key-of-ann").go_on(partial(secret_page, 1), turns=3)
    bob = begin(other, "key-of-bob").go_on(partial(secret_page, 2), turns=3)
    headers = {"x-amb-token": (tmp_path / "two" / "operator-token").read_text()}
    told = httpx2.get(f"{other}/amb/status", headers=headers).json()["conversations"]
    (user,) = {one["user"] for one in told if one["id"] in ann.names}
    assert rows_with(server, store, "SECRET-1-")
    deleted = httpx2.delete(f"{other}/amb/users/{user}", headers=headers).json()
    assert (deleted["banks"], deleted["bytes_left"]) == (1, 0)
    assert rows_with(server, store, "SECRET-1-", *ann.names) == []
    assert rows_with(server, store, "SECRET-2-")
    assert bob.go_on(partial(secret_page, 2)).names == bob.names
    ann.go_on(partial(secret_page, 1))
    assert len(ann.names) == 2


@pytest.mark.parametrize("url", ["postgresql://127.0.0.1/x?tenant=a&space=b", "sqlite:///x.db", "mysql://127.0.0.1/x"])
def test_a_store_that_is_no_tenant_of_a_database_is_refused(url, tmp_path):
    with pytest.raises(InvalidParameter, match="tenant=acme"):
        AMBProxy("http://127.0.0.1:9", folder=tmp_path, store=url)


def test_a_gateway_whose_role_has_no_key_refuses_to_begin(server, provider, tmp_path, store):
    with process(provider.url, tmp_path / "one", store) as (url, _):
        assert url.startswith("http://127.0.0.1")
    with psycopg.connect(server.url(), autocommit=True) as connection:
        connection.execute("CREATE ROLE plain LOGIN IN ROLE amb_app")
    plain = re.sub(r"//[^@]*@", "//plain@", store) if "@" in store else store.replace("//", "//plain@", 1)
    command = [sys.executable, "-m", "amb_cli", "proxy", "--upstream", provider.url, "--store", plain]
    environment = {name: value for name, value in os.environ.items() if name != "AMB_POSTGRES_KEY"}
    ended = subprocess.run(
        [*command, "--folder", str(tmp_path / "two"), "--port", "0"],
        capture_output=True,
        text=True,
        env=environment,
        timeout=60,
    )
    assert ended.returncode == 1
    assert "AMB_POSTGRES_KEY" in ended.stderr
