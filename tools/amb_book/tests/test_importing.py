"""Importing a manuscript: where its chapters begin, whom it names, and what is left when it is broken off."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest
from amb_bench.doubles.failing_store import FailingStore
from amb_book.manuscript import chapters_of
from amb_book.manuscript_import import import_manuscript
from amb_book.story import Story

from amb_core.errors import InvalidParameter, StoreError, UnreadableSource
from amb_core.stores import InMemoryStore

ENGLISH = """It was a grey morning when Mira Vane rode into the town of Harrow. “Who goes there?” asked Tomas Reed.
Mira Vane smiled. Tomas Reed lowered his lamp and looked at her for a long time. “Nobody,” said Mira.

“Then come in,” said Tomas. He had lived in Harrow all his life, and he feared the Azure Guild. Mira nodded.
"""
CHINESE = "沈砚站在望江城的城头。“谁在那里？”沈砚问道。\n顾青蘅笑道：“是我。”沈砚点了点头，顾青蘅便走进望江城去了。\n"
CHINESE += "沈砚道：“你来了。”顾青蘅道：“我来了。”夜里雪停了，两人说了很久的话。\n"


def english(*headings: str) -> str:
    return "\n\n\n".join(f"{heading}\n\n{ENGLISH * 3}" for heading in headings)


def chinese(*headings: str) -> str:
    return "\n\n".join(f"{heading}\n\n{CHINESE * 4}" for heading in headings)


@pytest.mark.parametrize(
    "headings",
    [
        ["Chapter 1", "Chapter 2", "Chapter 3"],
        ["CHAPTER I. The Road", "CHAPTER II. The Gate", "CHAPTER III. The Fire"],
        ["Chapter One", "Chapter Twenty-One: Dawn", "Chapter the Last"],
        ["PROLOGUE", "CHAPTER XII.", "EPILOGUE"],
        ["STAVE ONE.", "LETTER 4", "Chapter 12 — Rain"],
        ["1", "2", "3"],
        ["I. The Road", "II. The Gate", "III. The Fire"],
        ["## Chapter 1", "## Chapter 2", "## Chapter 3"],
    ],
)
def test_english_headings_begin_chapters(headings: list[str]) -> None:
    found = chapters_of(english(*headings))
    assert [each.title.rstrip(".") for each in found] == [heading.strip("# ").rstrip(".") for heading in headings]
    assert all(each.text.startswith("It was a grey") for each in found)


def test_sentences_that_begin_like_headings_are_none() -> None:
    text = (
        "第三章的内容他早就忘了，可是那一夜的雪，他记得。\n"
        + CHINESE * 5
        + ("Chapter 3 was the one she loved best of all.\n")
    )
    assert [each.title for each in chapters_of(text)] == [""]


def test_parts_stand_before_the_titles_of_their_chapters() -> None:
    text = f"PART ONE\n\n{english('Chapter 1', 'Chapter 2')}\n\nPART TWO\n\n{english('Chapter 1')}"
    assert [each.title for each in chapters_of(text)] == [
        "PART ONE · Chapter 1",
        "PART ONE · Chapter 2",
        "PART TWO · Chapter 1",
    ]
    volumes = f"第一卷 少年\n\n{chinese('第一章 渡口')}\n\n第二卷 归舟\n\n{chinese('第一章 雪夜')}"
    assert [each.title for each in chapters_of(volumes)] == ["第一卷 少年 · 第一章 渡口", "第二卷 归舟 · 第一章 雪夜"]


@pytest.mark.parametrize("text", [ENGLISH * 200, CHINESE * 200, "word " * 40_000, "雪" * 40_000])
def test_without_headings_pieces_are_of_one_size_and_lose_nothing(text: str) -> None:
    found = chapters_of(text)
    assert len(found) > 3
    assert "".join("".join(each.text for each in found).split()) == "".join(text.split())


def test_whom_a_book_names_is_found_over_the_whole_of_it() -> None:
    story = Story(None)
    text = english("Chapter 1", "Chapter 2") + (
        f"\n\n\nChapter 3\n\n{ENGLISH.replace('Mira', 'Anna').replace('Vane', 'Moor') * 4}"
    )
    done = story.import_manuscript(text)
    assert (done.first, done.chapters, done.already) == (1, 3, 0)
    mira, anna = story.facts.entity("Mira Vane"), story.facts.entity("Anna Moor")
    assert (mira.kind, mira.since, mira.aliases) == ("character", 1, ("Mira",))
    assert (anna.since, story.facts.entity("Harrow").kind) == (3, "location")
    assert story.facts.resolve("Anna Moor", at=2) == []
    assert story.episodes.search("", entities=["Anna Moor", "Tomas Reed"], k=9)[0].chapter == 3
    assert story.episodes.search("", entities=["Mira", "Tomas"], k=9, at=1)[0].chapter == 1


FAMILY = """
“Good morning,” said Mr. Varley. Miss Hester Varley laughed, and Dr. Pym nodded to Hester. Doctor Pym came from Ulton.
“Well,” said Lizzy, and Anna Varley smiled at d’Orsay. Elizabeth Marsh said nothing. “Hm,” said M. d’Orsay. Mrs. Varley
sighed, and Miss Varley went to Ulton. “No,” said Elizabeth, and D’Orsay laughed at Mr. Varley. Anna nodded.
Lizzy lived in Ulton. “Yes,” said Dr. Pym.
"""


def test_names_of_one_person_are_joined_and_those_of_a_family_kept_apart() -> None:
    story = Story(None)
    story.import_manuscript(f"Chapter 1\n\n{FAMILY * 3}\n\nChapter 2\n\n{FAMILY}")
    named = {frozenset((each.name, *each.aliases)) for each in story.facts.entities("character")}
    assert frozenset({"Dr. Pym", "Doctor Pym"}) in named
    assert frozenset({"Elizabeth Marsh", "Elizabeth"}) in named
    assert {frozenset({"Mr. Varley"}), frozenset({"Mrs. Varley"}), frozenset({"Miss Varley"})} < named
    assert {frozenset({"Hester Varley"}), frozenset({"Anna Varley", "Anna"})} < named


def test_another_name_is_known_from_the_chapter_that_first_has_it() -> None:
    story = Story(None)
    later = ENGLISH.replace("Mira shook", "Mira Vane shook")
    text = f"Chapter 1\n\n{ENGLISH.replace('Mira Vane', 'Mira') * 3}\n\nChapter 2\n\n{later * 3}"
    story.import_manuscript(text)
    assert [story.facts.entity("Mira", at=at).aliases for at in (1, 2)] == [(), ("Mira Vane",)]
    assert story.facts.resolve("Mira Vane", at=1) == []


def test_an_import_that_was_broken_off_goes_on(tmp_path: Path) -> None:
    text = english(*(f"Chapter {number}" for number in range(1, 7))).replace("grey", "cold")
    text = text.replace("It was a cold morning", "It was a morning", 1)

    def stop(done: int, of: int) -> None:
        if done == 3:
            raise KeyboardInterrupt

    with Story(tmp_path / "book") as story, pytest.raises(KeyboardInterrupt):
        story.import_manuscript(text, progress=stop)
    with Story(tmp_path / "book") as story:
        assert story.episodes.chapters() == story_chapters(story) == [1, 2, 3]
        done = story.import_manuscript(text)
        assert (done.first, done.chapters, done.already) == (1, 6, 3)
        assert story.import_manuscript(text).already == 6
        assert story.episodes.chapters() == story_chapters(story) == [1, 2, 3, 4, 5, 6]


@pytest.mark.parametrize("call", range(1, 60, 7))
def test_whatever_fails_no_chapter_is_half_there(call: int) -> None:
    store = FailingStore(InMemoryStore())
    story = Story(None, store=store)
    text = english("Chapter 1", "Chapter 2", "Chapter 3")
    store.fail_at(call)
    with suppress(StoreError):
        story.import_manuscript(text)
    store.fail_at(0)
    assert story.episodes.chapters() == story_chapters(story)
    assert story.import_manuscript(text).chapters == 3
    assert story.episodes.chapters() == story_chapters(story) == [1, 2, 3]


def story_chapters(story: Story) -> list[int]:
    return [each.number for each in story.facts.chapters()]


def test_a_second_book_follows_the_first() -> None:
    story = Story(None)
    story.import_manuscript(english("Chapter 1", "Chapter 2"))
    done = story.import_manuscript(chinese("第一章 渡口"))
    assert done.first == 3
    assert import_manuscript(story, chinese("第一章 雪夜") + "完", first=9).first == 9
    assert story.episodes.chapters() == [1, 2, 3, 9]


@pytest.mark.parametrize(
    "source", ["", "  \n ", b"", b"\x00\x01\x02" * 400, b"\x80\x81\xff\xfa" * 90, "no/such/book.txt"]
)
def test_what_is_no_text_is_refused(source: str | bytes) -> None:
    story = Story(None)
    with pytest.raises(UnreadableSource):
        story.import_manuscript(source)
    assert story.episodes.chapters() == []


def test_what_is_too_large_or_cannot_be_settled_is_refused(tmp_path: Path) -> None:
    story = Story(None)
    with pytest.raises(UnreadableSource, match="5 MB"):
        story.import_manuscript("a" * 5_300_000)
    with pytest.raises(InvalidParameter):
        story.import_manuscript("a", settle="everything")  # type: ignore[arg-type]
    with pytest.raises(InvalidParameter):
        story.import_manuscript("a", first=0)
