"""Many records in one call: all or none, in their order, and findable at once."""

from __future__ import annotations

import asyncio

import pytest

from amb_core.errors import InvalidInput, UnknownId
from amb_longterm import LongTermMemory

SPACE = "user_profile/u1"


def texts(memory):
    return [record.content for record in memory.records(SPACE)]


def test_many_are_written_as_one_by_one(url, clock):
    items = [
        "Crate 1 holds nails",
        {"content": "Crate 2 holds bolts", "metadata": {"tags": ["iron"]}, "why": "counted"},
        {"content": "The lamp is red", "key": "lamp"},
        "crate 1 holds nails.",
    ]
    with LongTermMemory(url, clock=clock) as memory:
        written = memory.write_many(items, namespace=SPACE, why="stock taking")
        assert [each.status for each in written] == ["inserted", "inserted", "inserted", "skipped"]
        assert written[3].id == written[0].id
        assert texts(memory) == ["Crate 1 holds nails", "Crate 2 holds bolts", "The lamp is red"]
        assert memory.get(key="lamp", namespace=SPACE).content == "The lamp is red"
        assert memory.search("Which crate holds bolts?", namespace=SPACE, top_k=1)[0].metadata["tags"] == ["iron"]
        assert {line.why for line in memory.audit(namespace=SPACE)} == {"stock taking", "counted"}
    if not url.startswith("memory"):
        with LongTermMemory(url, clock=clock) as memory:
            assert len(texts(memory)) == 3


def test_where_one_cannot_be_written_none_is(url, clock):
    with LongTermMemory(url, clock=clock) as memory:
        memory.write("Crate 1 holds nails", namespace=SPACE)
        with pytest.raises(UnknownId):
            memory.write_many(["Crate 2 holds bolts", {"content": "x y", "supersedes": "nowhere"}], namespace=SPACE)
        assert texts(memory) == ["Crate 1 holds nails"]
        assert [hit.content for hit in memory.search("crate bolts", namespace=SPACE)] == ["Crate 1 holds nails"]
        assert memory.write("Crate 2 holds bolts", namespace=SPACE).status == "inserted"
        assert len(texts(memory)) == 2


def test_none_are_no_error_and_personal_data_is_redacted_in_each(plain):
    assert plain.write_many([], namespace=SPACE) == []
    written = asyncio.run(plain.awrite_many(["Call 0151 23456789", "Crate 3"], namespace=SPACE))
    assert [each.redacted for each in written] == [{"phone": 1}, {}]


@pytest.mark.parametrize("items", ["one text", [7], [{"why": "no text"}], [{"content": "x", "namespace": "a/b"}]])
def test_what_is_no_list_of_records_is_refused_and_nothing_kept(plain, items):
    with pytest.raises(InvalidInput):
        plain.write_many(items, namespace=SPACE)
    assert plain.namespaces() == []
