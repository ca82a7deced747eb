"""Processes killed at seeded moments, inside transactions, openings, migrations, closings and scrubbing as well."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator

import pytest
from amb_bench.kill_runs import Scheme, kill_run
from amb_bench.kill_worker import Worker, worker

RUNS = int(os.environ.get("KILL_RUNS", "8"))
BATCHES = 2

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL and no fork on Windows"),
]


@pytest.fixture(scope="module")
def killed() -> Iterator[Worker]:
    with worker() as process:
        yield process


@pytest.mark.parametrize("batch", range(BATCHES))
@pytest.mark.parametrize("scheme", ["sqlite", "json"])
def test_a_process_killed_at_any_moment_loses_nothing(killed: Worker, scheme: Scheme, batch: int) -> None:
    kills = 0
    for seed in range(batch, RUNS // 2, BATCHES):
        report = kill_run(killed, scheme=scheme, seed=seed)
        assert report.faults == [], f"seed {seed} of {scheme}, killed in {report.phase}"
        kills += report.kills
    assert kills >= RUNS // 2 // BATCHES
