"""What kind of thing a question asks for, English and Chinese."""

from __future__ import annotations

import re
from dataclasses import dataclass

from amb_bench.hotpotqa.rules.question_type_words import (
    CHINESE_ASKED,
    CHINESE_HEAD,
    HEAD_STOPS,
    HEADS,
    WH,
    WHERE_FROM,
    YES_NO,
    YES_NO_CHINESE,
    QuestionType,
)
from amb_core.text import detect_language

__all__ = ["Focus", "choices", "compared", "focus_of", "question_type"]

_LONGEST = 1_000
_WORD = re.compile(r"[^\W_][\w'’-]*")
_COPULA = re.compile(r"^\s*(?:is|was|are|were)\s+(?:the |a |an )?(?:names? of (?:the |a |an )?)?", re.IGNORECASE)
_COMMON = re.compile(r"\bin common\b", re.IGNORECASE)
_WHOSE = re.compile(r"\bwhose (?P<role>\w{3,20}) (?:is|was) who", re.IGNORECASE)
_SENTENCE = re.compile(r"(?<=[a-z\d]{2}[.!?]) +(?=[A-Z])")
_EVENT_OF = re.compile(
    r"\b(?:the )?(?:forming|formation|birth|death|founding|foundation|release|creation|establishment|opening"
    r"|publication|building|construction) of (?:the )?(?=[A-Z\"“])"
)
_NOUN_NEXT = re.compile(r"\s+(?!(?:is|was|are|were|has|had|did|does|do)\b)")
_TWO = re.compile(r"\b(?:both|same|either)\b", re.IGNORECASE)
_OR = re.compile(r",?\s+or\s+(?:the\s+)?(?=[\"“'‘A-Z0-9])")
_AND = re.compile(r",?\s+and\s+(?:the\s+)?(?=[\"“'‘A-Z0-9])")
_COMPARED = re.compile(
    r"\b(?:first|which came|earlier|earliest|older|oldest|younger|later|larger|largest|bigger"
    r"|taller|longer|higher|more|most|fewer|less|closer|"
    r"smaller|newer|between)\b",
    re.IGNORECASE,
)
_NAME_AT_END = re.compile(
    r"(?:[\"“][^\"“”]{1,80}[\"”]|(?:[A-Z0-9][\w.'’&!-]{0,40}|[IVX]+)"
    r"(?: (?:(?:of|the|de|la|von|van|in|for|to|a|on|del|da|with|at|from) ){0,2}[A-Z0-9][\w.'’&!-]{0,40}){0,8})"
    r"(?: ?\([^()]{1,40}\))?$"
)
_NAME_AT_START = re.compile(
    r"[\"“][^\"“”]{1,80}[\"”]|[A-Z0-9][\w.'’&!-]{0,40}"
    r"(?: (?:(?:of|the|de|la|von|van|in|for|to|a|on|del|da|with|at|from) ){0,2}[A-Z0-9][\w.'’&!-]{0,40}){0,8}"
)
_LEADING = re.compile(
    r"^(?:(?:Which|Who|What|Whose|Are|Is|Was|Were|Did|Do|Does|Has|Have|Between|Of|The|Both|Among|In) )+(?=\S)"
)
_HAN_NAME = r"《[^《》]{1,30}》|[\u4e00-\u9fffA-Za-z·]{1,20}?"
_CHINESE_CHOICE = re.compile(
    rf"(?:^|[，,：:])(?P<a>{_HAN_NAME})(?:和|与|跟|还是|、|或)(?P<b>{_HAN_NAME})"
    r"(?:这?[两二][个位部座条本者]|，|[哪谁]|之间|中|更|都|是否|是不是|均|成立|的|出生|在|位于|是|哪|$|[？?])"
)
_CHINESE_ASKS_WHICH = re.compile(r"[哪谁]|还是")


@dataclass(frozen=True, slots=True)
class Focus:
    """What a question asks for: its kind and, where it is said, the noun (`city`, `profession`, 别称)."""

    kind: QuestionType
    head: str = ""
    asked: str = ""


def question_type(question: str) -> QuestionType:
    """What a question asks for; `other` where its words do not say."""
    return focus_of(question).kind


def focus_of(question: str) -> Focus:
    """What a question asks for, with the noun that says so."""
    text = question[:_LONGEST].strip()
    if choices(text):
        return Focus("choice", _head_of(text)[0])
    if detect_language(text) == "zh":
        return _chinese_focus(text)
    if YES_NO.search(_SENTENCE.split(text)[-1]) and not _sure_wh(text):
        return Focus("yes-no")
    head, asked = _head_of(text)
    if _COMMON.search(text):
        return Focus("other", "common", asked)
    if asked.startswith("how"):
        return Focus("number", head, asked)
    if asked == "when":
        return Focus("date", "", asked)
    if asked == "where":
        return Focus("place", "", asked)
    if asked in ("who", "whom", "whose"):
        role = _WHOSE.search(text)
        return Focus("person", head if HEADS.get(head) == "person" else role["role"] if role else "", asked)
    return Focus(HEADS.get(head, HEADS.get(head.rstrip("s"), "other")), head, asked)


def choices(question: str) -> tuple[str, ...]:
    """The two things a question has one choose between; () for another question."""
    found = compared(question)
    if len(found) != 2:
        return ()
    text = question[:_LONGEST]
    if detect_language(text) == "zh":
        return found if _CHINESE_ASKS_WHICH.search(text) and not YES_NO_CHINESE.search(text) else ()
    if _OR.search(text):
        return found if not YES_NO.search(text) or not _TWO.search(text) else ()
    asks = re.search(r"\b(?:which|who)\b", text, re.IGNORECASE)
    return found if asks and _COMPARED.search(text) and not YES_NO.search(text) else ()


def compared(question: str) -> tuple[str, ...]:
    """The two things a question compares or asks about at once; () where there are not two."""
    text = _EVENT_OF.sub("", " ".join(question[:_LONGEST].split()))
    if detect_language(text) == "zh":
        found = _CHINESE_CHOICE.search(text)
        return (found["a"].strip("《》"), found["b"].strip("《》")) if found else ()
    for joint in (_OR, _AND):
        for match in joint.finditer(text):
            left = _NAME_AT_END.search(text[max(0, match.start() - 120) : match.start()])
            right = _NAME_AT_START.match(text[match.end() :])
            first = _LEADING.sub("", left[0]).strip(" \"“”'") if left else ""
            if first and right:
                return first, right[0].strip(" \"“”'.?")
    return ()


def _chinese_focus(text: str) -> Focus:
    if YES_NO_CHINESE.search(text):
        return Focus("yes-no")
    heads = [match["head"] for match in CHINESE_HEAD.finditer(text)]
    head = heads[-1].rpartition("的")[2] if heads else ""
    if whence := WHERE_FROM.search(text):
        return Focus("place", "国籍" if whence["land"] else "籍贯", whence.group())
    for kind, asked in CHINESE_ASKED:
        if match := asked.search(text):
            return Focus(kind, head, match.group())
    return Focus("other", head)


def _sure_wh(text: str) -> bool:
    return any(pattern.search(text) for pattern in WH[:2]) or bool(re.search(r"\b(?:in|on) which\b", text))


def _head_of(text: str) -> tuple[str, str]:
    """The noun asked for, and the question word: the place where the question surest asks, of equals the first."""
    best: tuple[float, str, str] = (0.0, "", "")
    for place, pattern in enumerate(WH):
        for match in pattern.finditer(text):
            asked = match["wh"].lower()
            rest = _COPULA.sub("", text[match.end() : match.end() + 120], count=1)
            head = _noun(rest)
            sure = _sureness(text, match, head) - 0.01 * place
            if sure > best[0]:
                best = (sure, head, asked.removeprefix("in "))
    return best[1], best[2]


def _sureness(text: str, match: re.Match[str], head: str) -> float:
    """How surely a question word asks, and does not begin a clause that only says more of something."""
    asked, start = match["wh"].lower(), match.start("wh")
    before = text[:start].rstrip()
    known = head in HEADS or head.rstrip("s") in HEADS
    if asked.startswith("how") or not before:
        return 4.0
    if asked.endswith(("what", "whom")):
        return 3.8
    if asked.endswith("which") and known and _NOUN_NEXT.match(text[match.end() :]):
        return 3.9
    if not text[match.end() :].strip(' ?.!"”'):
        return 3.5
    if before.endswith((".", "?", ";", ":")):
        return 3.0
    return 1.0 if before.endswith(",") else 2.0


def _noun(rest: str) -> str:
    """The last word before the noun phrase ends."""
    head = ""
    for match in _WORD.finditer(rest):
        word = match.group().lower()
        if word == "and" and head not in HEADS and head:
            continue
        if word in HEAD_STOPS or (head and rest[: match.start()].rstrip().endswith((",", ".", "?", ";"))):
            break
        if head in HEADS and word not in HEADS:
            break
        head = word
    return head.removesuffix("'s").removesuffix("’s")
