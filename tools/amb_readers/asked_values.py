"""The value that a sentence gives for a word of a question, by its place beside that word: painted by X, 位于 X."""

import re
from collections.abc import Sequence

from amb_core.text import detect_language
from amb_core.text.chinese_words import COMPOUND_SURNAMES, SURNAMES

__all__ = ["asked_value", "is_epithet", "main_verb"]

_STEM = 5
"""Letters that two words of one stem begin with."""
_SUFFIX = re.compile(r"(?<=\w{3})(?:s|ed|ing)$")
_NAME = r"[A-Z][\w'’-]*\.?(?: (?:(?:of|the|de|da|van|von|la|le) ){0,2}[A-Z][\w'’-]*\.?){0,6}"
_BESIDE = r"[a-z]*,? (?:by|in|at|to|from|near|as|is|was)(?: [a-z-]{2,20}){0,3}?"
_DOES = re.compile(r"\W*(?:who|(?:which|what) \w+) (?P<verb>[a-z]{4,}) ", re.IGNORECASE)
_NATION = re.compile(r"\bnational|\bcountry\b|\bcitizen|国籍|哪国", re.IGNORECASE)
_EPITHET = re.compile(r" [a-z]")
_LINKS = "于在为是自叫"
_HAN = "\u4e00-\u9fff"
_VALUE = r"(?P<value>[^，。；、,;.\s的]{2,16})"
_END = r"(?=[，。；、,;.\s（(]|$)"
_PLACED = re.compile(rf"(?:位于|地处|坐落[于在]|设[于在]){_VALUE}")
_PLACE = re.compile(r"所在|位于|地处|在哪|哪里|哪儿|何处")
_MADE = re.compile(rf"由(?P<value>[{_HAN}·A-Za-z]{{2,14}}?)(?P<verb>[{_HAN}]{{2}}){_END}")
_PERSON = re.compile(r"谁|哪位")
_SURNAME = rf"(?:{'|'.join(COMPOUND_SURNAMES)}|[{SURNAMES}])"
_WHO = rf"(?P<value>{_SURNAME}[{_HAN}]{{1,2}})(?=[是为在于曾任后，。、；（(和与]|$)"
_HELD = re.compile(rf"(?:的(?P<word>[{_HAN}]{{2}})|其(?P<kin>[子女妻父母兄弟夫])){_WHO}")
_TITLED = re.compile(rf"[{_HAN}]{{2,}}?(?P<value>{_SURNAME}[{_HAN}]{{1,2}})")
_DONE = re.compile(rf"(?P<verb>[{_HAN}]{{2}})的[{_HAN}]")
_KINDS = {
    "河": "河江水溪", "江": "江河", "湖": "湖泊海", "山": "山峰岭", "岛": "岛屿洲", "市": "市", "县": "县", "省": "省",
    "镇": "镇", "国": "国", "桥": "桥", "寺": "寺", "校": "学校|大学|学院|中学", "学": "大学|学院", "司": "公司|集团",
}  # fmt: skip
"""How the name of what is asked for ends: 岷江 of 河是哪条, 同济大学 of 哪所学校."""
_KIND = re.compile(
    rf"(?P<before>[{_HAN}])(?:是|叫|为)?哪[一几]?[条座个所家国片]"
    rf"|哪[一几]?[条座个所家片]?(?P<behind>[{_HAN}]{{1,2}})"
)


def is_epithet(sentence: str, end: int, start: int, question: str) -> bool:
    """Whether a name in a sentence says what kind of thing another one is: Swiss of "a Swiss brewery"."""
    said = sentence[:start].rsplit(" ", 2)
    article = len(said) > 1 and said[-2].casefold() in ("a", "an") and not said[-1]
    return article and _EPITHET.match(sentence, end) is not None and not _NATION.search(question)


def main_verb(question: str) -> str:
    """What a question asks who or which thing does: flows of "Which river flows through …"; "" for others."""
    found = _DOES.match(question)
    return found["verb"] if found else ""


def _stem(word: str) -> str:
    """The letters that other forms of an English word begin with."""
    return _SUFFIX.sub("", word)[:_STEM]


def asked_value(sentence: str, question: str, words: Sequence[str]) -> tuple[str, str] | None:
    """What a sentence says an open word of a question to be, to be at or to be done by, and the word."""
    if detect_language(question) == "zh":
        return _chinese(sentence, question, words)
    if (does := main_verb(question)) and does in words:
        found = re.search(rf"(?P<value>{_NAME}) (?:[a-z]+ly )?(?i:{re.escape(_stem(does))})", sentence)
        if found is not None and found["value"].removeprefix("The ") not in question:
            return found["value"].removeprefix("The "), does
    for word in words:
        found = re.search(rf"(?i:\b{re.escape(_stem(word))}){_BESIDE} (?P<value>{_NAME})", sentence)
        if found is not None:
            return found["value"].rstrip("."), word
    return None


def _chinese(sentence: str, question: str, words: Sequence[str]) -> tuple[str, str] | None:
    last = words[-1] if words else ""
    if kinds := _kind(question):
        behind = rf"{_END[:-1]}|[与和及在于的系])"
        found = re.search(rf"(?:^|[，、；。\s于在从自与和及])(?P<value>[{_HAN}]{{1,8}}?(?:{kinds})){behind}", sentence)
        if found is not None and found["value"] not in question:
            return found["value"], last
    held = next((each for each in _HELD.finditer(sentence) if (each["word"] or each["kin"]) in question), None)
    if held is not None:
        return held["value"], held["word"] or last
    made = _MADE.search(sentence)
    if made is not None and (_PERSON.search(question) or made["verb"] in question):
        titled = _TITLED.fullmatch(made["value"])
        return titled["value"] if titled else made["value"], last
    for word in words:
        found = re.search(rf"(?:{re.escape(word)}|[{re.escape(word)}])[{_LINKS}]{_VALUE}", sentence)
        pieces = "|".join(word[at : at + 2] for at in range(len(word) - 1))
        found = found or re.search(rf"(?:{pieces}){_WHO}", sentence)
        found = found or (re.search(rf"{re.escape(word)}{_VALUE}{_END}", sentence) if word.endswith("名") else None)
        if found is not None:
            return found["value"], word
    if _PLACE.search(question) and (placed := _PLACED.search(sentence)):
        return placed["value"], last
    for done in _DONE.finditer(question):
        found = re.search(rf"{done['verb']}(?P<value>[{_HAN}]{{2,8}}?)(?=[的，。；])", sentence)
        if found is not None and last:
            return found["value"], done["verb"]
    return None


def _kind(question: str) -> str:
    """How a name of the kind that a question asks for may end, as a pattern; "" where it does not say."""
    found = _KIND.search(question)
    if found is None:
        return ""
    ends = _KINDS.get(found["before"] or found["behind"][-1], "")
    return ends if "|" in ends else "|".join(ends)
