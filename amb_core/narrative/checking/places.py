"""Who is in two places: held, asleep or besieged in one, told of in another."""

from __future__ import annotations

import re
from collections.abc import Iterator

from amb_core.narrative.checking.findings import Finding
from amb_core.narrative.checking.naming import Named
from amb_core.narrative.checking.people import FREED
from amb_core.narrative.checking.prison import at_large, in_prison
from amb_core.narrative.checking.scene import Scene, either
from amb_core.narrative.checking.states import state_kind
from amb_core.narrative.entities import Entity
from amb_core.narrative.fact_answers import Fact

__all__ = ["gates_open", "held_elsewhere", "in_two_places", "missing_seen"]

_IN = {
    "en": re.compile(
        r"\b(?:in|at|on|inside|within|aboard|upon|beneath|under|above|outside|before|through|across|along|"
        r"around|over|atop|by)\s+"
        r"(?:(?:the|a|an|old)\s+)?(?:(?:[\w-]+\s+){1,3}(?:of|in|at|on)\s+)?(?:the\s+)?$"
    ),
    "zh": re.compile(r"(?:在|于|立于|坐在|站在|登上|守在|住在|待在|留在)(?:了)?$|(?:^|[，。；！？”])$"),
}
_AFTER_PLACE_ZH = re.compile(
    r"^(?:的)?(?:城头|城楼|城墙|城门|门口|门前|校场|大堂|前堂|后院|后山|山门|山顶|崖顶|崖边|湖边|河边|"
    r"江边|岸边|渡口|码头|里|内|中|上|下|外|前|边|旁|脚下|深处|街头|街上|药庐|帅帐|殿|院)"
)
_MOVED = {
    "en": re.compile(
        r"\b(?:c[ao]me|arriv\w+|reach\w+|return\w*|went|gone|go|left|leaving|rode|ridden|sail\w+|travel\w+|"
        r"journey\w*|walked (?:to|from|all|back)|march\w+|fled|"
        r"cross\w+|land(?:ed|ing)|rowed|climbed|brought|carried|taken|took|sent|dragged|driven|drove|moved|"
        r"set out|on the road|way (?:to|from|back)|"
        r"days? (?:later|after|on)|weeks?|months?|fortnight|by the time|next (?:day|morning)|enter\w*|flew|"
        r"swam|made (?:his|her|their) way|back (?:at|in|from)|"
        r"hurr\w+|slipped|crept|follow\w+|escap\w+|met|summon\w+|fetch\w+|pass(?:ed|ing)|put in|ship\w*)\b"
    ),
    "zh": re.compile(
        r"来|到|回|去|赶|抵|走了|奔|逃|离开|出发|启程|动身|上路|搬|带|送|押|护送|日后|天后|月后|年后|次日|"
        r"翌日|第二天|几天|数日|进了|入|骑|乘|渡|追|归|下山|上山|出关|入关|行了|跟|随|途|路上|返"
    ),
}
_NOT_THERE = {
    "en": re.compile(r"\b(?:toward|towards|to|from|for|about|news|map|name|word|letter|thought)\s+(?:the\s+)?$"),
    "zh": re.compile(r"(?:往|向|从|去|到|离|回|望|朝|对|说|想|提|关于|是|不在|没在|的)$"),
}


def held_elsewhere(scene: Scene) -> Iterator[Finding]:
    """A captive who goes about as if free, in a draft that knows of no prison; somebody outside a place under siege."""
    places = scene.entities("location")
    for number, sentence in enumerate(scene.draft.sentences):
        if scene.frames.unreal(number) or scene.frames.explained(number):
            continue
        for named, _ in scene.doers(number):
            entity = named.sole
            fact = scene.known.place(entity) if entity is not None else None
            if entity is None or fact is None or scene.frames.doubted(sentence, named.start - sentence.start):
                continue
            if scene.known.state(entity) == "missing":
                continue
            if scene.known.state(entity) == "bound":
                out = at_large(scene, fact.object) and not in_prison(scene, number, fact.object)
                out = out and not _freed(scene, number)
            else:
                out = bool(places) and _besieged(scene, fact.object) and _outside(scene, number, fact.object)
            if out:
                yield _held(scene, number, entity, fact)


def _freed(scene: Scene, number: int) -> bool:
    return any(FREED[each.language].search(each.text) for each in scene.draft.sentences[: number + 1])


_WAY_OUT = {
    "en": re.compile(
        r"\b(?:journey\w*|travel\w*|sailed|miles|slipped (?:out|through|away)|crept|smuggl\w*|rafts?|"
        r"barges?|tunnel|sent|the road|besieg\w*|siege|the ring|before the gates)\b"
    ),
    "zh": re.compile(r"赶路|上路|出关|出城|突围|奉命|差遣|派|绕道|连夜|潜|混出|走了.{0,3}[天日]|骑了|围城|被围|送信"),
}


def _outside(scene: Scene, number: int, besieged: str) -> bool:
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
                if scene.known.same_place(besieged, each.name):
                    return False
                elsewhere = elsewhere or (not named.spoken and other <= number and _plays(scene, other, named))
    return elsewhere


def _plays(scene: Scene, number: int, named: Named) -> bool:
    """Whether a sentence plays in a place it names, or is about it from its first word on."""
    sentence = scene.draft.sentences[number]
    before, _ = scene.around(sentence, named)
    if _NOT_THERE[sentence.language].search(before):
        return False
    return _locates(scene, number, named) or not before.strip() or (number == 0 and before.endswith(("of ", "of the ")))


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


_SOUGHT = {
    "en": re.compile(
        r"\b(?:hid\w*|secret\w*|found|return\w*|come back|came back|nobody knew|no one knew|missing|lost|"
        r"vanish\w*|search\w*|another name|far from|escap\w*|rescu\w*)\b"
    ),
    "zh": re.compile(r"藏|躲|隐|回来|归来|找到|寻|化名|改名|无人知|没有人知道|下落|失踪|逃|救|远方|囚|牢|关"),
}


def missing_seen(scene: Scene) -> Iterator[Finding]:
    """Somebody who is missing goes about as if nobody had missed them."""
    if any(_SOUGHT[each.language].search(each.text) for each in scene.draft.sentences):
        return
    for number, sentence in enumerate(scene.draft.sentences):
        if scene.frames.unreal(number) or scene.frames.explained(number):
            continue
        for named, _ in scene.doers(number):
            entity = named.sole
            if entity is None or scene.known.state(entity) != "missing":
                continue
            fact = scene.known.status(entity)
            if fact is None or scene.frames.doubted(sentence, named.start - sentence.start):
                continue
            yield scene.finding(
                "place",
                number,
                [entity.name],
                (
                    f"{entity.name} is {fact.object} since chapter {fact.since}, and nobody is told to find them.",
                    f"{entity.name}自第{fact.since}章起{fact.object}，此前没有写到被人找到。",
                ),
                facts=[fact],
                confidence=0.7,
            )


_GATE_OPEN = {
    "en": re.compile(
        r"\bgates? (?:stood|was|were|had been) (?:wide |thrown )?open|\b(?:rode|came|drove|rolled|walked|"
        r"strolled|rumbled|trotted) (?:\w+ )?(?:in|out) (?:through|by|at|of) the (?:\w+ )?gates?\b"
    ),
    "zh": re.compile(
        r"(?:城门|关门|四门|[东西南北]门)(?:大开|洞开|敞开|开着|大敞)|(?:商队|货郎|马车|车队|"
        r"客商)[^，。]{0,8}(?:进了?[城关]|出了?[城关])"
    ),
}
_SORTIE = {
    "en": re.compile(
        r"\b(?:herald|truce|sortie|sally|sneak\w*|crept|smuggl\w*|flag|night|secret\w*|lifted|relief|"
        r"relieved|surrender\w*|parley|enemy|storm\w*|broke)\b"
    ),
    "zh": re.compile(r"使者|突围|夜袭|偷|密道|解围|援军|内奸|攻破|投降|议和|敌|奸细|杀出|冲出"),
}


def gates_open(scene: Scene) -> Iterator[Finding]:
    """People come and go through the gates of a place under siege."""
    besieged = [each for each in scene.entities("location") if scene.known.state(each) == "besieged"]
    for number, sentence in enumerate(scene.draft.sentences if besieged else ()):
        told = sentence.told
        if not _GATE_OPEN[sentence.language].search(told) or _SORTIE[sentence.language].search(scene.draft.text):
            continue
        if scene.frames.unreal(number) or scene.frames.explained(number) or scene.frames.doubted(sentence):
            continue
        fact = scene.known.status(besieged[0])
        if fact is not None:
            yield scene.finding(
                "status",
                number,
                [besieged[0].name],
                (
                    f"{fact.subject} is {fact.object} since chapter {fact.since}; here its gates are open.",
                    f"{fact.subject}自第{fact.since}章起{fact.object}，这里却城门大开。",
                ),
                facts=[fact],
                confidence=0.55,
            )


def in_two_places(scene: Scene) -> Iterator[Finding]:
    """Somebody is told of in a place where, as far as the book knows, they cannot be."""
    for number, sentence in enumerate(scene.draft.sentences):
        if scene.frames.unreal(number):
            continue
        here = [each for each in scene.told(number, "location") if _locates(scene, number, each)]
        places = here or _scene_place(scene, number)
        if not places:
            continue
        doers = {each.start: each for each, _ in scene.doers(number)}
        for each in scene.told(number, "character"):
            before, after = scene.around(sentence, each)
            if each.start not in doers and not (
                either(sentence).is_subject(before, after) and _IS_THERE[sentence.language].search(after)
            ):
                continue
            if scene.frames.doubted(sentence, each.start - sentence.start) or scene.frames.explained(number):
                continue
            found = _elsewhere(scene, number, each, places)
            if found is not None:
                yield found


def _scene_place(scene: Scene, number: int) -> list[Named]:
    """Where the draft plays as far as it said by then: the last place in which something was told."""
    for other in range(number - 1, -1, -1):
        found = [each for each in scene.told(other, "location") if _plays(scene, other, each)]
        if found:
            return found[-1:]
        if scene.told(other, "location"):
            return []
    return []


_IS_THERE = {
    "en": re.compile(r"^\s+(?:was|is|were|are)\s+(?:still\s+|already\s+|now\s+)?(?:in|at|on|inside|aboard|\w+ing)\b"),
    "zh": re.compile(r"^(?:正|仍|还|已|却|也|就|一直)*在"),
}


def _locates(scene: Scene, number: int, each: Named) -> bool:
    sentence = scene.draft.sentences[number]
    before, after = scene.around(sentence, each)
    if _NOT_THERE[sentence.language].search(before):
        return False
    if sentence.language == "en":
        return bool(_IN["en"].search(before))
    return bool(_IN["zh"].search(before)) and (
        before.endswith(("在", "于", "登上")) or bool(_AFTER_PLACE_ZH.search(after))
    )


def _elsewhere(scene: Scene, number: int, named: Named, places: list[Named]) -> Finding | None:
    entity = named.sole
    fact = scene.known.place(entity) if entity is not None else None
    if entity is None or fact is None or scene.known.state(entity) == "dead":
        return None
    here = [place.sole for place in places if place.sole is not None]
    if not here or any(scene.known.same_place(fact.object, place.name) for place in here):
        return None
    held = scene.known.state(entity) in ("bound", "senseless") or _besieged(scene, fact.object)
    language = scene.draft.sentences[number].language
    if not held and _recent(scene, fact.since) is False:
        return None
    if held and in_prison(scene, number, fact.object):
        return None
    way = FREED[language] if held else _MOVED[language]
    if any(way.search(text) for _, text in _so_far(scene, number)):
        return None
    state = scene.known.status(entity)
    return scene.finding(
        "place",
        number,
        [entity.name, fact.object, here[0].name],
        (
            f"{entity.name} is at {fact.object} since chapter {fact.since}; no way from there to {here[0].name} "
            "is told.",
            f"{entity.name}自第{fact.since}章起在{fact.object}，此前没有写到如何来到{here[0].name}。",
        ),
        facts=[fact, *([state] if held and state is not None else [])],
        confidence=0.85 if held else 0.55,
    )


def _recent(scene: Scene, since: int) -> bool:
    """Whether a place was settled so lately that nobody may have left it unnoticed."""
    return scene.known.at - since <= 3


def _besieged(scene: Scene, place: str) -> bool:
    return any(
        scene.known.state(entity) == "besieged"
        for name in scene.known.around(place)
        for entity in scene.known.by_name.get(name, ())
    )


def _so_far(scene: Scene, number: int) -> Iterator[tuple[int, str]]:
    """The draft up to the end of a sentence."""
    yield from scene.before(number)
    yield number, scene.draft.sentences[number].told
