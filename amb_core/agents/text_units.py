"""The visible structure of a text as units: sentences where it is prose, else turns, items, rows, blocks of code.

Topic segmentation and summaries both work on units.
"""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Literal, NamedTuple

from amb_core.agents.chunking import cut_hard
from amb_core.agents.json_members import json_units
from amb_core.agents.text_lines import Line, heading_at, is_item, lines_of, result_titles, turn_lines
from amb_core.reading import Layout, read_regions
from amb_core.text import sentence_spans
from amb_core.text.pure_cache import remembered

__all__ = ["RESULT_LEVEL", "Unit", "is_json", "lay_out"]

RESULT_LEVEL = 9
_FENCE = re.compile(r"```|~~~")
_DEFINITION = re.compile(
    r"(?:(?:export|default|public|private|static|async|abstract|final|pub)\s+)*"
    r"(?:class|def|function|func|fn|interface|struct|enum|trait|impl|type|module|namespace)\s+\w|@\w"
)
_ENDS = ".!?。！？…;；:：\"'”’」』）)]*_"
_CRUMB = 24
_INTRODUCTION = 300
_MOSTLY = 0.6
_ROWS = frozenset({Layout.TABLE, Layout.LOG, Layout.LISTING, Layout.DIFF, Layout.PAGE_TREE})
_JSON = frozenset({Layout.JSON, Layout.JSON_LINES})
_CODE = _JSON | {Layout.CODE, Layout.HTML}


class Unit(NamedTuple):
    """Characters `start:end` that stay together; trimmed.

    `gap`: 0 when it follows on the same line, 1 on a new line, 2 after a blank line. `level` is a heading's depth from
    1 (`RESULT_LEVEL` for a search result; 1 for code that begins a definition), `title` its text. `opens` says that a
    piece of its own begins here whatever its size.
    """

    start: int
    end: int
    kind: Literal["prose", "heading", "code", "table", "turn", "item", "json"]
    gap: int
    level: int = 0
    title: str = ""
    opens: bool = False


def lay_out(text: str, start: int, end: int, *, limit: int, join_short: bool = True) -> list[Unit]:
    """Units of `text[start:end]` in order, covering every non-blank character; none over `limit` characters.

    `join_short` makes very short neighbours one unit; without it every sentence is a unit of its own.
    """
    found: Iterator[Unit]
    if is_json(text, start, end):
        found = (
            Unit(start + first, start + last, "json", 1, RESULT_LEVEL if title else 0, title, opens)
            for first, last, title, opens in json_units(text[start:end], limit)
        )
    elif (start, end) == (0, len(text)):
        found = iter(_units_of(text))
    else:
        found = _units(text, lines_of(text, start, end))
    joined = _join_crumbs(text, found, _CRUMB if join_short else 0)
    return [piece for unit in joined for piece in _bounded(text, unit, limit)]


def is_json(text: str, start: int, end: int) -> bool:
    """Whether `text[start:end]` is a list or an object of JSON or printed Python data, or several."""
    inside = (region.layout for region in read_regions(text) if region.start < end and start < region.end)
    return text[start:end].lstrip()[:1] in ("[", "{") and all(layout in _JSON for layout in inside)


@remembered(most=16, longest=20_000)
def _units_of(text: str) -> tuple[Unit, ...]:
    """The units of a whole text: it is split into topics and then, when it is one topic, shortened."""
    return tuple(_units(text, lines_of(text, 0, len(text))))


def _bounded(text: str, unit: Unit, limit: int) -> Iterator[Unit]:
    if unit.end - unit.start <= limit:
        yield unit
        return
    for start, end in cut_hard(text, unit.start, unit.end, limit=limit):
        piece = text[start:end]
        if stripped := piece.strip():
            left = start + len(piece) - len(piece.lstrip())
            whole = unit if start == unit.start else Unit(left, left, unit.kind, 0)
            yield whole._replace(start=left, end=left + len(stripped))


def _join_crumbs(text: str, units: Iterator[Unit], crumb: int) -> Iterator[Unit]:
    """Neighbours of one kind under `crumb` characters made one unit; a line without a letter goes with a neighbour."""
    last: Unit | None = None
    for unit in units:
        if last is not None:
            if last.kind != "heading" and not unit.opens and _belong(text, last, unit, crumb):
                last = last._replace(end=unit.end)
                continue
            yield last
        last = unit
    if last is not None:
        yield last


def _belong(text: str, last: Unit, unit: Unit, crumb: int) -> bool:
    if last.kind != unit.kind:
        return unit.kind == "prose" and not _has_words(text, unit)
    if not (_has_words(text, unit) and _has_words(text, last)):
        return True
    shorter = min(unit.end - unit.start, last.end - last.start)
    return shorter < crumb and unit.end - last.start <= 4 * crumb


def _has_words(text: str, unit: Unit) -> bool:
    return any(map(str.isalnum, text[unit.start : min(unit.end, unit.start + 200)]))


def _units(text: str, lines: Sequence[Line]) -> Iterator[Unit]:
    if len(lines) > 1 and _share(text, lines, _CODE) >= _MOSTLY:
        yield from _code_units(text, lines)
        return
    titles = result_titles(text, lines)
    turns = frozenset() if titles else turn_lines(text, lines)

    def opens(at: int) -> bool:
        return lines[at].gap > 1 or at in titles or at in turns or bool(_FENCE.match(text, lines[at].start))

    at = first = _first_result(lines, titles)
    while at < len(lines):
        line = lines[at]
        if _FENCE.match(text, line.start):
            stop = _fence_end(text, lines, at)
            yield Unit(line.start, lines[stop - 1].end, "code", line.gap)
        elif at in titles:
            stop = at + 1
            start = lines[0].start if at == first else line.start
            yield Unit(start, line.end, "heading", line.gap, RESULT_LEVEL, titles[at], opens=True)
        elif at in turns:
            stop = _until(opens, at + 1, len(lines))
            yield Unit(line.start, lines[stop - 1].end, "turn", line.gap)
        elif heading := heading_at(text, lines, at):
            stop = at + heading.lines
            yield Unit(line.start, lines[stop - 1].end, "heading", line.gap, heading.level, heading.title)
        else:
            stop = _until(lambda other: opens(other) or text[lines[other].start] == "#", at + 1, len(lines))
            yield from _block_units(text, lines[at:stop])
        at = stop


def _share(text: str, lines: Sequence[Line], layouts: Collection[Layout]) -> float:
    """The share of the lines that are of one of the layouts, as `amb_core.reading` has them."""
    regions = read_regions(text)
    places = (bisect_right(regions, line.start, key=lambda region: region.start) for line in lines)
    found = Counter(regions[max(0, place - 1)].layout for place in places)
    return sum(found[layout] for layout in layouts) / len(lines)


def _first_result(lines: Sequence[Line], titles: Collection[int]) -> int:
    """Where to begin: at the first result when only a few words introduce the list, which then go with it."""
    first = min(titles, default=0)
    return first if first and lines[first].start - lines[0].start <= _INTRODUCTION else 0


def _code_units(text: str, lines: Sequence[Line]) -> Iterator[Unit]:
    """Program text in blocks parted by blank lines; `level` 1 marks those that begin a definition."""
    at = 0
    while at < len(lines):
        stop = _until(lambda other: lines[other].gap > 1, at + 1, len(lines))
        level = int(lines[at].indent == 0 and _DEFINITION.match(text, lines[at].start) is not None)
        yield Unit(lines[at].start, lines[stop - 1].end, "code", lines[at].gap, level)
        at = stop


def _until(ends: Callable[[int], bool], at: int, size: int) -> int:
    while at < size and not ends(at):
        at += 1
    return at


def _fence_end(text: str, lines: Sequence[Line], at: int) -> int:
    mark = text[lines[at].start : lines[at].start + 3]
    closing = _until(lambda other: text.startswith(mark, lines[other].start), at + 1, len(lines))
    return min(closing + 1, len(lines))


def _block_units(text: str, lines: Sequence[Line]) -> Iterator[Unit]:
    """Units of lines without a blank line between them."""
    if _share(text, lines, _ROWS) >= _MOSTLY and not is_item(text, lines[0]):
        yield from (Unit(line.start, line.end, "table", line.gap) for line in lines)
        return
    if len(lines) > 1 and _share(text, lines, _CODE) >= _MOSTLY:
        yield Unit(lines[0].start, lines[-1].end, "code", lines[0].gap)
        return
    at = 0
    while at < len(lines):
        if is_item(text, lines[at]):
            stop = _until(lambda other: not _continues(text, lines, other), at + 1, len(lines))
            yield Unit(lines[at].start, lines[stop - 1].end, "item", lines[at].gap)
        else:
            stop = _until(lambda other: is_item(text, lines[other]), at + 1, len(lines))
            yield from _sentences(text, lines[at:stop])
        at = stop


def _continues(text: str, lines: Sequence[Line], at: int) -> bool:
    """Whether line `at` goes on with the list item before it."""
    return not is_item(text, lines[at]) and (lines[at].indent > 0 or text[lines[at - 1].end - 1] not in _ENDS)


def _sentences(text: str, lines: Sequence[Line]) -> Iterator[Unit]:
    start, end = lines[0].start, lines[-1].end
    wrapped = sum(text[line.end - 1] not in _ENDS for line in lines[:-1]) * 2 >= len(lines) > 1
    last = start
    for left, right in sentence_spans(text[start:end]):
        broken = "\n" in text[last : start + left] and not wrapped
        yield Unit(start + left, start + right, "prose", lines[0].gap if left == 0 else int(broken))
        last = start + right
