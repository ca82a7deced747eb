"""Things in the hands of somebody whose they are not."""

from __future__ import annotations

import re
from collections.abc import Iterator

from amb_core.narrative.checking.findings import Finding
from amb_core.narrative.checking.naming import Named
from amb_core.narrative.checking.scene import Scene, either
from amb_core.narrative.entities import Entity

__all__ = ["others_things"]

_POSS = r"(?:(?:the|his|her|their|its|a|an|old|own)\s+)*"
_USED_EN = re.compile(
    r"\b(?:drew|raised|lifted|swung|wielded|struck|unrolled|unsheathed|brandished|wore|wears|used|"
    r"played|blew|sounded|sheathed|"
    r"gave|handed|offered|lent|sold|gifted|bestowed|presented|pulled out|produced|pinned|unpinned|"
    r"slipped on|put on|drawing|raising|"
    rf"wearing|holding|held up|held out|carried|carrying|gripped|gripping|clutched|clutching|unfolded|polished|"
    rf"with|by)\s+(?:out\s+|up\s+|on\s+)?(?:(?:him|her|them|it)\s+)?{_POSS}$"
)
_WITH_EN = re.compile(rf"\b(?:with|by)\s+{_POSS}$")
_ARMED_EN = re.compile(
    r"\b(?:struck|cut|slashed|stabbed|hacked|parried|fought|killed|sealed|opened|unlocked|lit|hit|"
    r"pointed|signed|fastened|cuts?)\b"
)
_ON_PERSON_EN = re.compile(
    r"^,?\s+(?:\w+\s+)?(?:from|off|out of|in|at|on|under|round|around|inside|over|against|beneath|between) "
    r"(?:\w+ )?(?:his|her) (?:own )?"
    r"(?!(?:way|mind|eyes|direction|presence|name|honour|honor|dreams?|face|place|absence|stead|room|"
    r"house|turn)\b)\w+"
)
_MOVED_EN = re.compile(
    r"\b(?:gave|given|gives?|giving|handed|hand|lent|lend|lends|passed|took|taken|takes?|taking|stole|"
    r"stolen|borrow\w*|won|bought|found|picked up|caught|seized|snatched|received|"
    r"inherit\w*|left|entrust\w*|pressed|tossed|threw|dropped|lost|sold|returned|bequeath\w*|keep|kept|"
    r"held (?:it )?out|recover\w*|fetch\w*|swap\w*|exchang\w*|traded?|"
    r"pocketed|put .{0,30} into|laid .{0,30} in|slid|robbed|palmed|wrested|plucked|loan\w*|let .{0,20} "
    r"(?:have|use|carry|hold|wear)|yours?|mine|gift)\b"
)
_LIKE_EN = re.compile(
    r"\b(?:like|copy of|replica of|twin of|forgery of|imitation of|as good as|of|about|than|without|no|"
    r"another|second|false|fake|wooden|toy|for|bought|sold)\s+(?:the\s+|a\s+)?$"
)
_COPY_AFTER_EN = re.compile(r"^['’]s\b|^\s+(?:of (?:his|her) own|copy|replica|that (?:belonged|was)|like it)")
_USED_ZH = re.compile(
    r"(?:拔出|抽出|拔|举起|举着|举|挥动|挥起|挥|提着|提起|提|握着|握住|握紧|握|佩着|佩|戴着|戴上|戴|"
    r"插着|拿出|拿着|掏出|取出|取下|拔下|摘下|亮出|祭出|使|点亮|点起|点着|摇响|摇|吹响|吹|"
    r"解下|递上|交出|送出|拿|扛着|扛|抡起|抡|横|背着|捧着|捧出|抱着|罩着|罩上|以|用|执|持|手持|腰悬|"
    r"腰佩|腰间别着|仗着|舞动|舞|打开|展开|摸出|抱紧|背起|系上|别上|插上|把|将)"
    r"(?:[腰鬓发怀袖颈胸床枕案][间边里中上前头]?)?(?:自己的|那[盏把枚支杆口只柄块]|"
    r"一[盏把枚支杆口只柄块]|了)?(?:[^，。！？；：他她]{1,12}的)?$"
)
_BA_ZH = re.compile(r"(?:把|将|用|以)(?:自己的|那[盏把枚支杆口只柄块])?$")
_BA_AFTER_ZH = re.compile(
    r"^(?:往|向|朝|一|轻轻|随手|郑重地?|亲手|)?[^，。]{0,6}?(?:递给|交给|送给|赠给|借给|塞给|塞到|塞进|"
    r"送与|赠与|赠予|递到|交到|抛给|扔给|挂在腰|佩在|插在|插进发|别在|戴在|系在|举|挥|一横|一抖|刺|劈|"
    r"斩|挑|抵|点亮|摇|吹)"
)
_ON_PERSON_ZH = re.compile(
    r"(?<![他她的])(?:腰间|腰上|手中|手里|手上|掌中|怀里|怀中|背上|背后|鬓边|发间|头上|颈上|颈间|胸前|"
    r"脸上|肩上|身上|袖中|袖里|膝上|身边|身旁)(?:[^，。！？的]{0,2}(?:佩|挂|别|插|系|悬|戴|罩|揣|藏|握|"
    r"抱|捧|提|放|横|搁|是)(?:着|了)?|的)"
    r"(?:那|一)?[盏把枚支杆口只柄块面]?(?:[^，。！？]{0,6}的)?$"
)
_MOVED_ZH = re.compile(
    r"给|交|递|送|借|夺|抢|偷|盗|接过|接住|捡|拾|取走|拿走|取来|赠|传|塞|抛|扔|托|留下|换|卖|买|赢|输|"
    r"落在|掉|丢|失|缴|搜出|还了|归还|还给|顺走|拔走|摸走|捞|保管|暂"
)
_LIKE_ZH = re.compile(
    r"(?:像|如|似|仿|假的?|赝|仿制的?|一模一样的|同样的|另一[盏把枚支杆口只柄块]|没有|无|不是|木头?的?|"
    r"画的?|仿造的?|说|问|想|关于|为了?|找|寻|比)$"
)


def others_things(scene: Scene) -> Iterator[Finding]:
    """Somebody uses, wears or gives away what belongs to another, and no handing over was told."""
    for number, sentence in enumerate(scene.draft.sentences):
        if scene.frames.unreal(number):
            continue
        for item in scene.told(number, "item"):
            if scene.frames.doubted(sentence, item.start - sentence.start):
                continue
            found = _in_wrong_hands(scene, number, item)
            if found is not None:
                yield found


def _in_wrong_hands(scene: Scene, number: int, named: Named) -> Finding | None:
    item = named.sole
    fact = scene.known.owner(item) if item is not None else None
    if item is None or fact is None or not _in_use(scene, number, named):
        return None
    sentence = scene.draft.sentences[number]
    actor = scene.actor(number, named.start - sentence.start)
    if actor is None or actor.name == fact.subject or actor.kind != "character":
        return None
    if _shared(scene, fact.subject, actor) or _handed_over(scene, number, named, item):
        return None
    return scene.finding(
        "ownership",
        number,
        [actor.name, item.name, fact.subject],
        (
            f"{item.name} has been {fact.subject}'s since chapter {fact.since}; here {actor.name} has it, and "
            "nobody gave it.",
            f"{item.name}自第{fact.since}章起归{fact.subject}，这里却在{actor.name}手里，没有写到转手。",
        ),
        facts=[fact],
        confidence=0.82,
    )


def _in_use(scene: Scene, number: int, named: Named) -> bool:
    sentence = scene.draft.sentences[number]
    before, after = scene.around(sentence, named)
    if sentence.language == "en":
        if _LIKE_EN.search(before) or _COPY_AFTER_EN.search(after):
            return False
        if _WITH_EN.search(before):
            return bool(_ARMED_EN.search(before))
        return bool(_USED_EN.search(before) or _ON_PERSON_EN.search(after))
    if _LIKE_ZH.search(before):
        return False
    if _BA_ZH.search(before):
        return bool(_BA_AFTER_ZH.search(after)) or before.endswith(("用", "以"))
    worn = _ON_PERSON_ZH.search(before)
    if worn is not None and _anothers(scene, number, worn.start()):
        return False
    return bool(
        _USED_ZH.search(before)
        or _ON_PERSON_ZH.search(before)
        or re.match(r"^(?:一挥|一横|一抖|出鞘|在手|横在)", after)
    )


def _anothers(scene: Scene, number: int, body: int) -> bool:
    """Whether the one whose body is spoken of is not the one who acts: 指着裴霜脸上的铁面."""
    sentence = scene.draft.sentences[number]
    whose = [each for each in scene.told(number, "character") if each.end == sentence.start + body]
    return any(not either(sentence).is_subject(*scene.around(sentence, each)) for each in whose)


def _shared(scene: Scene, owner: str, actor: Entity) -> bool:
    """Whether the owner is no single person, or one whose things may be anybody's by now, or the actor's own."""
    for entity in scene.known.by_name.get(owner, ()):
        if entity.kind != "character" or scene.known.state(entity) in ("dead", "missing"):
            return True
        if any(actor.name in (fact.subject, fact.object) for fact in scene.known.related(entity, "MARRIED_TO")):
            return True
    return False


def _handed_over(scene: Scene, number: int, named: Named, item: Entity) -> bool:
    """Whether the draft tells before that the thing came to somebody else."""
    offset = named.start - scene.draft.sentences[number].start
    for other in scene.names_before(number, max(0, offset - 1), item):
        sentence = scene.draft.sentences[other]
        moved = _MOVED_EN if sentence.language == "en" else _MOVED_ZH
        text = sentence.text if other < number else sentence.text[:offset]
        if moved.search(text):
            return True
    following = scene.draft.sentences[number - 1].text if number else ""
    sentence = scene.draft.sentences[number]
    moved = _LENT[sentence.language]
    return bool(moved.search(following) or moved.search(sentence.text))


_LENT = {
    "en": re.compile(
        r"\b(?:borrow\w*|lent|loan\w*|stole\w*|took it|handed (?:it|him|her)|gave (?:it|him|her)|given|"
        r"snatched|seized|caught it|entrusted|return\w* it|kept .{0,20} for (?:him|her)|for safe)\b"
    ),
    "zh": re.compile(
        r"借|偷|夺过|抢过|接过|递过来|抛过来|托付|代为?保管|(?:放|按|塞|交|递|抛|扔)(?:在|到|进|给|"
        r"与).{0,6}(?:手|掌|怀)|替.{1,4}(?:保管|拿|收|背|捧|带)|还给|归还|送还|捡起|拾起|从(?:他|她|"
        r"(?!不|来|前|小|此)[^，。怀]{2,4}的?)(?:袖|怀|腰|手|身|背|鬓|发|颈)"
    ),
}
