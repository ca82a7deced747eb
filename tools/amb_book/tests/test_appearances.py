"""Where somebody is named, and with whom: as of a chapter, and never anything of a later one."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from amb_book import Appearances, Companion, Episode, Story
from amb_core.errors import InvalidParameter

PEOPLE = ("Mara", "Joss", "the Grey One", "林月", "Ulton")


def book(chapters: dict[int, list[tuple[str, ...]]], also: dict[str, tuple[str, int]] | None = None) -> Story:
    """Passages by whom they name; `also` are other names, with who it is and the chapter that says so."""
    story = Story(None)
    for name in PEOPLE:
        kind = "location" if name == "Ulton" else "character"
        since = min((number for number, told in chapters.items() if any(name in each for each in told)), default=0)
        if since and name not in (also or {}):
            story.settle(chapter=since, statements=[{"entity": name, "kind": kind}])
    for number, told in chapters.items():
        story.episodes.put_passages(
            [Episode(number, place, " met ".join(each) or "Rain.", "", each) for place, each in enumerate(told)]
        )
    for other, (name, since) in (also or {}).items():
        story.settle(chapter=since, statements=[{"entity": name, "kind": "character", "aliases": [other]}])
    return story


def test_chapters_passages_and_companions_are_told() -> None:
    story = book({1: [("Mara", "Joss"), ("Mara",)], 2: [("Joss",)], 3: [("Mara", "林月"), ("Mara", "林月", "Ulton")]})
    found = story.episodes.appearances("Mara")
    assert found == Appearances("Mara", 3, (1, 3), 3, 4, (Companion("林月", 2), Companion("Joss", 1)))
    assert (found.first, found.last) == (1, 3)
    assert story.episodes.appearances("Mara", at=2).companions == (Companion("Joss", 1),)
    assert story.episodes.appearances("Mara", most=1).companions == (Companion("林月", 2),)


def test_a_name_counts_from_the_chapter_in_which_the_book_says_whose_it_is() -> None:
    chapters: Any = {1: [("the Grey One", "Joss")], 2: [("Mara",), ("Mara", "the Grey One")], 3: [("Mara", "Joss")]}
    story = book(chapters, {"the Grey One": ("Mara", 3)})
    assert story.episodes.appearances("Mara", at=2).chapters == (2,)
    assert story.episodes.appearances("Mara", at=2).companions == (Companion("the Grey One", 1),)
    assert story.episodes.appearances("Mara", at=3).chapters == (1, 2, 3)
    assert story.episodes.appearances("the Grey One", at=3).companions == (Companion("Joss", 2),)


def test_a_name_that_no_text_has_yet_is_nobody() -> None:
    with Story(None) as story:
        story.episodes.put_passages([Episode(1, 0, "A boy ran.", "", ("Count Orlo",))])
        story.episodes.put_passages([Episode(2, 0, "Count Orlo ran.", "", ("Count Orlo",))])
        assert story.episodes.appearances("Count Orlo", at=1).chapters == ()
        assert story.episodes.appearances("Count Orlo", at=2).chapters == (1, 2)


def test_who_is_not_named_has_no_chapters_and_a_wrong_question_is_refused() -> None:
    story = book({1: [("Mara",)]})
    assert story.episodes.appearances("Nobody") == Appearances("Nobody", 1, (), 1)
    assert Story(None).episodes.appearances("Mara").first is None
    for wrong in ({"at": -1}, {"at": "2"}, {"most": True}):
        with pytest.raises(InvalidParameter):
            story.episodes.appearances("Mara", **wrong)  # type: ignore[arg-type]
    with pytest.raises(InvalidParameter):
        story.episodes.appearances(3)  # type: ignore[arg-type]


def test_what_is_written_later_is_counted() -> None:
    story = book({1: [("Mara",)]})
    assert story.episodes.appearances("Mara").chapters == (1,)
    story.episodes.put_chapter(2, "Mara came. Joss, too.", entities=["Mara", "Joss"])
    assert story.episodes.appearances("Mara").companions == (Companion("Joss", 1),)
    story.insert_chapter(2)
    assert story.episodes.appearances("Mara").chapters == (1, 3)
    story.episodes.remove_chapter(3)
    assert story.episodes.appearances("Mara").chapters == (1,)


PASSAGES = st.lists(st.lists(st.sampled_from(PEOPLE), unique=True, max_size=4).map(tuple), min_size=1, max_size=3)


@settings(max_examples=60, deadline=None)
@given(st.dictionaries(st.integers(1, 6), PASSAGES, max_size=5), st.integers(1, 6), st.integers(1, 6))
def test_what_a_book_says_as_of_a_chapter_is_what_it_says_without_the_later_ones(
    chapters: dict[int, list[tuple[str, ...]]], at: int, since: int
) -> None:
    whole = book(chapters, {"the Grey One": ("Mara", since)})
    begun = {number: told for number, told in chapters.items() if number <= at}
    so_far = book(begun, {"the Grey One": ("Mara", since)} if since <= at else None)
    for name in PEOPLE:
        found = whole.episodes.appearances(name, at=at)
        assert found == so_far.episodes.appearances(name, at=at)
        assert all(chapter <= at for chapter in found.chapters)


@pytest.mark.slow
def test_a_question_to_a_book_of_2000_chapters_finds_every_one_up_to_the_asked() -> None:
    names = [f"Person {number}" for number in range(300)]
    with Story(None) as story:
        story.settle(chapter=1, statements=[{"entity": each, "kind": "character"} for each in names])
        passages = [
            Episode(chapter, place, "…", "", ("Person 0", *(names[(chapter * 7 + place * k) % 300] for k in (1, 3))))
            for chapter in range(1, 2_001)
            for place in range(5)
        ]
        story.episodes.put_passages(passages)
        story.episodes.appearances("Person 0")
        for at in (500, 1_000, 2_000):
            assert len(story.episodes.appearances("Person 0", at=at).chapters) == at
