"""A document cut into pieces at paragraph, then sentence boundaries."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import TypeAlias

from amb_core.errors import InvalidParameter
from amb_tools.corpus.documents import Document
from amb_values import paragraph_spans, sentence_spans

__all__ = ["Heading", "Piece", "headings_of", "pieces"]

# "# Title", or a line with ***, ===, --- or ~~~ under it
_HEADING = re.compile(
    r"^(?:(?P<hashes>#{1,6})[ \t]+(?P<title>\S.{0,150})|(?P<lined>\S.{0,150})\n(?P<line>={3,}|\*{3,}|-{3,}|~{3,}))$",
    re.MULTILINE,
)
_DEPTH = {"*": 1, "=": 2, "-": 3, "~": 4}
_FENCED = re.compile(r"^```.*?^```|\A---\n.*?^---$", re.MULTILINE | re.DOTALL)
_STEP = " › "


_Span: TypeAlias = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Heading:
    start: int
    end: int
    chain: str


@dataclass(frozen=True, slots=True)
class Piece:
    """`text` is the document's text from `start` to `end`; `title` the headings it stands under, outermost first."""

    document: str
    index: int
    start: int
    end: int
    text: str
    title: str = ""

    @property
    def titled(self) -> str:
        """The text with its title as first line, unless it begins with that heading itself."""
        last = self.title.rsplit(_STEP, 1)[-1]
        first_line = self.text.split("\n", 1)[0].strip("# \t")
        return self.text if not self.title or first_line == last else f"{self.title}\n\n{self.text}"


def pieces(document: Document, *, max_chars: int = 2_000) -> list[Piece]:
    """Cut a document into pieces of at most `max_chars` characters; every non-blank character is in exactly one.

    A new heading begins a new piece when the current one is at least half full. Raises InvalidParameter below 50.
    """
    if max_chars < 50:
        raise InvalidParameter(f"max_chars is {max_chars}; pass 50 or more.")
    headings = headings_of(document.text)
    units = _headed(_units(document.text, max_chars), max_chars, headings)
    in_order = list(headings.values())
    return [
        Piece(document.name, index, start, end, document.text[start:end], _title(in_order, start))
        for index, (start, end) in enumerate(_packed(units, max_chars, headings))
    ]


def _units(text: str, max_chars: int) -> Iterator[_Span]:
    """Paragraphs; sentences of those that are too long; slices of sentences that are too long."""
    for start, end in paragraph_spans(text):
        if end - start <= max_chars:
            yield start, end
            continue
        for left, right in sentence_spans(text[start:end]):
            yield from _slice(text, start + left, start + right, max_chars)


def _slice(text: str, start: int, end: int, max_chars: int) -> Iterator[_Span]:
    while end - start > max_chars:
        space = text.rfind(" ", start + max_chars // 2, start + max_chars)
        cut = space + 1 if space > 0 else start + max_chars
        yield start, cut
        start = cut
    yield start, end


def _headed(units: Iterator[_Span], max_chars: int, headings: dict[int, Heading]) -> Iterator[_Span]:
    """The units, a heading joined to what follows it, so that no piece ends with one."""
    waiting: _Span | None = None
    for start, end in units:
        if waiting and end - waiting[0] <= max_chars:
            start = waiting[0]
        elif waiting:
            yield waiting
        waiting = (start, end) if start in headings and end <= headings[start].end else None
        if not waiting:
            yield start, end
    if waiting:
        yield waiting


def _packed(units: Iterator[_Span], max_chars: int, headings: dict[int, Heading]) -> list[_Span]:
    packed: list[_Span] = []
    for start, end in units:
        first, last = packed[-1] if packed else (start, start)
        opens_section = start in headings and last - first >= max_chars // 2
        if packed and end - first <= max_chars and not opens_section:
            packed[-1] = (first, end)
        else:
            packed.append((start, end))
    return packed


def headings_of(text: str) -> dict[int, Heading]:
    """Every heading outside code fences, by its start, with those above it."""
    masked = _FENCED.sub(lambda fence: " " * len(fence.group()), text)
    above: list[tuple[int, str]] = []
    headings: dict[int, Heading] = {}
    for found in _HEADING.finditer(masked):
        depth = len(found["hashes"]) if found["hashes"] else _DEPTH[found["line"][0]]
        name = (found["title"] or found["lined"]).strip("# \t")
        above = [*(outer for outer in above if outer[0] < depth), (depth, name)]
        headings[found.start()] = Heading(found.start(), found.end(), _STEP.join(title for _, title in above))
    return headings


def _title(headings: Sequence[Heading], start: int) -> str:
    """The title chain of the last heading at or before this place."""
    before = bisect_right(headings, start, key=attrgetter("start"))
    return headings[before - 1].chain if before else ""
