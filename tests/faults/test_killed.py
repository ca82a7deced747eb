"""A process killed while it waits for a slow model: its task goes on where it was, with what it had spent."""

from __future__ import annotations

import runpy
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

import pytest
from amb_bench.doubles.chat_faults import Fault, FaultPlan
from amb_bench.doubles.chat_server import ChatServer

from amb_chat import UsageMeter
from amb_core import MemoryBank

pytest.importorskip("openai", reason='openai is not installed: pip install "amb[openai]"')
HERE = Path(__file__).with_name("long_task.py")
TASK = SimpleNamespace(**runpy.run_path(str(HERE)))
RESULTS = 30
CHILD = """
import runpy, sys
from types import SimpleNamespace
from amb_chat import UsageMeter
path, url, store, language, waits = sys.argv[1:]
task = SimpleNamespace(**runpy.run_path(path))
agents = task.Endpoint(SimpleNamespace(url=url), UsageMeter(), timeout=5.0).agents()
bank = task.open_bank(language, agents, store=store)
for result in task.results(30, language):
    bank.absorb(result, wait=waits == "1")
    print(result.call_id, flush=True)
"""

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL on Windows")


@contextmanager
def child(url: str, store: str, language: str, *, waits: bool) -> Iterator[subprocess.Popen[str]]:
    """A process that absorbs the results and says after each that it is memory, or at least safe."""
    arguments = [sys.executable, "-c", CHILD, str(HERE), url, store, language, "1" if waits else "0"]
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


def killed_after(process: subprocess.Popen[str], lines: int, server: ChatServer) -> list[str]:
    """The ids the process spoke of; it is killed when it has spoken of so many and the model is asked a next time."""
    assert process.stdout is not None
    said = [process.stdout.readline().strip() for _ in range(lines)]
    asked, patience = max(server.requests, 3), time.monotonic() + 20
    while server.requests <= asked and time.monotonic() < patience:
        time.sleep(0.002)
    process.send_signal(signal.SIGKILL)
    process.wait()
    return [*said, *process.stdout.read().split()]


@pytest.mark.sampled(2)
@pytest.mark.slow
@pytest.mark.parametrize(
    ("language", "waits"),
    [
        pytest.param("zh", True, id="zh-waiting"),
        pytest.param("en", False, id="en-background"),
        pytest.param("en", True, id="en-waiting", marks=pytest.mark.nightly),
        pytest.param("zh", False, id="zh-background", marks=pytest.mark.nightly),
    ],
)
def test_a_task_killed_while_a_slow_model_is_asked_loses_nothing(tmp_path: Path, language: str, waits: bool) -> None:
    store = f"sqlite:///{tmp_path / 'task.db'}"
    with TASK.serving(FaultPlan(1.0, (Fault.TOO_SLOW,), slow_seconds=0.03)) as server:
        with child(server.url, store, language, waits=waits) as process:
            done = killed_after(process, 7, server)
        assert server.drain()
        endpoint = TASK.Endpoint(server, UsageMeter(), timeout=5.0)
        with MemoryBank.resume(store, agents=endpoint.agents()) as bank:
            entries = {entry.metadata.get("call_id") for entry in bank.snapshot().entries}
            assert set(done) <= entries
            results = TASK.results(RESULTS, language)
            for result in results:  # the framework hands all of them over again
                bank.absorb(result)
            assert TASK.lost(bank, results, language) == []
            assert len(bank.snapshot().entries) == len({result.output for result in results})
            assert server.drain()
            unseen = server.requests - bank.usage.llm_calls - bank.usage.failed_calls
            assert 0 <= unseen <= 2  # what was under way when it died: an answer nobody could write down
