"""Limbs and eyes that somebody has lost, used as if they were whole."""

from __future__ import annotations

import re
from collections.abc import Iterator

from amb_book.checking.findings import Finding
from amb_book.checking.scene import Scene
from amb_book.entities import Entity
from amb_book.fact_answers import Fact

__all__ = ["lost_limbs"]

_LOST = re.compile(
    r"\b(?:lost|severed|missing|cut off|amputated|gone|blind|crippled|torn off)\b|断|失|瞎|盲|废|残|砍|无"
)
_SIDE = {"left": "左", "right": "右"}
_PART = {"arm": "臂", "hand": "手", "eye": "[眼目]", "leg": "腿", "foot": "脚", "finger": "指"}
_BOTH = {"eye": "eyes", "leg": "legs|feet", "foot": "feet"}
_RUNS = (
    r"|\b(?:ran|sprinted|leapt|leaped|jumped|danced|skipped|vaulted|pelted|trotted)\b|"
    "(?:飞|快步|撒腿|大步)(?:跑|奔|走)|跑(?:了|过|进|出|上|下|到|来|去)|蹦|跳(?:了|过|上|下|起)"
)
"""What nobody does on one leg."""
_WHOLE_AGAIN = re.compile(
    r"\b(?:stump|empty sleeve|hook|wooden|maimed|missing|lost|no longer|phantom|patch|ached?|aching|itch\w*|scar\w*|"
    r"three.fingered|two fingers|remaining|glass eye)\b"
    r"|断|空|假|残|缺|义|没有|剩|单手|独臂|独眼|罩|拐|一条腿|单腿|幻|发麻|麻了|疼|痒|觉得|记得"
)


def lost_limbs(scene: Scene) -> Iterator[Finding]:
    """Somebody uses a hand, arm, leg or eye that a settled property or state says is lost."""
    for entity in scene.entities("character"):
        state = scene.known.status(entity)
        for fact in (*scene.known.properties(entity), *([state] if state is not None else [])):
            pattern = _used(fact)
            if pattern is not None:
                yield from _by(scene, entity, fact, pattern)


def _used(fact: Fact) -> re.Pattern[str] | None:
    """What a draft says when the lost part is there."""
    told = f"{fact.attribute} {fact.object}".replace("_", " ")
    if not _LOST.search(told):
        return None
    side = next((en for en, zh in _SIDE.items() if re.search(rf"\b{en}\b|{zh}", told)), None)
    part = next((en for en, zh in reversed(_PART.items()) if re.search(rf"\b{en}s?\b|{zh}", told)), None)
    if part is None or side is None:
        return None
    if part == "finger":
        return re.compile(r"\bfive (?:\w+ )*fingers\b|\ball (?:five|ten|his|her) (?:\w+ )?fingers|五指|五根手指|十指")
    limb = "(?:arm|hand|fist|fingers)" if part in ("arm", "hand") else part
    han = "(?:臂|手|拳|掌)" if part in ("arm", "hand") else _PART[part]
    both = (
        "|both (?:hands|arms|fists)|双手|两手|双臂|双拳"
        if part in ("arm", "hand")
        else rf"|\b(?:both|two)(?: of)?(?: his| her)?(?: \w+)? (?:{_BOTH[part]})\b"
        rf"|双{_PART[part]}|两[只条]?{_PART[part]}"
    )
    if part in ("leg", "foot"):
        both += _RUNS
    return re.compile(rf"\b(?:his|her) {side} {limb}\b|{_SIDE[side]}{han}{both}")


def _by(scene: Scene, entity: Entity, fact: Fact, pattern: re.Pattern[str]) -> Iterator[Finding]:
    for number, sentence in enumerate(scene.draft.sentences):
        found = pattern.search(sentence.told)
        if found is None or scene.frames.unreal(number) or scene.frames.explained(number):
            continue
        if scene.actor(number, found.start()) != entity or scene.frames.doubted(sentence, found.start()):
            continue
        if _WHOLE_AGAIN.search(sentence.text) or not _own_limb(sentence.told[: found.start()], entity):
            continue
        yield scene.finding(
            "status",
            number,
            [entity.name],
            (
                f"{entity.name} has lost this since chapter {fact.since}: {fact.attribute} is {fact.object}.",
                f"{entity.name}自第{fact.since}章起已失去它：{fact.attribute} 为 {fact.object}。",
            ),
            facts=[fact],
            confidence=0.8,
        )


def _own_limb(before: str, entity: Entity) -> bool:
    """Whether the limb is that of the one who acts: in Chinese, when only a name or an adverb precedes it."""
    clause = re.split(r"[，。！？；：”—]", before)[-1]
    if not re.search(r"[\u3400-\u9fff]", clause):
        return True
    names = "|".join(map(re.escape, (entity.name, *entity.aliases)))
    return re.fullmatch(rf"(?:{names}|[他她])?[^，。的看见望着把将被给]{{0,4}}", clause) is not None
