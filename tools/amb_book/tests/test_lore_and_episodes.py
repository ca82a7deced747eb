"""Lore by key and meaning; the text of the book by chapter, by who is in it, and by what it says."""

from __future__ import annotations

import threading

import pytest
from amb_book.episodes import EpisodeArchive
from amb_book.lore import LoreBase
from amb_book.story import Story

from amb_core import InvalidInput, ManualClock, UnknownId
from amb_core.stores import InMemoryStore, SqliteStore

CHAPTERS = {
    1: "Mara waits at the well.\n\nThe well is older than the town.",
    2: "Mara and Joss cross the burning bridge at night.",
    3: "Joss sells the silver key to a smith.\n\nMara is asleep in the mill.",
}


@pytest.fixture(params=["memory", "sqlite"])
def store(request, tmp_path):
    made = InMemoryStore() if request.param == "memory" else SqliteStore(tmp_path / "book.db")
    yield made
    made.close()


@pytest.fixture
def episodes(store):
    archive = EpisodeArchive(store, clock=ManualClock(1_700_000_000, step=1))
    for number, text in CHAPTERS.items():
        archive.put_chapter(number, text, title=f"Chapter {number}", entities=["Mara", "Joss"], most_tokens=10)
    return archive


@pytest.fixture
def lore(store):
    return LoreBase(store, clock=ManualClock(1_700_000_000, step=1))


def test_an_entry_of_lore_is_found_by_its_exact_key(lore):
    lore.put("御剑术", "以神御剑，需筑基以上。", kind="功法")
    assert lore.get(" 御剑术 ").text == "以神御剑，需筑基以上。"


def test_an_entry_of_lore_is_found_by_what_it_says(lore):
    lore.put("bell magic", "A bell obeys only the hand that cast it.")
    lore.put("tides", "Two moons pull the sea; every ninth night it leaves the harbour.")
    assert [entry.key for entry in lore.search("when does the water leave the harbour?", k=1)] == ["tides"]


def test_only_the_newest_text_of_an_entry_counts(lore):
    for text in ("The wall has nine gates.", "The wall has seven gates.", "The wall has seven gates."):
        lore.put("the wall", text)
    assert lore.get("the wall").text == "The wall has seven gates."
    assert [entry.key for entry in lore.search("nine gates")] == ["the wall"]


def test_a_missing_key_names_those_that_look_alike(lore):
    lore.put("the north wall", "It is high.")
    with pytest.raises(UnknownId, match="the north wall"):
        lore.get("wall")


@pytest.mark.parametrize(("key", "text"), [("", "x"), ("x", " ")])
def test_an_entry_without_key_or_text_is_refused(lore, key, text):
    with pytest.raises(InvalidInput):
        lore.put(key, text)


def test_a_scene_is_found_by_the_two_who_are_in_it(episodes):
    assert [found.chapter for found in episodes.search(entities=["Mara", "Joss"])] == [2]


def test_a_passage_is_found_by_what_it_says(episodes):
    assert episodes.search("who sold the key?", k=1)[0].text == "Joss sells the silver key to a smith."


def test_the_last_chapters_are_those_before_the_one_that_is_written(episodes):
    assert {found.chapter for found in episodes.search(last=2, k=9)} == {2, 3}
    assert {found.chapter for found in episodes.search(last=1, at=2, k=9)} == {2}


def test_no_passage_of_a_later_chapter_is_found(episodes):
    assert all(found.chapter <= 2 for found in episodes.search("silver key smith", at=2, k=9))


def test_a_chapter_written_anew_takes_the_place_of_its_old_text(episodes):
    episodes.put_chapter(3, "The key was never sold.")
    assert episodes.text(3) == "The key was never sold."
    assert "smith" not in str(episodes.search("key smith", k=9))


def test_what_another_opening_of_the_book_writes_is_found(tmp_path):
    clock = ManualClock(1_700_000_000, step=1)
    with_one, with_other = (EpisodeArchive(SqliteStore(tmp_path / "b.db"), clock=clock) for _ in range(2))
    with_one.put_chapter(1, "A heron stands on the weir.")
    assert with_other.search("heron")
    with_one.put_chapter(1, "An otter sleeps on the weir.")
    assert "otter" in with_other.search("weir")[0].text


def test_chinese_passages_are_cut_at_sentences_and_found_by_words():
    archive = EpisodeArchive(InMemoryStore(), clock=ManualClock(1_700_000_000, step=1))
    text = "沈砚走进灯铺，看见老师傅已经睡着了。窗外的雪下得很大，没有一个行人。他点起照夜灯，灯影里有一个人。"
    passages = archive.put_chapter(1, text, entities=["沈砚", "照夜灯"], most_tokens=20)
    assert "".join(passage.text for passage in passages) == text
    assert len(passages) > 1
    assert "照夜灯" in archive.search("灯影里的人", k=1)[0].entities


def test_what_was_rolled_back_is_not_found_under_the_next_thing_written(store, lore):
    with pytest.raises(RuntimeError):
        write_and_break_off(store, lore)
    lore.put("the well", "It is dry.")
    assert [entry.key for entry in lore.search("gates of the wall, or a dry well?", k=5)] == ["the well"]


def test_settling_and_asking_at_once_never_wait_for_each_other(tmp_path):
    with Story(tmp_path / "book") as story:
        threads = [
            threading.Thread(target=settle_many, args=(story,)),
            threading.Thread(target=ask_often, args=(story,)),
        ]
        for each in threads:
            each.start()
        for each in threads:
            each.join(timeout=60)
        assert not any(each.is_alive() for each in threads)


def write_and_break_off(store, lore: LoreBase) -> None:
    with store.transaction():
        lore.put("the wall", "It has nine gates.")
        assert lore.search("nine gates")
        raise RuntimeError


def settle_many(story: Story) -> None:
    for number in range(1, 30):
        story.settle(chapter=number, statements=[{"lore": f"gate {number}", "text": "It is shut."}])


def ask_often(story: Story) -> None:
    for _ in range(60):
        story.lore.search("which gate is shut?")
        story.lore.entries()
