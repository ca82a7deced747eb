"""A step of the agent: results are numbered from 1 in the order in which they were taken in, as in their own ids.

A number stays with its entry when others are forgotten. `deep_retrieval` may be asked for a step, some lines of it, or
a record in it; any text may name steps: "steps 3 to 8", "the third search", 第12步, 第三次搜索.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from amb_core.errors import InvalidParameter
from amb_core.memory.ids import id_number, is_message
from amb_core.memory.interaction_tree import InteractionTree, message_step
from amb_core.models import InteractionEntry
from amb_core.text.han_numbers import han_number
from amb_core.text.language import HAN, Language
from amb_core.text.lazy_patterns import lazy_pattern

__all__ = ["StepPlace", "named_entries", "named_numbers", "parse_step_place", "step_entry", "step_number", "step_of"]


def step_number(entry_id: str) -> int:
    """The step that an entry is, from 1."""
    return id_number(entry_id)


def step_of(entry: InteractionEntry) -> int:
    """The step that an entry is, or at which it was said."""
    return message_step(entry) if is_message(entry.entry_id) else id_number(entry.entry_id)


def step_entry(tree: InteractionTree, number: int) -> InteractionEntry | None:
    """The entry of a step; None when there is none of that number or its text was forgotten."""
    entry = tree.entries.get(f"e{number}")
    return None if entry is None or entry.forgotten else entry


_PLACE = lazy_pattern(
    r"(?P<shared>team\s+|团队\s*|團隊\s*)?(?:e(?=\d)|(?:step|步骤|步驟|第)\s*)?"
    r"#?(?P<number>\d{1,9}|(?<=第)[〇零一二三四五六七八九十百]{1,6}(?=\s*步))\s*步?"
    r"(?:[\s:：,，·]+(?:的\s*)?(?P<rest>.*))?",
    re.IGNORECASE | re.DOTALL,
)
_LINES = lazy_pattern(
    r"(?:lines?|行|第)\s*(?P<first>\d{1,9})(?:\s*(?:-|–|—|\.\.|~|to|到|至)\s*(?P<last>\d{1,9}))?\s*行?", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class StepPlace:
    """A step, and the lines (from 1) or the path of the record in it that are wanted; without them all of it."""

    number: int
    lines: tuple[int, int] | None = None
    path: str = ""
    shared: bool = False
    language: Language | None = None
    """In which it was asked for, where that can be told; it is named in the same."""

    def span(self, text: str) -> tuple[int, int]:
        """Characters (start, end) of what is wanted of the step's text; InvalidParameter where it has no such thing."""
        if self.lines is not None:
            return _span_of_lines(text, *self.lines)
        if not self.path:
            return 0, len(text)
        from amb_core.reading.record_places import find_record

        found, step = find_record(text, self.path), str(replace(self, lines=None, path=""))
        if found is None:
            raise InvalidParameter(
                f"{step} has nothing at {self.path[:80]!r}; pass a path as memory shows it, such as "
                f'"{step} flights[2]", or "{step} lines 1-40"'
            )
        return found

    def __str__(self) -> str:
        if self.language == "zh":
            lines = f" 第 {self.lines[0]}-{self.lines[1]} 行" if self.lines else f" {self.path[:80]}" * bool(self.path)
            return f"{'团队' if self.shared else ''}第 {self.number} 步{lines}"
        wanted = f" lines {self.lines[0]}-{self.lines[1]}" if self.lines else f" {self.path[:80]}" if self.path else ""
        return f"{'team ' if self.shared else ''}step {self.number}{wanted}"


def parse_step_place(shown: object) -> StepPlace | None:
    """The step named by "step 12", "12", "e12", 第12步, "step 12 lines 4-8", "step 12 flights[2]"; None for another."""
    found = _PLACE.fullmatch(shown.strip()) if isinstance(shown, str) else None
    if found is None or not (number := _number(found["number"])):
        return None
    head = found.group()[: found.end("number") + 2]
    language: Language | None = "zh" if HAN.search(head) else "en" if "step" in head.lower() else None
    rest = (found["rest"] or "").strip()
    lines = _LINES.fullmatch(rest)
    shared = bool(found["shared"])
    if lines is None:
        return StepPlace(number, path=rest, shared=shared, language=language)
    first, last = int(lines["first"]), int(lines["last"] or lines["first"])
    return StepPlace(number, lines=(min(first, last), max(first, last)), shared=shared, language=language)


def _span_of_lines(text: str, first: int, last: int) -> tuple[int, int]:
    lines = text.split("\n")
    if first < 1 or first > len(lines):
        raise InvalidParameter(f"there is no line {first}: the lines are 1 to {len(lines)}")
    start = sum(len(line) + 1 for line in lines[: first - 1])
    return start, start + len("\n".join(lines[first - 1 : last]))


# --- steps that a text names ------------------------------------------------------------------------------------------

_ENGLISH = lazy_pattern(
    r"\b(?:step|turn)s?\s+#?(?P<first>\d{1,6})"
    r"(?P<more>(?:\s*(?:-|–|to|through|until|and|or|,|&)+\s*(?:steps?\s+|turns?\s+)?#?\d{1,6})*)"
    r"|\b(?P<th>\d{1,6})(?:st|nd|rd|th)\s+(?:step|turn)\b",
    re.IGNORECASE,
)
_HAN = r"[0-9〇零一二三四五六七八九十百]{1,6}"
_CHINESE = lazy_pattern(rf"第?\s*(?P<first>{_HAN})\s*步?\s*(?:(?P<to>到|至|[-–~—])\s*第?\s*(?P<last>{_HAN})\s*)?步")
_TO = lazy_pattern(r"-|–|to|through|until", re.IGNORECASE)
_LONGEST_RANGE = 60
_ORDINALS: Sequence[str] = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split()
_OCCASION = lazy_pattern(
    rf"\bthe\s+(?P<word>{'|'.join([*_ORDINALS, 'last'])}|(?P<th>\d{{1,4}})(?:st|nd|rd|th))\s+"
    rf"(?:call\s+(?:of|to)\s+)?(?P<tool>\w+)"
    rf"|第\s*(?P<han>{_HAN})\s*次\s*(?:调用\s*)?(?P<named>[\w\u3400-\u9fff]{{2,20}})",
    re.IGNORECASE,
)
_TOOL_WORDS = {"搜索": "search", "查询": "search", "读取": "read", "访问": "visit", "点击": "click", "写入": "write"}
_COUNTED = lazy_pattern(r"[A-Za-z]{0,6}[-_]?(\d{1,6})")


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
