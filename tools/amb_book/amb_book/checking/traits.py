"""Ages, colours of eyes and hair, sides of the body, ranks and trades that a draft tells otherwise than was settled."""

from __future__ import annotations

import re
from collections.abc import Iterator

from amb_book.checking.findings import Finding
from amb_book.checking.marked import Marked, marked
from amb_book.checking.scene import Scene
from amb_book.checking.trait_words import AGE_EN, AGE_ZH, age_of, colours, ranks, trades
from amb_book.entities import Entity
from amb_book.fact_answers import Fact

__all__ = ["wrong_traits"]

_P = r"<c(?P<who>\d+)>"
_AGE = {
    "en": re.compile(
        rf"{_P},? (?:was|is|am|['’]m|turned|had turned|had just turned|was now|is now)?(?: only| just| barely| "
        rf"all of)? ?"
        rf"(?:aged )?(?P<age>{AGE_EN})(?=,? years old| years of age|,|\.|;| and\b| but\b| now\b)(?! and (?:a "
        rf"half|six))|"
        rf"(?P<age2>{AGE_EN})-year-old (?:\w+ )?(?:\w+ )?<c(?P<who2>\d+)>|"
        rf"\b[Aa]t (?P<age3>{AGE_EN}),? <c(?P<who3>\d+)>(?! (?:had been|was (?:already|still)))"
    ),
    "zh": re.compile(
        rf"{_P}(?:，|是个|今年|如今|现年|已经|已|才|刚|刚满|不过|也才|年方|年仅|都|"
        rf"快)*(?P<age>{AGE_ZH})岁?(?:了)?(?=，|。|；|的人|的年纪|！)|"
        rf"(?P<age2>{AGE_ZH})岁的[^，。；<]{{0,8}}<c(?P<who2>\d+)>|"
        rf"年方(?P<age3>{AGE_ZH})的<c(?P<who3>\d+)>"
    ),
}
_HAS_YEARS = re.compile(r"岁|年方|年仅|今年|years|aged")
_AGES = ("age", "年龄", "年纪", "岁数")
_LONG = {
    "en": re.compile(r"\b(?:years? (?:later|passed|had passed|went by)|birthday|grown|ago|then|[Ww]hen)\b"),
    "zh": re.compile(r"年后|过了.{1,3}年|生日|寿|那年|当年|时候|多年"),
}
_PARTS = (
    ("eyes", re.compile(r"eye|瞳|眼|眸"), r"eyes?|gaze|irises", r"眼睛?|眼眸|眸子?|瞳仁?|瞳孔|双目"),
    ("hair", re.compile(r"hair|发"), r"hair|curls|braids?|locks|plait|beard", r"头发|长发|短发|发辫|辫子|发丝|卷发"),
)
_CHANGED = re.compile(
    r"\b(?:promot\w*|demot\w*|dyed?|wig|powdered|bleached|lenses|painted|shadow\w*|swollen|black eye|bruis\w*)\b|"
    r"染|假发|升任|升了|晋升|提拔|贬为|隐形眼镜|戴着"
)
_SIDES = {"left": "right", "right": "left", "左": "右", "右": "左"}
_FEATURE = (
    ("scar", r"scar\w*|cut", r"疤|伤痕|刀痕|剑痕"),
    ("mole", r"mole|birthmark|mark|freckle", r"痣|胎记|印记"),
    ("lame", r"limp\w*|lame|bad leg|stiff|dragg\w*|wooden leg", r"瘸|跛|拐|木腿|假腿"),
    ("lost", r"missing|lost|stump|gone|empty sleeve|hook|three.fingered|severed", r"缺|断|少了|没了|残|义"),
    ("blind", r"blind\w*|patch|glass eye|milky|dead eye", r"瞎|盲|失明|眼罩|窟窿"),
    ("tattoo", r"tattoo\w*", r"刺青|纹身"),
    ("hurt", r"broke\w*|broken|sling|bandage\w*|burn\w*|wound\w*", r"断|绷带|吊着|烧伤|受伤"),
)
_BODY = (
    (r"eyebrow|brow", r"眉"),
    (r"eye", r"眼|目"),
    (r"cheek|face", r"脸|颊|腮"),
    (r"ear", r"耳"),
    (r"hand|fist|palm", r"手"),
    (r"arm|sleeve", r"臂|胳膊|袖"),
    (r"leg|knee|thigh|foot|hip", r"腿|脚|膝"),
    (r"shoulder", r"肩"),
    (r"wrist", r"腕"),
    (r"finger|thumb", r"指"),
    (r"temple|forehead", r"额|太阳穴"),
)
_RANKS = ("rank", "title", "职务", "职衔", "官职", "军衔", "头衔")
_SOON = 2
"""For so many chapters nobody is promoted untold."""
_WORK = ("job", "occupation", "trade", "profession", "职业", "职务", "role", "行当")
_PROMOTED = re.compile(
    r"\b(?:promot\w*|appoint\w*|made (?:him|her)|demot\w*|used to be|former\w*|once|had been|acting|young|would be|"
    r"as if|like|not|never|call(?:ed|s) (?:him|her))\b|升|任命|封|晋|提拔|曾|当年|从前|前任|代理|不是|像|称|叫|"
    r"笑称|贬|降"
)


def wrong_traits(scene: Scene) -> Iterator[Finding]:
    """A settled property of somebody who is named that a draft tells with another value."""
    people = [each for each in scene.entities("character") if scene.known.properties(each)]
    if not people:
        return
    for number, sentence in enumerate(scene.draft.sentences):
        if scene.frames.unreal(number) or scene.frames.explained(number):
            continue
        named = [each for other in scene.names[max(0, number - 1) : number + 1] for each in other]
        near = [entity for each in named for entity in each.entities]
        if not any(entity in people for entity in near):
            continue
        text = marked(scene, number)
        if "<c" not in text.text:
            continue
        before = " ".join(each.text for each in scene.draft.sentences[max(0, number - 3) : number + 1])
        changed = _CHANGED.search(before) is not None
        for person, fact in _told(scene, number, text, sentence.language):
            if person in near and not changed:
                yield _finding(scene, number, person, fact)


def _told(scene: Scene, number: int, text: Marked, language: str) -> Iterator[tuple[Entity, Fact]]:
    yield from _ages(scene, number, text, language)
    for index, person in enumerate(text.entities):
        if person.kind != "character":
            continue
        sign = f"<c{index}>"
        for fact in scene.known.properties(person):
            value = f"{fact.attribute.replace('_', ' ')} {fact.object}"
            told = _coloured(text.text, sign, fact) or _on_other_side(text.text, sign, value)
            if told or _ranked(scene, text.text, sign, fact, person) or _working(text.text, sign, fact):
                yield person, fact


def _finding(scene: Scene, number: int, person: Entity, fact: Fact) -> Finding:
    return scene.finding(
        "status",
        number,
        [person.name],
        (
            f"{person.name}'s {fact.attribute} is {fact.object} since chapter {fact.since}; here it is told otherwise.",
            f"{person.name}的{fact.attribute}自第{fact.since}章起是{fact.object}，这里说的不一样。",
        ),
        facts=[fact],
        confidence=0.78,
    )


def _ages(scene: Scene, number: int, text: Marked, language: str) -> Iterator[tuple[Entity, Fact]]:
    pattern = _AGE["zh" if language == "zh" else "en"]
    if any(_LONG[each.language].search(each.text) for each in scene.draft.sentences[max(0, number - 1) : number + 1]):
        return
    for found in pattern.finditer(text.text):
        if text.spoken(found.start()) or (language == "zh" and not _HAS_YEARS.search(found.group())):
            continue
        groups = found.groupdict()
        who = groups["who"] or groups["who2"] or groups["who3"]
        years = groups["age"] or groups["age2"] or groups["age3"]
        bare = re.fullmatch(r"<c\d+>, [\w -]+", found.group()) is not None
        if age_of(years) < (13 if bare else 4):
            continue
        person = text.entities[int(who)]
        for fact in scene.known.properties(person):
            settled = re.search(rf"\b{AGE_EN}\b|{AGE_ZH}", fact.object) if fact.attribute.casefold() in _AGES else None
            if settled is not None and abs(age_of(settled.group()) - age_of(years)) > 1:
                yield person, fact


def _coloured(text: str, sign: str, fact: Fact) -> bool:
    """Whether eyes or hair of another colour than the settled one are somebody's."""
    for _, attribute, english, chinese in _PARTS:
        settled = colours(fact.object)
        if not settled or not attribute.search(f"{fact.attribute} {fact.object}".casefold()) or _CHANGED.search(text):
            continue
        told = re.search(
            rf"{sign}(?:'s|’s) (?:\w+,? ){{0,2}}?(?P<a>\w+) (?:{english})\b|{sign}(?:'s|’s) (?:\w+ "
            rf")?(?:{english}) (?:were|was|are|is) "
            rf"(?:\w+ )?(?P<b>\w+)\b|(?P<c>\w+)-(?:eyed|haired) (?:\w+ )?{sign}|{sign},? (?:a |the "
            rf")?(?P<d>\w+)-(?:eyed|haired)|"
            rf"{sign}的?(?:那|一)?[双对头]?(?P<e>[\u3400-\u9fff]{{1,4}}?)(?:色)?的?(?:{chinese})|"
            rf"{sign}的?(?:{chinese})(?:是|呈)(?P<f>[\u3400-\u9fff]{{1,4}})",
            text,
        )
        if told is None:
            continue
        seen = colours(" ".join(each for each in told.groups() if each))
        if seen and not seen & settled:
            return True
    return False


def _on_other_side(text: str, sign: str, settled: str) -> bool:
    """Whether a scar, a limp, a loss is told of the other side of the body than was settled."""
    side = re.search(r"\b(left|right)\b|[左右]", settled.casefold())
    if side is None or sign not in text:
        return False
    other = _SIDES[side.group()]
    han = not other.isascii()
    body = next((each for each in _BODY if re.search(each[han], settled)), None)
    if body is None:
        return False
    for _, english, chinese in _FEATURE:
        words = chinese if han else rf"\b(?:{english})\b"
        if not re.search(chinese if han else rf"\b(?:{english})", settled) or not re.search(words, text):
            continue
        part = rf"{other}[边侧]?(?:{body[1]})" if han else rf"\b{other} (?:{body[0]})"
        near = rf"(?:{words})[^，。,.;；]{{0,24}}{part}|{part}[^，。,.;；]{{0,24}}(?:{words})"
        found = re.search(near, text)
        if found is not None and _last_sign(text, found.start()) == sign:
            return True
    return False


def _last_sign(text: str, place: int) -> str:
    """The person named last before a place of a marked text."""
    signs = re.findall(r"<c\d+>", text[:place])
    return signs[-1] if signs else ""


def _ranked(scene: Scene, text: str, sign: str, fact: Fact, person: Entity) -> bool:
    """Whether somebody bears a lower rank of the same ladder than the settled one, or a higher one too soon after."""
    if fact.attribute.casefold() not in _RANKS or _PROMOTED.search(text):
        return False
    places = [
        *re.findall(rf"\b([A-Z][a-z]+) {sign}", text),
        *re.findall(rf"{sign}, (?:the |a |an )?([a-z]+)[,.]", text),
        *re.findall(rf"([\u3400-\u9fff]{{2,5}}){sign}", text),
        *re.findall(rf"{sign}(?:是|乃|，|身为)([\u3400-\u9fff]{{2,6}})[，。]", text),
    ]
    told = ranks("，".join(places))
    if not told:
        return False
    facts = scene.known.properties(person)
    settled = ranks("，".join((person.name, *person.aliases, fact.object, *(each.object for each in facts))))
    shared = told.keys() & settled.keys()
    if not shared or any(told[number] & settled[number] for number in shared):
        return False
    soon = scene.known.at - fact.since <= _SOON and not any(
        _LONG[each.language].search(each.text) for each in scene.draft.sentences
    )
    return soon or all(max(told[number]) < min(settled[number]) for number in shared)


def _working(text: str, sign: str, fact: Fact) -> bool:
    """Whether somebody is said to be of another trade than the settled one."""
    if fact.attribute.casefold() not in _WORK or _PROMOTED.search(text):
        return False
    settled = trades(fact.object)
    places = [
        *re.findall(rf"{sign}(?:,| was| is) (?:a|an|the) ([a-z]+)(?=[,.;]| (?:by trade|of|at|in|from)\b)", text),
        *re.findall(rf"{sign}(?:是个?|是一名|是一位|，|身为)([\u3400-\u9fff]{{2,8}})[，。]", text),
    ]
    told = frozenset(each for place in places for each in trades(place))
    return bool(settled and told and not told & settled)
