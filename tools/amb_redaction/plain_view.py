"""A text as the patterns look at it: plain digits and punctuation, nothing invisible, marks that cannot be matched."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from functools import cached_property

from amb_core.text.lazy_patterns import lazy_pattern
from amb_redaction.kinds import RedactionKind

__all__ = ["PlainView"]


# --- what is made of digits and is nobody's number -------------------------------------------------------------------

_COVER = "\ue001"
_LOOK_ALIKES = lazy_pattern(
    r"""(?=[0-9A-F]{2}|\d[-/.,]|[$€£¥₩₹+-]|IS)(?:
      \d{35,}                                                             # nothing that is looked for is so long
    | (?<![0-9A-Fa-f])[0-9A-Fa-f]{8}-(?:[0-9A-Fa-f]{4}-){3}[0-9A-Fa-f]{12}(?![0-9A-Fa-f])
    | (?<![\d.-])(?:19|20)\d\d([-/.])(?:0?[1-9]|1[0-2])\1(?:3[01]|[12]\d|0?[1-9])
        (?:[T ]{1,2}\d\d?:\d\d(?::\d\d)?)?(?![\d-])
    | (?<![\d.-])(?:3[01]|[12]\d|0?[1-9])([-/.])(?:3[01]|[12]\d|0?[1-9])\2(?:19|20)\d\d
        (?:[T ]{1,2}\d\d?:\d\d(?::\d\d)?)?(?![\d-])
    | (?<!\d)(?:19|20)\d\d(?:年|[ ]?-[ ]?(?:19|20)\d\d(?![\d-]))
    | (?<![A-Za-z])ISBN(?:-1[03])?[: ]{0,3}[\dX][\dX -]{8,16}
    | [$€£¥₩₹][ ]?\d[\d,. ]*
    | (?<![\d,])\d{1,3}(?:,\d{3})+(?![\d])(?:\.\d+)?
    | (?<![\d.])[+-]?\d{1,3}\.\d{3,}(?![\d.-])                                # coordinates, shares
    )""",
    re.VERBOSE | re.IGNORECASE,
)


def without_look_alikes(text: str) -> str:
    """The text, of the same length, with dates, UUIDs, book numbers, amounts of money and endless digits covered."""
    return _LOOK_ALIKES.sub(lambda match: _COVER * len(match.group()), text)


_INVISIBLE = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f"
    "\u202a-\u202e\u2060-\u206f\u20e3\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff]+"
)
_MARK = re.compile(r"\[(?:" + "|".join(re.escape(kind.value) for kind in RedactionKind) + r")\]")
_SIX_DIGITS = re.compile(r"\d\D{0,3}\d\D{0,3}\d\D{0,3}\d\D{0,3}\d\D{0,3}\d")
_COVERED = "\ue000"
_DASHES = "‐‑‒–—―−﹘⁃➖ー"


class _PlainForms(dict[int, int]):
    """The plain form of each character, worked out when it is first met."""

    def __missing__(self, code: int) -> int:
        plain = self[code] = _plain(chr(code))
        return plain


def _plain(character: str) -> int:
    digit = unicodedata.decimal(character, None)
    if digit is not None:
        return ord("0") + digit
    if character in _DASHES:
        return ord("-")
    if character == "，":  # it parts numbers, as a plain comma need not
        return ord(character)
    if unicodedata.category(character) == "Zs":
        return ord(" ")
    folded = unicodedata.normalize("NFKC", character)
    return ord(folded) if len(folded) == 1 and folded.isascii() else ord(character)


_PLAIN = _PlainForms()


class PlainView:
    """What the patterns look at; `origin` tells where a piece of it stands in the text itself.

    Full-width and other digits and punctuation are ASCII, blanks and dashes of any width are the plain ones, invisible
    characters are left out, and the marks of an earlier redaction are covered, so that they are neither found nor cues.
    """

    def __init__(self, text: str) -> None:
        self._places: list[int] = []  # where in the view something was left out, and how much up to there
        self._shifts: list[int] = []
        seen = self._without_invisible(text) if _INVISIBLE.search(text) else text
        if not seen.isascii():
            seen = seen.translate(_PLAIN)
        self.text = _MARK.sub(lambda mark: _COVERED * len(mark.group()), seen) if "[" in seen else seen

    def _without_invisible(self, text: str) -> str:
        left_out = 0
        for match in _INVISIBLE.finditer(text):
            self._places.append(match.start() - left_out)
            left_out += match.end() - match.start()
            self._shifts.append(left_out)
        return _INVISIBLE.sub("", text)

    @cached_property
    def numbers(self) -> str:
        """Covers what is made of digits but never personal: dates, UUIDs, amounts."""
        return without_look_alikes(self.text)

    @cached_property
    def has_numbers(self) -> bool:
        """Whether there is anything that a number of six or more digits could be."""
        return _SIX_DIGITS.search(self.numbers) is not None

    def origin(self, start: int, end: int) -> tuple[int, int]:
        """Where in the text `view.text[start:end]` stands."""
        return start + self._shift(start), end - 1 + self._shift(end - 1) + 1

    def _shift(self, position: int) -> int:
        place = bisect_right(self._places, position)
        return self._shifts[place - 1] if place else 0
