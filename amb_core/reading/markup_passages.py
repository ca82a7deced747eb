"""Units of a page in HTML: what stands between its blocks, without scripts and styles; spans are of the raw page."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

from amb_core.reading.passage_units import Break, Unit, shorten

__all__ = ["is_page", "read_markup", "strip_markup"]

_PAGE = re.compile(r"\s*<(?:!doctype html|html|head|body|div|section|article|table|p|h[1-6]|ul|ol|a|span|main)\b", re.I)

_TAG = re.compile(
    r"<!--.*?(?:-->|\Z)|<(?P<close>/?)(?P<name>[a-zA-Z][\w:-]*)(?:[^<>\"']|\"[^\"<]*\"|'[^'<]*')*+>|<[!?][^<>]*>",
    re.DOTALL,
)
_SKIPPED = {"script", "style", "svg", "template", "noscript"}
_INLINE = {
    *(
        "a",
        "b",
        "i",
        "u",
        "s",
        "em",
        "strong",
        "code",
        "span",
        "small",
        "sub",
        "sup",
        "abbr",
        "mark",
        "q",
        "cite",
        "time",
    ),
    *("font", "kbd", "var", "del", "ins", "label", "img", "td", "th", "bdi", "wbr", "button", "input"),
}
_HEADINGS = {"title": 1} | {f"h{level}": level for level in range(1, 7)}
_ADDRESS = re.compile(r"\bhref\s*=\s*[\"']?(?P<to>[^\"'\s<>]+)", re.IGNORECASE)
_CELLS = {"td", "th"}
_NEW_LINE = {"br", "tr", "li", "p", "div", "table", "ul", "ol", *_HEADINGS}
_SPACES = re.compile(r"[ \t\r\f\v]+")


def is_page(text: str, start: int) -> bool:
    """Whether the markup from `start` on is a page to be read; else it is a file to be edited, as other code is."""
    return _PAGE.match(text, start) is not None


def read_markup(text: str, start: int, end: int) -> Iterator[Unit]:
    """Paragraphs, items, cells of a row and headings; the path is the headings above, of a row also its header."""
    headings: list[tuple[int, str]] = []
    header, before = "", Break.APART
    for left, right, name, closes in _blocks(text, start, end):
        said = strip_markup(text[left:right])
        level = _HEADINGS.get(name, 0)
        if level:
            while headings and headings[-1][0] >= level:
                headings.pop()
            headings.append((level, f"# {shorten(said)}"))
            before = Break.APART if level < 3 else Break.HEAD
        if said:
            place = [" > ".join(title for _, title in headings[-2:]), header if name == "tr" else ""]
            yield Unit(left, right, " ".join(filter(None, place)), before)
            before = Break.LINE
        if name == "tr" and not header and "<th" in text[left:right].lower():
            header = shorten(said.partition("\n")[0], most=120)
        if closes == "table":
            header = ""
        before = max(before, Break.BLANK if closes in ("table", "ul", "ol", "p", "section", "div") else Break.LINE)


def _blocks(text: str, start: int, end: int) -> Iterator[tuple[int, int, str, str]]:
    """Stretches between tags of blocks: their first and last character, the block around them, the tag after."""
    left, right, inside, skipped = -1, -1, "", ""
    done = start
    opening = -1
    for tag in _TAG.finditer(text, start, end):
        name = (tag["name"] or "").lower()
        if skipped:
            if name == skipped and tag["close"]:
                skipped = ""
                done = tag.end()
            continue
        if text[done : tag.start()].strip():
            left = (opening if opening >= 0 else _first(text, done)) if left < 0 else left
            right = _last(text, tag.start())
            opening = -1
        done = tag.end()
        if not name or name in _INLINE:
            if name == "a" and not tag["close"] and left < 0:
                opening = tag.start()
            elif left >= 0 and tag["close"]:
                right = tag.end()
            continue
        if name == "br":
            continue
        if left >= 0 and not (inside == "tr" and name in ("p", "div")):
            yield left, right, inside, name
            left = -1
        opening = -1
        inside = "" if tag["close"] else name
        if name in _SKIPPED and not tag["close"] and not tag.group().endswith("/>"):
            skipped = name
    if not skipped and text[done:end].strip():
        left = _first(text, done) if left < 0 else left
        right = _last(text, end)
    if left >= 0:
        yield left, right, inside, ""


def _first(text: str, at: int) -> int:
    while text[at].isspace():
        at += 1
    return at


def _last(text: str, at: int) -> int:
    while text[at - 1].isspace():
        at -= 1
    return at


def strip_markup(text: str) -> str:
    """What a reader sees of some HTML: cells parted by " | ", the address of a link before its words."""
    parts: list[str] = []
    done, skipped = 0, ""
    for tag in _TAG.finditer(text):
        name = (tag["name"] or "").lower()
        if skipped:
            skipped = "" if name == skipped and tag["close"] else skipped
        else:
            parts.append(html.unescape(text[done : tag.start()]))
            skipped = name if name in _SKIPPED and not tag["close"] and not tag.group().endswith("/>") else ""
            parts.append(_shown_tag(name, tag.group()))
        done = tag.end()
    if not skipped:
        parts.append(html.unescape(text[done:]))
    lines = (_SPACES.sub(" ", line).strip(" |") for line in "".join(parts).split("\n"))
    return "\n".join(line for line in lines if line)


def _shown_tag(name: str, tag: str) -> str:
    if name == "a" and (address := _ADDRESS.search(tag)):
        return f"<{html.unescape(address['to'])}> "
    if name in _CELLS:
        return "" if tag.startswith("</") else " | "
    return "\n" if name in _NEW_LINE else ""
