"""The layout of a text, told by parsing and by the shape of its lines, never by the words in it.

A line is given the first shape of `_SHAPES` that it has; lines of one shape that follow one another are a region.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby

from amb_core.text.pure_cache import remembered

__all__ = ["Layout", "Region", "detect_layout", "prose_spans", "read_regions"]

_TEXTS, _LONGEST = 512, 1_000_000


class Layout(StrEnum):
    """What a stretch of text is; all but prose is machine data."""

    JSON = "json"
    JSON_LINES = "json_lines"
    TABLE = "table"
    LOG = "log"
    CODE = "code"
    DIFF = "diff"
    LISTING = "listing"
    PAGE_TREE = "page_tree"
    HTML = "html"
    PROSE = "prose"


@dataclass(frozen=True, slots=True)
class Region:
    """Characters `start:end` of a text, all of one layout."""

    layout: Layout
    start: int
    end: int


def detect_layout(text: str) -> Layout:
    """The layout of most of a text; an empty one is prose."""
    sizes: Counter[Layout] = Counter()
    for region in read_regions(text):
        sizes[region.layout] += region.end - region.start
    return sizes.most_common(1)[0][0] if sizes else Layout.PROSE


@remembered(most=_TEXTS, longest=_LONGEST, longer=2)
def read_regions(text: str) -> tuple[Region, ...]:
    """The regions of a text in order, without the blank space between them; none for a blank text."""
    start, end = len(text) - len(text.lstrip()), len(text.rstrip())
    if start >= end:
        return ()
    whole = _whole(text[start:end])
    if whole is not None:
        return (Region(whole, start, end),)
    embedded = (_embedded_json(text) or _cut_json(text)) if "{" in text or "[" in text else None
    if embedded is not None:
        left, right = embedded
        return (*_by_lines(text, 0, left), Region(Layout.JSON, left, right), *_by_lines(text, right, len(text)))
    return tuple(_between_fences(text))


def prose_spans(text: str, start: int = 0) -> tuple[tuple[int, int], ...]:
    """Where `text[start:]` is prose, as the layout of the whole text has it."""
    cut = ((max(start, region.start), region.end) for region in read_regions(text) if region.layout is Layout.PROSE)
    return tuple((left, right) for left, right in cut if left < right)


# --- a text as a whole -----------------------------------------------------------------------------------------------

_PRINTED = re.compile(r"\{\s*(?:[\"'\d}]|\()|\[\s*(?:[\[{\"'\]]|-?\d[\d.]*\s*[,\]])|\(\s*[\[{\"'(]")
_TAG = re.compile(r"</?[a-zA-Z][\w:-]*(?:\s[^<>]*)?/?>")
_TAG_SHARE = 0.25
_FEWEST_TAGS = 4


def _whole(text: str) -> Layout | None:
    """JSON, JSON lines, printed data or HTML, where the whole text is that."""
    if text[0] in '{[("-0123456789tfn' and _parses(text):
        return Layout.JSON
    lines = text.splitlines()
    objects = sum(line.lstrip()[:1] in ("{", "[") and _parses(line) for line in lines)
    if objects >= 2 and objects * 5 >= 4 * sum(bool(line.strip()) for line in lines):
        return Layout.JSON_LINES
    if _PRINTED.match(text) and ((text[-1] in "}])" and _is_balanced(text)) or _is_cut_data(text)):
        return Layout.JSON
    if "<" in text:
        tags = [found.end() - found.start() for found in _TAG.finditer(text)]
        if len(tags) >= _FEWEST_TAGS and "</" in text and (text[0] == "<" or sum(tags) >= _TAG_SHARE * len(text)):
            return Layout.HTML
    return None


def _parses(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


_QUOTED_OR_BRACKET = re.compile(r"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|[\[\](){}]")


def _is_balanced(text: str) -> bool:
    """Whether the first bracket is closed by the last character, as in a printed list or dict."""
    return _closed_at(text, 0) == len(text)


def _closed_at(text: str, start: int) -> int:
    """Where the value ends whose bracket stands at `start`; -1 where it is not closed."""
    depth = 0
    for found in _QUOTED_OR_BRACKET.finditer(text, start):
        mark = found.group()
        if mark in ("[", "{", "("):
            depth += 1
        elif mark in ("]", "}", ")"):
            depth -= 1
            if depth <= 0:
                return found.end()
    return -1


_KEY = re.compile(r"[\"'][\w .:/@$-]{1,60}[\"']\s*:")
_FEWEST_KEYS = 3
_READ = 4_000


def _is_cut_data(text: str) -> bool:
    """Whether a text that begins as data has so many keys that it is data which was cut off."""
    return len(_KEY.findall(text, 0, _READ)) >= _FEWEST_KEYS


_OPENED = re.compile(r"^[ \t]*[\[{]", re.MULTILINE)
_OPENED_IN_LINE = re.compile(r"[\[{]")
_MOST_TRIED = 8
_LEAST_JSON = 20


def _embedded_json(text: str) -> tuple[int, int] | None:
    """The first JSON value of some length that begins a line or follows a header on its line.

    Printed data count where they are nearly all of the text; elsewhere they are part of a program.
    """
    decoder = json.JSONDecoder()
    starts = [found.end() - 1 for _, found in zip(range(_MOST_TRIED), _OPENED.finditer(text), strict=False)]
    first = _OPENED_IN_LINE.search(text)
    if first is not None:
        starts.append(first.start())
    for at in sorted(set(starts)):
        try:
            value, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            if at <= _INTRODUCTION and _PRINTED.match(text, at) and _is_cut_data(text[at : at + _READ]):
                end = _closed_at(text, at)
                if len(text) - _INTRODUCTION <= end:
                    return at, end
            continue
        if isinstance(value, dict | list) and value and end - at >= _LEAST_JSON:
            return at, end
    return None


_INTRODUCTION = 300


def _cut_json(text: str) -> tuple[int, int] | None:
    """Data that was cut off behind a line or two that introduce it."""
    found = _OPENED.search(text, 0, _INTRODUCTION)
    if found is None or not _PRINTED.match(text, found.end() - 1) or not _is_cut_data(text[found.end() - 1 :][:_READ]):
        return None
    return found.end() - 1, len(text.rstrip())


_FENCE = re.compile(r"^```([\w+-]+)[^\n`]*\n(.+?)(?:^```[ \t]*$|\Z)", re.MULTILINE | re.DOTALL)
_FENCED = {
    **{"csv": Layout.TABLE, "tsv": Layout.TABLE, "json": Layout.JSON, "jsonl": Layout.JSON_LINES, "html": Layout.HTML},
    **{"diff": Layout.DIFF, "patch": Layout.DIFF, "log": Layout.LOG, "text": None, "txt": None, "md": None},
}
"""What a fence says is in it; None leaves it to the lines, and any other name is a programming language."""


def _between_fences(text: str) -> Iterator[Region]:
    """The regions of a text in which blocks between fences that name a language are what the fence says."""
    done = 0
    for fence in _FENCE.finditer(text) if "```" in text else ():
        layout = _FENCED.get(fence[1].lower(), Layout.CODE)
        if layout is Layout.CODE and _TREE.match(fence[2]):
            layout = Layout.PAGE_TREE
        if layout is not None and fence[2].strip():
            yield from _by_lines(text, done, fence.start())
            yield Region(layout, fence.start(2), fence.start(2) + len(fence[2].rstrip()))
            done = fence.end()
    yield from _by_lines(text, done, len(text))


# --- line by line ----------------------------------------------------------------------------------------------------

_LINE = re.compile(r"[^\n]+")
_LEVEL = r"(?:DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|FATAL|TRACE|CRITICAL|SEVERE)"
_TIME = r"\d{1,2}:\d\d(?::\d\d)?(?:[.,]\d+)?"
_TREE = re.compile(
    r"\s*(?:\[\d+\]|uid=\S+)\s+[A-Za-z]+\s+[\"'‘“]|\s*- [a-z]+(?: [\"“][^\"”]*[\"”])?(?: \[[\w=]+\])+:?\s*$"
    r"|\s*- [a-z]+ \"[^\"]*\":?\s*$|\s*- [a-z]+ (?:\"[^\"]*\" )?\[ref=\w+\]|\s*Tab \d+(?: \(current\))?: "
)
_SHAPES = (
    (Layout.PAGE_TREE, _TREE),
    (
        Layout.DIFF,
        re.compile(
            r"diff --git |index [0-9a-f]{6,}\.\.|@@ -\d+"
            r"|(?:---|\+\+\+) (?:[ab]/|/dev/null|\S+\.\w+)|\+\s|\+\w+.*[(){};=]"
        ),
    ),
    (
        Layout.LOG,
        re.compile(
            rf"\W?\d{{4}}[-/.]\d\d?[-/.]\d\d?[T ,]\s?{_TIME}\S*\s|\W?{_TIME}\W*(?:\[|{_LEVEL}|-|\w+:)"
            rf"|[A-Z][a-z]{{2}} [ \d]\d {_TIME} \S|\[?{_LEVEL}\]?(?::|\]|\s[\[\w.]+:)|\[{_LEVEL}\s*\]"
            r"|\S+ \([\w.]+\) \.\.\. |\S+::\S+.*(?:PASSED|FAILED|ERROR|SKIPPED)|[=_*~-]{8,}"
            r"|\s*File \"[^\"]+\", line \d+|\s+at [\w.$<>]+\(.*\)\s*$|Traceback \(|[\w.]+(?:Error|Exception)(?::|$)"
            r"|\S+ - - \[|\W?\d{10}(?:\.\d+)? "
        ),
    ),
    (
        Layout.LISTING,
        re.compile(
            r"\s*[^\s:]*[\w\])]:\d+(?:[:-]|$)|[-dlcbps][rwxsStT-]{9}[.+@]?\s+\d|total \d+$"
            r"|(?:\.{0,2}/|~/|[A-Za-z]:\\)[^\s:：，。]+(?:\s\(.*\))?:?$|[\w@.+-]+(?:/[\w@.+-]+)+/?(?:\s\(.*\))?:?$"
            r"|[\w@+-][\w@.+-]*\.\w{1,5}\*?$|\s*[│├└]"
            r"|\s*(?:[-*•]\s+|\d{1,3}[.)]\s+)?(?:\[[^\]]+\]\()?<?https?://\S+\)?>?\s*$"
            r"|(?:\d{1,3}[.)]\s+|[-*•]\s+|#+\s+)?\[[^\]]{1,200}\]\(https?://\S+\)"
            r"|\d+[KMGT]?\s+(?:\./|/)\S+$|[ MADRCU?!]{2} \S+\.\w+$"
        ),
    ),
    (
        Layout.TABLE,
        re.compile(r"\s*\|.*\|\s*$|\s*\+[-=+]+\+\s*$|(?:\S{1,4}[ \t|,]+){3,}\S{1,4}\s*$|\s*[-|.#+ @<>%_{}^$]{6,}$"),
    ),
    (
        Layout.CODE,
        re.compile(
            r"\s*\d+(?:[:\t|→]|-(?:\s\s|$))|.*[;{}]\s*$|\s*[)\]}]+[,;:]?\s*$"
            r"|\s*(?:@\w[\w.]*(?:\(.*\))?|//.*|/?\*{1,2}(?:/|\s.*|$)|#!.*|```.*)\s*$"
            r"|\s*(?:[\w.\[\]\"'*-]+)\s*(?:[+*/|&-]?=|:=|=>)\s*\S|\s*[\w.]+\(.*\)\s*:?\s*$"
            r"|\s*(?:async |export |public |private |static )*(?:def|class|function|func|fn|interface|struct)"
            r"\s\w[\w.]*\s*[(:{<]"
            r"|\s*(?:if|for|while|elif|except|with|try|else)\b[^。]*:\s*$"
            r"|\s*(?:import|from)\s[\w.*{]+(?:\s(?:import|as|from)\s.*)?;?\s*$"
            r"|\s*return\b[^.]*[)\]\w]$|\S*[$#>]\s+\w+(?:\s+-{1,2}\w|\s+[./~])|(?:\S*[$>%]|bash-\$)\s*$|</?\w[^<>]*>\s*$"
            r"|\s{4,}[\w.]+[,(]|\s*[\"'][^\"']*[\"']\s*:\s*\S.*[,\[{]?\s*$"
        ),
    ),
    (Layout.LOG, re.compile(r"\[[^\]]+\]\s*$|\((?:[A-Z]\w+ )+\S*:? ?.*\)\s*$")),
)
_FEWEST = {Layout.TABLE: 3, Layout.LOG: 1, Layout.PAGE_TREE: 2, Layout.DIFF: 3, Layout.CODE: 2, Layout.LISTING: 2}
"""From how many lines in a row on a shape is believed; a sentence may happen to look like one."""
_SYMBOL = re.compile(r"[(){}\[\]=;<>_|\\\"/*+&$#@~^`]")
_SYMBOL_SHARE = 0.1
_SENTENCE_END = re.compile(r"[.!?。！？][\"'”’」』）)\]]*\s*$")
_LONG_SENTENCE = 60
_HEADING = re.compile(r"#{1,6}\s+\w[^{};=()]*$")
_REPEATED = 3
_BRIDGED = 2
"""So many lines of no shape between two of one shape belong to them."""

_MANY_LINES, _STRETCH, _LOOKED_AT = 8_000, 64, 8
"""Of more lines than this the first few of each stretch of so many say what it is."""

_Line = tuple[Layout, int, int]


def _by_lines(text: str, start: int, end: int) -> Iterator[Region]:
    lines = [(found.start(), found.end()) for found in _LINE.finditer(text, start, end) if found.group().strip()]
    counts = Counter(text[left:right].strip() for left, right in lines)
    if len(lines) <= _MANY_LINES:
        told = _shapes(text, lines, counts)
    else:
        told = []
        for at in range(0, len(lines), _STRETCH):
            some = Counter(_shapes(text, lines[at : at + _LOOKED_AT], counts))
            told += [some.most_common(1)[0][0]] * len(lines[at : at + _STRETCH])
    found = [(shape, left, right) for shape, (left, right) in zip(told, lines, strict=True)]
    for layout, group in groupby(found, key=lambda line: line[0]):
        members = list(group)
        yield Region(layout, members[0][1], members[-1][2])


def _shapes(text: str, lines: Sequence[tuple[int, int]], counts: Counter[str]) -> list[Layout]:
    """The layout of each of some lines that follow one another."""
    told = [_shape(text[left:right], counts) for left, right in lines]
    _mark_columns([text[left:right] for left, right in lines], told)
    _join(told, sentences={at for at, (left, right) in enumerate(lines) if _is_sentence(text[left:right].strip())})
    return told


def _shape(line: str, counts: Counter[str]) -> Layout:
    stripped = line.strip()
    if _SHAPES[2][1].match(line):
        return Layout.LOG
    if _HEADING.match(line) or (line[:1].isalpha() and _is_sentence(stripped)):
        return Layout.PROSE
    ends = _SENTENCE_END.search(stripped) is not None
    found = next((layout for layout, shape in _SHAPES if shape.match(line)), None)
    if found is not None or ends:
        return found or Layout.PROSE
    if counts[stripped] >= _REPEATED and len(stripped) > 1:
        return Layout.LOG
    return Layout.CODE if len(_SYMBOL.findall(stripped)) > _SYMBOL_SHARE * len(stripped) else Layout.PROSE


def _is_sentence(line: str) -> bool:
    return len(line) >= _LONG_SENTENCE and _SENTENCE_END.search(line) is not None


_SPACED = re.compile(r"\S(?:\s{2,}|\t)(?=\S)")
_FIELD = re.compile(r"\s*(?:[-*•]\s+)?(?P<key>[^\s:：,，.。][^:：,，.。\n]{0,30})[:：]\s+?(?P<value>\S.{0,39})$")
_LONGEST_CELL = 40
_CALLS = re.compile(r"[(){}=]|;\s*$")
_FEWEST_ROWS = 3


def _mark_columns(lines: Sequence[str], told: list[Layout]) -> None:
    """Mark rows: lines in a row of as many cells, or of short fields of different names.

    Rows parted by tabs or semicolons look like code, but their header has no number, and they call nothing.
    """
    if len(lines) < _FEWEST_ROWS:
        return
    for parted in (_tabs, _semicolons):
        for count, group in groupby(range(len(lines)), key=lambda at: parted(lines[at])):
            rows = list(group)
            if count and len(rows) >= _FEWEST_ROWS and not lines[rows[0]].lstrip()[:1].isdigit():
                for at in rows:
                    told[at] = Layout.TABLE
    for cells in (_comma_cells, _tab_cells, _wide_cells, _field_cells):
        for count, group in groupby(range(len(lines)), key=lambda at: cells(lines[at]) * (told[at] is Layout.PROSE)):
            rows = list(group)
            if count and len(rows) >= _FEWEST_ROWS and (cells is not _field_cells or _are_fields(lines, rows)):
                for at in rows:
                    told[at] = Layout.TABLE


def _tabs(line: str) -> int:
    return line.strip().count("\t")


def _semicolons(line: str) -> int:
    count = line.count(";")
    return count if count > 1 and not _CALLS.search(line) and max(map(len, line.split(";"))) <= _LONGEST_CELL else 0


def _comma_cells(line: str) -> int:
    cells = line.split(",")
    short = all(len(cell) <= _LONGEST_CELL for cell in cells)
    spaced = sum(cell.startswith(" ") for cell in cells[1:]) * 2 > len(cells)
    return 0 if len(cells) < 2 or not short or spaced or _SENTENCE_END.search(line) else len(cells)


def _tab_cells(line: str) -> int:
    return 1 if line.strip().count("\t") or line.count(" | ") >= 2 else 0


def _wide_cells(line: str) -> int:
    return 1 if _SPACED.search(line) and not _SENTENCE_END.search(line) else 0


def _field_cells(line: str) -> int:
    found = _FIELD.match(line)
    return 1 if found and not _SENTENCE_END.search(found["value"]) else 0


def _are_fields(lines: Sequence[str], rows: Sequence[int]) -> bool:
    """Whether every name comes once: a speaker of a dialogue comes back."""
    names = [match["key"] for at in rows if (match := _FIELD.match(lines[at]))]
    return len(set(names)) == len(names)


def _join(told: list[Layout], *, sentences: Collection[int]) -> None:
    """Lines between two of one shape become that, unless they are sentences; shapes of too few lines become prose."""
    runs = [(layout, list(group)) for layout, group in groupby(range(len(told)), key=told.__getitem__)]
    for number, (layout, rows) in enumerate(runs[1:-1], 1):
        before, after = told[rows[0] - 1], runs[number + 1][0]
        if before is after and layout is not before and before is not Layout.PROSE and len(rows) <= _BRIDGED:
            for at in set(rows) - set(sentences):
                told[at] = before
    for layout, group in groupby(range(len(told)), key=list(told).__getitem__):
        rows = list(group)
        if len(rows) < _FEWEST.get(layout, 1):
            neighbours = {told[at] for at in (rows[0] - 1, rows[-1] + 1) if 0 <= at < len(told)}
            machine = neighbours - {Layout.PROSE}
            for at in rows:
                told[at] = layout if machine and len(machine) == len(neighbours) else Layout.PROSE
