import os
import signal
import subprocess
import sys
import time

import pytest

from amb_core import EmbedderMismatch, InvalidInput, MemoryBank, StoreError

WRITER = """
import sys
from amb_core import MemoryBank, ToolResult
bank = MemoryBank("Count", store=sys.argv[1])
for number in range(10_000):
    bank.absorb(ToolResult(tool="t", output=f"Item {number} weighs {number * 3} kg.", call_id=f"c{number}"))
    print(number, flush=True)
"""


@pytest.fixture(params=["sqlite", "json"])
def url(request, tmp_path):
    return f"{request.param}:///{tmp_path / 'bank'}"


def test_a_kept_bank_is_resumed_as_it_was(url, result):
    with MemoryBank("Where is the key?", store=url) as bank:
        bank.absorb(result("The key hangs behind the door."))
        bank.plan()
        before = bank.snapshot()
        bank.close(keep=True)
    with MemoryBank.resume(url) as same:
        assert same.snapshot() == before


def test_closing_ends_the_task_and_deletes_its_memory(url, tmp_path, result):
    with MemoryBank("Where is the key?", store=url) as bank:
        bank.absorb(result("The key hangs behind the green door."))

    with pytest.raises(InvalidInput, match="no task"):
        MemoryBank.resume(url)


def test_a_store_that_holds_a_task_is_not_overwritten(url):
    MemoryBank("First", store=url).close(keep=True)

    with pytest.raises(InvalidInput, match="resume"):
        MemoryBank("Second", store=url)


def test_resuming_a_missing_place_makes_none(url, tmp_path):
    with pytest.raises(InvalidInput, match="does not exist"):
        MemoryBank.resume(url)
    assert list(tmp_path.iterdir()) == []


def test_a_bank_with_vectors_refuses_another_embedder(url):
    MemoryBank("Goal", store=url, embedder="hashing").close(keep=True)

    with pytest.raises(EmbedderMismatch, match="re_embed"):
        MemoryBank.resume(url)
    MemoryBank.resume(url, re_embed=True).close()


@pytest.mark.slow
@pytest.mark.parametrize("after", [1, 23, *(pytest.param(after, marks=pytest.mark.nightly) for after in (0, 7))])
def test_a_killed_process_loses_nothing_that_was_absorbed(url, after):
    writer = subprocess.Popen([sys.executable, "-c", WRITER, url], stdout=subprocess.PIPE, text=True)
    reported = -1
    while reported < after:
        reported = int(writer.stdout.readline())
    time.sleep(0.003 * after)
    os.kill(writer.pid, signal.SIGKILL)
    reported = max([reported, *(int(line) for line in writer.stdout.read().split())])
    writer.wait()

    with MemoryBank.resume(url) as bank:
        texts = {entry.text for entry in bank.snapshot().entries}
        assert {f"Item {number} weighs {number * 3} kg." for number in range(reported + 1)} <= texts
        assert {d.state.value for d in bank.snapshot().digestions} == {"done"}


def test_a_store_that_fails_leaves_memory_as_it_was(url, result):
    bank = MemoryBank("Goal", store=url)
    bank.absorb(result("The first fact is about apples."))
    before = bank.snapshot()
    bank._parts.store.close()

    with pytest.raises(StoreError):
        bank.absorb(result("The second fact is about pears."))
    assert bank.snapshot() == before
