"""Numbers of years, in digits and words."""

from __future__ import annotations

from amb_core.text.chinese_numerals import han_number
from amb_core.text.number_words import english_numerals

__all__ = ["number_of"]


def number_of(said: str) -> int | None:
    """The whole number a few words or digits say; None when they say none."""
    if said.isascii() and said.isdecimal():
        return int(said)
    if said.isascii():
        whole = [each.key for each in english_numerals(said) if each.end - each.start == len(said)]
        return int(whole[0]) if whole and whole[0].isdecimal() else None
    if all(char in "零〇一二两三四五六七八九十百" for char in said):
        return int(han_number(said))
    return None
