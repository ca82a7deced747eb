"""The dead who act, under their own or another name."""

from __future__ import annotations

import re
from collections.abc import Iterator

from amb_book.checking.findings import Finding
from amb_book.checking.hearsay import reported_doings
from amb_book.checking.name_index import NO_NAME, Named
from amb_book.checking.scene import Scene
from amb_book.entities import Entity

__all__ = ["the_dead"]

_REVIVED = {
    "en": re.compile(
        r"\b(?:back from the dead|not dead|never died|had not died|survived|still alive|risen|resurrect\w*|faked)\b"
    ),
    "zh": re.compile(r"没有?死|未死|死而复生|复活|还魂|假死|诈死|起死回生|活过来"),
}


def the_dead(scene: Scene) -> Iterator[Finding]:
    """Somebody who is dead speaks or acts."""
    seen: set[tuple[int, str]] = set()
    for number, sentence in enumerate(scene.draft.sentences):
        if scene.frames.unreal(number) or scene.frames.explained(number) or scene.lore.allows(number):
            continue
        told = [(each, False) for each in reported_doings(scene, number)]
        for named, speaks in [*scene.doers(number), *_ridden(scene, number), *told]:
            entity = _only(scene, named)
            if entity is None or scene.known.state(entity) != "dead" or (number, entity.id) in seen:
                continue
            if _knows_of_death(scene, number, entity) or (speaks and _quotes_a_text(scene, number, named)):
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
                confidence=0.65 if named.spoken else 0.95 if speaks else 0.88,
            )


_SAYS = re.compile(r"\b(?:says|writes|asks|adds|begs|warns)\s+(?:\w+\s+)?$")
_PAST = re.compile(r"\b(?:was|were|had|said|went|came|took|did)\b")


_DEATH = {
    "en": re.compile(
        r"\b(?:died|death|dug (?:him|her|them) up|exhum\w*|graves?|graveside|buried|burial|tomb|funeral|mourn\w*|"
        r"hanged|widow\w*|corpse|"
        r"coffin|(?:was|were|been|is|are|long|years?) dead|the dead\b|"
        r"no longer alive|in (?:his|her) lifetime|there was (?:nobody|no one) there|nobody was there|the "
        r"(?:chair|bed|room|place|doorway|stair) was empty)\b"
    ),
    "zh": re.compile(
        r"去世|已死|死了|死后|死去|坟|墓|下葬|葬在|灵堂|灵位|牌位|遗物|遗像|祭|奠|忌日|头七|生前|不在了|"
        r"已故|故去|亡故|尸|棺|戴孝|空无一人|空荡荡|没有人应|无人应"
    ),
}


_THING_DIED = re.compile(
    r"\b(?:pen|lamps?|lights?|bulb|torch|fire|flames?|candles?|stove|embers|wind|breeze|storm|engine|motor|generator|"
    r"radio|phone|battery|batteries|screen|line|laugh\w*|smile|talk|conversation|voices?|words?|sound|noise|music|song|"
    r"applause|cheer\w*|echo\w*|signal|hum) (?:(?:has|had|have) )?(?:\w+ly )?died\b|\bdied (?:away|down)\b"
)
"""What is no death, for all that it has the word."""


def _knows_of_death(scene: Scene, number: int, entity: Entity) -> bool:
    """Whether the draft, near a sentence, speaks of somebody's death or of somebody who is not there: it knows what it
    tells. The death of another says nothing.
    """
    paragraph = scene.draft.sentences[number].paragraph
    for other, sentence in enumerate(scene.draft.sentences):
        if abs(sentence.paragraph - paragraph) > 2:
            continue
        if not _DEATH[sentence.language].search(_THING_DIED.sub(" ", sentence.text)):
            continue
        people = [one for each in scene.names[other] for one in each.entities if one.kind == "character"]
        if not people or entity in people:
            return True
    return False


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
    return named.text in bare - set(entity.name.split())


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
