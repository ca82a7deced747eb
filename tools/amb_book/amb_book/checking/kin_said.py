"""Roles that speech gives without saying whose: "as an uncle", 当爹的, a form that reads 父亲林大暑."""

from __future__ import annotations

import re
from collections.abc import Iterator

from amb_book.checking.claims import Claim
from amb_book.checking.kinship import direct, follows
from amb_book.checking.marked import Marked
from amb_book.checking.roles import CHINESE, ENGLISH, KIN, OPPOSITE, role_of
from amb_book.checking.scene import Scene
from amb_book.checking.speakers import addressee, speaker
from amb_book.entities import Entity

__all__ = ["unowned_claims"]

_AS = {
    "en": re.compile(
        rf"\bas (?:a|an|your) (?P<a>{ENGLISH})\b(?! of)|\ban? (?P<b>{ENGLISH}) (?:has|should|ought|must|can|could)\b|"
        rf"\byour (?:own )?(?P<c>{ENGLISH}) (?:says|asks|begs|wants|tells|forbids|is asking|is telling)\b"
    ),
    "zh": re.compile(
        rf"(?:当|做|身为|作为)(?:你)?(?P<a>{CHINESE}|爹|娘|哥|姐|叔|舅)的|我(?:这个?|这做|这当)(?P<b>{CHINESE}|"
        rf"爹|娘|哥|姐|叔|舅)"
    ),
}
_SHORT = {"爹": "parent", "娘": "parent", "哥": "sibling", "姐": "sibling", "叔": "uncle", "舅": "uncle"}
_BARE = re.compile(
    r"(?<!>)(?<!>的)(?P<role>父亲|母亲|丈夫|妻子|儿子|女儿|哥哥|弟弟|姐姐|妹妹|叔叔|爷爷|奶奶|舅舅|姑姑)(?:：|，|是|"
    r"叫|名叫)?<c(?P<who>\d+)>(?!的)"
)


_CALLS = {
    "en": re.compile(
        r"(?:^|[“\"‘']|, )(?P<a>Dad|Daddy|Mum|Mummy|Mom|Mama|Papa|Mamma|Father|Mother|Grandfather|Grandmother|"
        r"Grandpa|Grandma|"
        r"Husband|Wife)[,.!?]"
    ),
    "zh": re.compile(
        r"(?:^|[“「]|，)(?P<a>爹|娘|爸|妈|爸爸|妈妈|父亲|母亲|爹爹|阿爹|阿娘|父王|母后|父皇|夫君|相公|娘子|老公|老婆|爷爷|"
        r"奶奶)[，。！？…]"
    ),
}
_CALLED = {
    **dict.fromkeys(("dad", "daddy", "mum", "mummy", "mom", "mama", "papa", "mamma", "father", "mother"), "parent"),
    **dict.fromkeys("爹 娘 爸 妈 爸爸 妈妈 父亲 母亲 爹爹 阿爹 阿娘 父王 母后 父皇".split(), "parent"),
    **dict.fromkeys(("grandfather", "grandmother", "grandpa", "grandma", "爷爷", "奶奶"), "grandparent"),
    **dict.fromkeys(("husband", "wife", "夫君", "相公", "娘子", "老公", "老婆"), "spouse"),
}
"""How people call their own kin, and nobody else; father and mother may be a priest's and a nun's."""


def _calls(scene: Scene, number: int) -> Iterator[Claim]:
    """What somebody calls the one to whom a speech is addressed."""
    sentence = scene.draft.sentences[number]
    found = _CALLS[sentence.language].search(sentence.text)
    if found is None or sentence.told[found.start("a")] == found["a"][0]:
        return
    says, other = speaker(scene, number), addressee(scene, number)
    if says is None or other is None:
        return
    role = _CALLED[found["a"].casefold()]
    if _between(scene, other, says) & KIN and role not in _between(scene, other, says):
        yield Claim(other, role, says, 0, 0)


def unowned_claims(scene: Scene, number: int, text: Marked) -> Iterator[Claim]:
    """Claims of a sentence whose other side only the company tells; those that settled kin agree with are left out."""
    yield from _self_named(scene, number)
    yield from _calls(scene, number)
    for found in _BARE.finditer(text.text):
        one = text.entities[int(found["who"])]
        near = [each for each in _company(scene, number) if each.id != one.id]
        role = role_of(found["role"])
        if any(role in _between(scene, one, each) for each in near):
            continue
        for other in near:
            if any(each in KIN for each in _between(scene, one, other)):
                yield Claim(one, role, other, found.start(), found.end())
                break


def _self_named(scene: Scene, number: int) -> Iterator[Claim]:
    """What somebody calls himself to the only other person of a draft."""
    sentence = scene.draft.sentences[number]
    found = _AS[sentence.language].search(sentence.text)
    says = speaker(scene, number) if found is not None else None
    if found is None or says is None or sentence.told[found.start() : found.end()] == found.group():
        return
    word = next(each for each in found.groups() if each)
    role = _SHORT.get(word) or role_of(word)
    others = [each for each in _company(scene, len(scene.names) - 1) if each.id != says.id]
    if role not in KIN or len(others) != 1:
        return
    settled = _between(scene, says, others[0])
    if settled and not {role, OPPOSITE[role]} & settled:
        yield Claim(says, role, others[0], 0, 0)


def _company(scene: Scene, number: int) -> list[Entity]:
    """Those whom a draft has named up to a sentence, each once."""
    found = {
        each.sole.id: each.sole
        for other in range(number + 1)
        for each in scene.names[other]
        if each.sole is not None and each.sole.kind == "character"
    }
    return list(found.values())


def _between(scene: Scene, one: Entity, other: Entity) -> set[str]:
    """What somebody is to another, settled or by two steps."""
    roles = {role for role, _ in direct(scene.known, one, other) if role in KIN}
    return roles | set(follows(scene.known, one, other))
