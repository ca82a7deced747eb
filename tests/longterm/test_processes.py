"""Several processes on one file: they see each other's records, and a killed one leaves whole ones."""

import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from amb_longterm import LongTermMemory

FACTS = "domain_facts/u1"
WRITER = """
import sys
from amb_longterm import LongTermMemory
url, name, texts = sys.argv[1], sys.argv[2], sys.argv[3:]
with LongTermMemory(url, actor=name) as memory:
    print("ready", flush=True)
    for text in texts:
        memory.write(text, namespace="domain_facts/u1")
        print(text, flush=True)
"""
CONTENTS = "nuts bolts oil rags paint glue wire tape rope foil".split()
SHELVES = [f"Shelf {name} holds {kind}" for name, kind in zip("ABCDEFGHIJ", CONTENTS, strict=True)]


def writer(url, name, *texts):
    return subprocess.Popen(
        [sys.executable, "-c", WRITER, url, name, *texts], stdout=subprocess.PIPE, text=True, env=os.environ
    )


@pytest.fixture
def url(tmp_path):
    return f"sqlite:///{tmp_path}/memory.db"


@pytest.mark.slow
def test_two_processes_that_write_the_same_keep_it_once(url):
    first, second = (writer(url, name, *SHELVES) for name in ("first", "second"))

    assert (first.wait(60), second.wait(60)) == (0, 0)
    with LongTermMemory(url) as memory:
        assert sorted(record.content for record in memory.records(FACTS)) == SHELVES
        outcomes = [entry.outcome for entry in memory.audit()]
        assert (outcomes.count("inserted"), outcomes.count("skipped")) == (10, 10)


def test_what_another_process_writes_and_deletes_is_seen_at_once(url):
    with LongTermMemory(url) as memory, LongTermMemory(url) as other:
        written = memory.write("Shelf A holds nuts", namespace=FACTS)
        assert other.search("Shelf A", namespace=FACTS)
        other.delete(written.id, namespace=FACTS)
        assert memory.search("Shelf A", namespace=FACTS) == []
        assert memory.records(FACTS) == []


@pytest.mark.sampled(2)
@pytest.mark.slow
@pytest.mark.parametrize("after", [1, 9, *(pytest.param(after, marks=pytest.mark.nightly) for after in (0, 4))])
def test_a_process_killed_while_it_writes_leaves_all_it_said_were_written(url, after):
    process = writer(url, "killed", *SHELVES)
    told = [process.stdout.readline().strip() for _ in range(after + 1)][1:]
    os.kill(process.pid, signal.SIGKILL)
    process.wait(30)

    with LongTermMemory(url) as memory:
        kept = [record.content for record in memory.records(FACTS)]
        assert kept[: len(told)] == told
        assert len(kept) == len(memory.audit())
        assert all(memory.search(text, namespace=FACTS)[0].content == text for text in told)


def test_threads_that_write_the_same_keep_it_once(memory):
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda text: memory.write(text, namespace=FACTS), SHELVES * 4))

    assert sorted(record.content for record in memory.records(FACTS)) == SHELVES
    assert memory.stats().skipped == 30


def test_threads_that_write_different_values_all_leave_a_trace(memory):
    texts = [f"Invoices are due after {days} days" for days in range(10, 18)]
    with ThreadPoolExecutor(8) as pool:
        written = list(pool.map(lambda text: memory.write(text, namespace=FACTS), texts))

    assert sorted(record.content for record in memory.records(FACTS)) == texts
    assert len({each.id for each in written}) == len(texts)


@pytest.mark.slow
def test_what_threads_append_to_one_record_is_all_kept(memory):
    record = memory.write("line", namespace=FACTS, metadata={"type": "task-traces"})
    with ThreadPoolExecutor(8) as pool:
        for number in range(40):
            pool.submit(memory.update, record.id, namespace=FACTS, content=f"line {number}")

    assert len(memory.get(record.id, namespace=FACTS).content.splitlines()) == 41
