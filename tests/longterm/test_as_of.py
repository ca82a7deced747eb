"""Since when and until when a text was so, and searches that ask for another time."""

from __future__ import annotations

from dataclasses import replace

import pytest

from amb_core import ManualClock
from amb_core.protocols import RecordQuery
from amb_core.stores import InMemoryStore
from amb_longterm import LongTermMemory
from amb_longterm.memory_block import memories_block
from amb_longterm.memory_records import namespace_in_store

NS = "user_profile/u1"
DAY = 86_400.0
START = 1_700_000_000.0


def moved(memory: LongTermMemory, clock: ManualClock, *, language: str = "en") -> tuple[str, str]:
    """Told where somebody lives, and ten days later that they moved."""
    before, after = {
        "en": ("I live in Antwerp.", "I've moved to Ghent."),
        "zh": ("我住在上海。", "我搬到北京了。"),
    }[language]
    home = {"topic": "home", "strategy": "replace"}
    memory.write(before, namespace=NS, metadata=home)
    clock.advance(10 * DAY)
    assert memory.write(after, namespace=NS, metadata=home).status == "updated"
    return before, after


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_search_as_of_another_time_finds_what_was_so_then(
    memory: LongTermMemory, clock: ManualClock, language: str
) -> None:
    before, after = moved(memory, clock, language=language)
    query = "where do I live?" if language == "en" else "我住在哪里？"
    then = memory.search(query, namespace=NS, as_of=START + DAY)
    now = memory.search(query, namespace=NS)
    assert [hit.content for hit in then] == [before]
    assert [hit.content for hit in now] == [after]
    assert "[2023-11-14 – " not in memories_block(now, budget_tokens=200, language="en").text
    assert f"[2023-11-14 – 2023-11-24] {before}" in memories_block(then, budget_tokens=200, language="en").text
    assert memory.search(query, namespace=NS, as_of=START - DAY) == []


def test_what_is_only_confirmed_is_so_from_its_first_day(memory: LongTermMemory, clock: ManualClock) -> None:
    memory.write("I live in Antwerp.", namespace=NS)
    clock.advance(5 * DAY)
    memory.write("I live in Antwerp.", namespace=NS)
    (record,) = memory.records(NS)
    assert record.valid_from == pytest.approx(START, abs=1)
    assert record.updated_at == pytest.approx(START + 5 * DAY, abs=1)


def test_a_deleted_record_is_found_at_no_time(memory: LongTermMemory, clock: ManualClock) -> None:
    moved(memory, clock)
    memory.delete(memory.records(NS)[0].id, namespace=NS)
    assert memory.search("where do I live?", namespace=NS, as_of=START + DAY) == []


def test_a_record_of_an_earlier_amb_is_so_from_when_it_was_made(clock: ManualClock) -> None:
    store = InMemoryStore()
    with LongTermMemory(store, clock=clock) as memory:
        memory.write("I live in Antwerp.", namespace=NS)
        (kept,) = store.search(RecordQuery(namespace_in_store(NS)))
        older = {name: value for name, value in kept.data.items() if name != "valid_from"}
        store.put([replace(kept, data=older)])
        assert memory.records(NS)[0].valid_from == pytest.approx(START, abs=1)
