"""Where a scene is: whoever speaks or acts where somebody has just come to is there, too."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from amb_book.extraction.claims import Claim
from amb_book.extraction.marking import Actor, Marked, actors_in
from amb_book.extraction.modality import looks_back
from amb_book.extraction.passages import Passage

__all__ = ["Scenes"]

_OPENING = 3
"""In so many first paragraphs a place that is named says where the scene is, though nobody is said to have come."""
_CONFIDENCE = 0.55
_SOON = 10
"""Who acts within so many sentences behind an arrival is surely there."""
_SURE = 0.8
_ARRIVED = re.compile(
    r"\b(?:reach(?:ed|ing)|arriv(?:ed|ing)|enter(?:ed|ing)|came (?:to|into|back)|return(?:ed|ing)|appeared|alighted|"
    r"dismounted|stopped|called|found (?:himself|herself|themselves)|(?:was|were) at)\b"
)
_ACTS = {
    "en": (
        re.compile(
            r"(?:^|[”\"] |, and |, but |; |\b(?:But|Then|And|Only|Even|So|and|but) "
            r")(?P<s><c\d+>)(?!['’])(?:,[^,.]{1,40},)? (?:(?:\w+ly|then|also|only|still|just) )?"
            r"(?!had\b|would\b|could\b|might\b|died\b|lived\b|named\b|called\b|is\b|was\b|"
            r"were\b)(?:[a-z]{2,}ed|said|told|stood|sat|took|gave|went|came|ran|rose|knelt|drew|bent|"
            r"made|held|put|read|laid|led|shook|swept|"
            r"looked|spoke|sang|saw|heard|found|kept|got|began|laughed|leaned|leant|turned|wept|struck|threw|"
            r"thought|felt|knew|let|set|smiled)\b"
        ),
        re.compile(
            r"[”\"] (?:said|asked|answered|replied|whispered|shouted|cried|muttered|murmured|growled|added|"
            r"called|told|began|snapped|says|asks) (?:Captain |Master |General |Brother |Sister |Lord |"
            r"Lady |old |the )?(?P<s><c\d+>)(?!['’])"
        ),
    ),
    "zh": (
        re.compile(
            r"(?:^|[，。；：”」] ?|只见|忽见)(?P<s><c\d+>)(?!的|、|和|与|是|本是|原是|已死|死|被|也死|今年|"
            r"生前|当年|曾)[^，。；：“”<>]{1,16}(?=[，。；：“”！？]|$)"
        ),
        re.compile(r"[”」](?P<s><c\d+>)(?!的|、)"),
    ),
}
_WHERE = {
    "en": re.compile(
        r"\b(?:[Aa]t|[Ii]n|[Ii]nside|[Aa]board|[Oo]n|[Uu]nder|lies|through|of) (?:the [a-z]+ of "
        r")?(?P<l><l\d+>)(?!['’]| (?:Road|road))"
    ),
    "zh": re.compile(r"(?:^|[，。；在到])(?P<l><l\d+>)(?!人|军|的人)"),
}


class Scenes:
    """Follows a text sentence by sentence."""

    def __init__(self) -> None:
        self._place: Actor | None = None
        self._movers: set[Actor] = set()
        self._sure = False
        self._soon = 0
        self._waiting: list[Claim] = []

    def after(self, passage: Passage, marked: Marked, claims: Sequence[Claim]) -> Iterator[Claim]:
        """Who else is where the scene is, after a sentence that says certain things itself.

        Where somebody came to is where the scene is once they speak or act there.
        """
        moved = [each for each in claims if each.relation == "IS_AT" and not each.ends and each.object is not None]
        if moved:
            if moved[-1].object != self._place:
                self._sure, self._waiting = False, []
            self._place, self._movers = moved[-1].object, {each.subject for each in moved}
            self._soon = _SOON if passage.language == "en" and _ARRIVED.search(passage.told) else 0
        elif self._place is None and passage.paragraph < _OPENING:
            self._place = self._opening(passage, marked)
        if self._place is None or looks_back(passage):
            return
        self._soon = max(self._soon - 1, 0)
        placed = {each.subject for each in moved} | {each.subject for each in claims if each.relation == "STATUS"}
        self._waiting += self._acting(passage, marked, placed)
        acting = {each.subject for each in self._waiting}
        self._sure = self._sure or not self._movers or bool(acting & self._movers)
        if self._sure:
            yield from self._waiting
            self._waiting = []

    def _acting(self, passage: Passage, marked: Marked, placed: set[Actor]) -> Iterator[Claim]:
        for pattern in _ACTS[passage.language]:
            for found in pattern.finditer(marked.text):
                for actor in actors_in(found["s"], marked.actors):
                    if actor not in placed:
                        placed.add(actor)
                        yield Claim("IS_AT", actor, passage.text, _SURE if self._soon else _CONFIDENCE, self._place)

    def _opening(self, passage: Passage, marked: Marked) -> Actor | None:
        named = [found["l"] for found in _WHERE[passage.language].finditer(marked.text)]
        return actors_in(named[0], marked.actors)[0] if named else None
