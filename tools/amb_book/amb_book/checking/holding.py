"""Who has a thing that a sentence names: who takes it out, wears, uses or gives it; not who only sees or seeks it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from amb_book.checking.english_words import is_act
from amb_book.checking.naming import Named
from amb_book.checking.scene import Scene, either
from amb_book.entities import Entity

__all__ = ["GIVES", "LENT", "LENT_AFTER", "MOVED", "Held", "holder"]


@dataclass(frozen=True, slots=True)
class Held:
    """`who` has the thing; not `sure` when somebody may do the same with what another put there."""

    who: Entity
    sure: bool


_DETS = (
    r"(?:(?:the|his|her|their|its|a|an|old|own|that|this|[A-Z][\w-]+['’]s|little|small|heavy|cold|great|precious|"
    r"battered)\s+)*"
)
_OBJECT = re.compile(
    rf"\b(?P<verb>[A-Za-z]+)(?:\s+(?P<out>out|up|on|off|down|open|back|away|forth|over|around|round|aside))?"
    rf"(?:\s+(?:him|her|them|it|[A-Z]\w+))?\s+{_DETS}(?:(?:sword|ship|ring|blade|horse|book|knife|stone|jewel)\s+)?$"
)
_WITH = re.compile(rf"\b(?:with|by|using)\s+{_DETS}$")
_BODY = (
    r"(?:belt|pocket|pockets|sleeve|coat|cloak|bag|satchel|pouch|purse|apron|boot|boots|shoe|sock|hip|neck|"
    r"throat|finger|"
    r"thumb|hand|hands|palm|fist|wrist|ear|ears|hair|breast|bosom|bodice|jacket|shirt|raincoat|robe|robes|collar|"
    r"shoulder|back|knee|knees|lap|chest|waist|lips|teeth|mouth|arm|arms|saddle|saddlebag|pack|drawer|desk|pillow|"
    r"bunk|bed|case|trunk|locker|skirt|skirts|waistcoat|head|brow|fingers|hat|cuff|lapel|side|heart)"
)
_ON_PERSON = re.compile(
    rf"^,?\s+(?:\w+\s+){{0,2}}?(?:from|off|out of|in|at|on|under|round|around|inside|over|against|beneath|"
    rf"between|across|"
    rf"up|into|beside)\s+(?:\w+\s+){{0,2}}?(?P<whose>his|her|[A-Z]\w+['’]s)\s+(?:\w+\s+){{0,2}}?{_BODY}\b"
)
_TAKES = frozenset(
    "took takes taking lifted pulled drew fished dug brought produced slid slipped unhooked unpinned unfastened "
    "drawing "
    "pulling lifting fishing tugged plucked shook worked".split()
)
_NOT_HAD = frozenset(
    "saw sees seeing watched noticed spotted recognised recognized wanted needed sought missed lost mentioned "
    "described "
    "remembered asked admired envied stole stealing found left returned approached passed reached faced followed heard "
    "thought loved hated feared met knew meant deserved bought won stood looked seemed demanded "
    "snatched seized caught received accepted picked grabbed borrowed inherited got was were is had been being "
    "believed expected imagined owed named called about of like than for toward towards near past beyond "
    "beside behind where what that which who whose and or but as if when while so because not never coveted eyed "
    "regarded considered discussed promised refused offered fetched sent told said mourned guarded wished ordered "
    "hoped tried failed began started stopped wondered guessed learned learnt forgot hid "
    "buried found lacked "
    "made".split()
)
_WEAK = frozenset(
    "opened closed read studied examined inspected touched turned moved pushed lit cleaned polished tapped "
    "stroked copied "
    "kicked covered unwrapped set laid put placed propped shut opening closing reading turning took lifted "
    "pulled kept keeps "
    "hung righted dusted wiped brought carried slid handed weighed raised drew tied spread unrolled unfolded "
    "locked gave gives giving passed pressed".split()
)
_LIKE_EN = re.compile(
    r"\b(?:like|copy of|replica of|twin of|forgery of|imitation of|as good as|of|about|than|without|no|another|second|"
    r"false|fake|wooden|toy|for|bought|sold|painted|paper)\s+(?:the\s+|a\s+)?$"
)
_COPY_AFTER_EN = re.compile(
    r"^['’]s\b|^\s+(?:of (?:his|her) own|copy|replica|that (?:belonged|was)|like it|case\b|box\b)"
)
_NO_DEED_WITH = frozenset("agreed pleased compared matched dealt parted satisfied argued bargained".split())

_MEASURE = "只把支枚方块柄盏本卷面杆口串根张颗枝管件条顶册副双"
_BODY_ZH = (
    r"(?:腰|手|掌|怀|背|鬓|发|头|颈|颈项|脖子|胸|脸|肩|身|袖|膝|腕|手腕|指|拇指|指头|耳|枕|抽屉|口袋|衣袋|兜|"
    r"衣兜|书包|包袱|包|箱|襟|衣襟|靴|案|桌)"
)
_NOT_HAD_ZH = re.compile(
    r"看|望|瞧|见|瞥|盯|找|寻|问|想|说(?!着)|讲|谈|惦|要|夺|抢|偷|盗|接|收下|收到|买|借|捡|拾|认出|记得|像|如|似|"
    r"仿|假|赝|没|无|不(?!紧|慌)|"
    r"等|为了?|关于|听|闻|怕|爱|恨|指着|指了|藏在哪|丢|失|输|赢|梦|还给|欠|羡|赔|送来|递来|递过来|抛来|得了|得到|"
    r"画|仿|留下|比|关乎|换来|捧上|呈上|奉上|献上|端上"
)
_DET_ZH = re.compile(rf"[那这]一?[{_MEASURE}][^，。！？；：“”]{{0,12}}$")
_WEAK_ZH = re.compile(r"打开|翻开|展开|摊开|合上|抚|摸(?!出)|摩挲|擦|端详|翻|拿起|放下|搁|放|捧起|点亮|点起|推")
_HAD_ZH = re.compile(
    rf"(?:出|开|起|上|下|着|了|住|紧|回|动|响|进|过|举|握|持|拔|挥|佩|戴|挂|插|用|以|拿|提|抱|捧|背|扛|执|仗|使|"
    rf"转|按|盖|亮|解|摘|褪|撑|吹|摇|敲|抖|"
    rf"抡|横|系|别|套|把|将)(?:自己的?|那|这|一|[{_MEASURE}]|手中的?|怀里的?|腰间的?|随身的?|了|"
    rf"{_BODY_ZH}(?:头|间|上|中|里|后|边|前|旁|底|下|底下)?的?|"
    rf"(?:[^，。！？；：“”]{{1,10}})的)*$"
)
_WORN_ZH = re.compile(
    rf"(?<![他她的])(?P<body>{_BODY_ZH}(?:头|间|上|中|里|后|边|前|旁|底|下|底下|筒里)?)"
    rf"(?:[^，。！？的]{{0,3}}(?:佩|挂|别|插|系|悬|戴|罩|揣|藏|握|抱|捧|提|横|套|压)(?:着|了)?|的|(?=[那这]))"
    rf"(?:那|这|一)?[{_MEASURE}]?(?:[^，。！？]{{0,8}}的)?$"
)
_BA_AFTER_ZH = re.compile(
    r"^(?:往|向|朝|一|轻轻|随手|郑重地?|亲手|重新|小心地?)?[^，。]{0,6}?(?:递给|交给|送给|赠给|借给|塞给|塞到|"
    r"塞进|送与|赠与|赠予|递到|交到|抛给|扔给|"
    r"挂|佩|插|别|戴|系|举|挥|横|抖|刺|劈|斩|挑|抵|点亮|摇|吹|收|揣|藏|压|放|搁|拍|按|贴|锁|抱|握|转|套|展|摊|翻)"
)
_COPY_AFTER_ZH = re.compile(r"^的(?!光|火|亮|锋|尖|柄|穗|鞘|链|盖|一)|^(?:盒|匣|鞘|店|铺)")
_GIVEN_ZH = re.compile(r"^[^，。]{0,8}(?:给|与|到[^，。]{0,4}手)")
_DOES_ZH = re.compile(r"^(?:一挥|一横|一抖|出鞘|在手|横在|在(?:他|她)?(?:手|掌|腰|指|腕|怀))")

MOVED = {
    "en": re.compile(
        r"\b(?:gave|given|gives?|giving|handed|hand|lent|lend|lends|passed|took|taken|takes?|taking|stole|"
        r"stolen|borrow\w*|won|bought|found|picked up|caught|seized|snatched|received|"
        r"inherit\w*|left|entrust\w*|pressed|tossed|threw|dropped|lost|sold|returned|bequeath\w*|keep|kept|"
        r"held (?:it )?out|recover\w*|fetch\w*|swap\w*|exchang\w*|traded?|"
        r"pocketed|put .{0,30} into|laid .{0,30} in|slid|robbed|palmed|wrested|plucked|loan\w*|let .{0,20} "
        r"(?:have|use|carry|hold|wear|take)|yours?|mine|gift)\b"
    ),
    "zh": re.compile(
        r"给|交|递|送|借|夺|抢|偷|盗|接过|接住|捡|拾|取走|拿走|取来|赠|传|塞|抛|扔|托|留下|换|卖|买|赢|输|"
        r"落在|掉|丢|失|缴|搜出|还了|归还|还给|顺走|拔走|摸走|捞|保管|暂"
    ),
}
"""Words by which a draft tells that a thing it has named changes hands."""

LENT = {
    "en": re.compile(
        r"\b(?:borrow\w*|lent|loan\w*|stole\w*|took it|handed (?:it|him|her)|gave (?:it|him|her)|given|"
        r"snatched|seized|caught it|entrusted|return\w* it|kept .{0,20} for (?:him|her)|for safe|(?:may|can|"
        r"could|might) "
        r"(?:have|keep|borrow|use|wear) (?:it|mine|this|that)|let (?:him|her|me) (?:have|take|use|hold|wear)|"
        r"on loan|give it back|gave it back|held it out|had left (?:it|him|her)|bequeathed|won it|bought it)\b"
    ),
    "zh": re.compile(
        r"借|偷|夺过|抢过|接过|递过来|抛过来|托付|代为?保管|(?:放|按|塞|交|递|抛|扔)(?:在|到|进|给|"
        r"与).{0,6}(?:手|掌|怀)|替.{1,4}(?:保管|拿|收|背|捧|带)|还给|归还|送还|捡起|拾起|从(?:他|她|"
        r"(?!不|来|前|小|此)[^，。怀]{2,4}的?)(?:袖|怀|腰|手|身|背|鬓|发|颈)"
    ),
}
"""Words by which the sentences beside one tell that a thing was lent, stolen or given, named or not."""


GIVES = {
    "en": re.compile(
        r"\b(?:gave|handed|passed|offered|held (?:it|them|something|\w+ \w+) out|held out|lent|tossed|threw|"
        r"pressed|slid|pushed|"
        r"surrendered|entrusted|bequeathed)\b"
    ),
    "zh": re.compile(
        r"递|交给|交到|给了|塞给|塞到|塞进|抛给|扔给|借给|借你|送给|双手奉|放进[^，。]{0,6}(?:手|掌|怀)|"
        r"戴在[^，。]{0,6}[上头颈腕]"
    ),
}
"""Words by which an owner hands something over."""

LENT_AFTER = {
    "en": re.compile(
        r"\b(?:borrow\w*|had (?:lent|given|stolen|loaned|left|taken) it|had (?:lent|loaned) (?:him|her)|on loan|"
        r"(?:gave|give|handed|returned) it back|want(?:ed)? it back|stolen)\b"
    ),
    "zh": re.compile(
        r"借|偷来|还给|归还|送还|还了?回|交还|替.{1,4}(?:保管|拿着|收着)|是.{1,6}给(?:我|他|她)的|"
        r"留给(?:我|他|她)"
    ),
}
"""Words by which the sentences that follow tell how the thing came there."""


def holder(scene: Scene, number: int, named: Named) -> Held | None:
    """Who has a thing at a place of a sentence; None when nobody, or it is not beyond doubt."""
    sentence = scene.draft.sentences[number]
    before, after = scene.around(sentence, named)
    before, after = before.rstrip("《"), after.lstrip("》")
    if sentence.language == "zh":
        return _chinese(scene, number, named, before, after)
    return _english(scene, number, named, before, after)


def _english(scene: Scene, number: int, named: Named, before: str, after: str) -> Held | None:
    if _LIKE_EN.search(before) or _COPY_AFTER_EN.search(after) or _another(named, before):
        return None
    place = named.start - scene.draft.sentences[number].start
    worn = _ON_PERSON.search(after)
    given = _OBJECT.search(before)
    verb = given["verb"].casefold() if given is not None else ""
    if worn is not None and (verb in _TAKES or not _acting(verb)):
        return _held(_whose(scene, number, named, worn), sure=verb not in _TAKES)
    start = _WITH.search(before)
    if start is not None:
        clause = re.split(r"[,;:.—]", before[: start.start()])[-1]
        deeds = [word for word in re.findall(r"[A-Za-z]+", clause) if _acting(word.casefold())]
        return _held(scene.actor(number, place), sure=True) if set(deeds) - _NO_DEED_WITH else None
    if given is None or not _acting(verb) or verb in _NOT_HAD:
        return None
    weak = verb in _WEAK and given["out"] not in ("out", "on", "forth")
    return _held(scene.actor(number, place), sure=not weak or worn is not None)


def _another(named: Named, before: str) -> bool:
    """Whether it is a thing of that kind, not the one of the book: a brass key, his sword."""
    plain = named.text.islower() and " " not in named.text
    return bool(re.search(r"\b(?:a|an|another)\s+(?:[a-z]+\s+)?$", before) or (plain and _OWN_EN.search(before)))


_OWN_EN = re.compile(r"\b(?:his|her|their|my|your)\s+(?:own\s+)?$")


def _acting(verb: str) -> bool:
    """Whether a word tells a deed with a thing: a past form, or a participle."""
    if verb in _NOT_HAD or not verb:
        return False
    return is_act(verb) or verb in ("used", "uses", "wore", "wears") or (verb.endswith("ing") and len(verb) > 5)


def _held(who: Entity | None, *, sure: bool) -> Held | None:
    return Held(who, sure) if who is not None else None


def _whose(scene: Scene, number: int, named: Named, worn: re.Match[str]) -> Entity | None:
    """On whose body a thing is."""
    sentence = scene.draft.sentences[number]
    place = named.end - sentence.start + worn.start("whose")
    if worn["whose"] in ("his", "her"):
        return scene.possessor(number, place)
    start = sentence.start + place
    return next((each.sole for each in scene.names[number] if each.start == start), None)


def _chinese(scene: Scene, number: int, named: Named, before: str, after: str) -> Held | None:
    if _COPY_AFTER_ZH.search(after):
        return None
    place = named.start - scene.draft.sentences[number].start
    clause = re.split(r"[，。！？；：”—]", before)[-1]
    people = [each for each in scene.told(number, "character") if each.end <= named.start]
    start = scene.draft.sentences[number].start + place - len(clause)
    last = max((each.end for each in people if each.start >= start), default=start)
    verbs = scene.draft.text[last : named.start].rstrip("《")
    done = re.split(rf"(?:自己)?[那这]一?[{_MEASURE}]", verbs)[0] if _DET_ZH.search(verbs) else verbs
    if _NOT_HAD_ZH.search(done):
        return None
    worn = _WORN_ZH.search(before)
    if worn is not None:
        return None if _anothers(scene, number, worn.start()) else _held(scene.actor(number, place), sure=True)
    if _DOES_ZH.search(after):
        return _held(scene.actor(number, place), sure=True)
    if re.search(r"(?:把|将)[^，。]{0,8}$", verbs):
        given = _GIVEN_ZH.search(after)
        return _held(scene.actor(number, place), sure=given is None) if _BA_AFTER_ZH.search(after) else None
    if _HAD_ZH.search(done) is None:
        return None
    return _held(scene.actor(number, place), sure=_WEAK_ZH.search(done) is None)


def _anothers(scene: Scene, number: int, body: int) -> bool:
    """Whether the one whose body is spoken of is not the one who acts: 指着裴霜脸上的铁面."""
    sentence = scene.draft.sentences[number]
    whose = [each for each in scene.told(number, "character") if each.end == sentence.start + body]
    return any(not either(sentence).is_subject(*scene.around(sentence, each)) for each in whose)
