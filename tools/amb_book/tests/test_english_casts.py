"""What is read off a whole English book, chapter by chapter."""

from __future__ import annotations

import pytest

from amb_book import Story

SCENES = """
“Is my sister Clara here?” asked Lucy Orme.

“Good evening,” said Captain Hale. Mrs. Orme laughed. Mr. Orme nodded to Clara. Mr. and Mrs. Orme had a house in Ulton.

“Yes,” said Clara, and Jacob Pell took her coat. “Hm,” said Jacob Pell. Captain Hale came
from Ulton and spoke of Redmere.
"""
FIRST = f"""{SCENES}
Jacob Pell, the butler, lived in Ulton. “We are four,” said Mr. Orme. “Five,” said Captain Hale. “Six,” said Lucy.
"""
SECOND = f"""{SCENES}
On reaching Redmere, Captain Hale sat down. He had married Clara in the spring. Jacob Pell was dead.
If Lucy had gone to Ulton, Mr. Orme would have died. “No,” said Mr. Orme.
"""
THIRD = """
“I am sorry,” said Captain Hale. “So am I,” said Mr. Orme. “And I,” said Lucy Orme. “Who was dead?” asked Captain Hale.
Mrs. Orme went back to Ulton. “Good,” said Mr. Orme. “Good,” said Captain Hale. “Good,” said Mrs. Orme.
"""


@pytest.fixture(scope="module")
def story() -> Story:
    book = Story(None)
    chapters = (FIRST, SECOND, THIRD)
    book.import_manuscript(
        "\n\n".join(f"Chapter {number}\n\n{text}" for number, text in enumerate(chapters, start=1)), settle="facts"
    )
    return book


def told(story: Story, name: str, *, at: int) -> set[tuple[str, str, str]]:
    about = story.facts.about(name, at=at)
    return {(each.subject, each.attribute or each.relation, each.object) for each in about.facts}


def test_ranks_trades_couples_and_the_kin_of_speakers_are_facts(story: Story) -> None:
    assert ("Captain Hale", "title", "Captain") in told(story, "Captain Hale", at=1)
    assert ("Jacob Pell", "trade", "butler") in told(story, "Jacob Pell", at=1)
    assert ("Mr. Orme", "MARRIED_TO", "Mrs. Orme") in told(story, "Mrs. Orme", at=1)
    assert ("Lucy Orme", "SIBLING_OF", "Clara") in told(story, "Clara", at=1)


def test_nothing_of_a_later_chapter_is_told_earlier(story: Story) -> None:
    assert [story.facts.about("Jacob Pell", at=at).status for at in (1, 2, 3)] == ["", "dead", "dead"]
    assert [story.facts.about("Captain Hale", at=at).place for at in (1, 2)] == ["", "Redmere"]
    assert ("Captain Hale", "MARRIED_TO", "Clara") in told(story, "Clara", at=2)
    assert all("MARRIED_TO" not in said for said in told(story, "Clara", at=1))


def test_what_might_have_been_is_no_fact(story: Story) -> None:
    assert story.facts.about("Mr. Orme").status == ""
    assert story.facts.about("Lucy Orme").place != "Ulton"


def test_nobody_dies_who_speaks_again_and_again_later() -> None:
    book = Story(None)
    ghost = SECOND.replace("Jacob Pell was dead", "Captain Hale was dead")
    book.import_manuscript(f"Chapter 1\n\n{FIRST}\n\nChapter 2\n\n{ghost}\n\nChapter 3\n\n{THIRD}", settle="facts")
    assert book.facts.about("Captain Hale").status == ""
