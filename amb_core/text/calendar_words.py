"""Months, weekdays and marks of time, as data: capitalised, but no names."""

import re

from amb_core.text.stopwords import word_set

__all__ = ["is_date_like"]

_CALENDAR = word_set(
    "monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september",
    "october november december mon tue tues wed thu thurs fri sat sun jan feb mar apr jun jul aug sep sept oct nov dec am pm",
    "ad bc bce ce utc gmt est pst i ok q1 q2 q3 q4",
)
_BEFORE = word_set("the last next this early late mid every")
_PARTS = re.compile(r"[\s.,:/–-]+")


def is_date_like(name: str) -> bool:
    """True when `name` is made of nothing but months, weekdays, times and numbers."""
    dated = False
    for word in _PARTS.split(name.lower()):
        if word and word not in _BEFORE:
            if word not in _CALENDAR and not word.rstrip("stndrh").isdigit():
                return False
            dated = True
    return dated
