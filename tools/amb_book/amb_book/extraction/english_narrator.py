"""Who says I in an English book: somebody whom others call by name when they speak to me."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence

__all__ = ["NARRATED_KIN", "narrators"]

NARRATED_KIN = (
    "brother|sister|husband|wife|son|daughter|father|mother|uncle|aunt|cousin|grandfather|grandmother|nephew|niece|"
    "servant|housekeeper|guardian|stepmother|stepfather"
)
_LEAST = 3
"""So often somebody must be spoken to as me to be who tells the book."""
_OFTEN = 2.0
"""And so many times as often as the next."""
_DENSE = 600
"""In a chapter in the first person stands an I at least once in so many characters that nobody says."""
_SPEECH = re.compile(r"“[^”\n]*(?:”|$)|\"[^\"\n]*(?:\"|$)")
_I = re.compile(r"\bI\b(?=[ ,])")
_TO_ME = re.compile(rf"\bme\b|\bmy (?:own |dear |poor |old )?(?:{NARRATED_KIN})\b")
_FROM_ME = re.compile(
    r"\b(?:said|cried|asked|answered|replied|returned|exclaimed|says|quoth|inquired|repeated|thought) I\b|"
    r"\bI (?:\w+ly )?(?:said|cried|asked|answered|replied|exclaimed|told|returned|whispered|shouted|called|inquired)\b"
)
_NAME = r"(?:(?:Mr|Mrs|Miss|Master|Dr|Captain)\.? )?[A-Z][\w’'-]+(?: [A-Z][\w’'-]+)?"
_VOCATIVE = re.compile(
    rf"(?:^[“\"]|[,;!?.] |\b(?:my dear|dear|[Oo]h|[Aa]nd|[Yy]es|[Nn]o|[Ww]ell) )(?P<name>{_NAME})(?=[,.!?;:—”\"])"
)
_NAMES_HIMSELF = re.compile(
    rf"\b(?:[Mm]y (?:own |Christian |first )?name (?:is|was|being)|[Cc]all me) (?P<name>{_NAME})"
)


def narrators(
    texts: Sequence[str], owner: Callable[[str], str], names: Callable[[str], Sequence[str]]
) -> Mapping[int, str]:
    """The texts, from 0, that somebody tells of themselves, with who it is; none where that is not sure.

    `owner` tells whom some words name, "" for nobody; `names` all names of somebody. A text is told by who was spoken
    to by name in it or before, unless it names that person as others are named.
    """
    called: defaultdict[str, list[int]] = defaultdict(list)
    for number, text in enumerate(texts):
        for name in _called(text, owner):
            called[name].append(number)
    most = sorted(called, key=lambda name: (-len(called[name]), name))
    if not most or len(called[most[0]]) < _LEAST:
        return {}
    if len(most) > 1 and len(called[most[0]]) < _OFTEN * len(called[most[1]]):
        return {}
    one = most[0]
    named = re.compile(rf"\b(?:{'|'.join(map(re.escape, names(one)))})\b")
    since = called[one][0]
    return {number: one for number, text in enumerate(texts) if number >= since and _is_mine(text, named)}


def _called(text: str, owner: Callable[[str], str]) -> Iterator[str]:
    """Whom somebody speaks to as me, once for each time."""
    for paragraph in text.split("\n"):
        told = _SPEECH.sub(" ", paragraph)
        for found in _NAMES_HIMSELF.finditer(told):
            yield from [owner(found["name"])] * _LEAST if owner(found["name"]) else []
        if _TO_ME.search(told) and not _FROM_ME.search(told):
            for quote in _SPEECH.finditer(paragraph):
                yield from filter(None, {owner(found["name"]) for found in _VOCATIVE.finditer(quote.group())})


def _is_mine(text: str, named: re.Pattern[str]) -> bool:
    """Whether a text is in the first person, and does not tell of one of these names."""
    told = _NAMES_HIMSELF.sub(" ", _SPEECH.sub(" ", text))
    return len(_I.findall(told)) * _DENSE >= len(told) and not named.search(told)
