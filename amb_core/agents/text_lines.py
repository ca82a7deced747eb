"""What single lines of a text are by themselves: headings, list items, dialogue turns, titles of search results."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from amb_core.text import dialogue_speaker

__all__ = ["BARE_LEVEL", "Heading", "Line", "heading_at", "is_item", "lines_of", "plain", "result_titles", "turn_lines"]

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


def heading_at(text: str, lines: Sequence[Line], at: int) -> Heading | None:
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


def is_item(text: str, line: Line) -> bool:
    """Whether the line begins a list item."""
    return _ITEM.match(text, line.start, line.end) is not None


def turn_lines(text: str, lines: Sequence[Line]) -> frozenset[int]:
    """Indices of the lines that begin a dialogue turn, when the text is a dialogue: a speaker must come back."""
    named = (
        (at, dialogue_speaker(text[line.start : min(line.end, line.start + 200)])) for at, line in enumerate(lines)
    )
    speakers = {at: name for at, name in named if name}
    come_back = len(speakers) - len(set(speakers.values())) >= 2
    return frozenset(speakers) if come_back and len(speakers) >= max(3, 0.4 * len(lines)) else frozenset()


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
