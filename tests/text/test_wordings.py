"""A wording is found where a pattern made of it would find it."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from amb_core.text.wordings import find_wording

__all__: list[str] = []

_TEXTS = st.text("ab1., \n长", max_size=30)
_BEFORE, _AFTER = r"(?<![a-z0-9])(?<!\d[.,])", r"(?![a-z0-9]|[.,]\d)"


@given(_TEXTS, _TEXTS.filter(lambda wording: bool(wording.strip())))
def test_a_wording_is_found_where_its_pattern_is(text: str, wording: str) -> None:
    parts = wording.split()
    pattern = _BEFORE + r"\s+".join(map(re.escape, parts)) + _AFTER
    found = find_wording(text, parts, before=re.compile(_BEFORE), after=re.compile(_AFTER))
    assert list(found) == [match.span() for match in re.finditer(pattern, text)]
