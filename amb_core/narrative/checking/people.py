"""The dead who act, under their own or another name; captives, sleepers and the mute who do what they cannot."""

from __future__ import annotations

import re
from collections.abc import Iterator

from amb_core.narrative.checking.findings import Finding
from amb_core.narrative.checking.kin_names import kin_doers
from amb_core.narrative.checking.naming import NO_NAME, Named
from amb_core.narrative.checking.prison import in_prison
from amb_core.narrative.checking.scene import Scene
from amb_core.narrative.entities import Entity
from amb_core.narrative.fact_answers import Fact

__all__ = ["FREED", "the_bound", "the_dead"]

_REVIVED = {
    "en": re.compile(
        r"\b(?:back from the dead|not dead|never died|had not died|survived|still alive|risen|resurrect\w*|faked)\b"
    ),
    "zh": re.compile(r"没有?死|未死|死而复生|复活|还魂|假死|诈死|起死回生|活过来"),
}
FREED = {
    "en": re.compile(
        r"\b(?:free|freed|frees|escap\w+|released?|let (?:him|her|them) (?:out|go)|unlock\w*|unbound|"
        r"unchained|broke(?:n)? (?:out|free)|"
        r"rescued?|ransom\w*|pardon\w*|door (?:stood|was|swung) open|cut (?:his|her) (?:bonds|ropes)|loosed|"
        r"out of (?:the|his|her) (?:cell|prison|tower))\b"
    ),
    "zh": re.compile(
        r"释放|放了|放出|放他|放她|逃|越狱|救出|救了|脱困|获释|赦|解开|松绑|劫狱|劫牢|开了锁|打开牢|破牢|"
        r"出狱|赎|锁落|开锁|钥匙|押到|带出|脱身|带出来|押|提审|提出"
    ),
}
_WOKEN = {
    "en": re.compile(
        r"\b(?:w[oa]ke\w*|awoke\w*|awake|came (?:to|round)|opened (?:his|her|their) eyes|stirred|recover\w*|"
        r"eyes opened|roused?|conscious)\b"
    ),
    "zh": re.compile(r"醒|睁开|苏|转醒|恢复|好了|坐起|动了动"),
}
_HEALED = {
    "en": re.compile(
        r"\b(?:found (?:his|her) (?:voice|tongue)|could speak|heal\w*|cured?|first word|voice (?:had "
        r")?(?:came|come) back|sign(?:ed|s)?|wrote|gestur\w*|mouthed)\b"
    ),
    "zh": re.compile(
        r"用(?:手|眼|笔|树枝|指|嘴)|口型|无声|手势|点头|摇头|写|画|治好|能说话|会说话|开口了|恢复|"
        r"第一次开口|比划|手语|打手势|写道|写下|在心里|心想|心道"
    ),
}
_FREE_ACT = {
    "en": re.compile(
        r"\b(?:rode|galloped|sailed|marched|strode in|came in|walked in(?:to)?|entered|burst in|dismounted|"
        r"mounted|swam|led the|arrived|crossed the|"
        r"galloped|hunted|danced|dined|shopped|strolled|wandered|climbed aboard|boarded|stepped ashore|rowed|drove)\b"
    ),
    "zh": re.compile(
        r"骑着?马|策马|纵马|翻身上马|走进|推门|闯进|赶到|赶来|登上|率|带着.{0,6}(?:人|兵|队)|领着|上街|进了|"
        r"跨进|踏进|出现在|掀帘|拍马|驾"
    ),
}


def the_dead(scene: Scene) -> Iterator[Finding]:
    """Somebody who is dead speaks or acts."""
    seen: set[tuple[int, str]] = set()
    for number, sentence in enumerate(scene.draft.sentences):
        if scene.frames.unreal(number) or scene.frames.explained(number) or scene.lore.allows(number):
            continue
        for named, speaks in [*scene.doers(number), *_ridden(scene, number), *kin_doers(scene, number)]:
            entity = _only(scene, named)
            if entity is None or scene.known.state(entity) != "dead" or (number, entity.id) in seen:
                continue
            if _knows_of_death(scene, number) or (speaks and _quotes_a_text(scene, number, named)):
                continue
            if scene.frames.doubted(sentence, named.start - sentence.start) or _namesake(
                scene, number, entity, named.text
            ):
                continue
            if _told_before(scene, number, _REVIVED[sentence.language], entity):
                continue
            seen.add((number, entity.id))
            fact = scene.known.status(entity)
            assert fact is not None
            english = (
                f"{entity.name} has been dead since chapter {fact.since} and {'speaks' if speaks else 'acts'} here"
            )
            chinese = f"{entity.name}自第{fact.since}章起已死，这里却{'说话' if speaks else '在行动'}"
            other = (
                ""
                if named.own
                else (f" under the name {named.text!r}", f"（用的是“{named.text}”这个名字）")[sentence.language == "zh"]
            )
            yield scene.finding(
                "dead_acts" if named.own or not _is_alias(named, entity) else "alias_dead",
                number,
                [entity.name],
                (f"{english}{other}.", f"{chinese}{other}。"),
                facts=[fact],
                confidence=0.95 if speaks else 0.88,
            )


_SAYS = re.compile(r"\b(?:says|writes|asks|adds|begs|warns)\s+(?:\w+\s+)?$")
_PAST = re.compile(r"\b(?:was|were|had|said|went|came|took|did)\b")


_DEATH = {
    "en": re.compile(
        r"\b(?:died|death|graves?|graveside|buried|burial|tomb|funeral|mourn\w*|hanged|widow\w*|corpse|"
        r"coffin|(?:was|were|been|is|are|long|years?) dead|the dead\b|"
        r"no longer alive|in (?:his|her) lifetime|there was (?:nobody|no one) there|nobody was there|the "
        r"(?:chair|bed|room|place|doorway|stair) was empty)\b"
    ),
    "zh": re.compile(
        r"去世|已死|死了|死后|死去|坟|墓|下葬|葬在|灵堂|灵位|牌位|遗物|遗像|祭|奠|忌日|头七|生前|不在了|"
        r"已故|故去|亡故|尸|棺|戴孝|空无一人|空荡荡|没有人应|无人应"
    ),
}


def _knows_of_death(scene: Scene, number: int) -> bool:
    """Whether the draft, near a sentence, speaks of a death or of somebody who is not there: it knows what it tells."""
    paragraph = scene.draft.sentences[number].paragraph
    return any(
        _DEATH[each.language].search(each.text)
        for each in scene.draft.sentences
        if abs(each.paragraph - paragraph) <= 2
    )


def _quotes_a_text(scene: Scene, number: int, named: Named) -> bool:
    """Whether "says X" stands in a draft that is told in the past: then it is a text that says so."""
    sentence = scene.draft.sentences[number]
    before, after = scene.around(sentence, named)
    present = _SAYS.search(before) or re.match(r"\s+(?:says|writes)\b", after)
    return bool(present) and sum(_PAST.search(each.told) is not None for each in scene.draft.sentences) >= 2


def _ridden(scene: Scene, number: int) -> Iterator[tuple[Named, bool]]:
    """Those on whom somebody rides."""
    sentence = scene.draft.sentences[number]
    for each in scene.told(number, "character"):
        if _RIDES[sentence.language].search(scene.around(sentence, each)[0]):
            yield each, False


_RIDES = {
    "en": re.compile(r"\b(?:rode|mounted|saddled|spurred|galloped)\s+(?:old\s+)?$"),
    "zh": re.compile(r"(?:跨上|骑着|骑上|骑了|跃上|翻上|打着|牵着|牵出|勒住)$"),
}


def _namesake(scene: Scene, number: int, entity: Entity, called: str) -> bool:
    """Whether somebody living, named near a sentence, has the same name, so that it may be theirs."""
    words = (set(entity.name.split()) - NO_NAME) | ({entity.name} if " " not in entity.name else set())
    if not any(called in name or name in called for name in (entity.name, *entity.aliases)):
        return False
    paragraph = scene.draft.sentences[number].paragraph
    living = {
        other.id: other
        for sentence, named in zip(scene.draft.sentences, scene.names, strict=True)
        for each in named
        for other in each.entities
        if abs(sentence.paragraph - paragraph) <= 2
    }
    for other in living.values():
        if other.id == entity.id or other.kind != "character" or scene.known.state(other) == "dead":
            continue
        theirs = {word for name in (other.name, *other.aliases) for word in name.split()}
        theirs |= {word for fact in scene.known.properties(other) for word in fact.object.split()}
        if words and words <= theirs:
            return True
    return False


def _only(scene: Scene, named: Named) -> Entity | None:
    """Whom a name means: never one of several, of whom somebody lives."""
    if named.sole is not None:
        return named.sole
    if all(scene.known.state(entity) == "dead" for entity in named.entities):
        return named.entities[0]
    return None


def _is_alias(named: Named, entity: Entity) -> bool:
    bare = {re.sub(r"^(?:the|a|an) ", "", alias, flags=re.IGNORECASE) for alias in entity.aliases}
    return named.text in bare


def _told_before(scene: Scene, number: int, pattern: re.Pattern[str], entity: Entity) -> bool:
    """Whether the draft told something of somebody up to and in a sentence, or in the same paragraph."""
    paragraph = scene.draft.sentences[number].paragraph
    for other in range(number + 1):
        near = scene.draft.sentences[other].paragraph == paragraph or any(
            entity in each.entities for each in scene.names[other]
        )
        if near and pattern.search(scene.draft.sentences[other].text):
            return True
    return False


def the_bound(scene: Scene) -> Iterator[Finding]:
    """Somebody who is held, unconscious or mute does what needs freedom, waking or a voice."""
    for number, sentence in enumerate(scene.draft.sentences):
        if scene.frames.unreal(number) or scene.frames.explained(number):
            continue
        for named, speaks in scene.doers(number):
            entity = named.sole
            state = scene.known.state(entity) if entity is not None else None
            if entity is None or state not in ("bound", "senseless", "mute"):
                continue
            speaks = speaks or (
                sentence.language == "zh" and _AFTER_SPEECH.search(scene.around(sentence, named)[0]) is not None
            )
            fact = scene.known.status(entity)
            assert fact is not None
            _, after = scene.around(sentence, named)
            if _may(scene, number, entity, state, speaks, after):
                continue
            yield _bound_finding(scene, number, entity, fact)


_AFTER_SPEECH = re.compile(r"^[“「][^”」]*[”」]$")
"""A speech, and then whoever spoke it."""


def _may(scene: Scene, number: int, entity: Entity, state: str, speaks: bool, after: str) -> bool:
    """Whether somebody in a state may do what is told."""
    language = scene.draft.sentences[number].language
    if state == "bound":
        place = scene.known.place(entity)
        if place is not None and in_prison(scene, number, place.object):
            return True
        return not _FREE_ACT[language].search(after) or _told_before(scene, number, FREED[language], entity)
    if state == "senseless":
        if any(_SICK_BED[each.language].search(each.text) for each in scene.draft.sentences):
            return True
        return _told_before(scene, number, _WOKEN[language], entity) or bool(_BREATH[language].search(after[:24]))
    return not speaks or _told_before(scene, number, _HEALED[language], entity)


_SICK_BED = {
    "en": re.compile(
        r"\b(?:unconscious|senseless|cot|bandage\w*|sickbed|coma|stupor|would not wake|had not woken|not "
        r"stirred|fever\w*)\b"
    ),
    "zh": re.compile(r"昏迷|昏睡|不醒|病榻|榻上|病床|未醒|没有醒|人事不省"),
}
_BREATH = {
    "en": re.compile(
        r"^\s+(?:\w+ly\s+)?(?:breathed|moaned|groaned|slept|lay|sighed|turned|muttered|stirred)\b|had not|did not"
    ),
    "zh": re.compile(r"^.{0,4}(?:呼吸|躺|睡|哼|呻吟|没|不)"),
}


def _bound_finding(scene: Scene, number: int, entity: Entity, fact: Fact) -> Finding:
    place = scene.known.place(entity)
    facts = [fact] if place is None else [fact, place]
    return scene.finding(
        "status",
        number,
        [entity.name],
        (
            f"{entity.name} is {fact.object} since chapter {fact.since}, and no change is told before this.",
            f"{entity.name}自第{fact.since}章起{fact.object}，此前没有写到有何变化。",
        ),
        facts=facts,
        confidence=0.85,
    )
