"""The words by which questions say what they ask for, English and Chinese, as data."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal

__all__ = [
    "CHINESE_ASKED",
    "CHINESE_HEAD",
    "HEADS",
    "HEAD_STOPS",
    "WH",
    "WHERE_FROM",
    "YES_NO",
    "YES_NO_CHINESE",
    "QuestionType",
]

QuestionType = Literal["person", "place", "date", "number", "work", "organisation", "yes-no", "choice", "other"]

YES_NO = re.compile(r"^\W*(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would)\b", re.IGNORECASE)
YES_NO_CHINESE = re.compile(r"是否|是不是|有没有|吗[？?]?\s*$|(?<![什怎这那])么[？?]\s*$")

WH: tuple[re.Pattern[str], ...] = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"\b(?P<wh>how (?:many|much|old|long|tall|far|large|high|big|deep|wide|often))\b",
        r"\b(?P<wh>in (?:what|which)|what|whom)\b",
        r"(?:^|[,.;:] )\W*(?:in |for |by |on |from |at |to |of |under )?(?P<wh>who|whose|where|when|which)\b",
        r"\b(?:in|by|for|on|from|at|to|of|under|is|are|was|were|with|starred|stars|the|named|as) (?P<wh>which|who|whose)\b",
        r"\b(?P<wh>who|where|when)\W*$",
        r"\b(?P<wh>which|who|whose|where|when)\b",
    )
)
"""Where a question asks; the sure forms come before those that also begin relative clauses."""

HEAD_STOPS = frozenset(
    "is are was were did does do has have had will would can could that who which whose where when in of for on with by at "
    "from to and or as their his her its was've first he she it they also wrote".split()
)
"""The noun asked for ends before one of these."""

_PLACES = (
    "city country state county town village province region district continent place borough island river lake location capital "
    "area mountain ocean sea suburb neighborhood neighbourhood territory hometown birthplace headquarters municipality street "
    "venue stadium"
)
_PERSONS = (
    "actor actress actresses actors author director singer writer player person president king queen man woman scientist composer "
    "artist musician politician poet guitarist drummer comedian producer painter founder character architect novelist "
    "philosopher emperor footballer coach athlete rapper host journalist wife husband spouse father mother son daughter "
    "brother sister designer engineer screenwriter filmmaker creator owner ceo inventor cricketer general senator governor mayor"
)
_ORGANISATIONS = (
    "company organisation organization university college school team club party band label studio agency network institution "
    "group airline brand manufacturer publisher league channel station bank firm corporation orchestra duo church brewery"
)
_WORKS = (
    "film movie book novel song album series show play opera game magazine newspaper poem comedy drama single sitcom musical "
    "documentary franchise story painting programme program soundtrack episode journal"
)
_DATES = "year date month day decade"
_NUMBERS = "number percentage population amount height length age size distance"


def _heads() -> dict[str, QuestionType]:
    kinds: tuple[tuple[QuestionType, str], ...] = (
        ("place", _PLACES), ("person", _PERSONS), ("organisation", _ORGANISATIONS),
        ("work", _WORKS), ("date", _DATES), ("number", _NUMBERS),
    )  # fmt: skip
    return {word: kind for kind, words in kinds for word in words.split()}


HEADS: Mapping[str, QuestionType] = _heads()
"""Nouns that questions ask for, with the kind of thing they are."""

CHINESE_ASKED: tuple[tuple[QuestionType, re.Pattern[str]], ...] = (
    ("date", re.compile(r"何时|什么时候|[哪何](?:一)?年|几月|[哪何](?:一)?天|什么日期|(?:年份|日期|生日)是")),
    ("number", re.compile(r"多少|几[个位名次部座岁]|多[大高长重远深宽]|人口是")),
    ("person", re.compile(r"谁|哪位|何人|哪个人|什么人(?!物)|哪一位")),
    ("place", re.compile(r"哪里|哪儿|何处|何地|什么地方|[哪什][个么一座]*(?:国家?|城市|省份?|州|县|区|市|地方|地区|岛|大洲|洲)|哪国")),
    ("organisation", re.compile(r"[哪什][家所支个么一]*[\u4e00-\u9fff]{0,4}?(?:公司|机构|大学|学校|学院|球队|乐队|组织|俱乐部|出版社|电厂|企业|中学)|[哪][家所支]")),
    ("work", re.compile(r"[哪][部本首]|什么(?:电影|小说|歌曲|书|作品)")),
)  # fmt: skip
"""What Chinese questions ask for, by their question words."""

CHINESE_HEAD = re.compile(r"(?:的|^|，)(?P<head>[\u4e00-\u9fff]{1,8}?)(?:是|叫|为|有|以|在)?(?:什么|谁|哪|多少|何|几)")
"""The noun whose value a Chinese question asks for: 别称 of 城市的别称是什么."""

WHERE_FROM = re.compile(r"(?:哪里|哪儿|何处|何地|什么地方)(?:的)?人|(?P<land>哪国人|哪个?国家?的?国?籍|国籍)")
"""How Chinese questions ask where a person is from: the place, or the country."""
