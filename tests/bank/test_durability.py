import os
import signal
import subprocess
import sys
import time

import pytest

from amb_core import (
    BankClosed,
    EmbedderMismatch,
    InvalidInput,
    InvalidParameter,
    MemoryBank,
    Scope,
    ScopeMixed,
    Settings,
    StoreError,
)

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


@pytest.mark.parametrize("leave", [MemoryBank.close, lambda bank: bank.__exit__(None, None, None)])
def test_closing_keeps_what_is_durable(url, result, leave):
    bank = MemoryBank("Where is the key?", store=url)
    bank.absorb(result("The key hangs behind the green door."))
    leave(bank)

    with MemoryBank.resume(url) as same:
        assert "green door" in same.recall("Where is the key?").text


@pytest.mark.parametrize("end", [MemoryBank.delete, lambda bank: bank.close(keep=False)])
def test_deleting_ends_the_task_and_its_memory(url, result, end):
    bank = MemoryBank("Where is the key?", store=url)
    bank.absorb(result("The key hangs behind the green door."))
    end(bank)
    bank.delete()  # twice is no error

    with pytest.raises(InvalidInput, match="no task"):
        MemoryBank.resume(url)
    MemoryBank("Where is the lamp?", store=url).delete()


def test_a_bank_that_ends_with_its_task_is_deleted_by_closing_unless_it_failed(url):
    with MemoryBank("Where is the key?", store=url, ends="delete"):
        pass
    with pytest.raises(RuntimeError), MemoryBank("Where is the key?", store=url, ends="delete"):
        raise RuntimeError("the agent failed")

    with MemoryBank.resume(url, ends="delete") as same:
        assert same.insight.task_goal == "Where is the key?"
    with pytest.raises(InvalidInput, match="no task"):
        MemoryBank.resume(url)


def test_a_bank_that_was_closed_and_kept_is_resumed_to_be_deleted(url):
    bank = MemoryBank("Where is the key?", store=url)
    bank.close()

    with pytest.raises(BankClosed, match="resume"):
        bank.delete()
    with pytest.raises(InvalidParameter, match="keep"):
        MemoryBank.resume(url, ends="never")
    MemoryBank.resume(url).delete()


def test_a_bank_in_memory_ends_with_its_bank_and_takes_its_files_along(tmp_path):
    picture = tmp_path / "pic.png"
    picture.write_bytes(b"\x89PNG\r\n\x1a\n")
    settings = Settings(storage_dir=tmp_path / "storage", temp_dir=tmp_path / "temp")
    with MemoryBank("What is shown?", settings=settings) as bank:
        bank.attach(picture)

    assert [file.name for file in tmp_path.rglob("*.png")] == ["pic.png"]


def test_whose_a_bank_is_stays_with_it(url, tmp_path):
    with MemoryBank("Where is the key?", store=url) as bank:
        assert bank.host.scope is None
        bank.host.assign(Scope("ann"))
        bank.export(tmp_path / "task.json")

    with MemoryBank.resume(url) as same:
        assert same.host.assign(Scope(thread="t1")) == same.host.scope == Scope("ann", "t1")
        with pytest.raises(ScopeMixed, match="sharing=True"):
            same.host.assign(Scope("bob"))
    with MemoryBank.load(tmp_path / "task.json") as copy:
        assert copy.host.scope == Scope("ann")


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


@pytest.mark.sampled(2)
@pytest.mark.slow
@pytest.mark.parametrize("after", [23, *(pytest.param(after, marks=pytest.mark.nightly) for after in (0, 1, 7))])
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
