"""Caches of what was found in texts, and patterns that compile late."""

from __future__ import annotations

import re

import pytest

from amb_core.text.lazy_patterns import lazy_pattern
from amb_core.text.pure_cache import forget_texts, remembered
from amb_values.word_anchors import opening_with, word_anchors


def test_a_result_is_kept_until_texts_are_forgotten_and_long_texts_are_never_kept() -> None:
    asked: list[str] = []

    @remembered(most=2, longest=5)
    def length(text: str) -> int:
        asked.append(text)
        return len(text)

    assert [length(text) for text in ("short", "short", "long text", "long text")] == [5, 5, 9, 9]
    forget_texts()
    length("short")
    assert asked == ["short", "long text", "long text", "short"]


def test_a_late_pattern_finds_what_a_compiled_one_finds() -> None:
    late, compiled = lazy_pattern("a(b+)", re.IGNORECASE), re.compile("a(b+)", re.IGNORECASE)
    text = "xABB ab"
    assert late.findall(text) == compiled.findall(text)
    assert late.sub("-", text) == compiled.sub("-", text)
    with pytest.raises(AttributeError):
        late.no_such_method  # type: ignore[attr-defined]  # noqa: B018


def test_words_are_found_where_no_latin_letter_or_digit_stands_before_them() -> None:
    text = "One stone, one. 在one天 1one One"
    assert [text[start:end] for start, end in word_anchors(text, frozenset({"one"}))] == ["One", "one", "one", "One"]


def test_a_look_at_the_first_character_changes_nothing_a_pattern_finds() -> None:
    assert re.findall(opening_with("不能|不会|没", "不没"), "他不能，没来，会") == ["不能", "没"]
