"""A run that is interrupted or killed goes on where it was: no tool result is lost, the receipts go on adding up."""

from __future__ import annotations

import os
import random
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from amb_bench.doubles.chat_server import ChatServer

from amb_core.memory.bank_opener import stored_snapshot
from amb_core.memory.snapshots import read_snapshot
from amb_core.models import BankSnapshot
from amb_core.rendering import escape

pytestmark = pytest.mark.slow

Arguments = Callable[..., list[str]]
SEEDS = [int(seed) for seed in os.environ.get("FAULT_SEEDS", "1,2").split(",")]


@pytest.fixture(autouse=True)
def takes_its_time(paced: Any) -> None:
    """An endpoint slow enough to be interrupted at."""
    paced.seconds = 0.1


def stored(folder: Path) -> BankSnapshot:
    return stored_snapshot(f"sqlite:///{folder / 'out' / 'memory.db'}")


def seen_by(endpoint: ChatServer) -> set[str]:
    """Every tool result that stood in a request, as long as it was not condensed."""
    messages = [message for one in endpoint.exchanges for message in one.request["messages"]]
    return {str(message["content"]) for message in messages if message["role"] == "tool" and message.get("content")}


def lost(endpoint: ChatServer, snapshot: BankSnapshot) -> list[str]:
    """Results of search and visit that the model was shown and memory does not hold."""
    held = {escape(entry.text.strip()) for entry in snapshot.entries}
    whole = [text for text in seen_by(endpoint) if text.startswith(("## ", "# "))]
    return [text for text in whole if text not in held and text.partition("\n")[2] not in held]


@pytest.mark.parametrize(
    ("name", "seed"),
    [
        pytest.param(name, seed, marks=() if (name, rank) == ("SIGINT", 0) else pytest.mark.nightly)
        for name in ("SIGINT", "SIGKILL")
        for rank, seed in enumerate(SEEDS)
    ],
)
def test_after_any_moment_a_run_goes_on_to_the_same_answer(
    amb: Any, amb_here: Any, asked: Arguments, endpoint: ChatServer, wait_until: Any, name: str, seed: int
) -> None:
    drawn = random.Random(f"{name}/{seed}")
    before = 0
    for command, most in ((asked(), 9), (["run", "--resume", "--out", "out"], 3)):
        process = amb.start(*command)
        target = endpoint.requests + drawn.randint(most // 2 + 1, most)
        wait_until(lambda target=target, process=process: endpoint.requests >= target or process.poll() is not None)
        time.sleep(drawn.random() * 0.15)
        process.send_signal(getattr(signal, name))
        _, error = process.communicate(timeout=60)
        assert process.returncode == (130 if name == "SIGINT" else -signal.SIGKILL), error
        assert "Traceback" not in error
        if name == "SIGINT":
            assert "Go on with: amb run --resume --out out" in error
        spent = stored(amb.folder).usage.total.calls
        assert spent >= before
        before = spent
    assert lost(endpoint, stored(amb.folder)) == []

    _goes_on_to_the_end(amb_here, endpoint, before)


def _goes_on_to_the_end(amb_here: Any, endpoint: ChatServer, before: int) -> None:
    """With the entries that were there, and not from the beginning."""
    entries = [entry.entry_id for entry in stored(amb_here.folder).entries]
    ended = amb_here("run", "--resume", "--out", "out")
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.startswith("question: ")
    assert "going on: " in ended.stdout
    assert "It is as the register says [n" in ended.stdout
    snapshot = read_snapshot(amb_here.folder / "out" / "memory.json")
    assert entries
    assert [entry.entry_id for entry in snapshot.entries][: len(entries)] == entries
    assert lost(endpoint, snapshot) == []
    total = snapshot.usage.total
    assert total.calls > before
    counted = endpoint.reported.calls
    assert counted - 2 * 4 <= total.calls + total.failed_calls <= endpoint.requests  # what was under way when it ended


def test_an_unfinished_task_is_not_written_over(
    amb: Any, amb_here: Any, asked: Arguments, endpoint: ChatServer, wait_until: Any
) -> None:
    process = amb.start(*asked())
    wait_until(lambda: endpoint.requests >= 4)
    process.kill()
    process.communicate(timeout=60)

    anew, other = amb_here(*asked()), amb_here("run", "Something else?", "--resume", "--out", "out")

    assert (anew.returncode, other.returncode) == (1, 1)
    assert "unfinished task; go on with it (amb run --resume --out out), or name another --out" in anew.stderr
    assert "asks something else" in other.stderr
    assert (anew.stderr + other.stderr).count("\n") == 2


def test_a_run_that_is_under_way_is_not_taken_up_a_second_time(
    amb: Any, amb_here: Any, asked: Arguments, endpoint: ChatServer, paced: Any, wait_until: Any
) -> None:
    """Neither the first run nor one that goes on with it; a process that was killed keeps nobody out."""
    resume = ["run", "--resume", "--out", "out"]
    for command, others in ((asked(), (resume, asked())), (resume, (resume,))):
        process, least = amb.start(*command), endpoint.requests + 2
        wait_until(lambda least=least: endpoint.requests >= least)
        paced.answers.clear()
        refusals = [amb_here(*other) for other in others]
        assert process.poll() is None, "the first one goes on"
        for refused in refusals:
            assert refused.returncode == 1
            assert "another process works on the run in out" in refused.stderr
        process.kill()
        process.communicate(timeout=60)
        paced.answers.set()
    paced.seconds = 0.0
    ended = amb_here("run", "--resume", "--out", "out")
    assert ended.returncode == 0, ended.stderr
