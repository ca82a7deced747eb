"""What a marked sentence says of how two people, or somebody and a group, stand to each other."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from amb_book.checking.marked import Marked
from amb_book.checking.roles import CHINESE, ENGLISH, HEADS_EN, HEADS_ZH, role_of
from amb_book.entities import Entity

__all__ = ["Claim", "claims"]


@dataclass(frozen=True, slots=True)
class Claim:
    """`one` is said to be the `role` of `other` (for "leader" and "member" a group), or with `either` the other way
    round; text[start:end] of the marked sentence says so.
    """

    one: Entity
    role: str
    other: Entity
    start: int
    end: int
    either: bool = False


_TITLE = (
    r"(?:(?:[Tt]he|[Oo]ld|[Pp]oor|[Yy]oung|late|[Cc]aptain|[Gg]eneral|[Mm]aster|[Ll]ord|[Ll]ady|[Ss]ir|[Kk]ing|"
    r"[Qq]ueen|"
    r"[Pp]rince|[Pp]rincess|[Dd]octor|Dr|[Ss]ergeant|[Ll]ieutenant|[Ii]nspector|[Cc]ommander|[Bb]rother|"
    r"[Ss]ister|Mr|Mrs|"
    r"Ms|Miss)\.? )*"
)
_A, _B = rf"{_TITLE}<c(?P<a>\d+)>", rf"{_TITLE}<c(?P<b>\d+)>"
_OWN = (
    r"(?:own |elder |older |eldest |younger |youngest |little |big |only |dear |beloved |own dear |long-lost |lost |"
    r"natural |bastard |trueborn |new |old |first |second |lawful |wedded |twin |former |sworn |bitter |mortal |"
    r"oldest |"
    r"closest |trusted |best |good |faithful |worst |devoted |blood )*"
)
_ROLE = rf"{_OWN}(?P<role>{ENGLISH})(?!-|\w)"
_IS = (
    r"(?:,(?: who (?:is|was))?| is| was| were| am|['’](?:s|m|re)| had been| has been| have been|['’]d been| "
    r"became| become|"
    r",? being| are| remained| turned out to be|,? as| —| –| -)"
)
_NOW = r"(?: now| then| also| only| always| still| none other than| indeed| after all| really| in truth)*"
_STOPS = r"(?=[,.;:!?”\"’)]|$| (?:had|has|was|is|who|at|in|on|with|came|stood|sat)\b)"
_EN_ROLES = tuple(
    re.compile(each)
    for each in (
        rf"(?<!<c)<c(?P<b>\d+)>(?:'s|’s|') {_ROLE}(?: is| was| named| called)? {_TITLE}<c(?P<a>\d+)>(?!['’])",
        rf"<c(?P<b>\d+)>(?:'s|’s|') {_ROLE}, {_TITLE}<c(?P<a>\d+)>{_STOPS}",
        rf"<c(?P<a>\d+)>{_IS}{_NOW} (?:the |a |an |one )?{_ROLE} (?:of|to) {_B}(?!['’]s)",
        rf"<c(?P<a>\d+)>(?!, <){_IS}{_NOW} {_TITLE}<c(?P<b>\d+)>(?:'s|’s|') {_ROLE}(?! of| to| in law)",
        rf"<c(?P<a>\d+)>, {_TITLE}<c(?P<b>\d+)>(?:'s|’s|') {_ROLE}(?=[,.;:!?—)”\"]|$)",
        rf"<c(?P<b>\d+)> (?:had|has|have|['’]d) (?:got )?(?:a|an|one|no) {_ROLE},? (?:called|named|in) {_A}",
        rf"<c(?P<b>\d+)> (?:had|has|['’]d) (?:only |but )?(?:a|an|one) {_ROLE}(?:,|:| —) {_A}(?=[,.;:!?”\"]|$)",
        rf"\b(?P<role>{ENGLISH}) of {_TITLE}<c(?P<b>\d+)>(?:'s|’s)?,? (?:named |called )?{_A}{_STOPS}",
    )
)
_GROUP = re.compile(
    r"\b(?P<role>husband and wife|brothers|sisters|siblings|twins|cousins|spouses|enemies|allies|friends),? "
    rf"{_TITLE}<c(?P<a>\d+)> and {_TITLE}<c(?P<b>\d+)>"
)
_BORE = re.compile(
    rf"<c(?P<a>\d+)> (?:had |had once )?(?:borne|bore|fathered|sired|given birth to) {_TITLE}<c(?P<b>\d+)>"
)
_MARRIED = re.compile(
    r"<c(?P<a>\d+)>(?: had| has| was| is| had been| has been|['’]d been)?(?: \w+ly| just| once)? "
    rf"(?:married(?: to)?|wed(?:ded)?(?: to)?|marries) {_B}(?!['’]s)|"
    rf"<c(?P<a2>\d+)>['’]s (?:marriage|wedding) (?:to|with) {_TITLE}<c(?P<b2>\d+)>"
)
_PAIR_EN = re.compile(
    r"<c(?P<a>\d+)>,? and <c(?P<b>\d+)>(?:,? (?:are|were|had been|have been|being))?,? (?:\w+ )?(?P<role>husband and "
    r"wife|man and wife|married|brothers|sisters|brother and sister|sister and brother|siblings|twins|cousins|enemies|"
    r"sworn enemies|allies|friends)\b(?!-)"
)
_PAIR_WORDS = {
    **dict.fromkeys(("husband and wife", "man and wife", "married", "spouses"), "spouse"),
    "cousins": "cousin",
    **dict.fromkeys(("enemies", "sworn enemies"), "enemy"),
    **dict.fromkeys(("allies", "friends"), "ally"),
}
_SAME = re.compile(
    r"<c(?P<a>\d+)>,? and <c(?P<b>\d+)> (?:had|have|has|shared?) (?:the same|a|one) (?P<of>mother|father|"
    r"parents|womb|"
    r"husband|wife)\b|<c(?P<a2>\d+)>(?:和|与|同|跟)<c(?P<b2>\d+)>(?:是|本是|都是)?(?:同父|同母|一母同胞|"
    r"一个(?:爹|娘|妈)生)"
)
_TAUGHT = re.compile(
    rf"<c(?P<b>\d+)> (?:had |has |was |had been )?(?:studied under|been apprenticed to|apprenticed to|been a "
    rf"pupil of|learnt "
    rf"everything from|learned everything from|been taught by) {_A}|<c(?P<a2>\d+)>(?:, who)? had (?:taught|"
    rf"trained) {_TITLE}<c(?P<b2>\d+)> (?:everything|all|the trade|"
    r"from|since|his|her)"
)
_LEADS_EN = (
    re.compile(
        rf"<c(?P<a>\d+)>(?:,| is| was| as| am|,? who (?:is|was))(?: now)? (?:the )?(?:new )?{HEADS_EN} of (?:the )?"
        r"<g(?P<b>\d+)>"
    ),
    re.compile(rf"\b{HEADS_EN} of (?:the )?<g(?P<b>\d+)>(?:,| was| is)?,? {_TITLE}<c(?P<a>\d+)>"),
    re.compile(rf"<g(?P<b>\d+)>(?:'s|’s)? (?:new )?{HEADS_EN}(?:,| is| was) {_TITLE}<c(?P<a>\d+)>(?!['’])"),
    re.compile(
        r"<c(?P<a>\d+)>(?:, who|,)? (?:led|commanded|ruled|headed|leads|commands|rules|heads) (?:the )?<g(?P<b>\d+)>"
    ),
)
_MEMBER_EN = (
    re.compile(
        r"<c(?P<a>\d+)>(?:,| is| was| am)(?: now)? (?:a|an|one of)(?: \w+){0,2} (?:of|in|from|for|with) (?:the "
        r")?<g(?P<b>\d+)>"
        rf"{_STOPS}"
    ),
    re.compile(
        r"<c(?P<a>\d+)>(?: had| has|,)? (?:(?:always |long )?belonged to|belongs to|served (?:in|with)|rode "
        r"with|sworn to|"
        rf"fought for|worked for|works for|flew for|flies for) (?:the )?<g(?P<b>\d+)>{_STOPS}"
    ),
)
_C, _D = r"<c(?P<a>\d+)>", r"<c(?P<b>\d+)>"
_OWN_ZH = (
    r"(?:亲生|亲|独生|独|嫡亲|嫡|结发|同胞|唯一的|最小的|那个|这个|那位|当年的|从前的|授业|开蒙|关门|大|小|长|"
    r"头一个|生身|失散多年的)*"
)
_ROLE_ZH = rf"{_OWN_ZH}(?P<role>{CHINESE})(?![\u3400-\u9fff]{{0,1}}们)"
_THIS = r"(?:当今的?|如今的?|现在的?|这位|那位|这|那|老|小|一位|她的|他的)*"
_ZH_ROLES = tuple(
    re.compile(each)
    for each in (
        rf"{_D}的?{_ROLE_ZH}(?:，|就?是|正是|便是|叫|名叫|唤作|——|：)?{_THIS}{_C}(?!的|家)",
        rf"{_C}(?:，|原来是|本来是|就是|便是|乃是|正是|本是|原是|可是|不是别人，正是|是|乃|作为|身为|成了|做了|"
        rf"当了|——){_THIS}{_D}的?"
        rf"{_ROLE_ZH}(?!的|家)",
    )
)
_MARRIED_ZH = re.compile(
    rf"{_C}[^，。；<没未不想要]{{0,6}}(?:嫁给了?|娶了|迎娶了?|下嫁|嫁与){_D}(?!的)|"
    r"<c(?P<a2>\d+)>(?:和|与|同|跟)<c(?P<b2>\d+)>[^，。；<没未不]{0,4}(?:夫妻|夫妇|两口子|成亲多年|结发)"
)
_PAIRS_ZH = re.compile(
    rf"{_C}(?:和|与|同|跟|、){_D}(?:[^，。；<没未不]{{0,4}}(?P<role>父子|父女|母子|母女|师徒|叔侄|舅甥|祖孙|爷孙|"
    rf"仇人|死敌|宿敌|盟友|"
    r"同盟)|[^，。；<没未不]{0,4}(?:是|乃|这对|一对|亲)(?P<kin>兄弟|姐妹|姊妹|兄妹|姐弟))"
)
_PAIR_ROLES = {
    **dict.fromkeys(("父子", "父女", "母子", "母女"), "parent"),
    "师徒": "teacher",
    **dict.fromkeys(("叔侄", "舅甥"), "uncle"),
    **dict.fromkeys(("祖孙", "爷孙"), "grandparent"),
    **dict.fromkeys(("兄弟", "姐妹", "姊妹", "兄妹", "姐弟"), "sibling"),
    **dict.fromkeys(("仇人", "死敌", "宿敌"), "enemy"),
    **dict.fromkeys(("盟友", "同盟"), "ally"),
}
_TAUGHT_ZH = re.compile(
    rf"<c(?P<b>\d+)>[^，。；<没未不想要]{{0,4}}(?:拜了?|师从|师承|拜入){_C}(?:为师|门下|学艺|，|。)|"
    r"<c(?P<a2>\d+)>(?:当年|早年)?收了?<c(?P<b2>\d+)>(?:为徒|做徒弟|为弟子|做弟子)"
)
_LEADS_ZH = (
    re.compile(
        rf"{_C}(?:，|就?是|乃是?|身为|做了|当了|就任|当上了?|如今是)(?:如今的?|现任|新任)?<g(?P<b>\d+)>的?{HEADS_ZH}"
    ),
    re.compile(rf"<g(?P<b>\d+)>的?(?:现任|新任|老|少)?{HEADS_ZH}(?:，|、|就?是|叫)?(?:<g\d+>的)?{_THIS}{_C}(?!的)"),
    re.compile(rf"{_C}(?:如今|一手|亲自)?(?:统领着?|执掌着?|统率着?|领导着?|掌管着?)<g(?P<b>\d+)>"),
)
_MEMBER_ZH = (
    re.compile(
        rf"{_C}(?:，|就?是|乃是?|原是|本是|身为|早就是)<g(?P<b>\d+)>的?(?:人|弟子|成员|一员|门人|门下|细作|探子|"
        rf"属下|部下|手下|校尉|士卒|记者|"
        r"职员|队员|外门弟子|内门弟子)(?![\u3400-\u9fff])"
    ),
)


def claims(sentence: Marked, *, language: str) -> Iterator[Claim]:
    """What a sentence says, in no order; the same may be said twice."""
    if sentence.text.count("<") < 2:
        return
    yield from _chinese(sentence) if language == "zh" else _english(sentence)


def _english(sentence: Marked) -> Iterator[Claim]:
    for pattern in _EN_ROLES:
        for found in pattern.finditer(sentence.text):
            yield from _claim(sentence, found, role_of(found["role"]))
    yield from _all(sentence, (_MARRIED,), "spouse")
    yield from _all(sentence, (_BORE,), "parent")
    for pattern in (_PAIR_EN, _GROUP):
        for found in pattern.finditer(sentence.text):
            yield from _claim(sentence, found, _PAIR_WORDS.get(found["role"], "sibling"))
    yield from _same(sentence)
    yield from _all(sentence, (_TAUGHT,), "teacher")
    yield from _all(sentence, _LEADS_EN, "leader")
    yield from _all(sentence, _MEMBER_EN, "member")


def _chinese(sentence: Marked) -> Iterator[Claim]:
    for pattern in _ZH_ROLES:
        for found in pattern.finditer(sentence.text):
            yield from _claim(sentence, found, role_of(found["role"]))
    yield from _all(sentence, (_MARRIED_ZH,), "spouse")
    for found in _PAIRS_ZH.finditer(sentence.text):
        yield from _claim(sentence, found, _PAIR_ROLES[found["role"] or found["kin"]], either=True)
    yield from _same(sentence)
    yield from _all(sentence, (_TAUGHT_ZH,), "teacher")
    yield from _all(sentence, _LEADS_ZH, "leader")
    yield from _all(sentence, _MEMBER_ZH, "member")


def _same(sentence: Marked) -> Iterator[Claim]:
    for found in _SAME.finditer(sentence.text):
        yield from _claim(sentence, found, "sibling")


def _all(sentence: Marked, patterns: tuple[re.Pattern[str], ...], role: str) -> Iterator[Claim]:
    for pattern in patterns:
        for found in pattern.finditer(sentence.text):
            yield from _claim(sentence, found, role)


def _claim(sentence: Marked, found: re.Match[str], role: str, *, either: bool = False) -> Iterator[Claim]:
    groups = found.groupdict()
    one, other = groups.get("a") or groups.get("a2"), groups.get("b") or groups.get("b2")
    assert one is not None
    assert other is not None
    pair = sentence.entities[int(one)], sentence.entities[int(other)]
    if pair[0].id != pair[1].id:
        yield Claim(pair[0], role, pair[1], found.start(), found.end(), either)
