"""Which steps a text names: "step 12", "steps 3 to 8", "the third search", 第12步, 第三次搜索."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from amb_core.memory.step_places import step_number
from amb_core.models import InteractionEntry
from amb_core.text.numerals import han_number

__all__ = ["named_entries", "named_numbers"]

_ENGLISH = re.compile(
    r"\b(?:step|turn)s?\s+#?(?P<first>\d{1,6})"
    r"(?P<more>(?:\s*(?:-|–|to|through|until|and|or|,|&)+\s*(?:steps?\s+|turns?\s+)?#?\d{1,6})*)"
    r"|\b(?P<th>\d{1,6})(?:st|nd|rd|th)\s+(?:step|turn)\b",
    re.IGNORECASE,
)
_HAN = r"[0-9〇零一二三四五六七八九十百]{1,6}"
_CHINESE = re.compile(rf"第?\s*(?P<first>{_HAN})\s*步?\s*(?:(?P<to>到|至|[-–~—])\s*第?\s*(?P<last>{_HAN})\s*)?步")
_TO = re.compile(r"-|–|to|through|until", re.IGNORECASE)
_LONGEST_RANGE = 60
_ORDINALS: Sequence[str] = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split()
_OCCASION = re.compile(
    rf"\bthe\s+(?P<word>{'|'.join([*_ORDINALS, 'last'])}|(?P<th>\d{{1,4}})(?:st|nd|rd|th))\s+"
    rf"(?:call\s+(?:of|to)\s+)?(?P<tool>\w+)"
    rf"|第\s*(?P<han>{_HAN})\s*次\s*(?:调用\s*)?(?P<named>[\w\u3400-\u9fff]{{2,20}})",
    re.IGNORECASE,
)
_TOOL_WORDS = {"搜索": "search", "查询": "search", "读取": "read", "访问": "visit", "点击": "click", "写入": "write"}
_COUNTED = re.compile(r"[A-Za-z]{0,6}[-_]?(\d{1,6})")


def named_numbers(text: str) -> list[int]:
    """The numbers of the steps that a text names, in its order; a range stands for each of its steps."""
    found: list[int] = []
    for match in _ENGLISH.finditer(text):
        numbers = [int(one) for one in re.findall(r"\d+", f"{match['first'] or match['th']} {match['more'] or ''}")]
        found += _range(numbers, ranged=bool(match["more"] and _TO.search(match["more"])))
    for match in _CHINESE.finditer(text):
        numbers = [_number(one) for one in (match["first"], match["last"]) if one]
        found += _range(numbers, ranged=bool(match["to"]))
    return list(dict.fromkeys(found))


def _number(text: str) -> int:
    return int(text) if text.isdecimal() else int(han_number(text))


def _range(numbers: list[int], *, ranged: bool) -> list[int]:
    if ranged and len(numbers) == 2 and 0 < numbers[1] - numbers[0] <= _LONGEST_RANGE:
        return list(range(numbers[0], numbers[1] + 1))
    return numbers


def named_entries(text: str, entries: Iterable[InteractionEntry]) -> list[InteractionEntry]:
    """The entries of the steps that a text names, in its order; the entries are looked at only if it names any.

    A call id that counts (`c12`) says which step its result is; otherwise results are counted as they came in.
    """
    numbers, occasions = named_numbers(text), list(_OCCASION.finditer(text))
    if not numbers and not occasions:
        return []
    entries = list(entries)
    counted = {int(found[1]): entry for entry in entries if (found := _COUNTED.fullmatch(_call_id(entry)))}
    steps = counted or {step_number(entry.entry_id): entry for entry in entries}
    named = [steps[number] for number in numbers if number in steps]
    return list({entry.entry_id: entry for entry in (*named, *_occasions(occasions, entries))}.values())


def _call_id(entry: InteractionEntry) -> str:
    return str(entry.metadata.get("call_id") or "")


def _occasions(occasions: Iterable[re.Match[str]], entries: Sequence[InteractionEntry]) -> Iterable[InteractionEntry]:
    """The third call of a tool, where a text speaks of "the third search"."""
    for match in occasions:
        said = (match["tool"] or match["named"]).lower()
        tool = next((word for han, word in _TOOL_WORDS.items() if said.startswith(han)), said)
        calls = [entry for entry in entries if len(tool) > 3 and tool in str(entry.metadata.get("tool") or "").lower()]
        place = _place(match)
        if calls and place <= len(calls):
            yield calls[place - 1]


def _place(match: re.Match[str]) -> int:
    """Which of the calls is meant, from 1; 0 is the last."""
    if match["han"]:
        return _number(match["han"])
    if match["th"]:
        return int(match["th"])
    word = match["word"].lower()
    return 0 if word == "last" else _ORDINALS.index(word) + 1
