"""Stores that fail at any call, and disks that are full: memory and store agree, and the next call works."""

from __future__ import annotations

import os
import sys

import pytest
from amb_bench.doubles.failing_store import FailingStore
from amb_bench.fault_runs import fault_run
from amb_bench.full_disk import full_disk_run

from amb_core.errors import StoreError
from amb_core.protocols import Record, RecordQuery
from amb_core.stores import InMemoryStore

DEEP = int(os.environ.get("DEEP", "1"))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(DEEP))
def test_after_a_failure_at_every_call_memory_and_store_agree(seed: int) -> None:
    report = fault_run(seed=seed)
    assert report.faults == []
    assert report.failures > 100


@pytest.mark.sampled(2)
@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="Windows limits no process's files")
@pytest.mark.parametrize("scheme", ["sqlite", "json"])
@pytest.mark.parametrize("seed", range(DEEP))
def test_a_disk_that_is_full_again_and_again_leaves_no_half_written_task(scheme: str, seed: int) -> None:
    report = full_disk_run(scheme=scheme, seed=seed)
    assert report.faults == []
    assert report.failures > 10


def test_a_failing_store_fails_once_and_does_nothing_of_the_call() -> None:
    store = FailingStore(InMemoryStore())
    store.fail_at(2)
    store.put([Record("n", "a", {})])
    with pytest.raises(StoreError, match="made up at a put"):
        store.put([Record("n", "b", {})])
    store.put([Record("n", "c", {})])
    assert [record.id for record in store.search(RecordQuery("n"))] == ["a", "c"]


@pytest.mark.parametrize(("call", "where"), [(1, "begin"), (2, "put"), (3, "put"), (4, "commit")])
def test_a_transaction_that_fails_anywhere_leaves_nothing(call: int, where: str) -> None:
    store = FailingStore(InMemoryStore())
    store.fail_at(call)

    def work() -> None:
        with store.transaction():
            store.put([Record("n", "a", {})])
            with store.transaction():
                store.put([Record("n", "b", {})])

    with pytest.raises(StoreError, match=f"made up at a {where}"):
        work()
    assert not store.armed
    assert store.search(RecordQuery("n")) == []
