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
        ("   -v      Say more of what\n           is done.\n", [("-v", "Say more of what is done.")]),
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


def test_the_first_sentence_under_a_heading_opens_it() -> None:
    text = "# A\n\nOne. Two.\n\n# B\n\nThree.\n"
    assert [one.opens for one in sentences_of(Document("d", text, Path("d")))] == [True, False, True]
