"""Units of a page as a tree of its elements: a row or an item of a list is one record, with its cells and its name."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from amb_core.reading.passage_units import Break, Line, Unit, shorten

__all__ = ["element_names", "page_name", "read_tree", "strip_tree"]

_ELEMENT = re.compile(
    r"\s*(?:-\s+)?(?:\[\d+\]|uid=\S+)?\s*(?P<role>[A-Za-z]+)"
    r"(?:\s+[\"'‘“](?P<name>[^\n]{0,200}?)[\"'’”](?=[\s:,]|$))?(?P<rest>[^\n]*)"
)
_ROOT = re.compile(r"\s*(?:-\s+[a-z]|\[\d+\]|uid=).*")
_TOP = 2_000
_RECORDS = {"row", "listitem", "tr", "option"}
_STARTS = {"heading", "article", "main", "table", "form", "dialog", "navigation", "region", "search", *_RECORDS}
_SAYS_NOTHING = {"", r"\xa0", "image"}
_STATE = re.compile(
    r"\btrue\b|\bvalue\w*[:=]\s*['\"]?[^\s'\"]|\[(?:checked|selected|pressed)|\](?: ?\[[\w=]+\])*:\s*\S", re.I
)
"""What is worth showing of an element without a name: that it is chosen, its value, its text."""
_SHOWN_ANCESTORS = 3


def element_names(text: str) -> tuple[str, ...]:
    """What each line of a page tree shows, without its number and state: equal for two states of an element."""
    found = (_ELEMENT.match(line.strip()[:400]) for line in text.split("\n") if line.strip())
    return tuple(f"{one['role']} {one['name'] or ''}".strip() if one else "" for one in found)


def page_name(text: str) -> str:
    """The name of a page, which its outermost element has; "" where that has none."""
    found = next((one for one in map(_ROOT.match, text[:_TOP].split("\n")) if one), None)
    element = _ELEMENT.match(found[0][:400]) if found else None
    return shorten(element["name"] or "", most=80) if element else ""


def strip_tree(text: str) -> str:
    """Lines of a page tree without the elements that have neither a text nor a state of their own."""
    return "\n".join(line for line in text.split("\n") if not _is_empty(line, keep=_RECORDS))


def _is_empty(line: str, *, keep: Collection[str]) -> bool:
    found = _ELEMENT.match(line[:400])
    if found is None or found["role"] in keep or (found["name"] is None and "[ref=" not in found["rest"]):
        return False
    return (found["name"] or "").strip().casefold() in _SAYS_NOTHING and _STATE.search(found["rest"]) is None


@dataclass(slots=True)
class _Open:
    """An element that the line being read may stand in."""

    indent: int
    role: str
    name: str


def read_tree(text: str, lines: Sequence[Line]) -> Iterator[Unit]:
    """Elements of a page; the path names the nearest elements above, and as `[row=…]` the record a line stands in."""
    above: list[_Open] = []
    indent = 0
    for line in lines:
        said = text[line.start : line.end][:400]
        found = _ELEMENT.match(said)
        role, name = (found["role"], found["name"] or "") if found else ("", "")
        while above and above[-1].indent >= line.indent:
            above.pop()
        record = next((at for at in range(len(above) - 1, -1, -1) if above[at].role in _RECORDS), None)
        before = Break.DEDENT if line.indent < indent else Break.LINE
        if line.after_blank or role in _STARTS:
            before = Break.BLANK
        elif record is not None:
            before = Break.NONE
        indent = line.indent
        yield Unit(line.start, line.end, _path(above, record), before)
        if record is not None and name and not above[record].name:
            above[record].name = shorten(name)
        if name or role in _RECORDS:
            above.append(_Open(line.indent, role, shorten(name)))


def _path(above: Sequence[_Open], record: int | None) -> str:
    named = [one.name for one in above[:record] if one.name and one.role not in _RECORDS]
    if record is None or not above[record].name:
        return " > ".join(named[-_SHOWN_ANCESTORS:])
    return " > ".join([*named[1:][-1:], f"[{above[record].role}={above[record].name}]"])
