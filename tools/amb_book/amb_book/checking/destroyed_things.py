"""Things and places that are destroyed and are used as if they were whole."""

from __future__ import annotations

import re
from collections.abc import Iterator

from amb_book.checking.english_words import is_act
from amb_book.checking.findings import Finding
from amb_book.checking.name_index import Named
from amb_book.checking.scene import Scene, either
from amb_book.entities import Entity

__all__ = ["destroyed_used"]

_KNOWN_GONE = {
    "en": re.compile(
        r"\b(?:ruins?|ruined|ash(?:es)?|wreck\w*|broken|pieces?|shards?|stump|remains?|remained|"
        r"where .{0,30} (?:had )?stood|sites?|burn\w*|rebuil\w*|a new|the new|brand.new|reforged|replaced?|"
        r"replacement|repaired|mended|restored|"
        r"charred|foundations?|splinter\w*|salvag\w*|half of|fragments?|blackened|what was left|sunken|sank|sunk|"
        r"went down|lost|loss|gone|no more|used to|(?:before|since|until) (?:the )?(?:fire|flood|storm|war|wreck|end|"
        r"night)|insur\w*|second|another|model|toy|namesake|"
        r"painted|drawing|picture|photograph\w*|print|postcard|bottom of|rubble|raised from|copy|copies|replica|"
        r"forgery|"
        r"empty (?:space|lot|plot|berth)|memory|memories|remember\w*|named (?:after|for)|destroyed|shattered|smashed|"
        r"melted|crater|debris|scrap)\b"
    ),
    "zh": re.compile(
        r"废墟|焦[土黑木炭糊]|灰烬|余烬|烧[成剩焦毁光掉塌没]|"
        r"残[骸垣片破缺存留]|断[壁垣口成了]|断[剑刀弦]|半截|碎片|碎[了成裂]|遗址|旧址|"
        r"重[建铸修造]|"
        r"修[好复补]|瓦砾|沉[在没了]|湖底|海底|江底|打捞|原址|(?<![重崭更从])新[的盖建铸造修买做配]|地基|铸成|旧地|"
        r"空地|"
        r"早已|不在了|没了|毁|塌|模样的|画[上中里的着]|仿[制造]?|图样|照片|火场|火后|那场[大]?火|祭|凭吊|复制|赝|替代|"
        r"另一"
    ),
}
_PART = {
    "en": re.compile(
        r"^['’]s?\s+(?:\w+\s+){0,2}(?:decks?|sails?|topsails|hold|masts?|rails?|helm|bowsprit|bridge|"
        r"cabins?|"
        r"galley|wheelhouse|engines?|doors?|gates?|halls?|roofs?|walls?|windows?|kitchens?|bar|counters?|yard|shelves|"
        r"rooms?|stairs?|porch|chimneys?|bow|stern|edge|strings|handle|lid|pages|lens|tables?|"
        r"landing|markets?|mill|church|streets?|inn|ferry|square|tavern|quay|school|bakery|smithy|roofs)\b"
    ),
    "zh": re.compile(
        r"^(?:里|中|内|门口|门前|上|下)?的?(?:大门|铁门|木门|门板|门|窗|"
        r"灯火?|屋檐|柜台|货架|甲板|桅|帆|船舱|船头|走廊|楼梯|前堂|大堂|后院|"
        r"伙计|掌柜|客人|剑锋|剑光|剑身|刀锋|刀光|琴弦|封皮|书页|钟声|香火|院墙|厨房|屋里|库房)"
    ),
}
_PLACE_USE = re.compile(
    r"\b(?:in|inside|into|at|to|through|entered|left|opened|aboard|on|upon|above|under|boarded|reached|crossed|locked|"
    r"unlocked|swept|outside|around|onto|climbed|mounted|passed|visited|searched|guarded|cleaned|circled|filled|"
    r"tidied)\s+(?:the\s+)?(?:(?:\w+\s+){1,2}of\s+)?(?:the\s+)?$"
)
_OF_PART = re.compile(
    r"\b(?:decks?|hold|rail|stern|bows?|bowsprit|mast|helm|cabin|gangway|quarterdeck|wheel|steps|doors?|windows?|roof|"
    r"walls?|kitchen|porch|bar|yard|bridge|gates?|hall)\s+of\s+(?:the\s+)?$"
)
_PLUPERFECT = re.compile(r"\bhad (?:\w+ly |not |never |once |been )?\w+(?:ed|en|wn|ne|ght|nt|ft|ng|ade|ld|t)\b")
_SAILED = re.compile(
    r"\b(?:took|sailed|steered|moored|launched|anchored|docked|beached|loaded|crewed|handled|brought|berthed|flew|"
    r"landed|drove)"
    r"\s+(?:the\s+|his\s+|her\s+|old\s+)*$"
)
_IS_OPEN = re.compile(
    r"^\s+(?:was|were|is|are)\s+(?:\w+ly\s+)?(?:full|busy|crowded|noisy|quiet|warm|packed|open|closed|shut|lit|bright|"
    r"cold|"
    r"dark|cheerful|loud|alive|half|\w+ing)\b|^\s+(?:smelled|smelt|rang|buzzed|hummed|stayed open|did a)\b"
)
_HANDLED = re.compile(
    r"\b(\w+)\s+(?:(?:out|up|on|off|down|over|in|open|away)\s+)?(?:(?:him|her|them|it|from \w+)\s+)?"
    r"(?:(?:the|his|her|their|its|a|an|old|own)\s+)+$"
)
_WITH = re.compile(
    r"\b(?:with|by|using|holding|wearing|carrying|under|behind)\s+(?:(?:the|his|her|their|its|old|own)\s+)+$"
)
_NOT_HANDLED = frozenset(
    "saw sought remembered missed wanted needed mentioned heard thought lost broke burned burnt destroyed mourned "
    "described painted sketched knew named called imagined pictured dreamed recalled shattered smashed melted wrecked "
    "rebuilt mended repaired replaced copied discussed asked wished found loved hated meant regretted owned "
    "sank remained".split()
)
_ON_PERSON = re.compile(
    r"^,?\s+(?:\w+\s+)?(?:in|at|on|round|around|inside|over|against|between|from) (?:\w+ )?(?:his|her) (?:own )?"
    r"(?:hands?|belt|hip|side|back|neck|finger|wrist|arms?|lap|knees?|pocket|shoulders?|throat|breast|chest|head|fist|"
    r"palm)\b"
)
_USED_ZH = re.compile(
    r"(?:拿|解|卸|提|握|举|提|抽|拔|挥|捧|抱|背|戴|佩|挂|摸|掏|取|翻|打开|展开|点[燃亮起]|吹|摇|弹|拉|擦|递|接|交|放|"
    r"收|用|以|把|将|执|持|扛|扶|骑|乘|"
    r"驾|坐|登|敲|锁|系|披|穿|插|别|拎|端|摊|合|按|抚|拨|横|祭|舞|亮|操|"
    r"撑)(?:[出起住着上下过回在了入进开]{0,2})(?:[腰鬓发怀袖颈胸床枕案手][间边里中上前头]?)?"
    r"(?:自己的|他的|她的|那|这|一|了)?[盏把枚支杆口只柄块面艘条件串卷本]?(?:[^，。！？；：他她]{1,4}的)?$"
)
_ENTERED_ZH = re.compile(r"(?:在|进|到|入|回|出|开|推开|顶开|走过|穿过|登上|坐在|住在|守在|绕过)(?:了)?$")


def destroyed_used(scene: Scene) -> Iterator[Finding]:
    """A thing or place that is destroyed is used as if it were whole."""
    for number, sentence in enumerate(scene.draft.sentences):
        if scene.frames.unreal(number) or scene.frames.explained(number):
            continue
        for named in scene.told(number):
            entity = named.sole
            if entity is None or entity.kind not in ("item", "location", "thing"):
                continue
            if scene.known.state(entity) != "destroyed" or not _whole(scene, number, named):
                continue
            if scene.frames.doubted(sentence, named.start - sentence.start) or _knows(scene, number, entity):
                continue
            yield _finding(scene, number, entity)


def _finding(scene: Scene, number: int, entity: Entity) -> Finding:
    fact = scene.known.status(entity)
    assert fact is not None
    return scene.finding(
        "status",
        number,
        [entity.name],
        (
            f"{entity.name} is {fact.object} since chapter {fact.since}; here it is as it was.",
            f"{entity.name}自第{fact.since}章起已{fact.object}，这里却完好如初。",
        ),
        facts=[fact],
        confidence=0.85,
    )


def _knows(scene: Scene, number: int, entity: Entity) -> bool:
    """Whether the draft, where it names something and around, knows that it is no more, or made anew."""
    last = min(number + 2, len(scene.draft.sentences))
    for other in range(last):
        if other < number - 1 and not any(entity in each.entities for each in scene.names[other]):
            continue
        sentence = scene.draft.sentences[other]
        rest = sentence.text
        for each in reversed(scene.names[other]):
            rest = rest[: each.start - sentence.start] + rest[each.end - sentence.start :]
        if _KNOWN_GONE[sentence.language].search(rest):
            return True
    return False


def _whole(scene: Scene, number: int, named: Named) -> bool:
    """Whether a sentence tells of something, or of somebody in it, as of a whole one."""
    sentence = scene.draft.sentences[number]
    before, after = scene.around(sentence, named)
    place = any(entity.kind == "location" for entity in named.entities)
    if _PART[sentence.language].search(after) or either(sentence).acts(before, after):
        return True
    if sentence.language == "zh":
        entered = place and _ENTERED_ZH.search(before) is not None
        return entered or _USED_ZH.search(before) is not None or bool(re.match(r"一[挥横抖]|出鞘|在手|横在|嗡", after))
    if _OF_PART.search(before):
        return True
    if place or "aboard" in before[-12:]:
        if _SAILED.search(before) or (either(sentence).is_subject(before, after) and _IS_OPEN.search(after)):
            return True
        return _PLACE_USE.search(before) is not None and not _PLUPERFECT.search(sentence.told)
    handled = _HANDLED.search(before)
    if handled is not None and is_act(handled.group(1)) and handled.group(1).casefold() not in _NOT_HANDLED:
        return True
    return bool(_WITH.search(before) or _ON_PERSON.search(after))
