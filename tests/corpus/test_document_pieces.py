"""How documents are cut: nothing lost, nothing torn that need not be, and every piece knows its headings."""

from __future__ import annotations

from pathlib import Path
from pydoc_data.topics import topics

import pytest
from hypothesis import given
from hypothesis import strategies as st

from amb_core.errors import InvalidParameter
from amb_tools.corpus import Document, Piece, pieces


def cut(text: str, max_chars: int = 2_000) -> list[Piece]:
    return pieces(Document("d", text, Path("d.txt")), max_chars=max_chars)


def texts(text: str, max_chars: int) -> list[str]:
    return [piece.text for piece in cut(text, max_chars)]


def test_a_short_document_is_one_piece() -> None:
    assert cut("One.\n\nTwo.\n") == [Piece("d", 0, 0, 10, "One.\n\nTwo.")]


def test_paragraphs_are_kept_whole_while_they_fit() -> None:
    first, second, third = ("a" * 40, "b" * 40, "c" * 40)
    assert texts(f"{first}\n\n{second}\n\n{third}", 90) == [f"{first}\n\n{second}", third]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("The cell lasts long. It is cheap.", "It weighs 3.5 kg. It is safe."),
        ("电池的寿命很长，可以充放电四千次以上。价格也不高。", "它的重量是3.5公斤，在高温下也不会燃烧，因此很安全！"),
    ],
)
def test_a_long_paragraph_is_cut_between_sentences(first: str, second: str) -> None:
    assert [piece.strip() for piece in texts(first + " " + second, 50)] == [first, second]


def test_a_sentence_without_an_end_is_cut_at_spaces_or_anywhere() -> None:
    assert {len(piece) for piece in texts("字" * 120, 50)} == {50, 20}
    assert all(piece.strip() in {"word " * n + "word" for n in range(12)} for piece in texts("word " * 40, 50))


def test_a_new_heading_begins_a_new_piece_once_half_is_full() -> None:
    text = f"# One\n\n{'a ' * 30}\n\n# Two\n\n{'b ' * 10}"
    assert [piece.split("\n")[0] for piece in texts(text, 100)] == ["# One", "# Two"]


def test_no_piece_ends_with_a_heading() -> None:
    text = f"{'a' * 60}\n\n## Costs\n\n{'b' * 60}"
    assert texts(text, 75) == ["a" * 60, f"## Costs\n\n{'b' * 60}"]


def test_a_piece_is_titled_with_the_headings_above_it() -> None:
    text = f"# 电池\n\n## 成本\n\n{'成' * 60}\n\n{'本' * 60}\n\n## 寿命 ##\n\n{'寿' * 60}"
    found = cut(text, 80)
    assert [piece.title for piece in found] == ["电池", "电池 › 成本", "电池 › 寿命"]
    assert found[1].titled == f"电池 › 成本\n\n{'本' * 60}"
    assert found[2].titled == found[2].text


def test_underlined_headings_count_and_code_fences_do_not() -> None:
    text = f"Top\n***\n\nSection\n=======\n\n```\n# comment\n```\n\n{'x' * 60}\n\n{'y' * 60}"
    assert cut(text, 80)[-1].title == "Top › Section"


def test_a_text_before_any_heading_has_no_title() -> None:
    piece = cut("Just text.")[0]
    assert (piece.title, piece.titled) == ("", "Just text.")


def test_a_size_too_small_to_hold_a_sentence_is_refused() -> None:
    with pytest.raises(InvalidParameter, match="50 or more"):
        cut("text", 49)


def test_blank_text_has_no_pieces() -> None:
    assert cut(" \n\n\t") == []


def complete(text: str, max_chars: int) -> bool:
    """Whether the pieces are in order, small enough, true to the text, and leave out only white space."""
    end = 0
    for piece in cut(text, max_chars):
        if text[end : piece.start].strip() or piece.text != text[piece.start : piece.end]:
            return False
        if not 0 < len(piece.text) <= max_chars:
            return False
        end = piece.end
    return not text[end:].strip()


@given(
    st.lists(st.sampled_from(["word ", "字", "。", ". ", "\n", "\n\n", "# H", "===", "\ud800", "x" * 70])).map("".join)
)
def test_every_character_but_white_space_is_in_exactly_one_piece(text: str) -> None:
    assert complete(text, 50)


def test_the_python_reference_is_cut_whole() -> None:
    assert all(complete(text, 1_000) for text in topics.values())


@pytest.mark.slow
def test_a_hostile_document_is_cut_in_proportion() -> None:
    assert complete("# " + " " * 100_000 + "b", 2_000)
    assert complete("# x\n\n" * 20_000, 2_000)
    assert complete("```\n" * 20_000, 2_000)
