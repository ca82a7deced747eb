"""A process that does the jobs of a workload in children of its own, and kills each where it is told to.

It forks, so that a child costs no start of an interpreter; it needs a system with `fork` and SIGKILL.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from types import FrameType
from typing import IO, Any, Literal

from amb_bench.workload import GOAL, jobs, run_job
from amb_core.bank import MemoryBank

__all__ = ["KillOrder", "Worker", "main", "worker"]

Phase = Literal["open", "work", "close"]
_STORES = str(Path("amb_core", "stores"))


@dataclass(frozen=True, slots=True)
class KillOrder:
    """What a child is to do, and where it dies.

    It opens the bank at `url` (new, or resumed with `resume`), does `count` jobs of `seed` in `folder`, closes the bank
    (`keep` it or not) and writes to `log` what was done. It is killed `delay` seconds after the `at`-th call or return
    inside `amb_core/stores` or made from there, counted from the beginning of `phase`; or `after` seconds, if given.
    """

    url: str
    folder: str
    log: str
    seed: int
    count: int
    resume: bool = False
    keep: bool = True
    phase: Phase = "work"
    at: int = 0
    delay: float = 0.0
    after: float | None = None


class _Trap:
    """A profile function that kills its process at the n-th event in the code of the stores."""

    def __init__(self, at: int, delay: float) -> None:
        self._at, self._delay, self._seen = at, delay, 0
        self._counts: dict[str, bool] = {}

    def set(self) -> None:
        """Begin to count, in this thread and in those that are started from now on."""
        sys.setprofile(self)
        threading.setprofile(self)

    def __call__(self, frame: FrameType, event: str, arg: object) -> None:
        name = frame.f_code.co_filename
        counts = self._counts.get(name)
        if counts is None:
            counts = self._counts.setdefault(name, _STORES in name)
        if not counts:
            return
        self._seen += 1
        if self._seen != self._at:
            return
        if not self._delay:
            os.kill(os.getpid(), signal.SIGKILL)
        sys.setprofile(None)
        threading.setprofile(None)
        timer = threading.Timer(self._delay, os.kill, (os.getpid(), signal.SIGKILL))
        timer.daemon = True
        timer.start()


def _obey(order: KillOrder) -> None:
    """Do what the order says, in this process; it may not live to see the end."""
    trap = _Trap(order.at, order.delay)
    log = os.open(order.log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    told = _Teller(lambda line: os.write(log, line))

    def enters(phase: Phase) -> None:
        if order.at and phase == order.phase:
            trap.set()

    enters("open")
    told.event("opening")
    bank = MemoryBank.resume(order.url) if order.resume else MemoryBank(GOAL, store=order.url)
    told.everything_of(bank)
    enters("work")
    for job in jobs(order.seed, order.count):
        if job.kind == "resume":
            bank.close(keep=True)
            bank = MemoryBank.resume(order.url)
        else:
            run_job(job, bank, folder=Path(order.folder), about_to_forget=lambda entry: told.event("forgetting", entry))
        told.everything_of(bank)
    enters("close")
    told.event("keeping" if order.keep else "ending")
    bank.close(keep=order.keep)
    told.event("kept" if order.keep else "ended")


class _Teller:
    """Writes what has been done for certain, a line of JSON each."""

    def __init__(self, write: Callable[[bytes], object]) -> None:
        self._write = write
        self._told: dict[str, bool] = {}

    def event(self, name: str, what: object = None) -> None:
        """Something that begins or has ended."""
        self._write(json.dumps({name: what}).encode() + b"\n")

    def everything_of(self, bank: MemoryBank) -> None:
        """Entries that are new or newly forgotten since the last time, and the highest ids given out."""
        snapshot = bank.snapshot()
        fresh = [entry for entry in snapshot.entries if self._told.get(entry.entry_id) is not entry.forgotten]
        for entry in fresh:
            self._told[entry.entry_id] = entry.forgotten
        self.event("done", {"texts": {e.entry_id: (e.text, e.parent_id) for e in fresh}, "last": snapshot.counters})


def main() -> None:
    """Take orders from standard input, a line of JSON each, and answer each with how its child ended."""
    _warm_up()
    for line in sys.stdin:
        order = KillOrder(**json.loads(line))
        child = os.fork()
        if not child:
            _live(order)
        if order.after is not None:
            time.sleep(order.after)
            os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        print(json.dumps({"ended": os.waitstatus_to_exitcode(status)}), flush=True)


def _warm_up() -> None:
    """Have everything loaded that loads when it is first used, so that no child has to; it leaves no thread behind."""
    with tempfile.TemporaryDirectory() as folder, MemoryBank(GOAL) as bank:
        for job in (job for job in jobs(0, 20) if job.kind not in ("background", "resume")):
            run_job(job, bank, folder=Path(folder), about_to_forget=lambda _: None)


def _live(order: KillOrder) -> None:
    code = 0
    try:
        _obey(order)
    except BaseException:  # noqa: BLE001 - whatever it is, the one who gave the order has to learn of it
        traceback.print_exc()
        code = 1
    finally:
        sys.stderr.flush()
        os._exit(code)


class Worker:
    """The process that takes orders."""

    def __init__(self, process: subprocess.Popen[str], orders: IO[str], answers: IO[str]) -> None:
        self._process, self._orders, self._answers = process, orders, answers

    def obey(self, order: KillOrder) -> bool:
        """Have an order carried out; whether the child was killed. RuntimeError when it failed by itself."""
        self._orders.write(json.dumps(asdict(order)) + "\n")
        self._orders.flush()
        answer: dict[str, Any] = json.loads(self._answers.readline())
        if answer["ended"] not in (0, -signal.SIGKILL):
            raise RuntimeError(f"the child that carried out {order} failed by itself; its traceback is above")
        return bool(answer["ended"])


@contextmanager
def worker() -> Iterator[Worker]:
    """A process that takes orders, for as long as the block lasts."""
    command = [sys.executable, "-m", "amb_bench.kill_worker"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        yield Worker(process, process.stdin, process.stdout)
        process.stdin.close()
        process.wait(timeout=60)


if __name__ == "__main__":
    main()
