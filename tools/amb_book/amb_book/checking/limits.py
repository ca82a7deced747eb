"""Captives, sleepers, the wounded, the mute, the blind and the missing who do what they cannot."""

from __future__ import annotations

import re
from collections.abc import Iterator

from amb_book.checking import limit_words as words
from amb_book.checking.described import actors
from amb_book.checking.findings import Finding
from amb_book.checking.naming import Named
from amb_book.checking.prison import in_prison
from amb_book.checking.scene import Scene
from amb_book.entities import Entity
from amb_book.fact_answers import Fact

__all__ = ["beyond_their_state", "set_free"]

_AFTER_SPEECH = re.compile(r"^[“「][^”」]*[”」]$")
"""A speech, and then whoever spoke it."""
_WHILE = 2
"""For so many chapters a wound is fresh."""


def beyond_their_state(scene: Scene) -> Iterator[Finding]:
    """Somebody does what needs freedom, waking, health, a voice or eyes, and has it not."""
    for number, sentence in enumerate(scene.draft.sentences):
        if scene.frames.unreal(number) or scene.frames.explained(number):
            continue
        for named, speaks in actors(scene, number):
            entity = named.sole
            state = scene.known.state(entity) if entity is not None else None
            if entity is None or state is None or state == "dead":
                continue
            if scene.frames.doubted(sentence, named.start - sentence.start):
                continue
            before, after = scene.around(sentence, named)
            speaks = speaks or (sentence.language == "zh" and _AFTER_SPEECH.search(before) is not None)
            fact = scene.known.status(entity)
            if fact is not None and _cannot(scene, number, entity, fact, speaks=speaks, after=after):
                yield _finding(scene, number, named, entity, fact)


def _cannot(scene: Scene, number: int, entity: Entity, fact: Fact, *, speaks: bool, after: str) -> bool:
    """Whether somebody in a state cannot do what is told of them."""
    language = scene.draft.sentences[number].language
    state = scene.known.state(entity)
    if state == "bound":
        place = scene.known.place(entity)
        if place is not None and in_prison(scene, number, place.object):
            return False
        return words.FREE_ACT[language].search(after) is not None and not set_free(scene, number)
    if state == "senseless":
        knows = any(
            words.KNOWN_ASLEEP[each.language].search(each.told) and _of(scene, other, entity)
            for other, each in enumerate(scene.draft.sentences)
        )
        return (
            not knows
            and not words.SLEEPS_ON[language].search(after[:24])
            and not _told(scene, number, words.WOKEN, entity)
        )
    if state == "wounded":
        fresh = scene.known.at - fact.since <= _WHILE and not speaks
        near = _told(scene, number, words.BANDAGED, entity) or _told(scene, number + 1, words.BANDAGED, entity)
        return fresh and words.STRENUOUS[language].search(after) is not None and not near
    if state == "mute":
        return speaks and not _told(scene, number, words.HEALED, entity)
    if state == "blind":
        return words.LOOKS[language].search(after) is not None and not any(
            words.UNSEEING[each.language].search(each.text) for each in scene.draft.sentences
        )
    return state == "missing" and _in_company(scene, number, entity)


def set_free(scene: Scene, number: int) -> bool:
    """Whether the draft tells, up to a sentence, that somebody comes free."""
    return any(words.FREED[each.language].search(each.told) for each in scene.draft.sentences[: number + 1])


def _in_company(scene: Scene, number: int, entity: Entity) -> bool:
    """Whether somebody who is missing goes about among others as if nobody had missed them."""
    for other, sentence in enumerate(scene.draft.sentences):
        near = abs(other - number) <= 1 or any(entity in each.entities for each in scene.names[other])
        if words.SOUGHT[sentence.language].search(sentence.text) or (
            near and words.FOUND[sentence.language].search(sentence.text)
        ):
            return False
    return any(
        one.kind == "character" and one != entity and scene.known.state(one) not in ("dead", "missing", "bound")
        for names in scene.names
        for each in names
        if not each.spoken
        for one in each.entities
    )


def _of(scene: Scene, number: int, entity: Entity) -> bool:
    """Whether a sentence may be about somebody: it names them, or nobody."""
    people = [one for each in scene.names[number] for one in each.entities if one.kind == "character"]
    return not people or entity in people


def _told(scene: Scene, number: int, patterns: dict[str, re.Pattern[str]], entity: Entity) -> bool:
    """Whether the draft told something of somebody up to and in a sentence: where it names them, or just before."""
    for other, sentence in enumerate(scene.draft.sentences[: number + 1]):
        near = number - other <= 1 or any(entity in each.entities for each in scene.names[other])
        if near and patterns[sentence.language].search(sentence.text):
            return True
    return False


def _finding(scene: Scene, number: int, named: Named, entity: Entity, fact: Fact) -> Finding:
    place = scene.known.place(entity)
    facts = [fact] if place is None else [fact, place]
    called = "" if named.own or named.text in entity.name else f" ({named.text})"
    return scene.finding(
        "status",
        number,
        [entity.name],
        (
            f"{entity.name}{called} is {fact.object} since chapter {fact.since}, and no change is told before this.",
            f"{entity.name}{called}自第{fact.since}章起{fact.object}，此前没有写到有何变化。",
        ),
        facts=facts,
        confidence={"missing": 0.7, "wounded": 0.65, "blind": 0.7}.get(scene.known.state(entity) or "", 0.85),
    )
