"""The words by which questions say what they ask for, English and Chinese, as data."""

from __future__ import annotations

import re

from amb_core.team.curating import QuestionType

__all__ = ["ASKED", "CHOICE", "YES_NO"]

CHOICE = re.compile(
    r"[,:]?\s*([A-Z\"“][^,?]*?),? or ([A-Z\"“][^,?]*?)\s*\?|([\u4e00-\u9fff·\w]+)还是([\u4e00-\u9fff·\w]+)"
)
YES_NO = re.compile(
    r"^\s*(?:is|are|was|were|do|does|did|has|have|had|can|could|will)\b|(?:是否|是不是|有没有|吗[？?]?\s*$)",
    re.IGNORECASE,
)
ASKED: tuple[tuple[QuestionType, re.Pattern[str]], ...] = (
    ("date", re.compile(r"\b(?:when|what (?:year|date|month|day|decade)|which (?:year|date|month|day)|in what year)\b|何时|什么时候|哪一?年|哪年|几月|哪一?天|年份|日期", re.I)),
    ("number", re.compile(r"\b(?:how (?:many|much|old|long|tall|far|large|high)|what (?:number|percentage|population))\b|多少|几个|几位|多大|多高|多长|人口", re.I)),
    ("person", re.compile(r"\b(?:who|whose|whom|which (?:actor|actress|author|director|singer|writer|player|person|president|king|queen|man|woman|scientist)|what is the name of the (?:actor|actress|author|director|singer|writer|player|person|man|woman))\b|谁|哪位|何人|哪个人|什么人", re.I)),
    ("place", re.compile(r"\b(?:where|(?:what|which) (?:city|country|state|county|town|village|province|region|district|continent|place|nationality|borough|island|river))\b|哪里|哪儿|何处|什么地方|哪个(?:国家|城市|省|州|县|地方)|哪国|哪座城市", re.I)),
    ("organisation", re.compile(r"\b(?:what|which) (?:company|organi[sz]ation|university|college|school|team|club|party|band|label|studio|agency|network|institution)\b|哪家|哪所|哪支|什么(?:公司|机构|大学|球队|乐队)", re.I)),
    ("work", re.compile(r"\b(?:what|which) (?:film|movie|book|novel|song|album|series|show|play|opera|game|magazine|newspaper|poem)\b|哪部|哪本|哪首|什么(?:电影|小说|歌曲|书)", re.I)),
)  # fmt: skip
