"""Sentences of a draft with those they name as signs: names, and pronouns that can mean only one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from amb_book.checking.draft import QUOTED
from amb_book.checking.scene import Scene
from amb_book.checking.speakers import addressee, speaker, spoken_of
from amb_book.entities import Entity

__all__ = ["Marked", "marked"]

_LETTERS = {"character": "c", "faction": "g", "location": "g", "item": "g", "thing": "g"}
_ENGLISH = re.compile(
    r"\b(?P<own>[Hh]is|[Hh]er)(?= \w)|\b(?P<mine>[Mm]y)(?= \w)|\b(?P<me>I)(?=[ ’'])|"
    r"\b(?P<yours>[Yy]our)(?= \w)|\b(?P<you>[Yy]ou)(?=['’]re | are | were )|"
    r"(?:^|(?<=[.;:,“\"] )|(?<=\band )|(?<=\bbut )|(?<=\bthat ))(?P<he>[Hh]e|[Ss]he)(?= )"
)
_CHINESE = re.compile(
    r"(?P<own>自己的?|(?<![给对向替为和跟其])[他她]的)|(?P<mine>我的)|(?P<me>我)(?![们方军])|(?P<yours>你的)|"
    r"(?P<you>你)(?!们)|"
    r"(?<![给对向替为和跟其])(?P<he>[他她])(?!们)"
)
_QUOTE_MARKS = '“”"「」'


@dataclass(frozen=True, slots=True)
class Marked:
    """A sentence with signs <c0>, <g1>, … for people and for groups, places and things; `spoken` says whether what
    stands at a place of the text is said by somebody.
    """

    text: str
    entities: tuple[Entity, ...]
    _spoken: tuple[tuple[int, int], ...]

    def spoken(self, place: int) -> bool:
        """Whether a place of the marked text stands between quotation marks."""
        return any(start <= place < end for start, end in self._spoken)


def marked(scene: Scene, number: int) -> Marked:
    """A sentence with signs for all whom it means without doubt; others stay as they are written."""
    sentence = scene.draft.sentences[number]
    entities: list[Entity] = []
    pieces: list[str] = []
    spoken: list[tuple[int, int]] = []
    last = length = 0
    for start, end, entity, tail in sorted(_signs(scene, number), key=lambda each: (each[0], -each[1])):
        if start < last:
            continue
        sign = f"<{_LETTERS[entity.kind]}{len(entities)}>{tail}"
        spoken += _quoted(sentence.told, last, start, length - last)
        length += start - last + len(sign)
        pieces += [sentence.text[last:start], sign]
        if _is_spoken(scene, number, start):
            spoken.append((length - len(sign), length))
        entities.append(entity)
        last = end
    spoken += _quoted(sentence.told, last, len(sentence.told), length - last)
    text = "".join([*pieces, sentence.text[last:]])
    return Marked(text, tuple(entities), tuple(spoken))


def _quoted(told: str, start: int, end: int, shift: int) -> Iterator[tuple[int, int]]:
    """The stretches of a piece of narration that are said, moved to where they stand in the marked text."""
    for found in re.finditer(f"{QUOTED}+", told[start:end]):
        yield start + found.start() + shift, start + found.end() + shift


def _signs(scene: Scene, number: int) -> Iterator[tuple[int, int, Entity, str]]:
    """The places of a sentence that mean somebody or something, whom, and what follows the sign."""
    sentence = scene.draft.sentences[number]
    for each in scene.names[number]:
        meant = [entity for entity in each.entities if entity.kind == "character"] or list(each.entities)
        if len(meant) == 1 and meant[0].kind in _LETTERS and each.text not in scene.renamed:
            yield each.start - sentence.start, each.end - sentence.start, meant[0], ""
    chinese = sentence.language == "zh"
    for found in (_CHINESE if chinese else _ENGLISH).finditer(sentence.text):
        entity = _meant(scene, number, found)
        if entity is None:
            continue
        owned = found.lastgroup in ("own", "mine", "yours")
        yield found.start(), found.end(), entity, ("的" if chinese else "'s") if owned else ""


def _meant(scene: Scene, number: int, found: re.Match[str]) -> Entity | None:
    spoken = _is_spoken(scene, number, found.start())
    if found.lastgroup in ("yours", "you"):
        return addressee(scene, number) if spoken else None
    if found.lastgroup in ("mine", "me"):
        return speaker(scene, number) if spoken else _says(scene, number, found.start())
    if spoken:
        return spoken_of(scene, number, found.start())
    if found.lastgroup == "own":
        if _OF_WHOM.search(scene.draft.sentences[number].text[: found.start()]):
            return _other(scene, number, found.start())
        return scene.possessor(number, found.start())
    return scene.actor(number, found.end())


_SAYS_ZH = re.compile(r"^[^，。！？；“”]{0,8}(?:说|道|答|问|笑道|喊|嚷|叹道)[，：]")


def _says(scene: Scene, number: int, place: int) -> Entity | None:
    """Who says what stands without quotation marks, as in Chinese prose: 书田说，这是我爹。"""
    sentence = scene.draft.sentences[number]
    start = sentence.start + place
    people = [each for each in scene.told(number, "character") if each.end <= start]
    saying = [each for each in people if _SAYS_ZH.search(sentence.told[each.end - sentence.start :])]
    return saying[-1].sole if saying else None


_OF_WHOM = re.compile(r"(?:,|\b(?:was|is|were|being|became|been|as))\s+(?:the |now )?$|(?:是|乃|作为|身为)$")


def _other(scene: Scene, number: int, place: int) -> Entity | None:
    """Whom his means in "X, being his aunt", "X was his aunt": the one other person told of last."""
    start = scene.draft.sentences[number].start + place
    here = [each.sole for each in scene.told(number, "character") if each.end <= start]
    if not here:
        return scene.possessor(number, place)
    for other in range(number, max(-1, number - 3), -1):
        named = {
            each.sole.id: each.sole
            for each in scene.told(other, "character")
            if each.end <= start and each.sole is not None and each.sole not in here[-1:]
        }
        if named:
            return next(iter(named.values())) if len(named) == 1 else None
    return None


def _is_spoken(scene: Scene, number: int, place: int) -> bool:
    told = scene.draft.sentences[number].told
    return (place < len(told) and told[place] == "\x01") or told[max(0, place - 1) : place + 1] == "\x01\x01"
