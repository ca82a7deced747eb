"""What a sentence stands under, read off the layout of a text."""

from __future__ import annotations

from pathlib import Path

import pytest

from amb_tools.corpus import Document
from amb_tools.corpus.sentences import flat, sentences_of


def read(text: str) -> list[tuple[str, str]]:
    """(what it stands under, the sentence on one line)."""
    return [(one.under, flat(text[one.start : one.end])) for one in sentences_of(Document("d", text, Path("d")))]


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("# A\n\n## B\n\nOne. Two.", [("A › B", "One."), ("A › B", "Two.")]),
        ("OPTIONS\n   -v, --verbose\n      Say more.\n", [("OPTIONS › -v, --verbose", "Say more.")]),
        (
            "It takes:\n\n- a key;\n- a lock.\n",
            [("", "It takes:"), ("It takes:", "- a key;"), ("It takes:", "- a lock.")],
        ),
        ("Name | Cycles\nLFP | 4,000\n", [("", "Name | Cycles"), ("Name | Cycles", "LFP | 4,000")]),
        ("应当采取下列措施：\n（一）加密；\n", [("", "应当采取下列措施："), ("应当采取下列措施：", "（一）加密；")]),
    ],
)
def test_a_sentence_knows_what_it_stands_under(text: str, sentences: list[tuple[str, str]]) -> None:
    assert read(text) == sentences


def test_the_first_line_of_a_paragraph_may_stand_in() -> None:
    text = "  Additional terms, permissive or not, may be stated in the form\nof a separately written licence.\n"
    assert len(read(text)) == 1


def test_a_line_alone_between_blank_ones_names_what_follows() -> None:
    text = "6.1. Passwords\n\nTake care of it.\n\nDo not write it down.\n\n6.2. Users\n\nMake one.\n"
    assert [under for under, _ in read(text)] == ["6.1. Passwords", "6.1. Passwords", "6.2. Users"]


def test_a_question_names_its_answer() -> None:
    assert read("14.1. Can I sell CDs?\n\n    Go ahead.\n") == [("14.1. Can I sell CDs?", "Go ahead.")]


def test_a_note_in_the_margin_of_a_law_names_a_section_whose_lines_stand_out() -> None:
    text = "Cost of examination\n (3) The examination shall be at the expense of the traveller who\nrequests it.\n"
    said = "(3) The examination shall be at the expense of the traveller who requests it."
    assert read(text) == [("Cost of examination", said)]


def test_what_stands_before_a_page_of_markdown_is_read_line_by_line() -> None:
    assert read("---\ntitle: Art\nweight: 1\n---\n\n## New\n\nIt opened.\n")[-1] == ("New", "It opened.")


def test_a_number_at_the_start_of_a_wrapped_line_is_no_item() -> None:
    text = "Support for this old architecture was dropped in the (Debian\n4.0) release.\n"
    assert len(read(text)) == 1
