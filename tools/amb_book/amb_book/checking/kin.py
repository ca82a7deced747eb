"""Kin, spouses, teachers, leaders, members, allies and enemies: said of the wrong one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from amb_book.checking.claims import Claim, claims
from amb_book.checking.findings import Finding
from amb_book.checking.kin_said import unowned_claims
from amb_book.checking.kinship import direct, follows, parents, siblings, spouses
from amb_book.checking.marked import Marked, marked
from amb_book.checking.roles import KIN, SAID
from amb_book.checking.scene import Scene
from amb_book.entities import Entity
from amb_book.fact_answers import Fact

__all__ = ["wrong_kin"]

_NOT_REALLY = {
    "en": re.compile(
        r"\b(?:like|as good as|adopt\w*|foster\w*|step\w*|god\w*|sworn brothers?|blood.brothers?|not|never|"
        r"almost|as if|as "
        r"though|mistook|mistaken|called (?:him|her)self|pretend\w*|lied?|false\w*|claim\w*|rumou?r\w*|"
        r"would|might|could|should|if|wish\w*|hope\w*|want\w*|promised|betroth\w*|future|late|once|former|widow\w*|"
        r"dream\w*|in another life|wrong|nobody['’]s|joke\w*|teas\w*|no longer|far from|instead of|rather than|for a "
        r"(?:moment|minute|while|quarter)|playing|acting|posing|posed|disguised|whether|suppose\w*|think you|"
        r"unless)\b",
        re.IGNORECASE,
    ),
    "zh": re.compile(
        r"像|如同|义[父母子女兄弟妹姐]|养[父母子女]|干[爹娘妈儿女]|继[父母子女]|结拜|不是|并非|未|没有|似的|"
        r"一般|假|谎|冒充|传闻|谣|据说|"
        r"听说|听闻|以为|若是|如果|要是|想做|想当|愿意|将来|日后|订亲|未婚|前妻|亡妻|前夫|误|认错|戏言|戏里|梦|"
        r"玩笑|认作|视作|视为|当作|"
        r"当成|看作|自称|难道|莫非|都说|都传|岳[父母]"
    ),
}
_DENIED = {
    "en": re.compile(
        r"\b(?:wrong|mistaken|you['’]re thinking of|not my|isn['’]t my|is not my|no relation|a lie|lied|lying|"
        r"nonsense|"
        r"corrected|laughed|that isn['’]t true|rubbish)\b"
    ),
    "zh": re.compile(
        r"看走眼|错了|说错|弄错|不是(?:我|他|她)|胡说|认错|误会|谣|没有的事|纠正|瞎说|骗|撒谎|笑得|大笑|哪来的|"
        r"可生不出"
    ),
}

_ELSEWHERE = {
    "en": re.compile(r"\b(?:not|never)\b(?=.*\b(?:since|because|when|after|before|until|while)\b)", re.IGNORECASE),
    "zh": re.compile(r"没有?(?!人|证|谁)(?=[^，；]*[，；])"),
}
"""What is denied in another clause than the one that says how two people stand."""


def wrong_kin(scene: Scene) -> Iterator[Finding]:
    """A relation between two people, or to a group, that stands against the one that was settled."""
    for number, sentence in enumerate(scene.draft.sentences):
        if scene.frames.unreal(number) or sum(each.sole is not None for each in scene.names[number]) == 0:
            continue
        text = marked(scene, number)
        for claim in (*claims(text, language=sentence.language), *unowned_claims(scene, number, text)):
            if _real(scene, number, text, claim):
                facts = _against(scene, claim)
                if facts:
                    yield _finding(scene, number, claim, facts)
        yield from _killers(scene, number)


def _real(scene: Scene, number: int, text: Marked, claim: Claim) -> bool:
    """Whether a claim is told or said in earnest: its clause holds no doubt, and nobody denies it at once."""
    language = scene.draft.sentences[number].language
    before = re.split(r"[.!?。！？][”」’'\"]*(?:\s|(?<=[”」]))", text.text[: claim.start])[-1]
    after = re.split(r"[,.;:!?，。；：！？]", text.text[claim.end :])[0]
    before = _ELSEWHERE[language].sub("", before)
    if _NOT_REALLY[language].search(before + text.text[claim.start : claim.end] + after):
        return False
    if not text.spoken(claim.start):
        return True
    after = scene.draft.sentences[number : number + 3]
    return not any(_DENIED[each.language].search(each.text) for each in after)


def _finding(scene: Scene, number: int, claim: Claim, facts: list[Fact]) -> Finding:
    one, other = claim.one.name, claim.other.name
    if claim.role in SAID:
        english, chinese = SAID[claim.role]
    else:
        english, chinese = ("leader", "首领") if claim.role == "leader" else ("member", "成员")
    return scene.finding(
        "relation",
        number,
        [one, other],
        (
            f"{one} is called {other}'s {english} here; settled is: {facts[0].text}.",
            f"这里说{one}是{other}的{chinese}；已定的事实是：{facts[0].text}。",
        ),
        facts=facts,
        confidence=0.82,
    )


def _against(scene: Scene, claim: Claim) -> list[Fact]:
    """The facts that do not let a claim be true; none when nothing speaks against it."""
    if claim.role == "leader":
        return _other_leader(scene, claim)
    if claim.role == "member":
        return _other_group(scene, claim)
    if claim.other.kind != "character":
        return []
    if claim.role in KIN:
        return _other_kin(scene, claim)
    return _other_bond(scene, claim)


def _other_kin(scene: Scene, claim: Claim) -> list[Fact]:
    known, one, other = scene.known, claim.one, claim.other
    settled = direct(known, one, other)
    told = [(role, fact) for role, fact in settled if role in KIN]
    turned = [(role, fact) for role, fact in direct(known, other, one) if role in KIN]
    derived = follows(known, one, other)
    if claim.role in (role for role, _ in told) or claim.role in derived:
        return []
    if claim.either and (claim.role in (role for role, _ in turned) or claim.role in follows(known, other, one)):
        return []
    if told:
        return [fact for _, fact in told][:2]
    sure = [facts for role, facts in derived.items() if role in ("grandparent", "grandchild", "uncle", "nephew")]
    return sure[0] if sure else _filled(scene, claim)


def _filled(scene: Scene, claim: Claim) -> list[Fact]:
    """The facts by which the place that a claim gives somebody is another's."""
    known, one, other = scene.known, claim.one, claim.other
    if claim.role == "spouse":
        return list({fact.id: fact for each in (other, one) for fact in spouses(known, each).values()}.values())[:2]
    if claim.role in ("parent", "child"):
        parent, child = (one, other) if claim.role == "parent" else (other, one)
        settled = parents(known, child)
        return [] if settled.keys() & spouses(known, parent).keys() else list(settled.values())[:1]
    if claim.role == "sibling":
        have = {**siblings(known, other), **siblings(known, one)}
        first, second = parents(known, one), parents(known, other)
        apart = [*first.values(), *second.values()] if first and second and not first.keys() & second.keys() else []
        return (list(have.values()) or apart)[:2]
    return []


def _other_bond(scene: Scene, claim: Claim) -> list[Fact]:
    """What speaks against teachers and pupils, allies and enemies."""
    known, one, other = scene.known, claim.one, claim.other
    settled = direct(known, one, other)
    if claim.role in ("ally", "enemy"):
        against = ("enemy",) if claim.role == "ally" else ("ally", "spouse")
        agreed = claim.role in (role for role, _ in settled)
        return [] if agreed else [fact for role, fact in settled if role in against][:1]
    teacher, pupil = (one, other) if claim.role == "teacher" else (other, one)
    between = [(role, fact) for role, fact in direct(known, teacher, pupil) if role in ("teacher", "pupil")]
    if between:
        return [] if claim.either else [fact for role, fact in between if role == "pupil"][:1]
    learnt = [fact for fact in known.related(pupil, "STUDENT_OF") if fact.subject == pupil.name]
    kin = any(role in KIN for role, _ in settled)
    return [] if kin else learnt[:1]


def _other_leader(scene: Scene, claim: Claim) -> list[Fact]:
    known = scene.known
    facts = [fact for fact in known.related(claim.other, "LEADS") if fact.object == claim.other.name]
    return facts[-1:] if facts and all(fact.subject != claim.one.name for fact in facts) else []


def _other_group(scene: Scene, claim: Claim) -> list[Fact]:
    """The membership of another group than the one somebody is said to be of."""
    if claim.other.kind != "faction":
        return []
    own = scene.known.own(claim.one, "MEMBER_OF", "LEADS")
    around = scene.known.around(claim.other.name)
    if not own or any(fact.object in around or claim.other.name in scene.known.around(fact.object) for fact in own):
        return []
    groups = {each.name for each in scene.known.entities if each.kind == "faction"}
    return [fact for fact in own if fact.object in groups][-1:]


_KILLED = {
    "en": re.compile(r"^(?: had| has)? (?:killed|murdered|stabbed|slain|slew|hanged) (?:the )?(?:old )?$"),
    "zh": re.compile(r"^(?:亲手)?(?:杀了|杀死|害死|杀害|射杀|刺死|斩了|毒死)(?:了)?$"),
}


def _killers(scene: Scene, number: int) -> Iterator[Finding]:
    """Who killed whom, told in the narration of somebody else than was settled."""
    sentence = scene.draft.sentences[number]
    named = scene.told(number, "character")
    for first, second in pairwise(named):
        one, other = first.sole, second.sole
        between = scene.draft.text[first.end : second.start]
        if one is None or other is None or one == other or not _KILLED[sentence.language].search(between):
            continue
        facts = [fact for fact in scene.known.related(other, "KILLED") if fact.object == other.name]
        if facts and all(fact.subject != one.name for fact in facts):
            yield _killer(scene, number, one, other, facts[-1])


def _killer(scene: Scene, number: int, one: Entity, other: Entity, fact: Fact) -> Finding:
    return scene.finding(
        "relation",
        number,
        [one.name, other.name],
        (f"this is told of {one.name}; settled is: {fact.text}.", f"这里说的是{one.name}；已定的事实是：{fact.text}。"),
        facts=[fact],
        confidence=0.78,
    )
