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
_HEADINGS = {"title": 1} | {f"h{level}": level for level in range(1, 7)}
_ADDRESS = re.compile(r"\bhref\s*=\s*[\"']?(?P<to>[^\"'\s<>]+)", re.IGNORECASE)
_FIELD = re.compile(r"\bvalue\s*=\s*(?:\"(?P<double>[^\"<]*)\"|'(?P<single>[^'<]*)')", re.IGNORECASE)
_UNSEEN = re.compile(r"\btype\s*=\s*[\"']?(?:hidden|password)", re.IGNORECASE)
_BEFORE = {"td": " | ", "th": " | ", "dd": " | ", "dt": "\n"}
"""What parts an element from the one before it."""
_NEW_LINE = {"br", "tr", "li", "option", "p", "div", "table", "ul", "ol", "dl", *_HEADINGS}
_ENDS = {"tr", "li", "dd", "option", "p", "div", "table", "ul", "ol", "dl", "section", "article", *_HEADINGS}
_SPACES = re.compile(r"[ \t\r\f\v]+")


def is_page(text: str, start: int) -> bool:
    """Whether the markup from `start` on is a page to be read; else it is a file to be edited, as other code is."""
    return _PAGE.match(text, start) is not None


def read_markup(text: str, start: int, end: int) -> Iterator[Unit]:
    """Paragraphs, items, rows and headings, each up to the tag that closes it.

    The path is the two nearest headings above, and of a row also the header of its table.
    """
    headings: list[tuple[int, str]] = []
    header, before, left, skipped = "", Break.APART, start, ""
    for tag in (*_TAG.finditer(text, start, end), None):
        name = "" if tag is None else (tag["name"] or "").lower()
        if tag is not None and name in _SKIPPED and skipped in ("", name):
            skipped = "" if tag["close"] or tag.group().endswith("/>") else name
        if tag is not None and (skipped or not tag["close"] or name not in _ENDS):
            continue
        right = end if tag is None else tag.end()
        said = strip_markup(text[left:right])
        if name in _HEADINGS and said:
            headings = [one for one in headings if one[0] < _HEADINGS[name]]
            headings.append((_HEADINGS[name], f"# {shorten(said)}"))
            before = Break.HEAD
        if said:
            place = (" > ".join(title for _, title in headings[-2:]), header if name == "tr" else "")
            first = left + len(text[left:right]) - len(text[left:right].lstrip())
            yield Unit(first, right, " ".join(filter(None, place)), before)
            before = Break.LINE if name in ("tr", "li", "dd", "option", "div") else Break.BLANK
        if name == "tr" and not header and "<th" in text[left:right].lower():
            header = shorten(said.rpartition("\n")[2], most=120)
        elif name == "table":
            header = ""
        left = right


def strip_markup(text: str) -> str:
    """What a reader sees of some HTML: cells parted by " | ", the address of a link before its words.

    What stands in two elements of one kind side by side is two words, as most pages show it.
    """
    parts: list[str] = []
    done, skipped, closed = 0, "", ""
    for tag in _TAG.finditer(text):
        name = (tag["name"] or "").lower()
        if skipped:
            skipped = "" if name == skipped and tag["close"] else skipped
        else:
            parts.append(html.unescape(text[done : tag.start()]) or " " * (name == closed and not tag["close"]))
            skipped = name if name in _SKIPPED and not tag["close"] and not tag.group().endswith("/>") else ""
            parts.append(_shown_tag(name, tag.group()))
        done, closed = tag.end(), name if tag["close"] else ""
    if not skipped:
        parts.append(html.unescape(text[done:]))
    lines = (_SPACES.sub(" ", line).strip(" |") for line in "".join(parts).split("\n"))
    return "\n".join(line for line in lines if line)


def _shown_tag(name: str, tag: str) -> str:
    if name == "a" and (address := _ADDRESS.search(tag)):
        return f"<{html.unescape(address['to'])}> "
    if name == "input" and (field := _FIELD.search(tag)) and not _UNSEEN.search(tag):
        return f" {html.unescape(field['double'] or field['single'] or '')}"
    if name in _BEFORE:
        return "" if tag.startswith("</") else _BEFORE[name]
    return "\n" if name in _NEW_LINE else ""
