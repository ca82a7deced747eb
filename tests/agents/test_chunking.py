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


@given(st.lists(st.sampled_from(PIECES), max_size=60).map("".join), st.integers(4, 200))
def test_no_chunk_is_over_the_limit(text: str, limit: int) -> None:
    assert all(estimate_tokens(piece) <= limit for piece in _pieces(text, limit))


def test_a_text_within_the_limit_is_one_chunk() -> None:
    assert chunk_spans("One. Two.\n\nThree.", limit=100) == [(0, 17)]


@pytest.mark.parametrize("limit", [0, -5])
def test_a_limit_below_one_is_refused_with_what_to_do(limit: int) -> None:
    with pytest.raises(InvalidParameter, match="agent_window"):
        chunk_spans("text", limit=limit)


def test_the_limit_is_window_times_ratio() -> None:
    assert chunk_tokens(Settings(agent_window=1_000, chunk_ratio=0.5)) == 500
