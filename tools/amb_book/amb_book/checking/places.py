"""Who is in two places: held, asleep, besieged or staying in one, told of in another."""

from __future__ import annotations

import re
from collections.abc import Iterator

from amb_book.checking.besieged import besieged
from amb_book.checking.described import actors
from amb_book.checking.findings import Finding
from amb_book.checking.limit_words import FREED
from amb_book.checking.limits import set_free
from amb_book.checking.naming import Named
from amb_book.checking.prison import at_large, in_prison
from amb_book.checking.scene import Scene, either
from amb_book.checking.standing import Standing
from amb_book.checking.states import state_kind
from amb_book.entities import Entity
from amb_book.fact_answers import Fact

__all__ = ["held_elsewhere", "in_two_places"]


def held_elsewhere(scene: Scene, standing: Standing) -> Iterator[Finding]:
    """A captive who goes about as if free, in a draft that knows of no prison; somebody outside a place under siege."""
    places = scene.entities("location")
    for number, sentence in enumerate(scene.draft.sentences):
        if scene.frames.unreal(number) or scene.frames.explained(number):
            continue
        for named, _ in actors(scene, number):
            entity = named.sole
            fact = scene.known.place(entity) if entity is not None else None
            if entity is None or fact is None or scene.frames.doubted(sentence, named.start - sentence.start):
                continue
            if scene.known.state(entity) == "missing":
                continue
            if scene.known.state(entity) == "bound":
                out = at_large(scene, fact.object, who=entity) and not in_prison(scene, number, fact.object)
                out = out and not set_free(scene, number)
            else:
                out = bool(places) and besieged(scene, fact.object) and _outside(scene, standing, number, fact.object)
            if out:
                yield _held(scene, number, entity, fact)


_WAY_OUT = {
    "en": re.compile(
        r"\b(?:journey\w*|travel\w*|sailed|miles|slipped (?:out|through|away)|crept|smuggl\w*|rafts?|"
        r"barges?|tunnel|sent|the road|besieg\w*|siege|the ring|before the gates)\b"
    ),
    "zh": re.compile(r"赶路|上路|出关|出城|突围|奉命|差遣|派|绕道|连夜|潜|混出|走了.{0,3}[天日]|骑了|围城|被围|送信"),
}


def _outside(scene: Scene, standing: Standing, number: int, walls: str) -> bool:
    """Whether the draft plays somewhere else and says nothing of the place under siege."""
    elsewhere = False
    for other, sentence in enumerate(scene.draft.sentences):
        way = FREED[sentence.language].search(sentence.text) or _WAY_OUT[sentence.language].search(sentence.text)
        if way and other <= number:
            return False
        for named in scene.names[other]:
            for each in named.entities:
                if each.kind != "location":
                    continue
                if scene.known.same_place(walls, each.name):
                    return False
                elsewhere = elsewhere or (not named.spoken and other <= number and standing.plays(other, named))
    return elsewhere


def _held(scene: Scene, number: int, entity: Entity, fact: Fact) -> Finding:
    state = scene.known.status(entity)
    held = [state] if state is not None and state_kind(state.object) == "bound" else []
    return scene.finding(
        "place",
        number,
        [entity.name, fact.object],
        (
            f"{entity.name} is held at {fact.object} since chapter {fact.since}, and no way out is told before this.",
            f"{entity.name}自第{fact.since}章起困在{fact.object}，此前没有写到如何脱身。",
        ),
        facts=[fact, *held],
        confidence=0.82,
    )


def in_two_places(scene: Scene, standing: Standing) -> Iterator[Finding]:
    """Somebody does something in a place where, as far as the book and the draft tell, they cannot be."""
    seen: set[str] = set()
    for number, sentence in enumerate(scene.draft.sentences):
        where = standing.place(number)
        if where is None or scene.frames.unreal(number) or scene.frames.explained(number):
            continue
        for each in _present(scene, number):
            entity = each.sole
            if entity is None or entity.id in seen:
                continue
            if scene.frames.doubted(sentence, each.start - sentence.start):
                continue
            found = _elsewhere(scene, standing, number, entity, where)
            if found is not None:
                seen.add(entity.id)
                yield found


def _present(scene: Scene, number: int) -> Iterator[Named]:
    """Those who do something in a sentence, or are told to be there."""
    sentence = scene.draft.sentences[number]
    grammar = either(sentence)
    doing = {each.start: each for each, _ in actors(scene, number)}
    yield from doing.values()
    for each in scene.told(number, "character"):
        before, after = scene.around(sentence, each)
        if each.start not in doing and (
            grammar.is_subject(before, after) and _IS_THERE[sentence.language].search(after)
        ):
            yield each


_IS_THERE = {
    "en": re.compile(r"^\s+(?:was|is|were|are)\s+(?:still\s+|already\s+|now\s+)?(?:in|at|on|inside|aboard|\w+ing)\b"),
    "zh": re.compile(r"^(?:正|仍|还|已|却|也|就|一直|独自)*[坐站立卧躺蹲跪靠倚趴伏缩歪守等睡]?在"),
}
_ROOM = re.compile(
    r"\b(?:rooms?|chambers?|ward|cells?|cabin|kitchens?|library|attic|cellars?|deck|bridge|brig|stables?|gardens?|"
    r"chapel|vault|crypt|study|gallery|laboratory|lab|office|theatre)\b|(?:[室房厅阁斋轩亭廊]|[大前后佛厅]堂|"
    r"[前后小内]院)$",
    re.IGNORECASE,
)
_LATELY = 2
"""So many chapters ago a place may have been settled that nobody leaves unnoticed."""
_WIDE = re.compile(
    r"\b(?:city|town|village|kingdom|country|county|island|isle|valley|port|harbou?r|bay|moon|planet|world|"
    r"province|realm|empire|district|quarter|estate|forest|mountains?|hills?)$|"
    r"^(?:the )?(?:(?:city|town|village|kingdom|county|island|valley|province) of|isle of|port|mount|lake) |"
    r"(?:(?<![东西南北早夜集花菜鬼])市|[城州县省国岛谷峰岭崖峡湾原漠洲镇村郡京都山海域界])$",
    re.IGNORECASE,
)


def _elsewhere(scene: Scene, standing: Standing, number: int, entity: Entity, where: Named) -> Finding | None:
    fact, here = scene.known.place(entity), where.sole
    if fact is None or here is None or scene.known.state(entity) in ("dead", "missing"):
        return None
    if not _apart(scene, fact, here):
        return None
    held = scene.known.state(entity) in ("bound", "senseless") or besieged(scene, fact.object)
    if held and (in_prison(scene, number, fact.object) or set_free(scene, number)):
        return None
    if not held and not _stays(scene, standing, number, entity, fact, where):
        return None
    if standing.afar(number) or _names(scene, number, fact.object):
        return None
    state = scene.known.status(entity)
    return scene.finding(
        "place",
        number,
        [entity.name, fact.object, here.name],
        (
            f"{entity.name} is at {fact.object} since chapter {fact.since}; no way from there to {here.name} is told.",
            f"{entity.name}自第{fact.since}章起在{fact.object}，此前没有写到如何来到{here.name}。",
        ),
        facts=[fact, *([state] if held and state is not None else [])],
        confidence=0.85 if held else 0.7,
    )


def _lately(scene: Scene, entity: Entity, fact: Fact) -> bool:
    """Whether a place was settled so lately, or somebody told to be there again, that nobody left it unnoticed."""
    at = scene.known.at
    return at - fact.since <= _LATELY or scene.known.seen_at(entity, fact.object, at)


def _stays(scene: Scene, standing: Standing, number: int, entity: Entity, fact: Fact, where: Named) -> bool:
    """Whether somebody who goes where they like must still be where the book told of them last."""
    if not _lately(scene, entity, fact) or standing.passed(number) or standing.came(number, entity):
        return False
    return "\n" not in scene.draft.text[where.end : scene.draft.sentences[number].start]


def _names(scene: Scene, number: int, place: str) -> bool:
    """Whether the draft names, up to a sentence, the place somebody is in, or one in it: then it may play there."""
    return any(
        each.kind == "location" and scene.known.same_place(place, each.name)
        for other in range(number + 1)
        for named in scene.names[other]
        if not named.spoken
        for each in named.entities
    )


def _apart(scene: Scene, fact: Fact, here: Entity) -> bool:
    """Whether nobody can be in both places at once: neither lies in the other, as far as names and facts tell."""
    if scene.known.same_place(fact.object, here.name):
        return False
    there = next((each for each in scene.known.by_name.get(fact.object, ()) if each.kind == "location"), None)
    if there is None:
        return False
    if bool(_ROOM.search(there.name)) != bool(_ROOM.search(here.name)):
        return False
    wide = [bool(_WIDE.search(each.name)) for each in (there, here)]
    return wide[0] == wide[1] or scene.known.were_apart(there, here)
