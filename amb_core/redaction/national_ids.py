"""Identity numbers of places that speak English or Chinese; a check digit or a rare form tells them from others."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from amb_core.redaction import cue_words as words
from amb_core.redaction.check_digits import luhn_holds, verhoeff_holds, weighed
from amb_core.redaction.cues import nearest_cue
from amb_core.redaction.kinds import Found, RedactionKind
from amb_core.redaction.plain_view import PlainView
from amb_core.text.lazy_patterns import lazy_pattern

__all__ = ["find_national_ids"]

_FRONT = r"(?<![A-Za-z0-9])(?<!\d[.\-])"
_BACK = r"(?![A-Za-z0-9])(?![.\-]\d)"


@dataclass(frozen=True, slots=True)
class _Form:
    """What a number looks like, what has to hold of it without its separators, and whether a word has to name it."""

    source: str
    pattern: re.Pattern[str]
    holds: Callable[[str], bool]
    named: bool = False


def _form(pattern: str, holds: Callable[[str], bool] = lambda number: True, *, named: bool = False) -> _Form:
    return _Form(pattern, lazy_pattern(pattern), holds, named)


def _singaporean(number: str) -> bool:
    total = weighed(number[1:8], (2, 7, 6, 5, 4, 3, 2)) + (4 if number[0] in "TG" else 3 if number[0] == "M" else 0)
    letters = {"S": "JZIHGFEDCBA", "T": "JZIHGFEDCBA", "M": "XWUTRQPNJLK"}.get(number[0], "XWUTRQPNMLK")
    return letters[total % 11] == number[8]


def _taiwanese(number: str) -> bool:
    order = "ABCDEFGHJKLMNPQRSTUVXYWZIO".index(number[0]) + 10
    return (order // 10 + order % 10 * 9 + weighed(number[1:], (8, 7, 6, 5, 4, 3, 2, 1, 1))) % 10 == 0


def _of_hong_kong(number: str) -> bool:
    letters = [36] * (8 - len(number[:-1])) + [int(character, 36) for character in number[:-1]]
    total = sum(value * weight for value, weight in zip(letters, range(9, 1, -1), strict=True))
    return "0123456789A"[-total % 11] == number[-1]


_FORMS = (
    _form(r"(?!BG|GB|KN|NK|NT|TN|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?\d\d ?\d\d ?\d\d ?[A-D]"),  # Britain
    _form(r"[A-Z]{2} ?\d\d ?\d\d ?\d\d ?[A-Z]", named=True),
    _form(r"[STFGM]\d{7}[A-Z]", _singaporean),
    _form(r"[A-Z][12]\d{8}", _taiwanese),
    _form(r"[A-Z]{1,2}\d{6} ?\([\dA]\)", _of_hong_kong),
    _form(r"[2-9]\d{3}[ \-]?\d{4}[ \-]?\d{4}", verhoeff_holds, named=True),  # India
    _form(r"[A-Z]{3}[ABCFGHLJPTK][A-Z]\d{4}[A-Z]"),  # India
    _form(r"\d{3}[ \-]?\d{3}[ \-]?\d{3}", luhn_holds, named=True),  # Canada
)
_ANY_FORM = lazy_pattern(rf"{_FRONT}(?=[A-Z0-9]{{2}})(?:{'|'.join(form.source for form in _FORMS)}){_BACK}")
_NAMES = f"{words.ID_CUES} sin"
_SEPARATORS = str.maketrans("", "", " -()")


def find_national_ids(view: PlainView) -> Iterator[Found]:
    """Numbers in one of the forms, whose check holds."""
    for match in _ANY_FORM.finditer(view.numbers):
        if not _is_id(match.group(), named=True):
            continue
        cue = nearest_cue(view.text, match.start(), id=_NAMES, other=words.OTHER_NUMBER_CUES)
        if cue != "other" and _is_id(match.group(), named=cue == "id"):
            yield Found(RedactionKind.ID_CARD, match.start(), match.end())


def _is_id(number: str, *, named: bool) -> bool:
    forms = (form for form in _FORMS if named or not form.named)
    bare = number.translate(_SEPARATORS)
    return any(form.pattern.fullmatch(number) and form.holds(bare) for form in forms)
