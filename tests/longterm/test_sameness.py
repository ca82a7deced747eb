"""What says the same, and what gives another value; English and Chinese."""

from __future__ import annotations

import pytest

from amb_longterm.sameness import other_values, same


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Likes charts", "likes charts."),
        ("Don't use tables.", "Do not use tables"),
        ("Please show two decimals.", "Show 2 decimals!"),
        ("Due on 3 May 2024", "Due on 2024-05-03."),
        ("三十天内付款。", "30天内付款"),
        ("请用中文回复，保留两位小数", "用中文回复,保留2位小数。"),
    ],
)
def test_the_same_words_with_equal_values_say_the_same(one: str, other: str) -> None:
    assert same(one, other)
    assert other_values(one, other) is None


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("I eat meat", "I don't eat meat"),
        ("Anna manages Ben", "Ben manages Anna"),
        ("I speak a little German", "I speak little German"),
        ("I like turkey", "I like Turkey"),
        ("I live in Oslo", "I lived in Oslo"),
        ("It is 5 degrees", "It is -5 degrees"),
        ("Is he a vegetarian?", "is he a vegetarian"),
        ("I'm allergic to peanuts", "I'm allergic to shellfish"),
        ("我吃肉", "我不吃肉"),
        ("我对花生过敏", "我对海鲜过敏"),
        ("", ""),
    ],
)
def test_another_word_order_value_name_or_denial_is_not_the_same(one: str, other: str) -> None:
    assert not same(one, other)


def test_texts_that_differ_in_a_value_alone_are_told() -> None:
    assert other_values("Due after 30 days", "Due after 45 days") == ("30", "45")
    assert other_values("日志保留90天", "日志保留60天") == ("90", "60")
    assert other_values("Due after 30 days", "Paid after 45 days") is None
