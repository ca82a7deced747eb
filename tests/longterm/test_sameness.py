"""What says the same, what gives another value, and what a text says is over; English and Chinese."""

from __future__ import annotations

import pytest

from amb_core.longterm.replacement import replaces, tells_of_change
from amb_core.longterm.sameness import other_values, same


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


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("I live in Oslo", "I've moved to Berlin"),
        ("I drink coffee every morning", "I no longer drink coffee."),
        ("We use MySQL for the shop", "The shop uses Postgres instead of MySQL now"),
        ("My manager is Anna", "My new manager is Ben"),
        ("All reports in EUR", "From now on, all reports in USD"),
        ("我住在上海", "我搬到北京了"),
        ("我每天早上喝咖啡", "我不再喝咖啡了"),
        ("商店用MySQL", "商店从MySQL换成Postgres了"),
        ("报表金额用欧元", "从现在起报表金额用美元"),
    ],
)
def test_a_text_that_says_what_changed_replaces_it(old: str, new: str) -> None:
    assert tells_of_change(new)
    assert replaces(new, old)
    assert not replaces(old, new)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("I live in Oslo", "I live in Berlin"),
        ("I live in Oslo", "My sister has moved to Berlin"),
        ("I live in Oslo", "I moved to the marketing team"),
        ("I live in Oslo", "I moved to Bergen in 2010"),
        ("I work as a nurse", "I now also work as a tutor"),
        ("My sister is a doctor", "My sister is now in Paris"),
        ("I have an Android tablet", "I switched from Android to iPhone"),
        ("Do you smoke?", "I no longer smoke"),
        ("I like running", "I will never quit running"),
        ("我住在上海", "我妈妈搬到北京了"),
        ("我住在上海", "我以前住在北京"),
        ("我喜欢喝茶", "我打算换工作"),
    ],
)
def test_a_text_on_something_else_or_without_a_change_replaces_nothing(old: str, new: str) -> None:
    assert not replaces(new, old)
