"""Chunks cover the text, stay below the limit and are cut where it hurts least."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from amb_agents.chunking import chunk_spans, chunk_tokens
from amb_core.errors import InvalidParameter
from amb_core.settings import Settings
from amb_core.text import estimate_tokens

PIECES = (
    "Lithium cells last. ",
    "电池可以用三千次。",
    "\n\n",
    "\n",
    "word ",
    "x" * 90,
    "3.5 ",
    "# A\n",
    " ",
    "（未完",
    "\0",
    "…",
)


def _pieces(text: str, limit: int) -> list[str]:
    spans = chunk_spans(text, limit=limit)
    assert [end for _, end in spans[:-1]] == [start for start, _ in spans[1:]]
    return [text[start:end] for start, end in spans]


@given(st.lists(st.sampled_from(PIECES), max_size=60).map("".join), st.integers(1, 200))
def test_the_chunks_of_any_text_are_the_text_again(text: str, limit: int) -> None:
    assert "".join(_pieces(text, limit)) == text


@given(st.lists(st.sampled_from(PIECES), max_size=60).map("".join), st.integers(4, 200))
def test_no_chunk_is_over_the_limit(text: str, limit: int) -> None:
    assert all(estimate_tokens(piece) <= limit for piece in _pieces(text, limit))


def test_an_empty_text_has_no_chunks() -> None:
    assert chunk_spans("", limit=10) == []


def test_a_text_within_the_limit_is_one_chunk() -> None:
    assert chunk_spans("One. Two.\n\nThree.", limit=100) == [(0, 17)]


def test_paragraphs_are_kept_whole_where_they_fit() -> None:
    paragraphs = [f"Paragraph {number} has two sentences. This is the second." for number in range(20)]
    for piece in _pieces("\n\n".join(paragraphs), 40):
        assert all(part in paragraphs for part in piece.strip().split("\n\n"))


@pytest.mark.parametrize("sentence", ["The cell lasts 3.5 years. ", "电池可以使用三千次。"])
def test_a_long_paragraph_is_cut_between_sentences(sentence: str) -> None:
    pieces = _pieces(sentence * 100, 50)
    assert len(pieces) > 1
    assert all(piece.replace(sentence.strip(), "").strip() == "" for piece in pieces)


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        "x" * 300_000,
        "a\n" * 100_000,
        pytest.param("x" * 1_000_000, marks=pytest.mark.nightly),
        pytest.param("word " * 200_000, marks=pytest.mark.nightly),
        pytest.param("汉" * 300_000, marks=pytest.mark.nightly),
    ],
)
def test_a_long_text_without_a_sentence_is_cut_all_the_same(text: str) -> None:
    spans = chunk_spans(text, limit=7_200)
    assert spans[0][0] == 0
    assert spans[-1][1] == len(text)
    assert max(end - start for start, end in spans) < 200_000


@pytest.mark.parametrize("limit", [0, -5])
def test_a_limit_below_one_is_refused_with_what_to_do(limit: int) -> None:
    with pytest.raises(InvalidParameter, match="agent_window"):
        chunk_spans("text", limit=limit)


def test_the_limit_is_window_times_ratio() -> None:
    assert chunk_tokens(Settings(agent_window=1_000, chunk_ratio=0.5)) == 500
