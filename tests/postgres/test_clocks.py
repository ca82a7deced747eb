"""Machines whose clocks differ share banks: order, leases and deletion do not depend on whose clock is right."""

from __future__ import annotations

from contextlib import closing
from itertools import pairwise

import pytest

from amb_core import MemoryBank, Settings, ToolResult
from amb_core.clock import ManualClock, SystemClock
from amb_core.models import EntryState
from amb_core.scope import Scope
from amb_core.stores import open_store
from amb_longterm import LongTermMemory
from amb_postgres.digest_worker import DigestWorker
from amb_postgres.local_server import PostgresServer
from amb_postgres.tenant_spaces import TenantSpaces
from amb_users.user_banks import Banks

DAY = 86_400.0


TOLD = ("The ferry leaves from the west pier.", "The fog horn sounds twice a minute.")


@pytest.fixture(params=[-DAY, DAY, 400 * DAY], ids=["a day behind", "a day ahead", "a year ahead"])
def wrong(request: pytest.FixtureRequest) -> ManualClock:
    """The clock of a machine that is wrong."""
    return ManualClock(SystemClock().now() + request.param, step=1e-3)


def say(bank: MemoryBank, number: int) -> None:
    bank.absorb(ToolResult(tool="read", call_id=f"c{number}", output=f"Buoy {number} lies {number} miles out."))


def test_banks_with_clocks_that_differ_take_turns_and_their_times_never_go_back(space: str, wrong: ManualClock) -> None:
    with MemoryBank("Chart the buoys.", store=space) as right, MemoryBank.resume(space, clock=wrong) as other:
        for number in range(10):
            say((right, other)[number % 2], number)
        with MemoryBank.resume(space) as later:
            held = later.snapshot()
        assert [entry.metadata["call_id"] for entry in held.entries] == [f"c{number}" for number in range(10)]
        assert all(one.timestamp <= two.timestamp for one, two in pairwise(held.entries))
        assert {digestion.state for digestion in held.digestions} == {EntryState.DONE}
        assert len(held.nodes) == 10
        say(right, 10)
        say(other, 11)
        assert right.recall("Where does buoy 11 lie?").text == other.recall("Where does buoy 11 lie?").text


def test_a_lease_holds_whatever_the_clocks_of_the_machines_say(space: str, wrong: ManualClock) -> None:
    with MemoryBank("Chart the buoys.", store=space, settings=Settings(digests="worker"), clock=wrong) as bank:
        say(bank, 1)
        with closing(open_store(space)) as holder:
            assert holder.claim_next() == "e1"
            with closing(DigestWorker(space)) as worker:
                assert worker.work() == 0
            with MemoryBank.resume(space, clock=wrong) as second:
                second.host.flush()
                assert second.nodes == ()


def test_a_machine_with_a_wrong_clock_deletes_no_bank_that_is_in_use(
    server: PostgresServer, space: str, wrong: ManualClock
) -> None:
    url = f"{server.url()}?tenant=clock-{space.rpartition('=')[2]}"
    with closing(TenantSpaces(url, clock=wrong)) as theirs, closing(Banks(url)) as ours:
        say(ours(Scope("ann")), 1)
        assert theirs.used_before(wrong.now() - 30 * DAY) == []
        [used] = theirs.used_before(wrong.now() + DAY)
        theirs.note_use(used, wrong.now())
        with closing(TenantSpaces(url)) as right:
            assert right.used_before(SystemClock().now() - 30 * DAY) == []
            assert theirs.take_away(used, before=wrong.now() - 30 * DAY)().banks == 0


def test_what_one_machine_remembers_for_long_another_one_finds_though_its_clock_differs(
    space: str, wrong: ManualClock
) -> None:
    with LongTermMemory(space) as ours, LongTermMemory(space, clock=wrong) as theirs:
        for memory, text in zip((ours, theirs), TOLD, strict=True):
            memory.write(text, namespace="domain_facts/port")
        for memory in (ours, theirs):
            found = [memory.search(query, namespace="domain_facts/port") for query in ("west pier", "fog horn")]
            assert [len(hits) for hits in found] == [2, 2]
