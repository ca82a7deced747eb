"""Identity numbers of places that speak Chinese or English, and any value that is named as an identity document."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from amb_core.text.lazy_patterns import lazy_pattern
from amb_redaction import cue_words as words
from amb_redaction.check_digits import chinese_id_holds, luhn_holds, plausible_date, verhoeff_holds, weighed
from amb_redaction.cues import follows_cue, nearest_cue
from amb_redaction.kinds import Found, RedactionKind
from amb_redaction.plain_view import PlainView

__all__ = ["find_id_cards"]


_S = r"[ \-]{0,2}"
_RESIDENT = lazy_pattern(
    r"(?<!\d)(?<!\d\.)(?<![A-Za-z][-_])(?:"
    rf"[1-9]\d\d{_S}\d{{3}}{_S}(?:18|19|20)\d\d{_S}[01]\d{_S}[0-3]\d{_S}\d{{3}}{_S}[\dXx]"
    r"|(?<!\d[ \-])[1-9](?:[ \-]\d){16}[ \-][\dXx](?![ \-]\d))(?![A-Za-z0-9])(?!\.\d)"
)
_OLD_RESIDENT = lazy_pattern(
    r"(?<!\d)(?<!\d\.)[1-9]\d{5}[ \-]?\d\d(?:0[1-9]|1[0-2])(?:[0-2]\d|3[01])[ \-]?\d{3}(?![\dXx])"
)
_SOCIAL_SECURITY = lazy_pattern(
    r"(?<![\dA-Za-z])(?<!\d[.\- ])(?P<area>\d{3})(?P<between>[ \-]?)(?P<group>\d\d)(?P=between)(?P<serial>\d{4})"
    r"(?![\dA-Za-z])(?![\- .]\d)"
)
_US_WORDS = "ssn social security itin tin taxpayer 社会安全 社会保障"
_DOCUMENT_NAMES = "passport licen driver national card tax residence 护照 驾 行证 军官 居住证 证件 身份证".split()
_DOCUMENT = lazy_pattern(
    r"(?:(?i:passport|driv(?:er|ing)(?:'?s|s')?[ _]licen[cs]e|driver[_ ]id|national[ _](?:id|insurance)"
    r"|(?:id|identity)[ _]card|tax(?:payer)?[ _]id|residence[ _]permit"
    r"|护照|驾驶证|驾照|通行证|军官证|居住证|证件|身份证)"
    r"(?:[ _]?(?i:number|num|no\.?|\#|号码|号))?(?:[\"'”]?\s?(?i:is|[:=]|是|为|编号)\s?|\s|)[\"'“]?)"
    r"(?P<value>[A-Z]{0,3}\d[\dA-Z\-]{3,18}|[A-Z]{1,3}[ \-]?\d{5,12})(?![A-Za-z0-9])",
)


def find_id_cards(view: PlainView) -> Iterator[Found]:
    """Identity numbers of several countries; those without check digits only beside a word that names them."""
    if not view.has_numbers:
        return
    for found in (_residents, _old_residents, _social_security, find_national_ids):
        yield from found(view)
    small = view.text.lower()
    if any(name in small for name in _DOCUMENT_NAMES):
        yield from _documents(view)


def _residents(view: PlainView) -> Iterator[Found]:
    for match in _RESIDENT.finditer(view.numbers):
        number = match.group().replace(" ", "").replace("-", "")
        if chinese_id_holds(number) or (
            chinese_id_holds(number, check=False) and follows_cue(view.text, match.start(), words.ID_CUES)
        ):
            yield _id(match)


def _old_residents(view: PlainView) -> Iterator[Found]:
    for match in _OLD_RESIDENT.finditer(view.numbers):
        number = match.group().replace(" ", "").replace("-", "")
        born = plausible_date(1900 + int(number[6:8]), int(number[8:10]), int(number[10:12]))
        if born and nearest_cue(view.text, match.start(), id=words.ID_CUES, other=words.OTHER_NUMBER_CUES) == "id":
            yield _id(match)


def _social_security(view: PlainView) -> Iterator[Found]:
    for match in _SOCIAL_SECURITY.finditer(view.numbers):
        area, group, serial = match["area"], match["group"], match["serial"]
        given_out = area not in ("000", "666") and group != "00" and serial != "0000"
        if not given_out or (area[0] == "9" and int(group) < 50):
            continue
        cue = nearest_cue(view.text, match.start(), id=_US_WORDS, other=words.OTHER_NUMBER_CUES)
        if cue == "id" or (match["between"] == "-" and cue != "other"):
            yield _id(match)


def _documents(view: PlainView) -> Iterator[Found]:
    for match in _DOCUMENT.finditer(view.text):
        value = match["value"]
        if sum(character.isdigit() for character in value) >= 5 and not _is_date(value):
            yield Found(RedactionKind.ID_CARD, match.start("value"), match.end("value"))


def _is_date(value: str) -> bool:
    return re.fullmatch(r"(?:19|20)\d\d-\d\d?(?:-\d\d?)?", value) is not None


def _id(match: re.Match[str]) -> Found:
    return Found(RedactionKind.ID_CARD, match.start(), match.end())


# --- by form and check digit -----------------------------------------------------------------------------------------

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
