"""The sentences of a document with what they stand under: headings, terms, list openings and the heads of tables."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from operator import itemgetter

from amb_core.text import sentence_spans
from amb_tools.corpus.document_pieces import headings_of
from amb_tools.corpus.documents import Document

__all__ = ["Sentence", "flat", "sentences_of"]

_ITEM = re.compile(
    r"[ \t]*(?:[-*+•·][ \t]|\d{1,3}(?:\.\d{1,3}){0,4}[.)、]?[ \t]|[(（]?[\w]{1,3}[)）、][ \t]?|第[\w]{1,8}[条章节])"
)
_ROW = re.compile(r"[^|\n]*\|")
_COLUMNS = re.compile(r"\S(?: {3,}|\t+)\S.*\S(?: {3,}|\t+)\S")
_TERM = re.compile(r"[ \t]*(?P<term>\S.{0,40}?) {2,}(?=\S)")
_RULE = re.compile(r"[\s|:=*~^\"'+\u2500-\u257f-]*")
_LABEL = 100
"""A line without the end of a sentence and up to this long names what stands indented under it."""
_ENDS = (".", "。", "!", "！", "?", "？", ";", "；", ",", "，")
_OPENS = (":", "：")
_STEP = " › "
_WRAPPED = 100
_LINE = 45
"""A line from here on is one of prose; up to `_WRAPPED` characters, a Chinese one goes on in the next."""
_HAN_AT_END = re.compile(r"[\u3400-\u9fff，、]\n$")
_JOINT = re.compile(r"\u2010\s*\n\s*|(?<=[\u3400-\u9fff，。、；：]) *\n\s*(?=[\u3400-\u9fff])")
_BLANKS = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Sentence:
    """Characters `start:end` of the document; `under` is the chain of headings, terms and openings it stands under.

    `opens` is True for the first sentence under a heading or label, before which no sentence says more of it.
    """

    document: str
    start: int
    end: int
    under: str
    opens: bool


@dataclass(frozen=True, slots=True)
class _Block:
    start: int
    end: int
    indent: int
    is_row: bool = False


def sentences_of(document: Document) -> Iterator[Sentence]:
    """Every sentence, list item and row of a table, in order; what only names something is no sentence of its own."""
    text = document.text
    headings = headings_of(text)
    chain, labels, opening, head = "", list[tuple[int, str]](), "", ""
    opens = True
    blocks = list(_blocks(text))
    for number, block in enumerate(blocks):
        shown = text[block.start : block.end].strip()
        if block.start in headings:
            chain, labels, opening, head, opens = headings[block.start].chain, [], "", "", True
            if block.end <= headings[block.start].end:
                continue
        if _RULE.fullmatch(shown):
            continue
        labels = [label for label in labels if label[0] < block.indent]
        if _names(shown) and _holds_next(blocks, number):
            labels.append((block.indent, " ".join(shown.split())))
            opening, opens = "", True
            continue
        if not block.is_row:
            head = ""
        if not _ITEM.match(text, block.start) and not block.is_row:
            opening = ""
        under = _STEP.join(filter(None, (chain, *(label for _, label in labels), opening, head)))
        last = ""
        for start, end in _spans(text, block):
            yield Sentence(document.name, start, end, under, opens)
            last, opens = text[start:end], False
        if last.endswith(_OPENS):
            opening = " ".join(last.split())
        if block.is_row and not head:
            head = " ".join(shown.split())


def _spans(text: str, block: _Block) -> Iterator[tuple[int, int]]:
    """Sentences of a block: its indentation is layout and no end of a sentence."""
    lines, places, length = list[str](), list[tuple[int, int]](), 0
    offset = block.start
    for line in text[block.start : block.end].splitlines(keepends=True):
        bare = line.lstrip()
        if 25 <= len(bare) <= _WRAPPED and _HAN_AT_END.search(bare):
            bare = bare.rstrip("\n")
        places.append((length, offset + len(line) - len(line.lstrip())))
        lines.append(bare)
        length, offset = length + len(bare), offset + len(line)
    for start, end in sentence_spans("".join(lines)):
        yield _place(places, start), _place(places, end - 1) + 1


def _place(places: Sequence[tuple[int, int]], at: int) -> int:
    length, offset = places[bisect_right(places, at, key=itemgetter(0)) - 1]
    return offset + at - length


def flat(text: str) -> str:
    """A sentence on one line: words that were parted at the end of a line are whole again."""
    return _BLANKS.sub(" ", _JOINT.sub("", text)).strip()


def _names(shown: str) -> bool:
    return "\n" not in shown and len(shown) <= _LABEL and not shown.endswith(_ENDS)


def _holds_next(blocks: Sequence[_Block], number: int) -> bool:
    """Whether the block after this one is indented more, as a section or the text of a term is."""
    following = blocks[number + 1] if number + 1 < len(blocks) else None
    return following is not None and following.indent > blocks[number].indent and not blocks[number].is_row


def _blocks(text: str) -> Iterator[_Block]:
    """Runs of lines with one indentation; a list item, a row and a line after a blank one begin another.

    A term with its text beside it, which goes on below the text, is a block of its own.
    """
    start, end, indent, row = -1, 0, 0, False
    lines = [*text.splitlines(keepends=True), ""]
    offset = 0
    for line, following in pairwise(lines):
        bare = line.strip()
        here = len(line) - len(line.lstrip())
        beside = _TERM.match(line) if bare else None
        if beside and (not following.strip() or len(following) - len(following.lstrip()) != beside.end()):
            beside = None
        is_row = bool(bare) and not beside and bool(_ROW.match(line) or _COLUMNS.search(bare))
        first = text[start:end].strip() if start >= 0 else ""
        if here < indent and len(first) >= _LINE and "\n" not in first and not first.endswith(_ENDS):
            indent = here  # the first line of a paragraph stands in
        wraps = start >= 0 and here > indent and _ITEM.match(text, start) is not None
        breaks = not bare or is_row or row or beside or _ITEM.match(line) or bare.startswith("#")
        if start >= 0 and (breaks or (here != indent and not wraps)):
            yield _Block(start, end, indent, row)
            start = -1
        if beside:
            yield _Block(offset + here, offset + beside.end("term"), here)
            start, indent, row = offset + beside.end(), beside.end(), False
        elif bare and start < 0:
            start, indent, row = offset, here, is_row
        if bare:
            end = offset + len(line.rstrip())
        offset += len(line)
    if start >= 0:
        yield _Block(start, end, indent, row)
