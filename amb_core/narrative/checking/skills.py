"""Abilities used by somebody who has not learnt them, or has lost them; and what somebody cannot do at all."""

from __future__ import annotations

import re
from collections.abc import Iterator

from amb_core.narrative.checking.english_words import is_act
from amb_core.narrative.checking.findings import Finding
from amb_core.narrative.checking.naming import Named
from amb_core.narrative.checking.scene import Scene
from amb_core.narrative.entities import Entity
from amb_core.narrative.fact_answers import Fact

__all__ = ["not_learnt", "unable"]

_USES_EN = re.compile(
    r"\b(?:sang|sings|sounded|gave|struck|hummed|used|uses|called|worked|cast|loosed|performed|threw|"
    r"spoke|raised|wove|summoned|unleashed|invoked|"
    r"let loose|let out|breathed|whistled|released|with|by)\s+(?:out\s+|up\s+|back\s+|him\s+|her\s+|"
    r"it\s+|them\s+)?(?:the|a|an|his|her)?\s*$"
)
_COMES_EN = re.compile(
    r"^\s+(?:slid|rose|came|went|rang|poured|left|broke|rolled|burst|sprang|leapt|escaped|flowed|"
    r"welled)\b[^.;,]{0,30}\b(?:his|her)\s+(?:\w+\s+)?(?:mouth|lips|throat|teeth|hands?|fingers|chest|"
    r"tongue)\b"
)
_OUT_CAME_EN = re.compile(r"\b(?:out|up) (?:came|rose|went) (?:the\s+)?$")
_VERB_EN = re.compile(
    r"\b(\w+)\s+(?:(?:out|up|back|off|him|her|them|it)\s+)?(?:(?:the|a|an|his|her|\w+ly|old|whole|great)\s+)*$"
)
_NO_USE_EN = frozenset(
    "heard knew wanted needed feared loved hated remembered recognised recognized learnt learned "
    "taught mentioned named explained described understood asked "
    "lacked missed practised practiced called studied envied admired forgot forgave said told thought "
    "dreaded sought lost owed kept wrote read noted copied "
    "demanded offered promised refused forbade began meant expected awaited".split()
)
_WITH_EN = re.compile(r"\b(?:with|by)\s+(?:the\s+)?$")
_DEED_EN = re.compile(
    r"\b(?:opened|broke|shattered|burst|silenced|stilled|moved|parted|lifted|killed|healed|turned|freed|"
    r"unlocked|cracked|split|crossed)\b"
)
_USES_ZH = re.compile(
    r"(?:使出|施展出?|使开|使起|使|展开|用出|用|运起|运|念动|念了?(?:一?句)?|捏起|捏|捏个|掐了?个?|打出|"
    r"射出|发出|发动|催动|一[招式手路记]|一套|祭起|挥出|抖出|连发|以|凭|仗着?|靠|踏着|踏出|踏|踩着|一个|"
    r"将|把|的)$"
)
_AFTER_ZH = re.compile(
    r"^(?:从第|从头|使到|一展|展开|使|一出|出手|起手|施展|已|应手|倾泻|连|的?(?:火苗|剑光|剑势|金针|"
    r"第.{1,2}[剑式招]|起手|潮声|身法))"
)
_LEARNT_EN = re.compile(
    r"\b(?:taught|teach\w*|learn\w*|lesson\w*|master\w*|practis\w*|practic\w*|train\w*|showed (?:him|"
    r"her)|shown|instruct\w*|study|studied|got it|had it at last)\b"
)
_LEARNT_ZH = re.compile(
    r"学会|学成|教会|教了|教他|教她|传授|传给|练成|练会|学了|习得|悟|苦练|练了|授|学得|点拨|指点|恢复"
)
_FAILS_EN = re.compile(
    r"\b(?:tr(?:y|ied|ying)|attempt\w*|fail\w*|could(?:n['’]t| not)|cannot|can['’]t|not|never|no\b|"
    r"nothing|cracked|wrong|almost|nearly|meant to|as if|badly|clumsily|"
    r"without|hardly|half|mock\w*|pretend\w*|only|if)\b"
)
_FAILS_ZH = re.compile(
    r"试|没|不(?:成|出|动|会|得|了|像)|未|失败|走样|歪|徒有|空有|学着|模仿|假装|装|差点|险些|几乎|只会|"
    r"画虎|比划|想|偷学|半吊子|勉强"
)
_FAILS_NEXT = {
    "en": re.compile(
        r"^\W*(?:but )?(?:nothing|no (?:sound|note|light)|it (?:broke|failed|cracked|came out)|the (?:note|"
        r"voice|sound) (?:broke|cracked|failed|died)|not a|instead)\b",
        re.IGNORECASE,
    ),
    "zh": re.compile(
        r"^\W*(?:却|可|但|然而|可是|但是)?[^，。]{0,8}(?:没有|什么也没|毫无|落空|不成|失败|没能|未能|"
        r"纹丝不动|灭了|散了)"
    ),
}
_STEM = re.compile(r"^(?P<verb>[a-z]+)ing\s+(?P<rest>.+)$|^(?P<noun>[a-z]+)-(?P<verb2>[a-z]+)ing$")
_PASTS = {
    "read": "read",
    "throw": "threw",
    "walk": "walked",
    "rid": "rode",
    "sing": "sang",
    "swimm": "swam",
    "fly": "flew",
    "speak": "spoke",
    "writ": "wrote",
    "bend": "bent",
    "weav": "wove",
    "shap": "shaped",
    "chang": "changed",
}


def not_learnt(scene: Scene) -> Iterator[Finding]:
    """Somebody uses an ability that others have, and they have not, or not any more."""
    for number, sentence in enumerate(scene.draft.sentences):
        if scene.frames.unreal(number):
            continue
        for named in scene.told(number, "ability"):
            ability = named.sole
            doubted = scene.frames.doubted(sentence, named.start - sentence.start)
            if ability is None or doubted or not _used(scene, number, named):
                continue
            offset = named.start - sentence.start
            actor = scene.actor(number, offset)
            found = _unlearnt(scene, number, offset, actor, ability) if actor is not None else None
            if found is not None:
                yield found
        yield from _gerunds(scene, number)


def _used(scene: Scene, number: int, named: Named) -> bool:
    sentence = scene.draft.sentences[number]
    before, after = scene.around(sentence, named)
    if sentence.language == "en" and (_COMES_EN.search(after) or _OUT_CAME_EN.search(before)):
        return True
    if sentence.language == "en":
        if _WITH_EN.search(before):
            return bool(_DEED_EN.search(before))
        verb = _VERB_EN.search(before)
        return bool(_USES_EN.search(before)) or (
            verb is not None and is_act(verb.group(1)) and verb.group(1).casefold() not in _NO_USE_EN
        )
    if before.endswith("的") and not _AFTER_ZH.search(after):
        return False
    return bool(_USES_ZH.search(before) or _AFTER_ZH.search(after))


def _unlearnt(scene: Scene, number: int, offset: int, actor: Entity, ability: Entity) -> Finding | None:
    known = scene.known
    had = known.holding(actor, ability)
    others = [fact for fact in known.holders(ability) if fact.subject != actor.name]
    if (had is not None and had.until is None) or (had is None and not others):
        return None
    sentence = scene.draft.sentences[number]
    if _failing(scene, number) or _learning(scene, number, offset, actor, ability):
        return None
    lost = had is not None
    facts = [had] if had is not None else others[:2]
    why = f"lost it in chapter {had.until}" if had is not None else "has not learnt it"
    warum = f"第{had.until}章已失去" if had is not None else "尚未学会"
    del sentence
    return scene.finding(
        "ability",
        number,
        [actor.name, ability.name],
        (f"{actor.name} uses {ability.name} here, but {why}.", f"{actor.name}在这里用了{ability.name}，但{warum}。"),
        facts=facts,
        confidence=0.85 if lost else 0.8,
    )


def _failing(scene: Scene, number: int) -> bool:
    sentence = scene.draft.sentences[number]
    fails = _FAILS_EN if sentence.language == "en" else _FAILS_ZH
    if fails.search(sentence.told):
        return True
    following = scene.draft.sentences[number + 1] if number + 1 < len(scene.draft.sentences) else None
    return following is not None and bool(_FAILS_NEXT[following.language].search(following.told))


def _learning(scene: Scene, number: int, offset: int, actor: Entity, ability: Entity) -> bool:
    """Whether the draft tells before that the ability was learnt."""
    learnt = _LEARNT_EN if scene.draft.sentences[number].language == "en" else _LEARNT_ZH
    if learnt.search(scene.draft.sentences[number].text):
        return True
    for other in range(number):
        about = any(actor in each.entities or ability in each.entities for each in scene.names[other])
        near = other >= number - 2
        if (about or near) and learnt.search(scene.draft.sentences[other].text):
            return True
    return False


def _gerunds(scene: Scene, number: int) -> Iterator[Finding]:
    """Abilities whose names are gerunds, used as verbs: reading the Old Tongue, fen-walking."""
    sentence = scene.draft.sentences[number]
    if sentence.language != "en":
        return
    for ability in scene.known.entities:
        pattern = _as_verb(ability.name) if ability.kind == "ability" else None
        found = re.search(pattern, sentence.told) if pattern else None
        actor = scene.actor(number, found.start()) if found is not None else None
        if found is not None and actor is not None:
            finding = _unlearnt(scene, number, found.start(), actor, ability)
            if finding is not None:
                yield finding


def _as_verb(ability: str) -> str | None:
    read = _STEM.match(ability)
    if read is None:
        return None
    stem = read.group("verb") or read.group("verb2")
    past = _PASTS.get(stem) or f"{stem}ed"
    rest = (read.group("rest") or read.group("noun")).split()[-1]
    return rf"\b(?:{re.escape(past)})\b[^.;]{{0,25}}\b{re.escape(rest)}"


_CAN = re.compile(r"^(?:can|able_to|knows_how_to)_?(?P<verb>[a-z]+)$")
_FORMS = {
    "swim": r"swam|dived|dove|struck out for the|swims|in an? [^.,;]{0,16}dive|strokes",
    "read": r"read (?:the|it|aloud|his|her|every|through|from|them|out)\b|reads|wrote\b|spelled out|was reading",
    "write": r"wrote|writes|was writing|signed his|penned|scribbled",
    "ride": r"rode|galloped|rides",
    "sing": r"sang|sings|was singing",
    "fly": r"flew|flies",
    "speak": r"said|spoke|asked|answered",
    "walk": r"walked|strode|ran|climbed",
    "see": r"saw|looked|watched|read",
    "hear": r"heard|listened",
}


def unable(scene: Scene) -> Iterator[Finding]:
    """Somebody of whom the book says that they cannot do something does it."""
    for entity in scene.entities("character"):
        for fact in scene.known.properties(entity):
            verbs = _forbidden(fact)
            if verbs is not None:
                yield from _done_by(scene, entity, fact, re.compile(rf"\b(?:{verbs})\b"))


def _done_by(scene: Scene, entity: Entity, fact: Fact, verbs: re.Pattern[str]) -> Iterator[Finding]:
    for number, sentence in enumerate(scene.draft.sentences):
        found = verbs.search(sentence.told) if sentence.language == "en" else None
        if found is None or scene.frames.unreal(number) or scene.actor(number, found.start()) != entity:
            continue
        place = found.start()
        if (
            scene.frames.doubted(sentence, place)
            or _failing(scene, number)
            or _learning(scene, number, place, entity, entity)
        ):
            continue
        yield scene.finding(
            "ability",
            number,
            [entity.name],
            (
                f"{entity.name} cannot do this: {fact.attribute} is {fact.object}.",
                f"{entity.name}做不到：{fact.attribute} 为 {fact.object}。",
            ),
            facts=[fact],
            confidence=0.82,
        )


def _forbidden(fact: Fact) -> str | None:
    can = _CAN.match(fact.attribute)
    if can is None or fact.object.casefold() not in ("false", "no", "never", "否", "不会", "不能"):
        return None
    return _FORMS.get(can.group("verb"), rf"{re.escape(can.group('verb'))}(?:s|ed)")
