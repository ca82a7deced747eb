"""Relations that questions ask about: how texts state them, and the words that ask for them, as data."""

from __future__ import annotations

import re
from dataclasses import dataclass

__all__ = ["RELATIONS", "ROLES", "Relation"]

_WORD = r"[A-Z][\w.'’-]{0,30}"
_NAME = rf"{_WORD}(?: (?:(?:of|de|da|van|von|the|al|bin|y|du|le|la) ){{0,2}}{_WORD}){{0,6}}"
ROLES = "(?:(?:著名)?(?:学者|作家|翻译家|诗人|画家|导演|演员|歌手|作曲家|工程师|建筑师|企业家|科学家|将军|总兵|知府)、?){0,3}"
"""What somebody is, in front of a Chinese name: 作家、翻译家杨绛."""
_ALSO = r"(?:(?:, and|,| and) (?:[a-z]{2,10}-)?[a-z]{2,16}){0,6}"
"""What else somebody did to the same thing: directed, written, produced, and co-edited by."""
_HAN = r"[\u4e00-\u9fff·A-Za-z]{2,20}?"


@dataclass(frozen=True, slots=True)
class Relation:
    """One relation: its name, the patterns that state it (the value is the group `value`), and what asks for it."""

    name: str
    stated: tuple[re.Pattern[str], ...]
    asked: re.Pattern[str]


def _relation(name: str, stated: list[str], asked: str) -> Relation:
    stated = [text.replace("由{H}", f"由{ROLES}{{H}}") for text in stated]
    patterns = [
        text.replace("{ALSO}", _ALSO).replace("{N}", rf"(?P<value>{_NAME})").replace("{H}", rf"(?P<value>{_HAN})")
        for text in stated
    ]
    return Relation(name, tuple(re.compile(text) for text in patterns), re.compile(asked, re.IGNORECASE))


_END = r"(?=[，。；、,;（(]|$|的|于|和|与|是|等)"

RELATIONS: tuple[Relation, ...] = (
    _relation("director", [r"directed{ALSO} by {N}", r"(?:director|filmmaker) {N}", r"由{H}(?:执导|导演)", r"(?:^|[，。；、]|是)(?!由){H}执导", rf"导演(?:是|为|：)?{{H}}{_END}"], r"\bdirect(?:or|ed|s)\b|导演|执导"),
    _relation("author", [r"(?:written|authored|penned){ALSO} by {N}", r"(?:novel|book|play|poem|story|memoir)s? by (?:[\w-]{1,20} ){0,5}?{N}", r"\b(?:is|was) an? [\w -]{3,60}?(?<!ed)(?<!en) by (?:[a-z-]{1,20} ){0,4}?{N}", r"(?:author|writer|novelist|playwright) {N}", r"由{H}(?:所著|撰写|创作|编剧|作词|填词|作曲)", r"是{H}(?:所著|撰写|创作|写|著)的", r"是(?P<value>[\u4e00-\u9fff·]{2,12}?)(?:创作)?的(?:[\u4e00-\u9fff]{0,4}小说|代表作|短篇|长篇)", r"改编自{H}的", r"取自{H}的", rf"作者(?:是|为|：)?{{H}}{_END}"], r"\b(?:author|writer|wrote|written|novelist)\b|作者|谁写|编剧|作词|填词|词作|作曲"),
    _relation("performer", [r"(?:performed|recorded|sung|released){ALSO} by (?:[\w-]{1,20} ){0,5}?{N}", r"(?:song|album|single) by (?:[\w-]{1,20} ){0,5}?{N}", r"\bstar(?:s|red|ring) (?:[a-z]{2,20} ){0,3}{N}", r"由{H}(?:演唱|主演|饰演)", r"是{H}演唱的", r"经{H}(?:[\u4e00-\u9fff]{0,4})演出", rf"主演(?:是|为|：)?{{H}}{_END}"], r"\b(?:sang|sung|singer|performed|recorded|stars?|starred|starring|played|portrayed)\b|演唱|主演|饰演|表演"),
    _relation("spouse", [r"(?:married|marrying|wed) (?:to )?(?:[a-z]{1,20} ){0,4}?{N}", r"(?:wife|husband|spouse),? {N}", rf"(?:妻子|丈夫|配偶|太太)(?:是|为|：)?{ROLES}{{H}}{_END}", r"(?:嫁给|娶了|与|和)(?:演员|作家|歌手|导演|作曲家)?{H}(?:结婚|成婚|结为)"], r"\b(?:spouse|wife|husband|married)\b|妻子|丈夫|配偶|嫁给|娶"),
    _relation("birthplace", [r"\bborn (?:[^.]{0,60}? )??(?:in|at) {N}", r"(?<!\w){N}[- ]born\b", rf"(?:出生于|生于|出生在)(?:\d{{1,4}}年\d{{0,2}}月?\d{{0,2}}日?)?(?:在|的)?{{H}}{_END}"], r"\b(?:born|birthplace)\b|出生|生于"),
    _relation("nationality", [r"\b(?:is|was) an? (?P<value>[A-Z][a-z]+(?:-[A-Z][a-z]+)?)\b", rf"(?P<value>[\u4e00-\u9fff]{{1,5}}国)(?:籍|的)?(?:{_HAN})?(?:演员|导演|作家|歌手|画家|科学家|政治家)"], r"\bnationality\b|国籍|哪国人"),
    _relation("founder", [r"(?:founded|established|created|co-founded|formed){ALSO}(?: in (?:[A-Z][a-z]+ )?\d{4})? by {N}", r"founder {N}", r"由{H}(?:等\d*人)?(?:[在于][\u4e00-\u9fff\d]{0,10}?)?(?:创立|创办|创建|成立)", r"[与和]{H}共同创[立办建]", rf"创始人(?:是|为|：)?{{H}}{_END}"], r"\b(?:found(?:er|ed)|established|created by)\b|创始人|创办|创立|创建"),
    _relation("founded", [r"(?:founded|co-founded|established) (?:the )?{N}", r"(?:创办|创立|创建|成立)了?(?!于|的)(?P<value>[\u4e00-\u9fff·A-Za-z]{2,16}?)(?=[，。；、]|$)"], r"\bfound(?:ed|er)\b|创办|创立"),
    _relation("capital", [r"capital(?: city)?(?: and [a-z ]{1,30})?(?: of [\w ]{1,40})? (?:is|was) {N}", rf"首都(?:是|为|：|在)?{{H}}{_END}", rf"省会(?:是|为|：|在)?{{H}}{_END}"], r"\bcapital\b|首都|省会"),
    _relation("location", [r"(?:located|situated|based|headquartered|headquarters) (?:[\w ,]{1,60}? )??(?:in|at|on|near) (?:the )?{N}", r"\bis an? [\w ,-]{1,80}? in (?:the )?{N}", r"(?:位于|坐落于|坐落在|[设处]在|总部位于|所属){H}(?=[东西南北中]{1,2}部|[，。；、,;（(]|$|的|于|和|与|是|等)"], r"\b(?:located|based|headquarter(?:s|ed)|situated|where|city|country|state|county)\b|位于|坐落|总部|在哪|所在|哪[个座]城市|哪里(?!人)"),
    _relation("member of", [r"(?:member of|plays? for|played for|signed (?:by|with)) (?:the )?{N}", rf"(?:效力于|隶属于|任职于|就职于|加入){{H}}{_END}"], r"\b(?:team|club|band|member|plays? for|played for)\b|效力|球队|乐队|隶属"),
    _relation("education", [r"(?:graduated from|attended|studied at|educated at|alumnus of) (?:the )?{N}", r"(?:毕业于|就读于)(?P<value>[\u4e00-\u9fff]{2,12}?(?:大学|学院|学校|中学))"], r"\b(?:graduat|attended|studied|university|college|alma mater|educated)\w*|毕业|就读"),
    _relation("maker", [r"(?:designed|invented|discovered|built|composed|produced|written){ALSO} by (?:[\w-]{1,20} ){0,3}?{N}", r"由{H}(?:领导|设计|改进|改良|发明|发现|主持|负责|建造|率领)", rf"总(?:工程师|设计师|建筑师)(?:是|为|：)?{{H}}{_END}"], r"\b(?:design|invent|discover|built|compos|produc)\w*|设计|发明|发现|改进|改良|建造|总工程师"),
    _relation("publisher", [r"(?:published|distributed|produced|developed|manufactured|owned){ALSO} by (?:the )?{N}", r"由{H}(?:出版|发行|制作|开发|拥有)"], r"\b(?:publish|distribut|produc|develop|manufactur|own)\w*\b|出版|发行|制作|开发"),
    _relation("owner", [r"(?:subsidiary|division|unit) of (?:the )?{N}", r"(?:owned|acquired|bought) by (?:the )?{N}", r"parent (?:company|organi[sz]ation)(?: is|,)? {N}", r"是{H}(?:旗下)?的?(?:全资)?子公司", r"(?:隶属于|被){H}(?:收购|$)", rf"母公司(?:是|为|：)?{{H}}{_END}"], r"\bparent (?:company|organi[sz]ation|corporation|firm)\b|\bown(?:s|ed|er)\b|母公司"),
    _relation("based on", [r"based on (?:the )?(?:[\w ]{1,40}? )??{N}", rf"改编自{{H}}{_END}"], r"\bbased on\b|改编"),
    _relation("birth date", [r"\(born (?P<value>[A-Z][a-z]+ \d{1,2}, \d{4}|\d{1,2} [A-Z][a-z]+ \d{4})", r"(?P<value>\d{3,4}年\d{1,2}月\d{1,2}日)(?:出生|生于)"], r"\b(?:birth ?(?:date|day|year)|(?:when|(?:what|which) (?:year|date|day)) [^?.]{0,160}\bborn|born [^?.]{0,20}(?:what|which) (?:year|date|day)|older|younger)\b|出生日期|何时出生|哪一?年出生|出生于哪一?年|更年长"),
)  # fmt: skip
