"""Numbers as texts write them, in digits or words, English or Chinese."""

import re
from decimal import Decimal
from fractions import Fraction

from amb_core.text.chinese_numerals import HAN_SCALES, chinese_numerals
from amb_core.text.number_keys import Numeral, canonical
from amb_core.text.number_words import SCALES, english_numerals

__all__ = ["numerals"]

_DIGITS = re.compile(
    r"(?P<digits>\d(?:(?:\d{0,2}(?:[,，\u00a0\u202f\u2009]\d{3})+(?!\d)(?:\.\d+)?)|\d*(?:\.\d+)*))"
    r"(?:/(?P<over>\d{1,4})(?![\d/]))?"
    r"(?P<ordinal>(?:st|nd|rd|th)\b)?"
    r"(?:(?P<attached>[kK]|bn|mn)(?![\w])|[ \u00a0-](?P<scale>hundred|dozen|thousand|million|billion|trillion|bn|mn)\b"
    r"|[多余几]?(?P<han>[十百千万亿]{1,3})(?![一二三四五六七八九]))?"
)
_GROUPING = re.compile(r"[,，\u00a0\u202f\u2009]")
_SIGN = re.compile(r"(?:(?<![\w.\d)\]-])[-−–]|零下|minus |负)$")


def _from_digits(text: str, match: re.Match[str]) -> Numeral | None:
    digits = match["digits"]
    if not digits.isdecimal():
        digits = _GROUPING.sub("", digits)
    before = text[max(0, match.start() - 6) : match.start()]
    sign = _SIGN.search(before) if before[-1:] in ("-", "−", "–", "下", " ", "负") else None
    if digits.count(".") > 1 or len(digits) > 60:
        return Numeral(digits[:200], match.start("digits"), match.end("digits"))
    if match["ordinal"]:
        return (
            Numeral(f"{int(digits)}th", match.start("digits"), match.end("ordinal"))
            if digits.isascii() and "." not in digits
            else None
        )
    start = match.start() - (1 if sign and len(sign.group()) == 1 and sign.group() != "负" else 0)
    minus = "-" if sign else ""
    if match.end() == match.end("digits") and digits.isascii() and digits.isdecimal():  # as most are
        return Numeral(minus + (digits.lstrip("0") or "0"), start, match.end())
    value = Decimal(digits)
    if match["over"] and int(match["over"]) and "." not in digits:
        return Numeral(canonical(Fraction(int(digits), int(match["over"]))), match.start(), match.end("over"))
    scale = match["attached"] or match["scale"]
    if scale:
        value *= SCALES[scale.lower()]
    for char in match["han"] or "":
        value *= HAN_SCALES[char]
    end = max(match.end(name) for name in ("digits", "attached", "scale", "han"))
    return Numeral(minus + canonical(value), start, end)


def numerals(text: str) -> list[Numeral]:
    """Every number in text order; where two readings overlap the earlier and longer one holds."""
    found = [numeral for match in _DIGITS.finditer(text) if (numeral := _from_digits(text, match))]
    found.extend(english_numerals(text))
    if not text.isascii():
        found.extend(chinese_numerals(text))
    found.sort(key=lambda numeral: (numeral.start, -numeral.end))
    kept: list[Numeral] = []
    for numeral in found:
        if not kept or numeral.start >= kept[-1].end:
            kept.append(numeral)
    return kept
