"""Sentence pairs made from real passages: one value changed (a conflict), or something that only looks like it."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from amb_bench.datasets import Sample
from amb_values import sentences

__all__ = ["Pair", "changed_value_pairs", "reworded"]

_YEAR = re.compile(r"\b(1[5-9]\d\d|20[0-2]\d)\b(?![-–]\d)")
_ZH_YEAR = re.compile(r"(1[5-9]\d\d|20[0-2]\d)(?=年)")
_NUMBER = re.compile(r"(?<![\w.,:/$-])(\d{1,3}(?:,\d{3})+|\d+(?:\.\d+)?)(?![\w,:/-]|\.\d)")
_ZH_NUMBER = re.compile(
    r"(?<![\d.,\w第-])(\d+(?:\.\d+)?)(?=[万亿千百]?[个人名座只部集次项条种家所位岁米公吨元辆艘间层站%])"
)
_NAME_WORD = r"[A-Z][a-z]+(?:-[A-Z]?[a-z]+)?"
# A whole name after a word that says its role; names with "of" inside are left alone.
_NAME = re.compile(
    rf"\b(?P<role>by|in|at|from|with|as|for|near|of|to|the) (?P<name>{_NAME_WORD}(?: (?:[A-Z]\.|{_NAME_WORD})){{1,3}})"
    r"(?=[,.;)]| (?!of\b|and\b|for\b|on\b)[a-z])"
)
_MONTHS = "January February March April May June July August September October November December".split()
_MONTH = "|".join(_MONTHS)
_DAY = re.compile(rf"\b(?:{_MONTH}) \d{{1,2}}\b|\b\d{{1,2}} (?:{_MONTH})\b")
_CALENDAR = frozenset([*_MONTHS, *"Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()])
_POINTING = re.compile(r"(?:It|He|She|They|His|Her|Its|Their) [a-z]|The [a-z]+ [a-z]+ [a-z]")
_BOUND_TO_A_YEAR = re.compile(r"(?:1[5-9]|20)\d\d")
_COUNTED = re.compile(r"\d (?:[a-z]+ )?([a-z]{4,}s)\b")
_SYNONYMS = {
    " film ": " movie ", " began ": " started ", " also ": " ", " located ": " situated ", " founded ": " established ",
    " built ": " constructed ", " approximately ": " about ", " large ": " big ", " until ": " till ",
    " such as ": " like ", " many ": " numerous ", " is a ": " is considered a ",
}  # fmt: skip
_ZH_SYNONYMS = {
    "位于": "坐落于", "成立": "创立", "开始": "起", "但是": "然而", "因为": "由于", "大约": "约", "以及": "和",
    "目前": "现在", "出生于": "生于",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Pair:
    """Two texts, whether they contradict each other, and what kind of pair it is."""

    a: str
    b: str
    conflict: bool
    kind: str


def changed_value_pairs(sample: Sample, *, chinese: bool, whole: bool) -> Iterator[Pair]:
    """Conflicts (a number, date or name changed) and look-alikes that are none; English passages carry a title line.

    `whole` holds the changed sentence against the whole passage, otherwise against the sentence it was made from.
    """
    split = [_split(passage.text, chinese=chinese) for passage in sample.passages]
    names = _names_by_role(line for _, lines in split for line in lines)
    for number, (title, lines) in enumerate(split):
        other_title = split[(number * 7 + 3) % len(split)][0]
        for index, line in enumerate(lines):
            source = "\n".join(filter(None, [title, *lines] if whole else [title, line]))
            for kind, changed in _changes(line, title, names, number + index, chinese=chinese):
                if changed not in lines:
                    yield Pair(source, _with(title, changed), True, kind)
                    for other in reworded(changed, chinese=chinese):
                        yield Pair(source, _with(title, other), True, f"{kind}, reworded")
                    yield from _look_alikes(title, other_title, line, changed, kind, chinese=chinese)
            for same in reworded(line, chinese=chinese):
                yield Pair(source, _with(title, same), False, "reworded")
            if (same := _rewritten(line, chinese=chinese)) != line:
                yield Pair(source, _with(title, same), False, "other notation")
            if index + 1 < len(lines):
                yield Pair(_with(title, line), _with(title, lines[index + 1]), False, "other sentence")


def _split(text: str, *, chinese: bool) -> tuple[str, list[str]]:
    if chinese:
        return "", sentences(text)
    title, _, body = text.partition("\n")
    return title, sentences(body)


def _with(title: str, line: str) -> str:
    return f"{title}\n{line}" if title else line


# --- conflicts -------------------------------------------------------------------------------------------------------


def _names_by_role(lines: Iterable[str]) -> dict[str, list[str]]:
    """Names by the word before them, so that a place is exchanged for a place more often than not."""
    found: dict[str, dict[str, None]] = defaultdict(dict)
    for line in lines:
        for match in _NAME.finditer(line):
            if not _CALENDAR & set(match["name"].split()):
                found[match["role"]][match["name"]] = None
    return {role: list(names) for role, names in found.items()}


def _changes(
    line: str, title: str, names: dict[str, list[str]], seed: int, *, chinese: bool
) -> Iterator[tuple[str, str]]:
    """(kind, changed sentence): the first year, the first number and the first name of a sentence, each on its own."""
    year = (_ZH_YEAR if chinese else _YEAR).search(line)
    if year and year.group() not in title:
        other = str(min(2025, int(year.group()) + (-7, -3, 4, 9)[seed % 4]))
        yield "date", _put(line, year.span(), other)
    if number := _first_number(line, title, chinese=chinese):
        yield "number", _put(line, number.span(), _other_number(number.group(), seed))
    if not chinese and (name := _first_name(line, title)):
        pool = names[name["role"]]
        other = pool[(seed * 13 + 5) % len(pool)]
        if set(other.split()).isdisjoint(name["name"].split()):
            yield "name", _put(line, name.span("name"), other)


def _put(line: str, span: tuple[int, int], other: str) -> str:
    return line[: span[0]] + other + line[span[1] :]


def _first_number(line: str, title: str, *, chinese: bool) -> re.Match[str] | None:
    days = {place for found in _DAY.finditer(line) for place in range(*found.span())}
    for found in (_ZH_NUMBER if chinese else _NUMBER).finditer(line):
        is_year = not chinese and _YEAR.fullmatch(found.group())
        if found.start() not in days and not is_year and found.group() not in title:
            return found
    return None


def _first_name(line: str, title: str) -> re.Match[str] | None:
    for found in _NAME.finditer(line):
        name = found["name"]
        if name not in title and title not in name and not _CALENDAR & set(name.split()):
            return found
    return None


def _other_number(surface: str, seed: int) -> str:
    value = float(surface.replace(",", ""))
    other = value * (1.3, 1.7, 0.6, 2.0)[seed % 4]
    if "." in surface:
        return f"{other:.{len(surface.split('.')[1])}f}"
    whole = round(other) if round(other) != value else int(value) + 1
    return f"{whole:,}" if "," in surface else str(whole)


# --- what is no conflict ---------------------------------------------------------------------------------------------


def _look_alikes(title: str, other_title: str, line: str, changed: str, kind: str, *, chinese: bool) -> Iterator[Pair]:
    """Pairs whose value differs for a reason: another entity, another time, another attribute."""
    if title and title != other_title and line.startswith(title):
        other = changed.replace(title, other_title)
        yield Pair(_with(title, line), _with(other_title, other), False, "other entity")
    elif title and title != other_title and _POINTING.match(line):
        yield Pair(_with(title, line), _with(other_title, changed), False, "other entity")
    if kind != "number":
        return
    if not _BOUND_TO_A_YEAR.search(line):
        if chinese:
            yield Pair(f"2014年，{line}", f"2017年，{changed}", False, "other time")
        elif _POINTING.match(line):
            low = line[0].lower()
            was, now = f"In 2014, {low}{line[1:]}", f"In 2017, {low}{changed[1:]}"
            yield Pair(_with(title, was), _with(title, now), False, "other time")
    if not chinese and (noun := _COUNTED.search(changed)) and len(_NUMBER.findall(changed)) == 1:
        other = _put(changed, noun.span(1), "windows" if noun[1] != "windows" else "doors")
        yield Pair(_with(title, line), _with(title, other), False, "other attribute")


def reworded(line: str, *, chinese: bool) -> Iterator[str]:
    """The same in other words, if any rule applies."""
    said = line
    for old, new in (_ZH_SYNONYMS if chinese else _SYNONYMS).items():
        said = said.replace(old, new)
    if not chinese:
        if opening := re.match(r"((?:In|On|At|By|During) [^,]{3,30}), ([^.]+)\.$", said):
            said = f"{opening[2][0].upper()}{opening[2][1:]} {opening[1][0].lower()}{opening[1][1:]}."
        elif closing := re.match(rf"([^,]+) (in (?:(?:{_MONTH}) )?\d{{4}})\.$", said):
            said = f"In{closing[2][2:]}, {closing[1]}."
    if said != line:
        yield said


def _rewritten(line: str, *, chinese: bool) -> str:
    """The same with its figures written otherwise."""
    if chinese:
        line = re.sub(r"(\d+)年(\d+)月(\d+)日(?!\d)", lambda m: f"{m[1]}-{int(m[2]):02d}-{int(m[3]):02d}", line)
        return re.sub(r"(?<![\d.])(\d+)0000(?=[人元个名])", r"\1万", line)
    line = re.sub(rf"\b({_MONTH}) (\d{{1,2}}), (\d{{4}})", r"\2 \1 \3", line)
    line = re.sub(r"\b\d{1,3}(?:,\d{3})+\b", lambda m: m.group().replace(",", ""), line)
    return re.sub(r"(\d)%", r"\1 percent", line)
