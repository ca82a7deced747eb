"""Every function takes every text: no exception, spans in order. How time grows: tests/benchmarks/hostile_texts.py."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

import amb_core.text
from amb_core.text import clip_tokens, estimate_tokens
from amb_values import entities, paragraph_spans, sentence_spans, values

FUNCTIONS: list[Callable[..., object]] = [
    getattr(amb_core.text, name)
    for name in amb_core.text.__all__
    if name[0].islower() and name not in ("clip_tokens", "forget_texts", "find_quote", "find_unsupported")
]
PIECES = (
    *(
        "A",
        "a",
        " ",
        ". ",
        "\n",
        "\n\n",
        "\0",
        "\ud800",
        "\u202e",
        "א",
        "😀",
        "1",
        "5%",
        "$1",
        "May ",
        "年",
        "月",
        "十",
        "零",
        "点",
        "in the ",
    ),
    *(
        "。",
        "，",
        "《",
        "》",
        "（",
        "）",
        "(",
        ")",
        '"',
        "“",
        "'s ",
        "not ",
        "不",
        "New York, ",
        "of ",
        "five ",
        "：",
        ": ",
    ),
    *("1,", "2021-", "((", "（", "百分之", "km", "\u3000", "e.g. ", "U.S. ", "一", "第", "公司", "据", "1/", "A-"),
    *("...", "…", "-", "- ", "# ", "| ", "市", "李", "·", "A and ", "http://a.b/", "12:30 ", "known as ", "is a ", "{"),
)
TEXTS = st.one_of(st.text(max_size=60), st.lists(st.sampled_from(PIECES), max_size=40).map("".join))


@given(TEXTS)
def test_no_text_raises_and_equal_texts_give_equal_results(text: str) -> None:
    for function in FUNCTIONS:
        assert function(text) == function(text)


@given(TEXTS)
@pytest.mark.parametrize("spans_of", [sentence_spans, paragraph_spans])
def test_spans_are_ordered_disjoint_and_cover_every_visible_character(
    spans_of: Callable[[str], list[tuple[int, int]]], text: str
) -> None:
    end = 0
    for start, stop in spans_of(text):
        assert end <= start < stop
        assert not text[end:start].strip()
        assert not text[start].isspace()
        assert not text[stop - 1].isspace()
        end = stop
    assert not text[end:].strip()


@given(TEXTS, st.integers(min_value=-1, max_value=60))
def test_a_clipped_text_always_keeps_its_budget(text: str, budget: int) -> None:
    clipped = clip_tokens(text, budget)
    assert text.startswith(clipped)
    assert estimate_tokens(clipped) <= max(0, budget)


@given(TEXTS)
def test_mentions_and_values_lie_inside_the_text(text: str) -> None:
    assert all(text[entity.start : entity.end] == entity.name for entity in entities(text))
    assert all(text[value.start : value.end] == value.surface for value in values(text))


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    "piece",
    [
        pytest.param(
            piece, marks=[*([pytest.mark.slow] if at % 18 else []), *([pytest.mark.nightly] if at % 3 else [])]
        )
        for at, piece in enumerate(PIECES)
    ],
)
def test_a_long_line_of_one_piece_is_taken_by_every_function(piece: str) -> None:
    text = (piece * (20_000 // len(piece) + 1))[:20_000]
    for function in FUNCTIONS:
        function(text)
    spans = sentence_spans(text)
    assert all(start < stop for start, stop in spans)
    assert sum(len(text[start:stop].split()) for start, stop in spans) == len(text.split())
    assert all(text[value.start : value.end] == value.surface for value in values(text))
