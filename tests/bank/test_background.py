"""Texts taken in with `wait=False`: in order, each once, nothing lost, and failures told once."""

import logging
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from amb_core import BankClosed, ManualClock, MemoryBank
from amb_core.models import EntryState
from amb_core.stores import InMemoryStore
from amb_embedders import HashingEmbedder


class Slow(HashingEmbedder):
    """An embedder that waits until it may go on."""

    def __init__(self):
        super().__init__(dimension=16)
        self.open = threading.Event()
        self.open.set()

    def embed(self, texts, *, role="document"):
        assert self.open.wait(timeout=20)
        return super().embed(texts, role=role)


class Choosy(InMemoryStore):
    """A store that takes no note with `poison` in it."""

    def put(self, records):
        if any(record.namespace == "task/node" and "poison" in str(record.data) for record in records):
            raise RuntimeError("the cup is full")
        super().put(records)


@pytest.fixture
def embedder():
    return Slow()


@pytest.fixture
def slow_bank(embedder):
    """A bank whose digestion is held back while `embedder.open` is cleared."""
    clock = ManualClock(1_700_000_000, step=1)
    with MemoryBank("Where is it?", embedder=embedder, store=Choosy(), clock=clock) as bank:
        yield bank
        embedder.open.set()


@pytest.mark.parametrize("text", ["The lighthouse has 112 steps.", "青屿灯塔有112级台阶。"])
def test_the_same_text_queued_four_times_makes_one_node(slow_bank, embedder, result, text):
    embedder.open.clear()
    for number in range(4):
        slow_bank.absorb(result(text, call_id=f"c{number}"), wait=False)
    embedder.open.set()
    slow_bank.host.flush()

    assert len(slow_bank.nodes) == 1
    snapshot = slow_bank.snapshot()
    assert [digestion.repeat_of for digestion in snapshot.digestions] == [None, "e1", "e1", "e1"]
    assert [entry.parent_id for entry in snapshot.entries] == [None, "e1", "e1", "e1"]
    assert {digestion.state for digestion in snapshot.digestions} == {EntryState.DONE}


def test_every_flush_waits_for_all_of_the_queue_and_then_raises_the_first_failure(slow_bank, embedder, result):
    embedder.open.clear()
    texts = ["The poison is in the cup.", *(f"Crate {number} holds {number * 7} bolts." for number in range(6))]
    for text in texts:
        slow_bank.absorb(result(text), wait=False)

    def flush(_: int) -> list[EntryState]:
        with pytest.raises(RuntimeError, match="the cup is full"):
            slow_bank.host.flush()
        return [digestion.state for digestion in slow_bank.snapshot().digestions]

    with ThreadPoolExecutor(3) as pool:
        seen = [pool.submit(flush, number) for number in range(3)]
        threading.Timer(0.1, embedder.open.set).start()
        assert [states.result() for states in seen] == 3 * [[EntryState.FAILED] + 6 * [EntryState.DONE]]

    slow_bank.host.flush()  # a failure is told once


def test_a_result_that_waits_takes_its_turn_behind_the_queue(slow_bank, embedder, result):
    embedder.open.clear()
    for number in range(3):
        slow_bank.absorb(result(f"Crate {number} holds {number * 7} bolts."), wait=False)
    threading.Timer(0.1, embedder.open.set).start()
    report = slow_bank.absorb(result("The last one is about pears."))

    assert report.node_ids == ("n4",)
    assert not report.pending
    assert [digestion.node_ids for digestion in slow_bank.snapshot().digestions] == [("n1",), ("n2",), ("n3",), ("n4",)]


def test_the_failure_of_a_result_that_waits_is_raised_to_its_caller_alone(slow_bank, embedder, result):
    embedder.open.clear()
    slow_bank.absorb(result("Crate 1 holds 7 bolts."), wait=False)
    threading.Timer(0.1, embedder.open.set).start()

    with pytest.raises(RuntimeError, match="the cup is full"):
        slow_bank.absorb(result("The poison is in the cup."))
    slow_bank.host.flush()


@pytest.mark.slow
def test_what_was_digested_is_no_longer_held(slow_bank, result):
    for number in range(30):
        slow_bank.absorb(result(f"Crate {number} holds {number * 7} bolts."), wait=False)
        while slow_bank.snapshot().digestions[-1].state is not EntryState.DONE:
            time.sleep(0.001)

    assert len(slow_bank._parts.intake._queue) <= 2


def test_closing_keeps_a_text_that_failed_and_only_logs_why(result, caplog):
    bank = MemoryBank("Where is it?", store=Choosy())
    bank.absorb(result("The poison is in the cup."), wait=False)
    bank.absorb(result("Crate 1 holds 7 bolts."), wait=False)
    with caplog.at_level(logging.WARNING, logger="amb.intake"):
        bank.close(keep=True)

    assert "RuntimeError" in caplog.text
    assert "cup" not in caplog.text
    with pytest.raises(BankClosed):
        bank.absorb(result("Too late."), wait=False)
    assert [digestion.state for digestion in bank.snapshot().digestions] == [EntryState.FAILED, EntryState.DONE]
