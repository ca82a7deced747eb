"""What a block says first when there is little room, and what it leaves out."""

from __future__ import annotations

from string import Formatter

from amb_team.team_block import WORDS


def test_both_languages_have_the_same_words_with_the_same_places_to_fill() -> None:
    english, chinese = WORDS.values()
    assert {name: places(text) for name, text in english.items()} == {
        name: places(text) for name, text in chinese.items()
    }


def places(text: str) -> set[str | None]:
    return {field for _, field, _, _ in Formatter().parse(text)} - {None}
