"""A task on a disk that is full again and again: a small limit on the size of files, in a process of its own."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import asdict
from pathlib import Path

from amb_bench.fault_runs import FaultReport, disagreements
from amb_bench.workload import GOAL, jobs, run_job
from amb_core.bank import MemoryBank
from amb_core.errors import AmbError, StoreError
from amb_core.settings import Settings
from amb_core.stores import open_store

__all__ = ["full_disk_run", "main"]

_ROOM = (0, 100, 500, 1_500, 4_000, 9_000, 40_000)
"""Bytes by which a file may outgrow the largest one there is."""
_TRIES = 3


def full_disk_run(*, scheme: str, seed: int) -> FaultReport:
    """Do the jobs of a seed, each first on a full disk; needs a system with limits on processes."""
    with tempfile.TemporaryDirectory(prefix="amb-full-") as folder:
        command = [sys.executable, "-m", "amb_bench.full_disk", scheme, folder, str(seed)]
        done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, timeout=300)
    return FaultReport(**json.loads(done.stdout))


def main(scheme: str, folder: str, seed: int) -> None:
    """Do one run in this process and print what came of it."""
    place, rng, report = Path(folder, "memory"), random.Random(seed), FaultReport()
    place.mkdir()
    settings = Settings(storage_dir=place / "storage", temp_dir=place / "temp")
    with closing(open_store(f"{scheme}:///{place / 'bank'}")) as store:
        bank = MemoryBank(GOAL, store=store, settings=settings)
        for job in (job for job in jobs(seed, 40) if job.kind != "resume"):
            for attempt in range(_TRIES + 1):
                room = rng.choice(_ROOM) if attempt < _TRIES else None
                try:
                    with _limited(place, room):
                        run_job(job, bank, folder=Path(folder), about_to_forget=lambda _: None)
                        bank.host.flush()
                except StoreError:
                    report.failures += 1
                except AmbError as error:
                    report.faults.append(f"job {job.number} ({job.kind}): {type(error).__name__}: {error}")
                found = disagreements(bank, store)
                report.faults += [f"job {job.number} ({job.kind}), room {room}: {fault}" for fault in found]
        report.entries = bank.size.entries
        bank.close()
    print(json.dumps(asdict(report)))


@contextmanager
def _limited(place: Path, room: int | None) -> Iterator[None]:
    """No file may become larger than the largest in `place` and `room` bytes."""
    import resource

    if room is None:
        yield
        return
    largest = max(path.stat().st_size for path in place.rglob("*") if path.is_file())
    resource.setrlimit(resource.RLIMIT_FSIZE, (largest + room, resource.RLIM_INFINITY))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
