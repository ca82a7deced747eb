"""Dashes, dots and quotation marks without end are read in a time that grows with their number, not with its square."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from amb_book.manuscript import chapters_of, read_manuscript

from amb_values import sentence_spans

ODD = (
    "—", "-", ". . . ", ".", "…", "。", "······", '"', "“", "“”", "'", "「", "he— ", "a. ", "Mr. ", "他——", "……他",
    "“a.” ", "Lin Yue said. ", "林月说。", "林月", "，", "！？", "Lin Yue walked.\n", "and ", "——林月——",
)  # fmt: skip
LENGTH = 400


@pytest.mark.sampled(8)
@pytest.mark.parametrize("piece", ODD)
@pytest.mark.parametrize("around", ["{}", "Lin Yue said {} and went.", "林月说{}走了。"])
def test_the_work_of_reading_grows_with_the_text(book: Callable, growth: Callable, piece: str, around: str) -> None:
    small = book("zh" if around.startswith("林") else "en")

    def read(text: str) -> None:
        small.check(text)
        sentence_spans(text)
        chapters_of(read_manuscript(text))

    assert growth(lambda size: read(around.format((piece * size)[:size])), LENGTH) < 6
