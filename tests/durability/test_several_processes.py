"""Several processes that open one bank in a SQLite file at once all write to it, and all see what the others wrote."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

from amb_core import ContextAdapter, MemoryBank, ToolResult

PROCESS = """
import sys, time
from amb_core import ContextAdapter, InvalidInput, MemoryBank, ToolResult
url, name, through, many, begin = *sys.argv[1:4], int(sys.argv[4]), float(sys.argv[5])
bank = None
while bank is None:
    try:
        bank = MemoryBank("Which lamp is broken?", store=url)
    except InvalidInput:  # another one was quicker
        try:
            bank = MemoryBank.resume(url)
        except InvalidInput:
            pass
time.sleep(max(0.0, begin - time.time()))
adapter = ContextAdapter(bank)
messages = [{"role": "user", "content": "Which lamp is broken?"}]
for number in range(many):
    said = f"The lamp {name}{number} at pier {number} has {number * 31} watt."
    if through == "bank":
        bank.absorb(ToolResult(tool="look", call_id=f"{name}{number}", output=said))
        continue
    call = {"id": f"{name}{number}", "type": "function", "function": {"name": "look", "arguments": "{}"}}
    messages.append({"role": "assistant", "content": "", "tool_calls": [call]})
    messages.append({"role": "tool", "tool_call_id": f"{name}{number}", "content": said})
    adapter.next_request(messages)
assert adapter.failures == {}, adapter.failures
bank.close(keep=True)
"""


def lamps(bank: MemoryBank) -> list[str]:
    return sorted(entry.text.split()[2] for entry in bank.snapshot().results)


@pytest.mark.slow
@pytest.mark.parametrize("through", [pytest.param("bank", marks=pytest.mark.nightly), "adapter"])
def test_three_processes_that_begin_at_once_lose_nothing(through: str, tmp_path: Path) -> None:
    url, many, begin = f"sqlite:///{tmp_path / 'bank.db'}", 5, time.time() + 1.5
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", PROCESS, url, name, through, str(many), str(begin)], stderr=subprocess.PIPE
        )
        for name in "abc"
    ]
    told = [process.communicate()[1].decode() for process in processes]
    assert [process.returncode for process in processes] == [0, 0, 0], told
    with MemoryBank.resume(url) as bank:
        assert lamps(bank) == [f"{name}{number}" for name in "abc" for number in range(many)]
        assert len(bank.nodes) == 3 * many


@pytest.mark.slow
def test_a_bank_that_is_open_sees_what_another_process_writes(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'bank.db'}"
    with MemoryBank("Which lamp is broken?", store=url) as bank:
        bank.absorb(ToolResult(tool="look", call_id="x", output="The lamp x0 at pier 0 is broken."))
        block = bank.recall("Which lamp is at pier 1?")
        subprocess.run([sys.executable, "-c", PROCESS, url, "a", "bank", "2", "0"], check=True)
        assert "a1" in bank.recall("Which lamp is at pier 1?").text
        assert "a1" not in block.text
        ContextAdapter(bank).intercept_context(ToolResult(tool="look", call_id="y", output="The lamp y0 is lit."))
        assert lamps(bank) == ["a0", "a1", "x0", "y0"]
        bank.forget("e2")
        bank.close(keep=True)
    with MemoryBank.resume(url) as bank:
        assert [entry.entry_id for entry in bank.snapshot().entries if entry.forgotten] == ["e2"]


def test_long_term_memory_in_the_file_of_a_bank_has_it_read_nothing_anew(tmp_path: Path) -> None:
    from amb_core import LongTermMemory

    url = f"sqlite:///{tmp_path / 'both.db'}"
    with MemoryBank("Which lamp is broken?", store=url) as bank, LongTermMemory(url) as memory:
        bank.absorb(ToolResult(tool="look", output="The lamp x0 at pier 0 is broken."))
        graph = bank._parts.state.graph
        memory.write("Ann likes tea.", namespace="user_profile/ann")
        assert "x0" in bank.recall("Which lamp is broken?").text
        assert bank._parts.state.graph is graph
