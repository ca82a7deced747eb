"""Somebody who uses a thing that was theirs and is not any more."""

from __future__ import annotations

import re
from collections.abc import Iterator

from amb_book.checking.findings import Finding
from amb_book.checking.scene import Scene
from amb_book.entities import Entity
from amb_book.fact_answers import Fact, Mention

__all__ = ["no_longer_theirs"]

_USES = re.compile(
    r"\b(?:drew|draws|unsheath(?:ed|es)|wield(?:ed|s)|swung|swings|rais(?:ed|es)|lift(?:ed|s)|gripp?(?:ed|s)|"
    r"brandish(?:ed|es)|carri(?:ed|es)|h[eo]lds?|wore|wears|donn?(?:ed|s)|put on|puts on|us(?:ed|es)|thrusts?|"
    r"fired|fires|clutch(?:ed|es)|levell?(?:ed|s)|hurl(?:ed|s)|struck \w* ?with|rode|rides|played|plays)\b"
    r"|held\b|拔出?|抽出|出鞘|挥|舞|举起|握|手持|提着|佩|戴着|穿着|披着|祭出|使出?|用|持着|骑着|掏出|亮出"
)
_GOT = re.compile(
    r"\b(?:took|takes|taken|got|regain\w*|recover\w*|return\w*|g[ai]ve[sn]?|hand(?:ed|s)|stole|stolen|snatch\w*|"
    r"borrow\w*|found|finds|bought|won|lent|lends|claim\w*|seiz\w*|back|inherit\w*|caught|picked up)\b"
    r"|夺|取|拿回|还|借|交给|递|赠|送|偷|抢|找回|寻回|买|得到|接过|捡|缴获|赢"
)
_NOT = re.compile(r"\b(?:not|never|no longer|without|could|would|wanted to|if)\b|n['’]t\b|没|不|未|想|若|如果")
_FAR = 60
"""Characters between whoever uses a thing and the thing."""


def no_longer_theirs(scene: Scene) -> Iterator[Finding]:
    """Somebody uses a thing that has gone to another, or was lost, and the draft tells of no way back to them."""
    got: set[str] = set()
    before: frozenset[str] = frozenset()
    for number, sentence in enumerate(scene.draft.sentences):
        here = scene.ids(number)
        if _GOT.search(sentence.text):
            got |= here | before
        before = here
        if scene.frames.elsewhere(number):
            continue
        doers = scene.doers(number)
        for thing in _things(scene, number) if doers else ():
            user = _user(scene, number, doers, thing)
            lost = None if user is None or thing.entities[0].id in got else _lost(scene, user, thing.entities[0])
            if user is not None and lost is not None:
                yield _finding(scene, number, user, thing.entities[0], lost)


def _things(scene: Scene, number: int) -> list[Mention]:
    named = (each for each in scene.names[number] if not scene.is_spoken(number, each))
    return [each for each in named if each.sole is not None and each.sole.kind not in ("character", "location")]


def _user(scene: Scene, number: int, doers: list[Mention], thing: Mention) -> Entity | None:
    """Who uses a thing in a sentence: the doer nearest before it, with a verb of use between."""
    sentence = scene.draft.sentences[number]
    near = next((each for each in reversed(doers) if each.end <= thing.start), None)
    if near is None or near.sole is None or thing.start - near.end > _FAR:
        return None
    between = sentence.text[near.end - sentence.start : thing.start - sentence.start]
    return near.sole if _USES.search(between) and not _NOT.search(between) else None


def _lost(scene: Scene, user: Entity, thing: Entity) -> Fact | None:
    """What says that a thing was somebody's and is not any more; None where it is theirs, or never was."""
    told = [fact for fact in scene.known.told(thing) if fact.relation == "OWNS" and fact.object == thing.name]
    if not any(fact.subject == user.name for fact in told):
        return None
    owner = next((fact for fact in reversed(told) if fact.until is None), None)
    if owner is not None:
        return None if owner.subject == user.name else owner
    return next(fact for fact in reversed(told) if fact.subject == user.name)


def _finding(scene: Scene, number: int, user: Entity, thing: Entity, fact: Fact) -> Finding:
    gone = fact.until is not None
    chapter = fact.until if gone else fact.since
    english = "is no longer theirs" if gone else f"belongs to {fact.subject}"
    chinese = "已不归其所有" if gone else f"归{fact.subject}所有"
    return scene.finding(
        "ownership",
        number,
        [user.name, thing.name],
        (
            f"{thing.name} {english} since chapter {chapter}, and no way back to {user.name} is told before this.",
            f"{thing.name}自第{chapter}章起{chinese}，此前没有写到{user.name}如何得回。",
        ),
        facts=[fact],
        confidence=0.75,
    )
