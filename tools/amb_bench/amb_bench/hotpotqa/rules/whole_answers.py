"""What belongs to an answer beside the name or number found: Jr., a unit, the region of a place, the rest of a list."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from amb_bench.hotpotqa.rules.question_reader import Mention, Sentence
from amb_bench.hotpotqa.rules.question_types import Focus
from amb_core.text.english_vocabulary import REGIONS
from amb_core.text.units import unit_after

__all__ = ["whole"]

_HAN = re.compile(r"[\u4e00-\u9fff]")
_NAME_GOES_ON = re.compile(r",? (?:Jr|Sr)\b\.?| \d{1,3}(?= (?:and|or)\b|[.,;)]|$)| [dl]['’][A-Z]\w+")
_REGION = re.compile(r", (?P<region>[A-Z]\w+(?: [A-Z]\w+){0,2})")
_CAPITALS = r"[A-Z][\w.'’-]*(?: [A-Z][\w.'’-]*){0,3}"
_LIST = re.compile(rf"(?:, {_CAPITALS}(?!\w)){{0,6}},? and {_CAPITALS}")
_TOGETHER = re.compile(
    r" and [A-Z](?:\.|[\w'’-]+)(?: [A-Z](?:\.|[\w'’-]+)){1,3}(?=[.,;)]|$| (?:in|on|at|from|with|during|after|for|as)\b)"
)
_NO_PLURALS = frozenset("series species headquarters news times".split())
_LEAD = re.compile(r"(?:(?:as|the|an?|his|her|its|their|for|of|into) )+", re.IGNORECASE)
_MEASURED = re.compile(
    r"\b(?:length|height|depth|elevation|altitude|area|distance|weight|width|speed)\b"
    r"|\bhow (?:long|tall|high|deep|far|wide|heavy|fast|large)\b"
    r"|多少(?:[平立]方)?(?:公里|千米|米|公顷|亩|吨|公斤|元)|多[高长深宽重远快]|长度|高度|深度|面积|海拔|距离|重量",
    re.IGNORECASE,
)


def whole(focus: Focus, mention: Mention, sentences: Sequence[Sentence], task: str, *, is_stated: bool) -> Mention:
    """A mention with what belongs to it; `is_stated`: it is the value of a relation that the task asks for."""
    said = sentences[mention.at].text
    start, end = mention.start, mention.end
    if focus.kind == "number" and _MEASURED.search(task) and (unit := unit_after(said, end)):
        return Mention(said[start : unit[2]], mention.at, start, unit[2])
    if _HAN.search(mention.text):
        return mention
    if focus.kind not in ("date", "number"):
        end = _end_of_name(focus, said, end, is_stated=is_stated)
    if (
        focus.head
        and focus.kind in ("other", "organisation")
        and (noun := _two_words_asked(focus.head).search(task))
        and said.startswith(f" {noun.group()}", end)
    ):
        end += len(noun.group()) + 1
    if lead := _LEAD.match(said[start:end]):
        start += lead.end()
    return Mention(said[start:end], mention.at, start, end) if end > start else mention


def _end_of_name(focus: Focus, said: str, end: int, *, is_stated: bool) -> int:
    """Where a name ends with its Jr., its region, or the names that it is listed with."""
    if more := _NAME_GOES_ON.match(said, end):
        end = more.end()
    if (
        focus.kind == "place"
        and not focus.head
        and (region := _REGION.match(said, end))
        and region["region"] in REGIONS
    ):
        end = region.end()
    if focus.kind == "person" and not focus.head and is_stated and (other := _TOGETHER.match(said, end)):
        end = other.end()
    is_plural = focus.head.endswith("s") and not focus.head.endswith("ss") and focus.head not in _NO_PLURALS
    if is_plural and (rest := _LIST.match(said, end)):
        end = rest.end()
    return end


@lru_cache(maxsize=32)
def _two_words_asked(head: str) -> re.Pattern[str]:
    return re.compile(rf"\b[a-z]{{3,16}} {re.escape(head)}\b")
