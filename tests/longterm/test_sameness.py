"""What says the same, and what gives another value; English and Chinese."""

from __future__ import annotations

import pytest

from amb_longterm.sameness import opposite, other_values, same


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
    ("newer", "older"),
    [
        ("I quit smoking", "I smoke"),
        ("My office isn't in Graz but in Linz.", "My office is in Graz."),
        ("My sister doesn't live in Graz, she lives in Linz.", "My sister lives in Graz."),
        ("My car isn't a Fiat but a Renault.", "My car is a Fiat."),
        ("I eat meat again", "I don't eat meat"),
        ("我的办公室不在格拉茨，在林茨。", "我的办公室在格拉茨。"),
        ("我妹妹不住格拉茨，住林茨。", "我妹妹住在格拉茨。"),
    ],
)
def test_what_denies_the_other_says_the_opposite(newer: str, older: str) -> None:
    assert opposite(newer, older)
    assert opposite(older, newer)


@pytest.mark.parametrize(
    ("newer", "older"),
    [
        ("My office in Graz isn't heated.", "My office is in Graz."),
        ("I live in Graz but I don't like it.", "I live in Graz."),
        ("My brother doesn't live in Graz.", "My sister lives in Graz."),
        ("My sister doesn't have a cat.", "I have a cat."),
        ("My car isn't a Fiat.", "My car isn't a Renault."),
        ("我的办公室在格拉茨，不贵。", "我的办公室在格拉茨。"),
    ],
)
def test_what_denies_something_else_does_not(newer: str, older: str) -> None:
    assert not opposite(newer, older)
