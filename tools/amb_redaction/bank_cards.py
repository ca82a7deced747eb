"""Bank cards by prefix, length and check digit; international account numbers by country and check digits."""

from __future__ import annotations

import re
from collections.abc import Iterator

from amb_core.text.lazy_patterns import lazy_pattern
from amb_redaction import cue_words as words
from amb_redaction.check_digits import iban_holds, iban_length, luhn_holds
from amb_redaction.cues import follows_cue, nearest_cue
from amb_redaction.kinds import Found, RedactionKind
from amb_redaction.plain_view import PlainView

__all__ = ["find_bank_cards", "find_ibans"]

_S = r"[ \-]{1,2}"
_CARD = lazy_pattern(
    rf"""(?<![\d])(?<!\d\.)(?<![A-Za-z][-_])(?:
        \d{{4}}{_S}\d{{4}}{_S}\d{{4}}{_S}\d{{1,4}}(?:{_S}\d{{1,3}})?     # 4-4-4-4, and 4-4-4-4-3 of 19 digits
      | \d{{4}}{_S}\d{{6}}{_S}\d{{4,5}}                                # American Express, Diners
      | \d{{6}}{_S}(?:\d{{6,7}}{_S}\d{{6}}|\d{{6}}{_S}\d{{4}}|\d{{10,13}})
      | \d{{12,19}}
      | (?<!\d[ \-])\d(?:[ \-]\d){{11,18}}(?![ \-]\d)
    )(?!\d)(?!\.\d)""",
    re.VERBOSE,
)
_WELL_KNOWN = lazy_pattern(
    r"4\d{15}|4\d{18}|5[1-5]\d{14}|2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12}|3[47]\d{13}|3(?:0[0-5]|[68]\d)\d{11}"
    r"|(?:6011|65\d\d|64[4-9]\d)\d{12,15}|62\d{14,17}|35\d{14}|(?:2131|1800)\d{11}|9558\d{12,15}"
)
_POSSIBLE = lazy_pattern(r"(?:[3-6]\d|9[0-9]|10|18|2[1-7])\d{10,17}")
_ACCOUNT = lazy_pattern(r"(?<![A-Za-z0-9])([A-Za-z]{2})\d\d(?:[ \-]?[A-Za-z0-9]){11,30}")
_NEAR = f"{words.ACCOUNT_CUES} {words.PERSON_CUES}"


def find_bank_cards(view: PlainView) -> Iterator[Found]:
    """Card numbers whose check digit holds; beside a word for a card also those of rare lengths, and mistyped ones."""
    if not view.has_numbers:
        return
    for match in _CARD.finditer(view.numbers):
        digits = match.group().replace(" ", "").replace("-", "")
        if 12 <= len(digits) <= 19 and len(set(digits)) > 1 and _is_card(digits, view.text, match.start()):
            yield Found(RedactionKind.BANK_CARD, match.start(), match.end())


def _is_card(digits: str, text: str, start: int) -> bool:
    well_known = _WELL_KNOWN.fullmatch(digits) is not None
    if not luhn_holds(digits):
        return well_known and follows_cue(text, start, words.CARD_CUES)
    cue = nearest_cue(
        text, start, reach=60, across=True, card=words.CARD_CUES, near=_NEAR, other=words.OTHER_NUMBER_CUES
    )
    if well_known or cue != "near":
        return cue == "card" or (well_known and cue != "other")
    return _POSSIBLE.fullmatch(digits) is not None


def find_ibans(view: PlainView) -> Iterator[Found]:
    """International account numbers of a country's length whose check digits hold."""
    for match in _ACCOUNT.finditer(view.text):
        length, number, end = iban_length(match[1]), "", match.start()
        for character in match.group():
            if len(number) == length:
                break
            end += 1
            number += character if character not in " -" else ""
        ends = not view.text[end : end + 1].isalnum() or not view.text[end].isascii()
        if length and len(number) == length and ends and iban_holds(number):
            yield Found(RedactionKind.IBAN, match.start(), end)
