"""Abilities used by somebody who has not learnt them, or has lost them; and what somebody cannot do at all."""

from __future__ import annotations

import re
from collections.abc import Iterator

from amb_book.checking.effects import Effects
from amb_book.checking.english_words import is_act
from amb_book.checking.findings import Finding
from amb_book.checking.naming import Named
from amb_book.checking.scene import Scene
from amb_book.entities import Entity
from amb_book.fact_answers import Fact

__all__ = ["not_learnt", "unable"]

_VERB_EN = re.compile(
    r"\b(\w+)\s+(?:(?:out|up|back|off|loose|him|her|them|it)\s+)?"
    r"(?:(?:the|a|an|his|her|own|\w+ly|old|whole|great|first|second|full|quick|one|last|more|perfect)\s+)*$"
)
_COMES_EN = re.compile(
    r"^\s+(?:slid|rose|came|went|rang|poured|left|broke|rolled|burst|sprang|leapt|escaped|flowed|"
    r"welled)\b[^.;,]{0,30}\b(?:his|her)\s+(?:\w+\s+)?(?:mouth|lips|throat|teeth|hands?|fingers|chest|"
    r"tongue)\b"
)
_OUT_CAME_EN = re.compile(r"\b(?:out|up) (?:came|rose|went) (?:the\s+)?$")
_NO_USE_EN = frozenset(
    "heard knew wanted needed feared loved hated remembered recognised recognized learnt learned "
    "taught mentioned named explained described understood asked "
    "lacked missed practised practiced called studied envied admired forgot forgave said told thought "
    "dreaded sought lost owed kept wrote read noted copied "
    "demanded offered promised refused forbade began meant expected awaited broke cracked solved deciphered saw "
    "watched "
    "had has got found respected feared mocked discussed believed doubted considered coveted guarded hid".split()
)
_WITH_EN = re.compile(r"\b(?:with|by|through|using|in)\s+(?:(?:the|a|an|his|her|own|pure|sheer|quick)\s+)*$")
_NO_OBJECT_EN = re.compile(r"^['’]s\b|^\s+(?:was|is|had been|could|would|needs?|requires?|belonged|that)\b")
_NO_USE_ZH = re.compile(
    r"[想问说提讲谈论听看见知懂怕爱恨夸叹羡]|教|学|传|练|会不会|会(?!心)|不|没|未|无|若|如果|关于|名叫|叫做|叫作|"
    r"所谓|需|要|是|比|像|"
    r"破|输|败在|死于|挨|中了|躲|避|挡|接住|记|忘|写|读|等"
)
_MODIFIES_ZH = re.compile(
    r"^(?:的(?:人|事|名|书|秘|要|法门|口诀|高手|传人|道理|威名|本事)|是|需|要|之名|者|失传|天下|乃|这门|这手|不)"
)
_LEARNT_EN = re.compile(
    r"\b(?:taught|teach\w*|learn\w*|lessons?|mastered|mastering|practis\w*|practic\w*|train(?:ed|ing)|showed (?:him|"
    r"her)|shown|instruct\w*|study|studied|got it|had it at last)\b"
)
_LEARNT_ZH = re.compile(
    r"学会|学成|教会|教了|教他|教她|传授|传给|练成|练会|学了|习得|悟|苦练|练了|授(?:予|给|他|她)|学得|点拨|指点|恢复"
)
_HAS_NOW = re.compile(
    r"\b(?:had|has) (?:it|the [\w -]+) (?:now|at last)\b|\bfor the first time\b|终于会了|总算会了|头一回成了"
)
_FAILS_EN = re.compile(
    r"\b(?:tr(?:y|ies|ied|ying) (?:to|for|out|his|her|the|it|and)|attempt\w*|fail\w*|could(?:n['’]t| not)|cannot|"
    r"can['’]t|not|"
    r"never|no|nothing|nobody|cracked|wrong|almost|nearly|meant to|as if|badly|clumsily|hardly|half|mock\w*|"
    r"pretend\w*|if|"
    r"instead|unable|useless)\b|\btried\b[.,;]"
)
_FAILS_ZH = re.compile(
    r"试|没(?!费|过)|不(?:成|出|动|会|得|了|像|到)|未|失败|走样|歪|徒有|空有|学着|模仿|假装|装作|差点|险些|几乎|只会|"
    r"画虎|比划|想|偷学|半吊子|勉强"
)
_FAR = {"en": 60, "zh": 18}
"""How many characters from an ability a word may stand that says that it came to nothing."""
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


def not_learnt(scene: Scene) -> Iterator[Finding]:
    """Somebody uses an ability that others have, and they have not, or not any more."""
    effects = Effects(scene.known, scene.entries)
    held = [each for each in scene.known.entities if each.kind == "ability" and scene.known.holders(each)]
    for number, sentence in enumerate(scene.draft.sentences):
        if scene.frames.unreal(number):
            continue
        for named in scene.told(number, "ability"):
            ability = named.sole
            doubted = scene.doubted(number, named.start - sentence.start)
            if ability is None or doubted or not _used(scene, number, named):
                continue
            offset = named.start - sentence.start
            actor = scene.actor(number, offset)
            found = _unlearnt(scene, number, offset, actor, ability) if actor is not None else None
            if found is not None:
                yield found
        yield from _shown(scene, number, effects, held)


def _shown(scene: Scene, number: int, effects: Effects, held: list[Entity]) -> Iterator[Finding]:
    """Abilities that a sentence does not name but shows: by their effect, or their name as a verb."""
    sentence = scene.draft.sentences[number]
    named = {entity.id for each in scene.names[number] for entity in each.entities}
    for ability in held:
        if ability.id in named:
            continue
        place = effects.shown(ability, sentence.told)
        actor = _doer(scene, number, place) if place is not None else None
        if actor is None or place is None or scene.doubted(number, place):
            continue
        found = _unlearnt(scene, number, place, actor, ability, sure=0.7)
        if found is not None:
            yield found


_BODY_DOES = re.compile(
    r"^(?:His|Her) (?:\w+ )?(?:fingers?|hands?|lips|voice|eyes|ears?|thumb|mouth)\b|^[他她]的?(?:手|指|嘴|眼|"
    r"目光|声音|指尖)"
)


def _doer(scene: Scene, number: int, place: int) -> Entity | None:
    """Who does what a sentence shows at a place: one who acts in it, or whom it means by a pronoun."""
    actor = scene.actor(number, place)
    if actor is None:
        body = _BODY_DOES.search(scene.draft.sentences[number].told[:place])
        return scene.possessor(number, body.start()) if body is not None else None
    if not any(actor in each.entities for each in scene.names[number]):
        return actor
    return actor if any(each.sole == actor for each, _ in scene.doers(number)) else None


def _used(scene: Scene, number: int, named: Named) -> bool:
    sentence = scene.draft.sentences[number]
    before, after = scene.around(sentence, named)
    if sentence.language == "zh":
        return _used_zh(scene, number, named, before, after)
    if _NO_OBJECT_EN.search(after):
        return False
    if _COMES_EN.search(after) or _OUT_CAME_EN.search(before):
        return True
    start = _WITH_EN.search(before)
    verb = _VERB_EN.search(before)
    if start is None:
        return verb is not None and _is_use(verb.group(1))
    clause = re.split(r"[,;:.—]", before[: start.start()])[-1]
    return any(_is_use(word) for word in re.findall(r"[A-Za-z]+", clause))


def _is_use(word: str) -> bool:
    return (is_act(word) or word == "used") and word.casefold() not in _NO_USE_EN


def _used_zh(scene: Scene, number: int, named: Named, before: str, after: str) -> bool:
    """Whether somebody does an ability: it stands after a verb that is none of knowing, telling or teaching."""
    if _MODIFIES_ZH.search(after):
        return False
    people = [each.end for each in scene.told(number, "character")]
    start = scene.draft.sentences[number].start
    last = max((end - start for end in people if end - start <= len(before)), default=0)
    clause = re.split(r"[，。！？；：”—]", before[last:])[-1]
    shown = _SHOWS_ZH.search(clause)
    if shown is not None:
        clause = clause[: shown.end()]
    if not clause and _QUICK_ZH.search(after):
        return not _ANOTHER_ZH.search(before)
    if not clause or _NO_USE_ZH.search(clause):
        return bool(not clause and _STARTS_ZH.search(after))
    return not clause.endswith("的") or bool(_STARTS_ZH.search(after))


_STARTS_ZH = re.compile(
    r"^(?:从第|从头|使到|一展|展开|使|一出|出手|起手|施展|应手|倾泻|连|的?(?:火苗|剑光|剑势|金针|"
    r"第.{1,2}[剑式招]|起手|潮声|身法))"
)
_QUICK_ZH = re.compile(r"^(?:只|仅|不过)(?:用|花|费)了")
"""The name of an ability told as a deed, by how little it took: 开锁只用了三秒."""
_ANOTHER_ZH = re.compile(r"请|叫|让|找|派|看|望|教|雇|等|听|据|问")
_SHOWS_ZH = re.compile(r"(?:使出|施展出|使开|打出|使将出)(?=了?那?[一这那几数][^，。]*的$)")
"""A verb of showing an ability; what is said between it and the name tells of the ability, not of the deed."""
_LONG = re.compile(
    r"早[已就便][^，。；]{0,2}(?:练|学|悟|习)[^，。；的]{0,6}|"
    r"一[路套手式招门](?:[^，。；]{0,6}(?:练|学|习)了[几数多半两三四五六七八九十百]+年|(?:自幼|从小|打小)[^，。；]{0,4})的|"
    r"(?<![.,;:] )(?<!for )\b(?:he|she) had (?:long |always )?(?:practi[sc]ed|learnt|learned|mastered|studied) "
    r"(?:(?:every \w+ )?for (?:\w+ ){0,3}years|since|long ago|as a (?:boy|girl|child)|years ago|years before)\b"
)
"""An ability said to have been had for long: no learning that a draft tells."""


def _unlearnt(
    scene: Scene, number: int, offset: int, actor: Entity, ability: Entity, *, sure: float = 0.8
) -> Finding | None:
    known = scene.known
    had = known.holding(actor, ability)
    others = [fact for fact in known.holders(ability) if fact.subject != actor.name]
    if (had is not None and had.until is None) or (had is None and not others):
        return None
    if _failing(scene, number, offset) or _learning(scene, number, offset, actor, ability):
        return None
    lost = had is not None
    facts = [had] if had is not None else others[:2]
    why = f"lost it in chapter {had.until}" if had is not None else "has not learnt it"
    warum = f"第{had.until}章已失去" if had is not None else "尚未学会"
    return scene.finding(
        "ability",
        number,
        [actor.name, ability.name],
        (f"{actor.name} uses {ability.name} here, but {why}.", f"{actor.name}在这里用了{ability.name}，但{warum}。"),
        facts=facts,
        confidence=0.85 if lost else sure,
    )


def _failing(scene: Scene, number: int, place: int) -> bool:
    sentence = scene.draft.sentences[number]
    fails = _FAILS_EN if sentence.language == "en" else _FAILS_ZH
    far = _FAR[sentence.language]
    if fails.search(scene.unnamed(number)[max(0, place - far) : place + far]):
        return True
    following = scene.draft.sentences[number + 1] if number + 1 < len(scene.draft.sentences) else None
    return following is not None and bool(_FAILS_NEXT[following.language].search(following.told))


def _learning(scene: Scene, number: int, offset: int, actor: Entity, ability: Entity) -> bool:
    """Whether the draft tells before that the ability was learnt."""
    learnt = _LEARNT_EN if scene.draft.sentences[number].language == "en" else _LEARNT_ZH
    if any(learnt.search(_LONG.sub("", each.text)) for each in scene.draft.sentences[number : number + 2]):
        return True
    if any(_HAS_NOW.search(each.text) for each in scene.draft.sentences[number + 1 : number + 2]):
        return True
    for other in range(number):
        about = any(actor in each.entities or ability in each.entities for each in scene.names[other])
        near = other >= number - 2
        if (about or near) and learnt.search(scene.draft.sentences[other].text):
            return True
    return False


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
            scene.doubted(number, place)
            or _failing(scene, number, place)
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
