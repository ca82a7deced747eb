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


def test_a_word_parted_at_the_end_of_a_line_is_whole() -> None:
    assert flat("a ker\u2010\n   nel module") == "a kernel module"
    assert flat("自用工之日起一个月内订立\n    书面劳动合同") == "自用工之日起一个月内订立书面劳动合同"


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


@pytest.mark.parametrize(
    "row", ["B-{0};Oak; {0} m", '{{"booking": {0}, "state": "open"}}', "12:0{0} INFO valve {0} opened"]
)
def test_rows_of_data_begin_lines_of_their_own_and_wrapped_prose_does_not(row: str) -> None:
    data = "\n".join(row.format(n) for n in range(6))
    assert all(one.opens for one in sentences_of(Document("d", data, Path("d"))))
    prose = "The pump is old. It was built\nlong ago by the town. Nobody knows\nwhen that was. It still runs.\n"
    assert [one.opens for one in sentences_of(Document("p", prose, Path("p")))] == [True, False, False, False]
