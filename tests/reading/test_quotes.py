"""A quote bears out what is read off it only if it names who is spoken of, or has a pronoun for somebody."""

from __future__ import annotations

import pytest

from amb_readers.quotes import has_pronoun, names_one_of


@pytest.mark.parametrize(
    ("quote", "name"),
    [
        ("The old man put the seal into her hand.", "the Jade Seal"),
        ("Then Lin's brother came.", "Lin Yue"),
        ("DARROW & SONS moved to Leeds.", "Darrow & Sons"),
        ("玉玺落入了他的手中。", "传国玉玺"),
        ("林月死了。", "林月"),
        ("由GPT实验室发布。", "GPT"),
        ("Pump 40 leaks, and 41 as well.", "Pump 41"),
    ],
)
def test_a_name_or_a_telling_part_of_it_stands_in_the_quote(quote: str, name: str) -> None:
    assert names_one_of(quote, [name])


@pytest.mark.parametrize(
    ("quote", "name"),
    [
        ("Lin Feng died.", "Lin Yue"),
        ("The pump P-50 leaks.", "pump P-40"),
        ("Linda died.", "Lin Yue"),
        ("It rained all night.", "the Harbour"),
        ("Of the three, one left.", "The Lord of the Marsh"),
        ("林风死了。", "林月"),
        ("他走了。", "林月"),
        ("", "Lin Yue"),
        ("Lin Yue died.", " "),
    ],
)
def test_somebody_else_of_a_like_name_is_not_named(quote: str, name: str) -> None:
    assert not names_one_of(quote, [name])


@pytest.mark.parametrize(
    ("quote", "has"), [("She wept.", True), ("他走了。", True), ("Mine now", True), ("Rain.", False)]
)
def test_pronouns_of_both_languages_are_known(quote: str, has: bool) -> None:
    assert has_pronoun(quote) is has
