"""What is made of digits and is nobody's number: covered before anything looks for phones and cards."""

from __future__ import annotations

import re

from amb_core.text.lazy_patterns import lazy_pattern

__all__ = ["without_look_alikes"]

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
