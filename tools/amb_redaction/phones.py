"""Phone numbers: mobiles and land lines of China, North America, Britain and Europe, and any with a country code."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator

from amb_core.text.lazy_patterns import lazy_pattern
from amb_redaction import cue_words as words
from amb_redaction.cues import TableHeads, follows_cue, is_amount, is_label_behind, nearest_cue
from amb_redaction.kinds import Found, RedactionKind
from amb_redaction.plain_view import PlainView

__all__ = ["find_phones"]

_S = r"[ .\-·]{1,3}"  # what stands between groups
_EXTENSION = r"(?:\s?(?:x|ext\.?|extension|分机|转)\s?\d{1,6})?"
_NOT_WITHIN = r"(?<!\d)(?<!\d[.:])(?<!#)"  # nor the seconds of a time with its year and zone, nor the number of a bug
_NOT_BEFORE = r"(?!\.?\d)"

_COUNTRY = (
    r"(?:1|7|2(?:0|7|[1-689]\d)|3(?:[0-469]|[578]\d)|4(?:[013-9]|2\d)|5(?:[1-8]|[09]\d)|6(?:[0-6]|[789]\d)"
    r"|8(?:[1246]|[058]\d)|9(?:[0-58]|[679]\d))"
)
_WITH_COUNTRY = lazy_pattern(
    rf"(?<![\d+])\(?(?:\+\s?|00(?=[1-9]))(?P<country>{_COUNTRY})\)?[ .\-/]{{0,2}}"
    rf"(?:\((?P<area>0?\d{{0,4}})\)[ .\-/]{{0,2}})?"
    rf"(?P<rest>\d(?:[ .\-/]?[ .\-()]?\d){{5,13}}){_EXTENSION}(?!\d)",
    re.IGNORECASE,
)
_MOBILE = lazy_pattern(
    rf"{_NOT_WITHIN}(?:\(?(?:0086|86)\)?[ \-]?)?"
    rf"(?:1[3-9]\d{{9}}|1[3-9]\d{_S}\d{{4}}{_S}\d{{4}}|1[3-9]\d\d{_S}\d{{4}}{_S}\d{{3}}|1[3-9]\d{_S}\d{{3}}{_S}\d{{5}}"
    rf"|1[3-9]\d{_S}\d{{8}}|1[3-9]\d{{3}}{_S}\d{{6}}|1[3-9]\d{{5}}{_S}\d{{4}}"
    rf"|07[1-9]\d{{8}}|(?<!\d[ -])1(?:[ \-][3-9])(?:[ \-]\d){{9}}(?![ -]\d))"
    rf"{_NOT_BEFORE}{_EXTENSION}"
)
_CHINESE_LAND_LINE = lazy_pattern(
    rf"{_NOT_WITHIN}(?:86[ \-])?(?:\(0(?:10|2\d|[3-9]\d\d)\)[ \-]?|0(?:10|2\d|[3-9]\d\d)[ \-])"
    rf"[2-8]\d{{2,3}}[ \-]?\d{{4}}"
    rf"{_NOT_BEFORE}(?:-\d{{1,6}}(?!\d)|{_EXTENSION})"
)
_NORTH_AMERICAN = lazy_pattern(
    rf"{_NOT_WITHIN}(?<!\d[ \-])(?:(?:001|1)[ .\-])?(?:\([2-9]\d\d\)[ .\-]?"
    rf"|[2-9]\d\d(?P<between>[ .\-]))\d{{3}}[ .\-]\d{{4}}"
    rf"{_NOT_BEFORE}(?![ \-]\d){_EXTENSION}",
    re.IGNORECASE,
)
_TRUNK = lazy_pattern(
    rf"{_NOT_WITHIN}(?<!\d[ \-])(?:\(0[1-9]\d{{0,3}}\)|0[1-9]\d{{0,2}}(?P<area>\d)?)"
    rf"[ .\-/]{{0,3}}(?:\d{{2,8}}[ .\-]{{1,2}}){{0,4}}\d{{2,8}}"
    rf"{_NOT_BEFORE}(?![ \-]\d){_EXTENSION}",
    re.IGNORECASE,
)
_GROUPED = lazy_pattern(
    rf"{_NOT_WITHIN}\(?\d{{1,5}}\)?(?:[ .\-/]{{1,2}}\(?\d{{1,8}}\)?){{0,5}}{_NOT_BEFORE}{_EXTENSION}"
    rf"|{_NOT_WITHIN}\d{{7,13}}{_NOT_BEFORE}",
    re.IGNORECASE,
)
_IN_WORDS = lazy_pattern(
    r"(?<![〇零一二三四五六七八九幺])[一幺][三四五六七八九][〇零一二三四五六七八九幺]{9}(?![〇零一二三四五六七八九幺十百千万])"
)
_PATH = re.compile(r"(?:://|[A-Za-z_~.]/|(?<![^\s\"'])/)[^\s\"'<>()（），。、；\u4e00-\u9fff]{0,150}+\Z")
_GLUED = re.compile(r"[A-Za-z][A-Za-z_]*\Z")
_PEOPLE = f"{words.PHONE_CUES} {words.PERSON_CUES}"
_FEWEST, _MOST = 7, 13


def find_phones(view: PlainView) -> Iterator[Found]:
    """Phone numbers; those in a form that other numbers have, too, only beside a word that says what they are."""
    if view.has_numbers:
        context = _Context(view)
        found = [*context.distinctive(), *context.likely()]
        yield from found
        yield from context.named({thing.start for thing in found})
    for match in _IN_WORDS.finditer(view.text):
        yield Found(RedactionKind.PHONE, match.start(), match.end())


class _Context:
    """The numbers of one text with the words around them."""

    def __init__(self, view: PlainView) -> None:
        self._text = view.text
        self._numbers = view.numbers
        self._tables = TableHeads(view.text)

    def distinctive(self) -> Iterator[Found]:
        """Those with a country code."""
        if "+" not in self._numbers and "00" not in self._numbers:
            return
        for match in _WITH_COUNTRY.finditer(self._numbers):
            digits = len(_digits((match["area"] or "").lstrip("0") + match["rest"]))
            fits = digits == 10 if match["country"] == "1" else len(match["country"]) + digits in range(9, 16)
            if fits and not is_amount(self._text, match.end()) and not self._is_glued(match.start()):
                yield _phone(match)

    def likely(self) -> Iterator[Found]:
        """Those in the usual form of a country, unless the words around speak of another number."""
        for match in _MOBILE.finditer(self._numbers):
            if self._may_be_phone(match):
                yield _phone(match)
        for sign, pattern in (("0", _CHINESE_LAND_LINE), ("", _NORTH_AMERICAN)):
            if sign not in self._numbers:
                continue
            for match in pattern.finditer(self._numbers):
                if self._may_be_phone(match):
                    yield _phone(match)
        if "0" not in self._numbers:
            return
        for match in _TRUNK.finditer(self._numbers):
            digits = len(_digits(_without_extension(match.group())))
            if (10 if match["area"] else 9) <= digits <= 11 and _is_parted(match.group()) and self._may_be_phone(match):
                yield _phone(match)

    def named(self, known: Container[int]) -> Iterator[Found]:
        """Those of any form that a word names and that do not begin at a known place.

        `Phone: 60-56-85-91`, `电话 88886666`, `416 60 039 office`.
        """
        for match in _GROUPED.finditer(self._numbers):
            if match.start() in known or len(match.group()) < _FEWEST:
                continue
            digits = len(_digits(_without_extension(match.group())))
            if not _FEWEST <= digits <= _MOST or is_amount(self._text, match.end()):
                continue
            if self._is_named(match):
                yield _phone(match)

    def _may_be_phone(self, match: re.Match[str]) -> bool:
        start = match.start()
        if self._is_glued(start):
            return False
        if self._is_in_path(start):
            return follows_cue(self._text, start, words.PHONE_CUES)
        cue = nearest_cue(self._text, start, phone=_PEOPLE, other=words.OTHER_NUMBER_CUES)
        if not cue:
            cue = self._column(start)
        return cue == "phone" or (cue != "other" and not is_amount(self._text, match.end()))

    def _is_named(self, match: re.Match[str]) -> bool:
        cue = nearest_cue(self._text, match.start(), phone=words.PHONE_CUES, other=words.OTHER_NUMBER_CUES)
        if cue == "phone" or self._column(match.start()) == "phone":
            return True
        joined = self._text[match.end() : match.end() + 1] in ("-", "(")
        return is_label_behind(self._text, match.end()) and (joined or _is_parted(match.group()))

    def _column(self, start: int) -> str:
        head = self._tables.head(start)
        return nearest_cue(head, len(head), phone=words.PHONE_CUES, other=words.OTHER_NUMBER_CUES) if head else ""

    def _is_in_path(self, start: int) -> bool:
        """Whether a position is within a URL or the path of a file: `…/2016/08/20160820_150554.jpg`."""
        floor = max(0, start - 200)
        return self._text.rfind("/", floor, start) >= 0 and _PATH.search(self._text, floor, start) is not None

    def _is_glued(self, start: int) -> bool:
        """Whether letters stand right before that are no word for a phone: `a13800138000f`."""
        glued = _GLUED.search(self._text[max(0, start - 24) : start])
        if glued is None or glued.group().endswith("_"):
            return False
        return not nearest_cue(glued.group(), len(glued.group()), phone=f"{words.PHONE_CUES} m t p id qq wx tg vx")


def _phone(match: re.Match[str]) -> Found:
    return Found(RedactionKind.PHONE, match.start(), match.end())


def _digits(text: str) -> str:
    return "".join(character for character in text if character.isdigit())


def _without_extension(text: str) -> str:
    return re.split(r"\s?(?:[xX]|ext|分机|转)", text, maxsplit=1)[0]


def _is_parted(text: str) -> bool:
    return any(not character.isdigit() for character in text.strip("()"))
