"""The visible structure of a text as units: sentences where it is prose, else turns, items, rows, blocks of code.

First what single lines are by themselves (headings, list items, dialogue turns, titles of search results), then the
units they make. Topic segmentation and summaries both work on units.
"""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from amb_core.agents.chunking import cut_hard
from amb_core.agents.json_members import json_units
from amb_core.reading import Layout, read_regions
from amb_core.text import dialogue_speaker, sentence_spans
from amb_core.text.pure_cache import remembered

__all__ = ["BARE_LEVEL", "Unit", "is_json", "lay_out", "plain"]

BARE_LEVEL = 7
"""The level of a heading that nothing but its place marks."""
_LINE = re.compile(r"[^\n]+")
_MARKED = re.compile(r"(#{1,6})\s+(?=\S)|(={2,5})\s*[^=\n]+={2,5}$|\*\*[^*\n]{2,80}\*\*[:：]?$")
_UNDERLINE = re.compile(r"(=|-|~)\1{2,}$")
_CLOSED = re.compile(r"[.!?。！？…;；,，:：、][\"'”’」』）)\]]*$")
_NO_TITLE = re.compile(rf"{_CLOSED.pattern}|[={{}}<>|\\]|\w\(|^[>$@/]|^\W*$")
_HEADING_CHARS, _HEADING_CHARS_CJK = 80, 30
_LONGEST_HEADING = 200
_ITEM = re.compile(
    r"(?:[-*+•·▪◦‣–—]\s+|\d{1,3}[.)]\s+|\d{1,3}、|[（(]\d{1,3}[)）]\s*|[①-⑳]|[a-zA-Z][.)]\s+|\[[ xX]\]\s)(?=\S)"
)
_RESULT_LINK = re.compile(
    r"(?:(?:\d{1,3}[.)、]|[-*•]|#{1,6}|\[\d{1,3}\])\s*)?(?:\*\*)?\[(?P<title>[^\]\n]{1,200})\]\(\s*<?https?://[^)\s]+\s*>?\)"
)
_RESULT_HEAD = re.compile(
    r"(?:\d{1,3}[.)、]\s*)?(?:Title|标题|题目)\s*[:：]\s*(?P<title>\S[^\n]{0,200})|"
    r"[\[【(（]?(?:Search result|Result|Document|Doc|Passage|Source|Snippet|结果|文档|段落|资料|来源)\s*[#№]?\s*\[?"
    r"\d{1,3}[\]】)）]?\s*[:：.、)\]-]?\s*(?P<name>[^\n]{0,200})",
    re.IGNORECASE,
)
_RESULT_BODY_CHARS = 60
_MARKUP = re.compile(
    r"!?\[([^\]\n]*)\]\([^)\n]*\)|(?<![\w*])\*([^*\n]+)\*(?![\w*])|\*\*|__|`+|</?[a-zA-Z][^<>\n]{0,80}>"
)


class Line(NamedTuple):
    """A non-blank line without its outer blanks; `gap` is 2 after a blank line (or at the start), else 1."""

    start: int
    end: int
    indent: int
    gap: int


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading over `lines` lines, its depth from 1, and its text without markup."""

    title: str
    level: int
    lines: int = 1


def _lines_of(text: str, start: int, end: int) -> list[Line]:
    """The non-blank lines of `text[start:end]`."""
    lines: list[Line] = []
    last_end = -1
    for found in _LINE.finditer(text, start, end):
        raw = found.group()
        body = raw.strip()
        if not body:
            continue
        indent = len(raw) - len(raw.lstrip())
        first = found.start() + indent
        follows = last_end >= 0 and text.count("\n", last_end, first) < 2
        lines.append(Line(first, first + len(body), indent, 1 if follows else 2))
        last_end = first + len(body)
    return lines


def plain(text: str) -> str:
    """The text of a line without Markdown or HTML markup, on one line."""
    if not text.isprintable():
        text = "".join(char if char.isprintable() else " " for char in text)
    return " ".join(_MARKUP.sub(lambda found: found[1] or found[2] or "", text).split()).strip("#=*_:： ")


def _heading_at(text: str, lines: Sequence[Line], at: int) -> Heading | None:
    """The heading that begins at line `at`: marked, underlined, or a short line by itself over a longer one."""
    line = lines[at]
    raw = text[line.start : line.end]
    if len(raw) > _LONGEST_HEADING:
        return None
    if found := _MARKED.match(raw):
        level = len(found[1]) if found[1] else len(found[2]) - 1 if found[2] else BARE_LEVEL - 1
        return Heading(plain(raw), level)
    if at + 1 == len(lines):
        return None
    following = lines[at + 1]
    under = _UNDERLINE.match(text, following.start, following.end)
    if under and following.gap == 1 and len(raw) <= _HEADING_CHARS:
        return Heading(plain(raw), {"=": 1, "-": 2}.get(under[1], 3), lines=2)
    return (
        _bare_heading(raw, text[following.start : following.end], apart=following.gap == 2) if line.gap == 2 else None
    )


def _bare_heading(raw: str, following: str, *, apart: bool) -> Heading | None:
    short = _HEADING_CHARS_CJK if any("\u3400" <= char <= "\u9fff" for char in raw) else _HEADING_CHARS
    if len(raw) > short or _NO_TITLE.search(raw) or _ITEM.match(raw) or dialogue_speaker(raw):
        return None
    # a run of short lines, each by itself, is a list of something rather than headings without a body
    longer = len(following) > len(raw) or bool(_CLOSED.search(following)) if apart else len(following) >= short
    title = plain(raw)
    return Heading(title, BARE_LEVEL) if longer and any(map(str.isalpha, title)) else None


def _is_item(text: str, line: Line) -> bool:
    """Whether the line begins a list item."""
    return _ITEM.match(text, line.start, line.end) is not None


def _turn_lines(text: str, lines: Sequence[Line]) -> frozenset[int]:
    """Indices of the lines that begin a dialogue turn, when the text is a dialogue: a speaker must come back."""
    named = (
        (at, dialogue_speaker(text[line.start : min(line.end, line.start + 200)])) for at, line in enumerate(lines)
    )
    speakers = {at: name for at, name in named if name}
    come_back = len(speakers) - len(set(speakers.values())) >= 2
    return frozenset(speakers) if come_back and len(speakers) >= max(3, 0.4 * len(lines)) else frozenset()


def _result_titles(text: str, lines: Sequence[Line]) -> dict[int, str]:
    """Line index → title of the search results a text is a list of; empty when there are fewer than two with a body."""
    for pattern in (_RESULT_LINK, _RESULT_HEAD):
        found: dict[int, str] = {}
        for at, line in enumerate(lines):
            if match := pattern.match(text, line.start, min(line.end, line.start + 500)):
                found[at] = plain(next((group for group in match.groups() if group), ""))
        if len(found) >= 2 and _have_bodies(text, lines, sorted(found)):
            return found
    return {}


def _have_bodies(text: str, lines: Sequence[Line], starts: Sequence[int]) -> bool:
    """Whether there is text of its own under most of the titles; a bare list of links has none."""
    bodies = 0
    for at, stop in zip(starts, [*starts[1:], len(lines)], strict=True):
        link = _RESULT_LINK.match(text, lines[at].start, lines[at].end)
        rest = lines[at].end - link.end() if link else 0
        rest += lines[stop - 1].end - lines[at].end
        bodies += rest >= _RESULT_BODY_CHARS
    return bodies >= 0.6 * len(starts)


# --- units ------------------------------------------------------------------------------------------------------------

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
        found = _units(text, _lines_of(text, start, end))
    joined = _join_crumbs(text, found, _CRUMB if join_short else 0)
    return [piece for unit in joined for piece in _bounded(text, unit, limit)]


def is_json(text: str, start: int, end: int) -> bool:
    """Whether `text[start:end]` is a list or an object of JSON or printed Python data, or several."""
    inside = (region.layout for region in read_regions(text) if region.start < end and start < region.end)
    return text[start:end].lstrip()[:1] in ("[", "{") and all(layout in _JSON for layout in inside)


@remembered(most=16, longest=20_000)
def _units_of(text: str) -> tuple[Unit, ...]:
    """The units of a whole text: it is split into topics and then, when it is one topic, shortened."""
    return tuple(_units(text, _lines_of(text, 0, len(text))))


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
    titles = _result_titles(text, lines)
    turns = frozenset() if titles else _turn_lines(text, lines)

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
        elif heading := _heading_at(text, lines, at):
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
    if _share(text, lines, _ROWS) >= _MOSTLY and not _is_item(text, lines[0]):
        yield from (Unit(line.start, line.end, "table", line.gap) for line in lines)
        return
    if len(lines) > 1 and _share(text, lines, _CODE) >= _MOSTLY:
        yield Unit(lines[0].start, lines[-1].end, "code", lines[0].gap)
        return
    at = 0
    while at < len(lines):
        if _is_item(text, lines[at]):
            stop = _until(lambda other: not _continues(text, lines, other), at + 1, len(lines))
            yield Unit(lines[at].start, lines[stop - 1].end, "item", lines[at].gap)
        else:
            stop = _until(lambda other: _is_item(text, lines[other]), at + 1, len(lines))
            yield from _sentences(text, lines[at:stop])
        at = stop


def _continues(text: str, lines: Sequence[Line], at: int) -> bool:
    """Whether line `at` goes on with the list item before it."""
    return not _is_item(text, lines[at]) and (lines[at].indent > 0 or text[lines[at - 1].end - 1] not in _ENDS)


def _sentences(text: str, lines: Sequence[Line]) -> Iterator[Unit]:
    start, end = lines[0].start, lines[-1].end
    wrapped = sum(text[line.end - 1] not in _ENDS for line in lines[:-1]) * 2 >= len(lines) > 1
    last = start
    for left, right in sentence_spans(text[start:end]):
        broken = "\n" in text[last : start + left] and not wrapped
        yield Unit(start + left, start + right, "prose", lines[0].gap if left == 0 else int(broken))
        last = start + right
