"""What form the answer to a question has, where its own words fix it: yes or no, a number, one of two names."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Literal

from amb_core.text import detect_language
from amb_values import name_key
from amb_values.proper_names import core_names

__all__ = ["QuestionType", "choices_of", "is_question", "question_type"]

QuestionType = Literal["person", "place", "date", "number", "yes-no", "choice", "other"]
"""What a question asks for; `other` where no question word says it."""

_LONGEST = 1_000
_YES_NO = re.compile(
    r"^\W*(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would)\b|是否|是不是|吗[？?]?\s*$", re.IGNORECASE
)
_ASKED: tuple[tuple[QuestionType, re.Pattern[str]], ...] = (
    (
        "number",
        re.compile(
            r"\bhow (?:many|much|old|tall|high|long|deep|wide|far|heavy)\b"
            r"|多少|多[大高长重深宽久远]|几[个位名次部座岁]",
            re.IGNORECASE,
        ),
    ),
    ("date", re.compile(r"^\W*when\b|^\W*(?:in )?(?:what|which) year\b|何时|什么时候|哪一?年", re.IGNORECASE)),
    ("place", re.compile(r"^\W*where\b|哪里|哪儿|何处", re.IGNORECASE)),
    ("person", re.compile(r"^\W*(?:who|whom|whose)\b|谁|哪位", re.IGNORECASE)),
)
_MARK = re.compile(r"[?？]|^\W*(?:what|which|why|how)\b", re.IGNORECASE)
_OR = re.compile(r",? or (?:the )?")
_HAN_NAME = r"[\u4e00-\u9fff·《》]{2,20}?"
_CHINESE_OR = re.compile(
    rf"(?:^|[，,：:])(?P<one>{_HAN_NAME})(?:还是|或|和|与)(?P<other>{_HAN_NAME})(?:，|谁|哪|[？?]$)"
)


def question_type(question: str) -> QuestionType:
    """What a question asks for, as far as its question words say."""
    text = question[:_LONGEST].strip()
    if choices_of(text):
        return "choice"
    if _YES_NO.search(text):
        return "yes-no"
    for kind, asked in _ASKED:
        if asked.search(text):
            return kind
    return "other"


def is_question(text: str) -> bool:
    """Whether a text asks for an answer: by its mark, or by its question words."""
    return _MARK.search(text[-_LONGEST:]) is not None or question_type(text) != "other"


def choices_of(question: str) -> tuple[str, ...]:
    """The two names a question has one choose between, `A or B`; () for another question."""
    text = question[:_LONGEST]
    if detect_language(text) == "zh":
        found = _CHINESE_OR.search(text)
        return (found["one"].strip("《》"), found["other"].strip("《》")) if found else ()
    names = [entity for entity in core_names(text) if name_key(entity.name)]
    for one, other in pairwise(names):
        if _OR.fullmatch(text[one.end : other.start].strip("\"“”'")):
            return one.name, other.name
    return ()
