"""A child of a fork gets an error that says what to do, at once, for whatever only its parent can use."""

from __future__ import annotations

import os
import pickle
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from amb_core import ContextAdapter, LongTermMemory, MemoryBank, OpenedBeforeFork, ToolResult

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")

USES: dict[str, Callable[[MemoryBank], object]] = {
    "absorb": lambda bank: bank.absorb(lamp(99)),
    "queue": lambda bank: bank.absorb(lamp(99), wait=False),
    "recall": lambda bank: bank.recall("Which lamp is broken?"),
    "enhance": lambda bank: bank.host.enhance(),
    "flush": lambda bank: bank.host.flush(),
    "forget": lambda bank: bank.forget("e1"),
    "nodes": lambda bank: bank.nodes,
    "insight": lambda bank: bank.insight,
    "snapshot": lambda bank: bank.snapshot(),
    "plan": lambda bank: bank.plan(),
    "delete": lambda bank: bank.delete(),
    "adapter": lambda bank: ContextAdapter(bank).intercept_context(lamp(99)),
}


def lamp(number: int) -> ToolResult:
    return ToolResult(tool="look", output=f"Lamp {number} at pier {number * 7 % 91} is lit.", call_id=f"c{number}")


def refused(bank: MemoryBank) -> None:
    with pytest.raises(OpenedBeforeFork, match="open it again in the child"):
        bank.recall("Which lamp is broken?")


def in_child(act: Callable[[], object]) -> str:
    """What an act comes to in a child of a fork: "done", the name of the error, or "no end"."""
    out, into = os.pipe()
    child = os.fork()
    if not child:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(10)
        try:
            act()
            told = "done"
        except BaseException as error:  # noqa: BLE001 - told to the parent
            told = type(error).__name__
        os.write(into, told.encode())
        os._exit(0)
    os.close(into)
    status = os.waitpid(child, 0)[1]
    with os.fdopen(out) as told_by_child:
        return "no end" if os.WIFSIGNALED(status) else told_by_child.read()


@pytest.mark.filterwarnings("ignore:This process")
@pytest.mark.parametrize("scheme", ["memory", "sqlite", "json"])
def test_a_bank_with_queued_work_is_of_use_in_its_parent_only(scheme: str, tmp_path: Path) -> None:
    url = "memory://" if scheme == "memory" else f"{scheme}:///{tmp_path / 'bank'}"
    bank = MemoryBank("Which lamp is broken?", store=url)
    for number in range(12):
        bank.absorb(lamp(number), wait=False)
    got = {name: in_child(lambda use=use: use(bank)) for name, use in USES.items()}
    assert got == dict.fromkeys(USES, OpenedBeforeFork.__name__)
    assert in_child(bank.close) == "done"

    bank.host.flush()
    assert len(bank.snapshot().entries) == 12
    bank.absorb(lamp(12))
    bank.close(keep=True)
    if scheme != "memory":
        with MemoryBank.resume(url) as again:
            assert len(again.snapshot().entries) == 13


def test_a_bank_in_memory_without_queued_work_goes_on_in_a_child() -> None:
    bank = MemoryBank("Which lamp is broken?")
    bank.absorb(lamp(1))
    assert {in_child(lambda use=use: use(bank)) for name, use in USES.items() if name != "delete"} == {"done"}


@pytest.mark.parametrize("scheme", ["sqlite", "json"])
def test_a_file_is_opened_anew_in_a_child(scheme: str, tmp_path: Path) -> None:
    url, memory_url = f"{scheme}:///{tmp_path / 'bank'}", f"{scheme}:///{tmp_path / 'memory'}"
    bank, memory = MemoryBank("Which lamp is broken?", store=url), LongTermMemory(memory_url)
    memory.write("Ann likes tea.", namespace="user_profile/ann")
    for use in (
        lambda: bank.recall("Which lamp is broken?"),
        lambda: memory.search("tea", namespace="user_profile/ann"),
        lambda: memory.write("Ann likes cake.", namespace="user_profile/ann"),
    ):
        assert in_child(use) == OpenedBeforeFork.__name__
    assert in_child(memory.close) == "done"
    bank.close(keep=True)
    memory.close()

    def anew() -> None:
        with MemoryBank.resume(url) as own:
            own.absorb(lamp(1))

    assert in_child(anew) == "done"
    with MemoryBank.resume(url) as again:
        assert len(again.snapshot().entries) == 1


def test_the_error_says_what_to_do(tmp_path: Path) -> None:
    with MemoryBank("Which lamp is broken?", store=f"sqlite:///{tmp_path / 'bank.db'}") as bank:
        told = in_child(lambda: refused(bank))
    assert told == "done"
    assert isinstance(pickle.loads(pickle.dumps(OpenedBeforeFork())), OpenedBeforeFork)
