"""Eight threads on one bank: nothing lost, nobody waits for ever, and their order changes no note."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from amb_bench.thread_runs import ThreadReport, thread_run

from amb_core.call_lock import CallLock


def sound(report: ThreadReport, *, operations: int) -> bool:
    assert report.faults == []
    assert min(report.absorbed, report.recalled, report.forgotten) > operations // 50
    return report.operations == operations


@pytest.mark.sampled(3)
@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["memory", "sqlite", "json"])
def test_threads_that_absorb_recall_and_forget_lose_nothing(tmp_path: Path, scheme: str) -> None:
    store = "memory://" if scheme == "memory" else f"{scheme}:///{tmp_path / 'bank'}"
    assert sound(thread_run(operations=25, store=store, patience=120), operations=200)


@pytest.mark.slow
@pytest.mark.nightly
@pytest.mark.parametrize("operations", [100, 1_000])
def test_thousands_of_operations_of_eight_threads_lose_nothing(operations: int) -> None:
    assert sound(thread_run(operations=operations, seed=1, patience=200), operations=8 * operations)


def test_a_thread_that_takes_a_lock_in_a_loop_lets_in_those_who_wait() -> None:
    lock, enough, taken = CallLock(), threading.Event(), 0

    def take() -> None:
        nonlocal taken
        while not enough.is_set() and taken < 5_000:
            with lock:
                taken += 1
                time.sleep(0.001)

    with ThreadPoolExecutor(1) as threads:
        taking = threads.submit(take)
        for _ in range(20):
            with lock:
                pass
        enough.set()
        taking.result()
    assert taken < 500
