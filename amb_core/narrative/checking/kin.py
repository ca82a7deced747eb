"""Husbands, wives, parents and children, brothers and sisters, leaders: said of the wrong one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from amb_core.narrative.checking.findings import Finding
from amb_core.narrative.checking.scene import Scene
from amb_core.narrative.entities import Entity
from amb_core.narrative.fact_answers import Fact

__all__ = ["wrong_kin"]

_WORDS_EN = {
    "MARRIED_TO": r"wife|husband|spouse|bride|bridegroom|consort",
    "PARENT_OF": r"father|mother|parent",
    "CHILD_OF": r"son|daughter|only child|child",
    "SIBLING_OF": r"brother|sister|twin(?: brother| sister)?",
}
_WORDS_ZH = {
    "MARRIED_TO": r"妻子|丈夫|夫人|娘子|相公|夫君|发妻|老婆|夫婿",
    "PARENT_OF": r"父亲|母亲|爹爹?|娘亲|爹娘|生父|生母",
    "CHILD_OF": r"儿子|女儿|独女|独子|闺女|亲生女儿|亲生儿子",
    "SIBLING_OF": r"哥哥|弟弟|姐姐|妹妹|兄长|亲弟|亲哥|亲姐|亲妹|胞弟|胞兄|胞妹|胞姐",
}
_NOT_REALLY = {
    "en": re.compile(
        r"\b(?:like|as good as|adopt\w*|foster\w*|step\w*|god\w*|in-law|sworn|not|never|almost|as if|as "
        r"though|mistook|called himself|pretend\w*|lied?|false|claim\w*|rumou?r\w*|"
        r"would|might|could|if|wish\w*|hope\w*|want\w*|promised|betroth\w*|future|late|once|former|widow\w*|"
        r"dream\w*|in another life|wrong|nobody['’]s|joke\w*|teas\w*|brother in|sister in|father of the|"
        r"brothers? of the)\b"
    ),
    "zh": re.compile(
        r"像|如同|义|养|干|继|岳|结拜|不是|并非|未|没有|似的|般|假|谎|冒|传闻|谣|据说|听说|听闻|以为|若|"
        r"如果|要是|想|愿|将来|日后|订亲|未婚|前妻|亡妻|前夫|误|错|戏|梦|玩笑|认作|视作|当作|当成|师"
    ),
}
_TURNED = {"PARENT_OF": "CHILD_OF", "CHILD_OF": "PARENT_OF", "MARRIED_TO": "MARRIED_TO", "SIBLING_OF": "SIBLING_OF"}


def wrong_kin(scene: Scene) -> Iterator[Finding]:
    """A relation between two people that stands against the one that was settled."""
    for number, sentence in enumerate(scene.draft.sentences):
        if _NOT_REALLY[sentence.language].search(sentence.text if sentence.language == "zh" else sentence.told):
            continue
        if scene.frames.unreal(number):
            continue
        for one, relation, other in (*_claims(scene, number), *_own(scene, number)):
            found = _against(scene, number, one, relation, other)
            if found is not None:
                yield found
        yield from _wrong_deeds(scene, number)


def _claims(scene: Scene, number: int) -> Iterator[tuple[Entity, str, Entity]]:
    """What a sentence says: `one` is the … of `other`."""
    sentence = scene.draft.sentences[number]
    people = [each for each in scene.names[number] if each.sole is not None and each.sole.kind == "character"]
    words = _WORDS_EN if sentence.language == "en" else _WORDS_ZH
    for first, second in pairwise(people):
        between = scene.draft.text[first.end : second.start]
        after = scene.draft.text[second.end : sentence.end]
        for relation, names in words.items():
            held = _said(between, after, names, sentence.language)
            if held is not None and first.sole is not None and second.sole is not None and first.sole != second.sole:
                yield (second.sole, relation, first.sole) if held == "second" else (first.sole, relation, second.sole)


def _said(between: str, after: str, names: str, language: str) -> str | None:
    """Which of two people is called the other's relation, by what stands between and after their names."""
    if language == "en":
        if re.fullmatch(rf"['’]s?\s+(?:\w+\s+)?(?:{names}),?(?:\s+(?:was|is|named|called))?,?\s+", between):
            return "second"
        if re.fullmatch(
            rf"(?:,| was| is|, who was)\s+(?:the\s+)?(?:\w+\s+)?(?:{names})\s+(?:of|to)\s+(?:the\s+)?(?:\w+\s+)?",
            between,
        ):
            return "first"
        if re.fullmatch(r"(?:,| was| is)\s+", between) and re.match(rf"['’]s?\s+(?:\w+\s+)?(?:{names})\b", after):
            return "first"
        if "wife" in names and re.fullmatch(r"\s+(?:was|is|had been|has been) (?:\w+ )?married to\s+", between):
            return "first"
        return None
    if re.fullmatch(rf"的?(?:{names})(?:，|是|就是|名叫|、)?", between):
        return "second"
    if re.fullmatch(r"(?:，|是|就是|乃是?|正是|便是)", between) and re.match(rf"的?(?:亲生)?(?:{names})", after):
        return "first"
    return None


def _own(scene: Scene, number: int) -> Iterator[tuple[Entity, str, Entity]]:
    """Somebody and his wife, her brother, 自己的姐姐, …, who is named; or my wife, 我妻子, in what somebody says."""
    sentence = scene.draft.sentences[number]
    words, mine, own = (_WORDS_EN, _MINE_EN, _HIS_EN) if sentence.language == "en" else (_WORDS_ZH, _MINE_ZH, _HIS_ZH)
    speakers = {each.sole for each, speaks in scene.doers(number) if speaks}
    for named in scene.names[number]:
        if named.sole is None or named.sole.kind != "character":
            continue
        before = sentence.text[: named.start - sentence.start]
        for relation, kin in words.items():
            found = re.search((mine if named.spoken else own).format(kin), before)
            if found is None:
                continue
            speaker = next(iter(speakers)) if len(speakers) == 1 else None
            actor = speaker if named.spoken else scene.possessor(number, found.start())
            if actor is not None and actor != named.sole:
                yield named.sole, relation, actor


_HIS_EN = r"\b(?:his|her)\s+(?:own\s+|dear\s+|old\s+|young\s+|new\s+)*(?:{}),?\s+$"
_MINE_EN = r"\b[Mm]y\s+(?:own\s+|dear\s+)*(?:{}),?\s+$"
_HIS_ZH = r"(?:自己的?|(?<![给对向替为和跟])[他她]的?)(?:亲生?)?(?:{})$"
_MINE_ZH = r"我的?(?:亲生?)?(?:{})(?:是|叫|就是)?$"


def _against(scene: Scene, number: int, one: Entity, relation: str, other: Entity) -> Finding | None:
    facts = _contradicting(scene, one, relation, other)
    if not facts:
        return None
    said = _SAID[relation]
    return scene.finding(
        "relation",
        number,
        [one.name, other.name],
        (
            f"{one.name} is called {other.name}'s {said[0]} here; settled is: {facts[0].text}.",
            f"这里说{one.name}是{other.name}的{said[1]}；已定的事实是：{facts[0].text}。",
        ),
        facts=facts,
        confidence=0.82,
    )


_SAID = {
    "MARRIED_TO": ("spouse", "配偶"),
    "PARENT_OF": ("parent", "父母"),
    "CHILD_OF": ("child", "子女"),
    "SIBLING_OF": ("sibling", "兄弟姐妹"),
}


def _contradicting(scene: Scene, one: Entity, relation: str, other: Entity) -> list[Fact]:
    """The facts that do not let `one` be what a draft calls them to `other`; none when nothing speaks against it."""
    known = scene.known
    kin = {each: known.related(one, each) + known.related(other, each) for each in (*_SAID, "GRANDPARENT_OF")}

    def between(each: str) -> list[Fact]:
        return [fact for fact in kin[each] if {fact.subject, fact.object} == {one.name, other.name}]

    if between(relation) or between(_TURNED[relation]):
        return _turned(between("PARENT_OF"), relation, one, other)
    wrong = [fact for each in kin for fact in between(each)]
    if wrong:
        return wrong[:2]
    if relation == "MARRIED_TO":
        return list({fact.id: fact for fact in kin["MARRIED_TO"]}.values())[:2]
    if relation in ("PARENT_OF", "CHILD_OF"):
        parent, child = (one, other) if relation == "PARENT_OF" else (other, one)
        told = [fact for fact in known.related(child, "PARENT_OF") if fact.object == child.name]
        told += [fact for fact in known.related(child, "CHILD_OF") if fact.subject == child.name]
        partners = {name for fact in known.related(parent, "MARRIED_TO") for name in (fact.subject, fact.object)}
        return [] if any({fact.subject, fact.object} & partners for fact in told) else told[:1]
    if relation == "SIBLING_OF":
        return list({fact.id: fact for fact in kin["SIBLING_OF"]}.values())[:1]
    return []


def _turned(told: list[Fact], relation: str, one: Entity, other: Entity) -> list[Fact]:
    """The settled parenthood, when a draft says it the wrong way round."""
    parent = one.name if relation == "PARENT_OF" else other.name
    return [fact for fact in told if relation in ("PARENT_OF", "CHILD_OF") and fact.subject != parent]


_DEEDS: dict[str, tuple[re.Pattern[str], re.Pattern[str]]] = {
    "LEADS": (
        re.compile(
            r"^(?:,| was| is|, who was) (?:now )?(?:the )?(?:\w+ )?(?:chief|head|leader|captain|commander|"
            r"master|mistress|general|lord|lady|abbot|abbess) of (?:the )?$"
            r"|^ (?:led|commanded|ruled|headed) (?:the )?$"
        ),
        re.compile(r"^(?:，|是|乃|身为|做了|当了|就任|统领|执掌|统率|率领)(?:了)?(?:如今)?(?:的)?$"),
    ),
    "KILLED": (
        re.compile(r"^(?: had| has)? (?:killed|murdered|stabbed|slain|slew|hanged) (?:the )?(?:old )?$"),
        re.compile(r"^(?:亲手)?(?:杀了|杀死|害死|杀害|射杀|刺死|斩了|毒死)(?:了)?$"),
    ),
}
_CHIEF_EN = re.compile(
    r"\b(?:chief|head|leader|captain|commander|master|mistress|general|lord|lady|abbot|abbess) of (?:the )?$"
)
_CHIEF_ZH = re.compile(r"^的?(?:阁主|教主|谷主|掌门|首领|统领|主帅|主将|帮主|庄主|大汗|盟主|族长|楼主|寨主|门主)")


def _wrong_deeds(scene: Scene, number: int) -> Iterator[Finding]:
    """Who leads what, and who killed whom, told in the narration of somebody else than was settled."""
    sentence = scene.draft.sentences[number]
    named = scene.told(number)
    for first, second in pairwise(named):
        one, other = first.sole, second.sole
        between = scene.draft.text[first.end : second.start]
        if one is not None and other is not None and one.kind != "character" and other.kind == "character":
            before = scene.draft.text[sentence.start : first.start]
            chief = _CHIEF_ZH.fullmatch(between) or (_CHIEF_EN.search(before) and re.fullmatch(r",?\s+", between))
            facts = [fact for fact in scene.known.related(one, "LEADS") if fact.object == one.name] if chief else []
            if facts and all(fact.subject != other.name for fact in facts):
                yield _deed(scene, number, other, one, facts[-1])
            continue
        if one is None or other is None or one.kind != "character" or one == other:
            continue
        for relation, patterns in _DEEDS.items():
            if not patterns[sentence.language == "zh"].search(between):
                continue
            after = scene.draft.text[second.end : sentence.end]
            if (
                relation == "LEADS"
                and sentence.language == "zh"
                and between in ("，", "是", "乃")
                and not _CHIEF_ZH.search(after)
            ):
                continue
            facts = [fact for fact in scene.known.related(other, relation) if fact.object == other.name]
            if facts and all(fact.subject != one.name for fact in facts):
                yield _deed(scene, number, one, other, facts[-1])


def _deed(scene: Scene, number: int, one: Entity, other: Entity, fact: Fact) -> Finding:
    return scene.finding(
        "relation",
        number,
        [one.name, other.name],
        (f"this is told of {one.name}; settled is: {fact.text}.", f"这里说的是{one.name}；已定的事实是：{fact.text}。"),
        facts=[fact],
        confidence=0.78,
    )
