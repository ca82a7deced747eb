"""Values a statement can turn on, and whether two of them can both be meant."""

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

from amb_core.agents.attribute_words import SURNAMES
from amb_core.text import name_key
from amb_core.text.places import REGIONS
from amb_core.text.remembering import text_cache

__all__ = ["Comparison", "Slot", "compare", "differ_plainly", "equal"]

Comparison = Literal["same", "different", "incomparable"]

_REGIONS = frozenset(map(name_key, REGIONS))
_WIDE = re.compile(
    r"^(?:lower|upper|northern|southern|eastern|western|central) \w|"
    r" (?:county|province|state|region|district|valley|islands?|coast|peninsula|territory)$|\w{3}shire$"
)
_HEDGED = 0.1
"""Relative gap up to which "about 3,000" agrees with another figure."""
_CONVERTED = 0.03
"""The same for figures in different units, which are rounded on both sides."""
_ROUNDED = 0.05
"""The same for a rounded figure and a more exact one."""


@dataclass(frozen=True, slots=True)
class Slot:
    """One value at characters `start:end`.

    `low`..`high` is what it may be (base unit of `unit`; days for dates), `step` the precision it was given with,
    `keys` the folded names of a name slot (several for a list), `concept` an attribute the words up to `tail` name.
    `scale` is the factor of the unit as written; `ends` are the two ends of a range. `fixed` marks figures that
    identify rather than measure (version 3, Apollo 11): they belong to the frame.
    """

    kind: Literal["number", "date", "name"]
    surface: str
    start: int
    end: int
    unit: str = ""
    low: float = 0.0
    high: float = 0.0
    step: float = 0.0
    keys: frozenset[str] = frozenset()
    loose: bool = False
    fixed: bool = False
    scale: float = 1.0
    concept: str = ""
    tail: int = 0
    ends: "tuple[Slot, ...]" = ()

    @property
    def bounded(self) -> bool:
        """Whether only one end is known ("more than 300")."""
        return math.isinf(self.low) or math.isinf(self.high)


def compare(a: Slot, b: Slot) -> Comparison:
    """Whether two values agree, cannot both be meant, or cannot be held against each other."""
    if a.kind != b.kind or a.unit != b.unit or a.fixed or b.fixed:
        return "incomparable"
    if a.kind == "name":
        return _compare_names(a.keys, b.keys)
    if (a.low, a.high) == (b.low, b.high):
        return "same"
    if a.kind == "date" and a.ends and b.ends:
        found = {compare(x, y) for x, y in zip(a.ends, b.ends, strict=True)}
        return "different" if "different" in found else "same" if found == {"same"} else "incomparable"
    if a.low <= b.high and b.low <= a.high:
        # one inside the other agrees, two that overlap say little
        return "same" if _contains(a, b) or _contains(b, a) else "incomparable"
    if a.kind == "date":
        return "different"
    return "same" if _rounds_to(a, b) else "different"


def differ_plainly(a: Slot, b: Slot) -> bool:
    """The same for values in the same words: there even "over 5 million" and "over 8 million" differ."""
    if (math.isinf(a.high) and math.isinf(b.high)) or (math.isinf(a.low) and math.isinf(b.low)):
        a, b = _known_end(a), _known_end(b)
    return compare(a, b) == "different"


def equal(a: Slot, b: Slot) -> bool:
    """Whether two values are the same and nothing about them is open."""
    if a.ends and b.ends:
        return all(map(equal, a.ends, b.ends))
    return (a.low, a.high, a.keys) == (b.low, b.high, b.keys) or (
        not a.bounded and not b.bounded and compare(a, b) == "same"
    )


def _known_end(slot: Slot) -> Slot:
    end = slot.low if math.isinf(slot.high) else slot.high
    return replace(slot, low=end, high=end)


def _contains(a: Slot, b: Slot) -> bool:
    return a.low <= b.low and b.high <= a.high


def _rounds_to(a: Slot, b: Slot) -> bool:
    gap = a.low - b.high if a.low > b.high else b.low - a.high
    size = max((abs(end) for end in (a.low, a.high, b.low, b.high) if math.isfinite(end)), default=0.0) or 1.0
    if a.loose or b.loose:
        return gap <= _HEDGED * size
    if a.scale != b.scale:
        return gap <= _CONVERTED * size
    tiny = 1e-9 * size
    if a.step == b.step:
        return gap <= tiny
    return gap <= max(a.step, b.step) / 2 + tiny and gap <= _ROUNDED * size


# --- names -----------------------------------------------------------------------------------------------------------


def _compare_names(a: Iterable[str], b: Iterable[str]) -> Comparison:
    """Lists that share a name agree; names that may be one thing (a part, initials, a wider place) are not compared."""
    pairs = [(left, right) for left in sorted(a) for right in sorted(b)]
    if any(left == right for left, right in pairs):
        return "same"
    return "incomparable" if any(_may_be_one(left, right) for left, right in pairs) else "different"


@text_cache(most=16_384)
def _may_be_one(a: str, b: str) -> bool:
    if a in b or b in a or not set(a.split()).isdisjoint(b.split()):
        return True
    return _initials(a) == b or _initials(b) == a or _rank(a) != _rank(b)


def _initials(key: str) -> str:
    return "".join(word[0] for word in key.split())


def _rank(key: str) -> str:
    """The kind of place a name gives itself out for: a town in a region contradicts no region."""
    if key in _REGIONS or _WIDE.search(key):
        return "region"
    if len(key) == 3 and key[-1] == "国" and key[0] in SURNAMES:
        return ""
    if len(key) == 2 and key[-1] == "州":
        return ""
    return key[-1] if len(key) > 1 and key[-1] in "国省州市区县镇乡村路街道站" else ""
