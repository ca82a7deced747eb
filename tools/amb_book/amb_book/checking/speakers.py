"""Who says what stands between quotation marks."""

from __future__ import annotations

import re

from amb_book.checking.english_words import SPEECH
from amb_book.checking.scene import Scene
from amb_book.entities import Entity

__all__ = ["speaker"]

_PRONOUN_SAYS = {
    "en": re.compile(
        rf"[”\"’]\s*(?:(?P<after>he|she)\s+(?:\w+ly\s+)?(?:{SPEECH})|(?:{SPEECH})\s+(?P<last>he|she))\b|"
        rf"\b(?P<before>[Hh]e|[Ss]he)\s+(?:\w+ly\s+)?(?:{SPEECH})\b[^.“\"]{{0,40}}[,:]\s*[“\"]"
    ),
    "zh": re.compile(
        r"(?P<before>[他她])[^，。！？；“”]{0,10}(?:说|道|问|答|喊|叫|笑|叹)(?:道)?[：:，]\s*[“「]|"
        r"[”」](?P<after>[他她])[^，。！？；“”]{0,10}(?:说|道|问|答|喊|叫|笑|叹)"
    ),
}
_GOES_ON = re.compile(r"^[“\"「]")


def speaker(scene: Scene, number: int) -> Entity | None:
    """Who speaks in a sentence; None when nobody does, or it is not beyond doubt."""
    found = {each.sole.id: each.sole for each, speaks in scene.doers(number) if speaks and each.sole is not None}
    if found:
        return next(iter(found.values())) if len(found) == 1 else None
    sentence = scene.draft.sentences[number]
    pronoun = _PRONOUN_SAYS[sentence.language].search(sentence.told)
    if pronoun is not None:
        end = next(pronoun.end(name) for name, said in pronoun.groupdict().items() if said)
        return scene.actor(number, end)
    before = scene.draft.sentences[number - 1] if number else None
    if before is None or before.paragraph != sentence.paragraph or not _GOES_ON.search(sentence.text):
        return None
    # "A," said X. "B." is one speech; a sentence between the two that does not end in an attribution is not.
    attributed = re.search(r"[”\"」][^”\"」]{1,60}$", before.told.rstrip())
    return speaker(scene, number - 1) if attributed and re.match(r"[“\"「]", before.text) else None
