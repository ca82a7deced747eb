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


def test_a_size_too_small_to_hold_a_sentence_is_refused() -> None:
    with pytest.raises(InvalidParameter, match="50 or more"):
        cut("text", 49)


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
