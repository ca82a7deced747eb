"""A promoted fact goes with what it was promoted from, and stays with what is left of that."""

import pytest

from amb_core import Banks, MemoryBank, Scope, StepResult, ToolResult
from amb_longterm import LongTermMemory, promote
from amb_longterm.user_data import delete_user

SHARED = "semantic"
FACT = "Lake Mjosa is 453 metres deep."
GOAL = "How deep is Lake Mjosa?"


def work(bank, *sources, fact=FACT):
    """Finish a task that reads a fact in several places."""
    for source in sources:
        bank.absorb(ToolResult(tool="search", output=fact, source=source))
    while bank.plan().pending is not None:
        bank.host.finish_step(StepResult(text=fact, answer=fact))
    return bank


def entries(bank):
    return [entry.entry_id for entry in bank.snapshot().entries if not entry.forgotten]


def told(memory, namespace=SHARED):
    return [record.content for record in memory.records(namespace)]


def holding(folder, *words):
    files = [file for file in folder.rglob("*") if file.is_file()]
    return [file.name for file in files for word in words if word.encode() in file.read_bytes()]


@pytest.fixture
def shared(url):
    with LongTermMemory(url) as memory:
        yield memory


def test_a_fact_goes_when_all_its_sources_are_forgotten(shared, tmp_path):
    with work(MemoryBank(GOAL), "atlas", "encyclopedia") as bank:
        promote(bank, shared, namespace=SHARED)
        assert told(shared)
        for entry in entries(bank):
            bank.forget(entry)
    assert told(shared) == []
    assert shared.search("Mjosa", namespace=SHARED) == []
    assert holding(tmp_path, "Mjosa") == []


def test_a_fact_of_two_sources_stays_with_the_one_that_is_left(shared):
    with work(MemoryBank(GOAL), "atlas", "encyclopedia") as bank:
        promote(bank, shared, namespace=SHARED)
        first, repeat = entries(bank)
        bank.forget(repeat)
        (record,) = shared.records(SHARED)
        assert [(origin.entries, origin.documents) for origin in record.provenance] == [((first,), ("atlas",))]
        assert "encyclopedia" not in repr(record)
        bank.forget(first)
    assert told(shared) == []


def test_a_bank_that_was_resumed_is_followed_too(tmp_path):
    bank_url, url = f"sqlite:///{tmp_path}/task.db", f"sqlite:///{tmp_path}/memory.db"
    with LongTermMemory(url) as memory, work(MemoryBank(GOAL, store=bank_url), "atlas", "encyclopedia") as bank:
        promote(bank, memory, namespace=SHARED)
    with LongTermMemory(url) as memory, MemoryBank.resume(bank_url) as bank:
        for entry in entries(bank):
            bank.forget(entry)
        assert told(memory) == []


def test_a_fact_of_two_tasks_stays_with_the_other_task_and_in_its_words(shared):
    with (
        work(MemoryBank(GOAL), "atlas", "encyclopedia") as first,
        work(MemoryBank(f"{GOAL} Say it once more."), "survey", "almanac") as second,
    ):
        for bank in (first, second):
            promote(bank, shared, namespace=SHARED)
        (record,) = shared.records(SHARED)
        assert len(record.provenance) == 2
        for entry in entries(first):
            first.forget(entry)
        (record,) = shared.records(SHARED)
        assert record.provenance[0].documents == ("almanac", "survey")
        assert shared.search("How deep is Lake Mjosa?", namespace=SHARED)


def test_a_fact_that_was_also_written_by_hand_stays(shared):
    with work(MemoryBank(GOAL), "atlas", "encyclopedia") as bank:
        promote(bank, shared, namespace=SHARED)
        shared.write(told(shared)[0], namespace=SHARED)
        for entry in entries(bank):
            bank.forget(entry)
    assert len(told(shared)) == 1


@pytest.mark.parametrize("user", ["ann", "acme/ann"])
def test_deleted_banks_and_users_take_their_facts_along_and_nobody_elses(tmp_path, user):
    banks, url = Banks(f"sqlite:///{tmp_path}/banks/"), f"sqlite:///{tmp_path}/memory.db"
    with LongTermMemory(url) as memory:
        for each, lake in ((user, "Mjosa"), ("ben", "Femunden")):
            bank = work(banks(Scope(each, "1")), "atlas", "encyclopedia", fact=f"Lake {lake} is 453 metres deep.")
            promote(bank, memory, namespace=SHARED)
        assert len(told(memory)) == 2
        banks.delete(user="ben")
        assert [text.split()[1] for text in told(memory)] == ["Mjosa"]
        receipt = delete_user(url, user=user)
        assert receipt.found
        assert told(memory) == []
    banks.close()
    assert holding(tmp_path / "banks", "Femunden") == []
    assert [file.name for file in tmp_path.glob("memory.db*") if user.encode() in file.read_bytes()] == []


def test_forgetting_something_else_changes_no_fact(shared):
    with work(MemoryBank(GOAL), "atlas", "encyclopedia") as bank, MemoryBank("Find the harbour.") as other:
        promote(bank, shared, namespace=SHARED)
        before = shared.records(SHARED)
        other.forget(other.absorb(ToolResult(tool="look", output="The harbour is at Hamar.")).entry_ids[0])
        assert shared.records(SHARED) == before
