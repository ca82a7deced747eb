"""The people and places of a whole Chinese book, found by where their names stand: nothing of one book is known before.

A name opens clauses, and verbs follow it; who speaks does so most plainly. What a stretch of characters is part of, or
has swallowed, shows in what stands beside it all through the book.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from amb_book.cast.chinese_name_words import (
    ACTS,
    FUNCTION,
    PLACE_ENDS,
    SPEAKS,
    TITLES,
)
from amb_book.statements import EntityKind
from amb_core.text.chinese_words import COMPOUND_SURNAMES, SURNAMES
from amb_values.chinese_segments import COMMON_WORDS

__all__ = ["BookName", "book_names"]

_H = r"\u3400-\u9fff"
_EDGE = r"(?:(?<=[，。！？；：、”」』’…—\s“‘「『．,.!?;:\"》）)])|^)"
_SPOKEN = re.compile(rf"{_EDGE}([{_H}]{{2,9}}?)(?:{SPEAKS})(?=[：:]|，?\s*[“「『‘])", re.MULTILINE)
_AFTER = re.compile(rf"[”」』]\s*([{_H}]{{2,7}}?)(?:{SPEAKS})(?:着|了)?(?=[，。！？：:；])")
_START = re.compile(rf"{_EDGE}(?=[{_H}]{{3}})", re.MULTILINE)
_ACT = re.compile(ACTS)
_GOES = (
    "来到|回到|赶到|走到|杀到|直到|去到|逃到|奔到|住在|前往|径往|径奔|直奔|屯于|屯兵|驻扎|镇守|攻打|取了|得了|离了|出了|进了|上了|过了|"
    "到了|至|到|往|入|离|在|出|回|奔|投|取|攻|守|过|望|赴|据|破|围|于|下|上|进|自|从"
)
_PLACED = re.compile(
    rf"(?:{_GOES})(?=([{_H}]{{2,3}}?)(?:[，。；！？、：．,.;]|\s|[里中内外上下去来时后而了的者之与和及等以为太刺]|地面|一带|界|安|屯|守|驻|县令|人氏))"
)
_REACHES = tuple("至 到 往 奔 投 赴 来到 回到 前往 离了".split())
_SURNAME = re.compile("|".join([*COMPOUND_SURNAMES, f"[{SURNAMES}]"]))
_TITLED = re.compile(rf"[{_H}][大小老]?(?:{TITLES})")
_PLACE_END = re.compile(rf"(?:{PLACE_ENDS})$")
_MET = re.compile(
    r"(?:对着|向着|望着|看着|拉着|扶着|跟着|唤作|叫做|对|向|谓|问|唤|叫|骂|劝|命|令|遣|使|教|请|被|救|杀|斩|替|与|和|同|见|随|告|报|辞|拜|擒|捉|给|像|助)"
    rf"(?=([{_H}]{{2,4}}))"
)
_MOST = 600


@dataclass(frozen=True, slots=True)
class BookName:
    """A name of a book: how often it stands there, in which text, from 0, first, and how plainly it is a name."""

    name: str
    kind: EntityKind
    count: int
    first: int
    score: float


class _ChineseBook:
    """The texts of a book as one, with what can be asked of it."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._starts: list[int] = []
        place = 0
        for text in texts:
            self._starts.append(place)
            place += len(text) + 1
        self.text = "\n".join(texts)

    def first(self, name: str) -> int:
        """Which text, from 0, names something first."""
        return bisect_right(self._starts, max(0, self.text.find(name))) - 1

    def neighbours(self, name: str) -> tuple[Counter[str], Counter[str], int]:
        """What stands before and behind a name in its first 600 places, and how many there are of these."""
        before: Counter[str] = Counter()
        behind: Counter[str] = Counter()
        seen = 0
        place = self.text.find(name)
        while place >= 0 and seen < _MOST:
            before[self.text[place - 1 : place]] += 1
            end = place + len(name)
            behind[self.text[end : end + 1]] += 1
            seen += 1
            place = self.text.find(name, end)
        return before, behind, seen


@dataclass(frozen=True, slots=True)
class _Standing:
    """How often each stretch of characters speaks, does something, or is met."""

    spoken: Counter[str]
    acts: Counter[str]
    met: Counter[str]

    def score(self, name: str) -> float:
        """How plainly it is somebody's name."""
        weight = 0.4 if _SURNAME.match(name) else 0.25
        return self.spoken[name] + weight * (self.acts[name] + min(self.met[name], 40))

    def is_somebody(self, name: str, count: int) -> bool:
        """Whether that is enough for a word that stands so often in the book."""
        talks = self.spoken[name]
        acts, met = self.acts[name], self.met[name]
        if _SURNAME.match(name):
            return self.score(name) >= max(1.6, 0.03 * count) and (talks > 0 or acts * 12 >= count or met * 12 >= count)
        if self.met[name] < (1 if talks >= 5 else max(1.0, 0.01 * count)):
            return False
        acts, met = self.acts[name], self.met[name]
        return (talks >= 3 and talks * 40 >= count) or (
            acts >= 5 and acts * 8 >= count and (talks > 0 or met * 20 >= count)
        )


def book_names(texts: Sequence[str]) -> list[BookName]:
    """People and places of a book, those named most first."""
    book = _ChineseBook(texts)
    standing = _people(book.text)
    spoken = standing.spoken
    placed, reached = _places(book.text)
    names = {*spoken, *standing.acts, *standing.met}
    likely = [name for name in names if standing.score(name) >= 1.6 and _may_name(name)]
    found = [each for name in sorted(likely) if (each := _person(book, name, standing, placed))]
    people = _whole(found, spoken)
    taken = {each.name for each in people}
    likely = [name for name in placed if placed[name] >= 3 and name not in taken and name[:-1] not in taken]
    places = [each for name in likely if (each := _place(book, name, placed[name], reached[name]))]
    return sorted([*people, *_whole(places, placed)], key=lambda each: (-each.count, each.name))


def _people(text: str) -> _Standing:
    """What opens a clause and speaks or does something, and what stands behind words one has to do with people by."""
    spoken: Counter[str] = Counter()
    acts: Counter[str] = Counter()
    for pattern in (_SPOKEN, _AFTER):
        for found in pattern.finditer(text):
            if len(found[1]) <= 4:
                spoken[found[1]] += 1
    for found in _START.finditer(text):
        start = found.start()
        for end in (start + 2, start + 3):
            if text[end - 1] in FUNCTION:
                break
            if _ACT.match(text, end):
                acts[text[start:end]] += 1
    met: Counter[str] = Counter()
    for found in _MET.finditer(text):
        for length in range(2, len(found[1]) + 1):
            if found[1][length - 1] in FUNCTION:
                break
            met[found[1][:length]] += 1
    return _Standing(spoken, acts, met)


def _may_name(name: str) -> bool:
    """Whether the characters of a word can be a name at all."""
    if name in COMMON_WORDS or name in COMPOUND_SURNAMES or any(char in FUNCTION for char in name):
        return False
    if name[-1] in "家府处" and len(name) == 2:
        return False
    return len(name) < 4 or name[:2] in COMPOUND_SURNAMES or _TITLED.fullmatch(name) is not None


def _person(book: _ChineseBook, name: str, standing: _Standing, placed: Counter[str]) -> BookName | None:
    before, behind, seen = book.neighbours(name)
    count = seen if seen < _MOST else book.text.count(name)
    if count < 2 or not standing.is_somebody(name, count):
        return None
    if placed[name] > max(1.0, 0.25 * count, standing.spoken[name]) or _swallowed(before, behind, seen):
        return None
    return BookName(name, "character", count, book.first(name), standing.score(name))


def _swallowed(before: Counter[str], behind: Counter[str], seen: int) -> bool:
    """Whether one and the same character stands at one side nearly always: the word is a part of a longer one."""
    usual = max(((times, char) for char, times in before.items() if "\u3400" <= char <= "\u9fff"), default=(0, ""))
    if usual[0] > max(2.0, 0.8 * seen):
        return True
    for beside, most in ((before, 0.6), (behind, 0.6)):
        chars = [
            (times, char) for char, times in beside.items() if "\u3400" <= char <= "\u9fff" and char not in FUNCTION
        ]
        if chars and max(chars)[0] > max(2.0, most * seen):
            return True
    return False


def _whole(found: Sequence[BookName], plain: Counter[str]) -> list[BookName]:
    """The names without those that are a longer one cut short, or a shorter one with the next word."""
    by_name = {each.name: each for each in found}
    kept: list[BookName] = []
    for each in found:
        longer = [one for one in found if len(one.name) == len(each.name) + 1 and one.name.startswith(each.name)]
        if any(one.count * 2 > each.count for one in longer):
            continue
        shorter = by_name.get(each.name[:-1])
        rarer = shorter is not None and each.count * 2 <= shorter.count and each.name[-1] != "儿"
        if rarer and shorter is not None and (each.count * 15 <= shorter.count or not _own(each, plain)):
            continue
        kept.append(each)
    return kept


def _own(each: BookName, plain: Counter[str]) -> bool:
    """Whether a name that begins with another one stands for itself."""
    return plain[each.name] >= 3 and plain[each.name] * 12 >= each.count


def _places(text: str) -> tuple[Counter[str], Counter[str]]:
    """How often one goes to, is at or leaves something, and how often one comes to it."""
    placed: Counter[str] = Counter()
    reached: Counter[str] = Counter()
    for found in _PLACED.finditer(text):
        placed[found[1]] += 1
        reached[found[1]] += found.group().endswith(_REACHES)
    return placed, reached


def _place(book: _ChineseBook, name: str, times: int, reached: int) -> BookName | None:
    ends = _PLACE_END.search(name) is not None
    if (
        name in COMMON_WORDS
        or any(char in FUNCTION for char in name)
        or name[0] in "一二三四五六七八九十本此那各诸后前城路门己"
    ):
        return None
    if (name[0] in "大小" or name[1] == "家") and len(name) == 2:
        return None
    if name[-1] in "中里上下内外前后边口头间旁" and (len(name) > 2 or name[-1] in "里上下内外前后边头间旁"):
        return None
    before, behind, seen = book.neighbours(name)
    count = seen if seen < _MOST else book.text.count(name)
    least = 0.06 if ends and times > 3 else 0.12 if ends else 0.08 if reached > 14 else 0.34
    if times < least * count or _swallowed(before, behind, seen):
        return None
    return BookName(name, "location", count, book.first(name), float(times)) if ends or reached >= 6 else None
