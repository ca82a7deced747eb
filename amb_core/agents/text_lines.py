"""What single lines of a text are by themselves: headings, list items, dialogue turns, titles of search results."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from amb_core.text import dialogue_speaker
from amb_core.text.lazy_patterns import lazy_pattern

__all__ = [
    "BARE_LEVEL",
    "Heading",
    "Line",
    "heading_at",
    "is_definition",
    "is_item",
    "is_marked_heading",
    "lines_of",
    "plain",
    "result_titles",
    "turn_lines",
]

BARE_LEVEL = 7
_LINE = lazy_pattern(r"[^\n]+")
_MARKED = lazy_pattern(r"(#{1,6})\s+(?=\S)|(={2,5})\s*[^=\n]+={2,5}$|\*\*[^*\n]{2,80}\*\*[:：]?$|__[^_\n]{2,80}__$")
_NUMBERED = lazy_pattern(
    r"(?:(?:chapter|section|part|appendix)\s+)?\d{1,2}(?:\.\d{1,2}){0,3}[.:]?\s+[A-Z\u4e00-\u9fff]", re.I
)
_CHINESE_PART = lazy_pattern(
    r"第[一二三四五六七八九十百\d]{1,4}[章节部分篇回卷]|[一二三四五六七八九十]{1,3}、|[（(][一二三四五六七八九十]{1,3}[)）]"
)
_TITLE_FIELD = lazy_pattern(r"(?:title|标题|題目|题目)\s*[:：]\s*(?=\S)", re.I)
_UNDERLINE = lazy_pattern(r"(=|-|~)\1{2,}$")
_CLOSED = re.compile(r"[.!?。！？…;；,，:：、][\"'”’」』）)\]]*$")
_NO_TITLE = lazy_pattern(rf"{_CLOSED.pattern}|[={{}}<>|\\]|\w\(|^[>$@/]|^\W*$")
_HEADING_CHARS = 80
_HEADING_CHARS_CJK = 30

_ITEM = lazy_pattern(
    r"(?:[-*+•·▪◦‣–—]\s+|\d{1,3}[.)]\s+|\d{1,3}、|[（(]\d{1,3}[)）]\s*|[①-⑳]|[a-zA-Z][.)]\s+|\[[ xX]\]\s)(?=\S)"
)
_DEFINITION = lazy_pattern(
    r"(?:(?:export|default|public|private|static|async|abstract|final|pub)\s+)*"
    r"(?:class|def|function|func|fn|interface|struct|enum|trait|impl|type|module|namespace)\s+\w|@\w"
)
_RESULT_LINK = lazy_pattern(
    r"(?:(?:\d{1,3}[.)、]|[-*•]|#{1,6}|\[\d{1,3}\])\s*)?(?:\*\*)?\[(?P<title>[^\]\n]{1,200})\]\(\s*<?https?://[^)\s]+\s*>?\)"
)
_RESULT_HEAD = lazy_pattern(
    r"(?:\d{1,3}[.)、]\s*)?(?:Title|标题|题目)\s*[:：]\s*(?P<title>\S[^\n]{0,200})|"
    r"[\[【(（]?(?:Search result|Result|Document|Doc|Passage|Source|Snippet|结果|文档|段落|资料|来源)\s*[#№]?\s*\[?"
    r"\d{1,3}[\]】)）]?\s*[:：.、)\]-]?\s*(?P<name>[^\n]{0,200})",
    re.IGNORECASE,
)
_RESULT_BODY_CHARS = 60
_FIELD = lazy_pattern(
    r"(?:date|time|source|url|link|title|author|abstract|summary|snippet|notes?|step|example|results?|published|name|"
    r"type|status|日期|时间|来源|链接|网址|标题|作者|摘要|简介|内容|备注|注|步骤|例|结果|发布时间|地址|名称|类型|状态)$",
    re.IGNORECASE,
)
_MARKUP = lazy_pattern(
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


def lines_of(text: str, start: int, end: int) -> list[Line]:
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


def is_marked_heading(text: str, line: Line) -> bool:
    """Whether the line says by its own markup that it is a heading."""
    return line.end - line.start <= 200 and _MARKED.match(text, line.start, line.end) is not None


def heading_at(text: str, lines: Sequence[Line], at: int) -> Heading | None:
    """The heading that begins at line `at`: marked, underlined, numbered, or a short line standing by itself."""
    line = lines[at]
    if line.end - line.start > 200:
        return None
    raw = text[line.start : line.end]
    if found := _MARKED.match(raw):
        level = len(found[1]) if found[1] else len(found[2]) - 1 if found[2] else BARE_LEVEL - 1
        return Heading(plain(raw), level)
    if at + 1 < len(lines) and lines[at + 1].gap == 1 and len(raw) <= _HEADING_CHARS:
        under = _UNDERLINE.match(text, lines[at + 1].start, lines[at + 1].end)
        if under:
            return Heading(plain(raw), {"=": 1, "-": 2}.get(under[1], 3), lines=2)
    return _bare_heading(text, lines, at, raw)


def _bare_heading(text: str, lines: Sequence[Line], at: int, raw: str) -> Heading | None:
    short = _HEADING_CHARS_CJK if _is_cjk(raw) else _HEADING_CHARS
    if lines[at].gap < 2 or len(raw) > short or _NO_TITLE.search(raw) or dialogue_speaker(raw):
        return None
    if at + 1 == len(lines):
        return None
    following = lines[at + 1]
    after = text[following.start : following.end]
    level = _level(raw)
    if _ITEM.match(raw) and _ITEM.match(after):
        return None
    if following.gap == 2 or level < BARE_LEVEL:
        # a run of short lines, each by itself, is a list of something rather than headings without a body
        is_heading = len(after) > len(raw) or _CLOSED.search(after) is not None
    else:
        is_heading = len(after) >= max(short, 2 * len(raw)) and not _ITEM.match(raw)
    title = plain(raw)
    return Heading(_TITLE_FIELD.sub("", title), level) if is_heading and any(map(str.isalpha, title)) else None


def _level(raw: str) -> int:
    """Depth by numbering: 1 for "Title: …" and "第一章", 2 for "2" and "一、", 3 for "2.1", else `BARE_LEVEL`."""
    if _TITLE_FIELD.match(raw):
        return 1
    if _CHINESE_PART.match(raw):
        return {"第": 1, "（": 3, "(": 3}.get(raw[0], 2)
    if _NUMBERED.match(raw):
        return min(3, 2 + raw.split()[0].rstrip(".:").count("."))
    return BARE_LEVEL


def _is_cjk(raw: str) -> bool:
    return any("\u3400" <= char <= "\u9fff" for char in raw)


def is_item(text: str, line: Line) -> bool:
    """Whether the line begins a list item."""
    return _ITEM.match(text, line.start, line.end) is not None


def is_definition(text: str, line: Line) -> bool:
    """Whether a line at the left margin of program text begins a class, function or the like."""
    return line.indent == 0 and _DEFINITION.match(text, line.start, line.end) is not None


def turn_lines(text: str, lines: Sequence[Line]) -> frozenset[int]:
    """Indices of the lines that begin a dialogue turn, when the text is a dialogue: a speaker must come back."""
    speakers: dict[int, str] = {}
    for at, line in enumerate(lines):
        name = dialogue_speaker(text[line.start : min(line.end, line.start + 200)])
        if name and not _FIELD.match(name):
            speakers[at] = name
    if len(speakers) < 3 or len(speakers) < 0.4 * len(lines) or len(speakers) - len(set(speakers.values())) < 2:
        return frozenset()
    return frozenset(speakers)


def result_titles(text: str, lines: Sequence[Line]) -> dict[int, str]:
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
