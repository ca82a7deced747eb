"""Simpler ways to read an observation, beside which a curator is measured."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping

from amb_core.text import name_key
from amb_core.text.proper_names import core_names
from amb_team.actions import argument_of
from amb_team.curator import CuratedObservation, Curator, CuratorRequest

__all__ = ["BASELINES", "FirstName", "FrequentName", "VerbPatterns"]

_PHRASE = r"([A-Z][a-zA-Z\s]{0,80}?)"
_VERB_PATTERNS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"{_PHRASE} (?:is|was) (?:a|an|the) ([^.,]{{1,200}})[.,]",
        rf"{_PHRASE} (?:directed|wrote|created|produced|founded) ([^.,]{{1,200}})[.,]",
        rf"([^.,]{{1,200}}?) (?:was|were) (?:directed|written|created|produced) by {_PHRASE}[.,]",
        r"([A-Z][a-zA-Z\s]{0,80}?) married ([A-Z][a-zA-Z\s]{0,80})",
        r"(?:spouse|wife|husband) (?:of|is) ([A-Z][a-zA-Z\s]{0,80})",
    )
)
"""Sentences of the forms X is a Y, X directed Y, Y was directed by X, X married Y, and the spouse of X."""


class VerbPatterns:
    """A few verbs and no notion of names: the first thing found for a director, the last one for a spouse."""

    def curate(self, request: CuratorRequest) -> CuratedObservation:
        """The thing as bridge and as answer."""
        query = argument_of(request.action).casefold()
        found = [
            part.strip()
            for pattern in _VERB_PATTERNS
            for match in pattern.finditer(request.observation)
            for part in match.groups()
            if part.strip()
        ]
        last = "director" not in query and ("spouse" in query or "married" in query)
        return _said((found[-1] if last else found[0]) if found else None)


class FirstName:
    """The first name of the observation that neither the question nor the action has."""

    def curate(self, request: CuratorRequest) -> CuratedObservation:
        """The name as bridge and as answer."""
        return _said(next(iter(_new_names(request)), None))


class FrequentName:
    """The name that the observation has most often and the question and the action have not."""

    def curate(self, request: CuratorRequest) -> CuratedObservation:
        """The name as bridge and as answer."""
        names = _new_names(request)
        counted = Counter(map(name_key, names))
        return _said(max(names, key=lambda name: counted[name_key(name)]) if names else None)


BASELINES: Mapping[str, Callable[[], Curator]] = {
    "a few verb patterns": VerbPatterns,
    "first new name": FirstName,
    "most frequent new name": FrequentName,
}
"""The baselines by the names they have in tables."""


def _new_names(request: CuratorRequest) -> list[str]:
    known = f" {name_key(argument_of(request.action))} {' '.join(name_key(word) for word in request.task.split())} "
    found = [entity.name for entity in core_names(request.observation)]
    return [name for name in found if name_key(name) and name_key(name) not in known]


def _said(name: str | None) -> CuratedObservation:
    return CuratedObservation(answer=name, bridge_entity=name, entities=(name,) if name else ())
