"""An exception at any line, as a signal raises it, leaves the pool whole, and all or nothing of a write."""

from __future__ import annotations

import os
import random
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any

import psycopg
import pytest
from amb_bench.stops import finishes

import amb_postgres
from amb_core import ContextAdapter, MemoryBank, ToolResult
from amb_core.errors import StoreError
from amb_core.protocols import Record, RecordQuery
from amb_core.stores import open_store
from amb_postgres.local_server import PostgresServer
from amb_postgres.postgres_store import PostgresStore

INTERRUPTS = int(os.environ.get("INTERRUPTS", "200"))
OURS = str(Path(amb_postgres.__file__).parent)
MOST = 8
# The driver's own generators say so where they are cut short; nobody but its authors can do anything about it.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning", "ignore::ResourceWarning")


class Stopped(Exception):
    """What a host's handler raises, as for a soft time limit."""


@pytest.fixture
def store(space: str) -> Iterator[PostgresStore]:
    with closing(open_store(space)) as opened:
        assert isinstance(opened, PostgresStore)
        yield opened


@contextmanager
def stopped_after(seconds: float, error: type[BaseException]) -> Iterator[None]:
    """Raise an error in the block after some time, as a signal handler does."""

    def stop(*_: object) -> None:
        raise error

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def stopped_at(line: int, error: type[BaseException], call: Callable[[], object]) -> bool:
    """Raise an error before the n-th line of ours that a call comes to; False when it has fewer."""
    left = line

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal left
        if not frame.f_code.co_filename.startswith(OURS):
            return None
        if event == "line":
            left -= 1
            if left == 0:
                sys.settrace(None)
                raise error
        return trace

    sys.settrace(trace)
    try:
        call()
    except error:
        return True
    finally:
        sys.settrace(None)
    return False


def pair(number: int) -> list[Record]:
    return [Record("n", f"{number}-{part}", {"v": number}) for part in "ab"]


def assert_whole(store: PostgresStore, acknowledged: list[int]) -> None:
    """All connections are free, and each pair is there or is not."""
    found = [record.id for record in store.search(RecordQuery("n"))]
    numbers = list(dict.fromkeys(int(name.partition("-")[0]) for name in found))
    assert found == [f"{number}-{part}" for number in numbers for part in "ab"]
    assert set(acknowledged) <= set(numbers)
    assert store._space.server.pool.free == MOST
    assert store._space.work is None


def test_waiting_writers_that_are_interrupted_give_their_connections_back(
    server: PostgresServer, store: PostgresStore
) -> None:
    store.put(pair(0))
    for number in range(1, 21):
        with psycopg.connect(server.url()) as other:  # holds the space, so that the write waits
            other.execute("SELECT * FROM amb.spaces FOR UPDATE")
            error = (KeyboardInterrupt, Stopped)[number % 2]
            with pytest.raises(error), stopped_after(0.02, error):
                store.put(pair(number))
    assert_whole(store, [0])
    assert store.count("n") == 2
    with psycopg.connect(server.url(), autocommit=True) as other:
        time.sleep(0.2)
        sql = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'amb' AND state = 'active'"
        assert other.execute(sql).fetchone() == (0,)  # nobody waits there for somebody who has gone


def write_alone(store: PostgresStore, number: int) -> None:
    store.put(pair(number), keep_history=True)


def write_in_parts(store: PostgresStore, number: int) -> None:
    first, second = pair(number)
    with store.transaction():
        store.put([first])
        with suppress(ValueError), store.transaction():
            store.put([Record("n", f"{number}-x", {})])
            raise ValueError
        store.put([second])


def read_beside(store: PostgresStore, number: int) -> None:
    store.search_natively(RecordQuery("n", limit=3), text=f"v {number}")
    store.claim_next()
    store.put(pair(number))


@pytest.mark.slow
@pytest.mark.parametrize("error", [KeyboardInterrupt, Stopped])
@pytest.mark.parametrize("write", [write_alone, write_in_parts, read_beside])
def test_an_exception_at_any_line_of_the_store_leaves_it_whole(
    store: PostgresStore, write: Callable[[PostgresStore, int], None], error: type[BaseException]
) -> None:
    line, acknowledged = 1, list[int]()
    while line < 300 and stopped_at(line, error, partial(write, store, line)):
        after = 10_000 + line
        store.put(pair(after))
        acknowledged.append(after)
        assert_whole(store, acknowledged)
        line += 3
    assert line > 90


def test_an_interrupt_that_is_caught_within_a_transaction_commits_no_half_of_a_write(store: PostgresStore) -> None:
    """Whoever goes on after it is told that nothing can be written any more, or all that was asked for is there."""
    for line in range(1, 40, 3):

        def caught(line: int = line) -> None:
            with store.transaction():
                store.put(pair(line)[:1])
                stopped_at(line, Stopped, lambda: store.put([Record("m", f"{line}-{part}", {}) for part in "ab"]))

        with suppress(StoreError):
            caught()
        written = [record.id for record in store.search(RecordQuery("m")) if record.id.startswith(f"{line}-")]
        assert len(written) in (0, 2)
        assert store._space.server.pool.free == MOST


def test_what_an_interrupted_opening_took_is_given_back(space: str, store: PostgresStore) -> None:
    line = 1
    opened: list[PostgresStore] = []
    while stopped_at(line, KeyboardInterrupt, lambda: opened.append(PostgresStore(space))):
        line += 7
        assert store._space.server.pool.free == MOST
        assert finishes(lambda: open_store(space).close()), "a lock was left held"
    opened[0].close()
    store.put(pair(1))
    assert_whole(store, [1])


@pytest.mark.nightly
@pytest.mark.parametrize("error", [KeyboardInterrupt, Stopped])
def test_interrupts_at_random_moments_lose_no_connection_and_nothing_acknowledged(
    store: PostgresStore, error: type[BaseException]
) -> None:
    chance, acknowledged = random.Random(7), list[int]()
    for number in range(INTERRUPTS):
        write = (write_alone, write_in_parts, read_beside)[number % 3]
        with suppress(error, StoreError):
            with stopped_after(0.0001 + chance.random() * 0.02, error):
                write(store, number)
            acknowledged.append(number)
    assert_whole(store, acknowledged)


@pytest.mark.nightly
def test_a_bank_that_is_interrupted_at_random_moments_goes_on_with_all_it_acknowledged(
    server: PostgresServer, space: str
) -> None:
    chance, acknowledged = random.Random(11), list[str]()
    with MemoryBank("Chart the buoys.", store=space) as bank:
        for number in range(INTERRUPTS):
            text = f"Buoy {number} lies {number} miles out."
            with suppress(KeyboardInterrupt):
                with stopped_after(0.0001 + chance.random() * 0.03, KeyboardInterrupt):
                    bank.absorb(ToolResult(tool="look", output=text))
                acknowledged.append(text)
        bank.absorb(ToolResult(tool="look", output="All buoys are charted."))
    with MemoryBank.resume(space) as later:
        told = [entry.text for entry in later.snapshot().entries]
    assert told[-1] == "All buoys are charted."
    assert [text for text in acknowledged if text not in told] == []
    assert len(told) == len(set(told))


def test_threads_that_lose_their_connection_anywhere_leave_none_waiting(store: PostgresStore) -> None:
    """More threads than connections; each is cut short again and again, by an exception at some line."""
    failed: list[BaseException] = []

    def work(seed: int) -> None:
        chance = random.Random(seed)
        try:
            for number in range(6):
                name = 1000 * seed + number
                stopped_at(chance.randrange(1, 60), Stopped, lambda name=name: store.put(pair(name)))  # type: ignore[misc]
        except BaseException as error:  # noqa: BLE001 - told below
            failed.append(error)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert failed == []
    assert_whole(store, [])


def test_a_time_limit_within_a_turn_reaches_its_caller_and_no_result_is_lost(space: str) -> None:
    """Also where the driver raises again, without a trace, what stopped it: that is no failure of memory."""
    rng, stopped = random.Random(7), 0
    messages: list[dict[str, Any]] = [{"role": "user", "content": "Which lamp is broken?"}]
    with MemoryBank("Which lamp is broken?", store=space) as bank:
        adapter = ContextAdapter(bank)
        for number in range(INTERRUPTS // 4):
            call = {
                "id": f"c{number}",
                "type": "function",
                "function": {"name": "look", "arguments": f'{{"n": {number}}}'},
            }
            messages.append({"role": "assistant", "content": None, "tool_calls": [call]})
            messages.append({"role": "tool", "tool_call_id": f"c{number}", "content": f"Lamp {number} is lit."})
            try:
                with stopped_after(rng.uniform(1e-4, 0.03), Stopped):
                    adapter.next_request(messages)
            except Stopped:
                stopped += 1
            assert adapter.failures == {}
        adapter.next_request(messages)
        told = [entry.text for entry in bank.snapshot().entries if entry.text.startswith("Lamp")]
        assert sorted(told) == sorted(f"Lamp {number} is lit." for number in range(INTERRUPTS // 4))
    assert stopped > INTERRUPTS // 20
