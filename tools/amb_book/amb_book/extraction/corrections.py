"""What an author takes back in a later turn: "No, make her thirty-two" puts a value in the place of the one before."""

from __future__ import annotations

import re
from collections.abc import Sequence

from amb_book.extraction.ages import number_of
from amb_book.extraction.claims import Claim
from amb_book.extraction.marking import Marked, actors_in
from amb_book.extraction.passages import Passage
from amb_book.extraction.rules import TRADES

__all__ = ["correction"]

_CORRECTS = re.compile(
    r"^\W*(?:no|actually|wait|sorry|rather|correction|hm+|on second thoughts?)\b[\s,.:;!–—-]*(?:(?:please|let['’]?s|"
    r"let us|"
    r"I['’]d rather|rather) )?(?:make|let) (?P<who>her|him|it|that|<c\d+>)(?: be)? (?:an? )?"
    r"(?P<value>\d{1,3}|[a-z]+(?:[ -][a-z]+)?)(?: years old)?(?: instead)?\W*$",
    re.IGNORECASE,
)
_TRADE = re.compile(TRADES)


def correction(passage: Passage, marked: Marked, claims: Sequence[Claim]) -> Claim | None:
    """The claim that replaces the last one of an age or a trade, when a sentence corrects it; else None."""
    found = _CORRECTS.match(marked.text)
    if found is None:
        return None
    value = found["value"].casefold()
    attribute = "age" if number_of(value) is not None else ("trade" if _TRADE.fullmatch(value) else "")
    named = actors_in(found["who"], marked.actors)
    before = [each.subject for each in claims if each.relation == "HAS" and each.attribute == attribute]
    subject = named[0] if named else (before[-1] if before else None)
    if not attribute or subject is None:
        return None
    return Claim("HAS", subject, passage.text, 0.85, value=value, attribute=attribute)
