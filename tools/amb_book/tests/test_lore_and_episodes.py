"""Lore by key and meaning; the text of the book by chapter, by who is in it, and by what it says."""

from __future__ import annotations

import pytest
from amb_book.lore import LoreBase

from amb_core import InvalidInput, ManualClock, UnknownId
from amb_core.stores import InMemoryStore, SqliteStore


@pytest.fixture(params=["memory", "sqlite"])
def store(request, tmp_path):
    made = InMemoryStore() if request.param == "memory" else SqliteStore(tmp_path / "book.db")
    yield made
    made.close()


@pytest.fixture
def lore(store):
    return LoreBase(store, clock=ManualClock(1_700_000_000, step=1))


def test_a_missing_key_names_those_that_look_alike(lore):
    lore.put("the north wall", "It is high.")
    with pytest.raises(UnknownId, match="the north wall"):
        lore.get("wall")


@pytest.mark.parametrize(("key", "text"), [("", "x"), ("x", " ")])
def test_an_entry_without_key_or_text_is_refused(lore, key, text):
    with pytest.raises(InvalidInput):
        lore.put(key, text)


def test_what_was_rolled_back_is_not_found_under_the_next_thing_written(store, lore):
    with pytest.raises(RuntimeError):
        write_and_break_off(store, lore)
    lore.put("the well", "It is dry.")
    assert [entry.key for entry in lore.search("gates of the wall, or a dry well?", k=5)] == ["the well"]


def write_and_break_off(store, lore: LoreBase) -> None:
    with store.transaction():
        lore.put("the wall", "It has nine gates.")
        assert lore.search("nine gates")
        raise RuntimeError
