"""The sentences of a document with what they stand under: headings, terms, list openings and the heads of tables."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import itemgetter

from amb_tools.corpus.document_pieces import headings_of
from amb_tools.corpus.documents import Document
from amb_values import sentence_spans

__all__ = ["CorpusSentence", "flat", "sentences_of"]

_ITEM = re.compile(
    r"[ \t]*(?:[-*+•·][ \t]|\d{1,3}(?:\.\d{1,3}){0,4}[.)、]?[ \t]|[(（]?[\w]{1,3}[)）、][ \t]?|第[\w]{1,8}[条章节])"
)
_FRONT = re.compile(r"\A---\n.*?\n---$", re.MULTILINE | re.DOTALL)
_TITLE = re.compile(r"[ \t]*[\w*“\"《]")
_PART = re.compile(r"[ \t]*[(（]\w{1,4}[)）]")
_ROW = re.compile(r"[^|│\n]*[|│]")
_COLUMNS = re.compile(r"\S(?: {3,}|\t+)\S.*\S(?: {3,}|\t+)\S")
_LETTER = re.compile(r"[^\W\d_]")
_RULE = re.compile(r"[\s|:=*~^\"'+\u2500-\u257f-]*")
_LABEL = 100
"""A line without the end of a sentence and up to this long names what stands indented under it or after it."""
_DEEPEST = 3
"""How many names that stand alone, one after the other, may be the headings of one text."""
_ASKS = ("?", "？")
_STOPS = (".", "。", "!", "！", *_ASKS)
_CLOSED = (*_STOPS, ";", "；")
_ENDS = (*_CLOSED, ",", "，")
_OPENS = (":", "：", "—")
_STEP = " › "
_WRAPPED = 100
_ROWS, _OWN_LINES = 3, 0.8
"""From so many lines on a block may be one of rows, where this share of its lines begin a sentence."""
_LINE = 45
"""A line from here on is one of prose; up to `_WRAPPED` characters, a Chinese one goes on in the next."""
_HAN_AT_END = re.compile(r"[\u3400-\u9fff，、]\n$")
_JOINT = re.compile(r"\u2010\s*\n\s*|(?<=[\u3400-\u9fff，。、；：]) *\n\s*(?=[\u3400-\u9fff])")
_BLANKS = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class CorpusSentence:
    """Characters `start:end` of the document; `under` is the chain of headings, terms and openings it stands under.

    `opens` says whether a line of the layout begins with it: a paragraph, an item of a list, a row of a table.
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


def sentences_of(document: Document) -> Iterator[CorpusSentence]:
    """Every sentence, list item and row of a table, in order; what only names something is no sentence of its own."""
    text = document.text
    headings = headings_of(text)
    chain, names, opening, head = "", list[tuple[int, bool, str]](), "", ""
    named = False
    blocks = [block for block in _blocks(text) if not _RULE.fullmatch(text, block.start, block.end)]
    for number, block in enumerate(blocks):
        shown = " ".join(text[block.start : block.end].split())
        if block.start in headings:
            chain, names, opening, head = headings[block.start].chain, [], "", ""
            if block.end <= headings[block.start].end:
                continue
        holds = _holds(text, blocks, number)
        inner = block.indent - (holds == "after" and not named)
        names = [name for name in names if name[0] < inner + ((name[1] and holds != "after") or named)]
        if holds:
            names.append((block.indent, holds == "after", shown))
            named, opening = holds == "after", ""
            continue
        named = False
        if not block.is_row:
            head = ""
        if not _ITEM.match(text, block.start) and not block.is_row:
            opening = ""
        under = _STEP.join(filter(None, (chain, *(name for *_, name in names), opening, head)))
        spans = list(_spans(text, block))
        opening_lines = _lines_opened(text, block, [start for start, _ in spans])
        for part, (start, end) in enumerate(spans):
            yield CorpusSentence(document.name, start, end, under, not part or start in opening_lines)
        if shown.endswith(_OPENS):
            opening = shown
        if block.is_row and not head:
            head = shown


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
    shown, begun = "".join(lines), -1
    for start, end in sentence_spans(shown):
        begun = start if begun < 0 else begun
        if end == len(shown) or _LETTER.search(shown, begun, end):
            yield _place(places, begun), _place(places, end - 1) + 1
            begun = -1


def _lines_opened(text: str, block: _Block, starts: Sequence[int]) -> set[int]:
    """Where sentences begin lines of a block in which nearly every line is a sentence: rows of data, lines of a log."""
    lines = text.count("\n", block.start, block.end) + 1
    opened = {start for start in starts if not text[text.rfind("\n", 0, start) + 1 : start].strip()}
    return opened if lines >= _ROWS and len(opened) >= _OWN_LINES * lines else set()


def _place(places: Sequence[tuple[int, int]], at: int) -> int:
    length, offset = places[bisect_right(places, at, key=itemgetter(0)) - 1]
    return offset + at - length


def flat(text: str) -> str:
    """A sentence on one line: words that were parted at the end of a line are whole again."""
    return _BLANKS.sub(" ", _JOINT.sub("", text)).strip()


def _names(shown: str) -> bool:
    """Whether a block is a line that says no sentence, or a question that stands by itself."""
    if shown.endswith(_ASKS):
        return len(shown) <= 2 * _LABEL
    return "\n" not in shown and len(shown) <= _LABEL and not shown.endswith(_ENDS)


def _holds(text: str, blocks: Sequence[_Block], number: int, most: int = _DEEPEST) -> str:
    """Whether a name holds what is indented "under" it, or what comes "after" it, itself alone between blank lines."""
    block = blocks[number]
    if number + 1 == len(blocks) or not most or block.is_row or not _names(text[block.start : block.end].strip()):
        return ""
    following = blocks[number + 1]
    if following.indent > block.indent:
        return "under"
    before = text[blocks[number - 1].end if number else 0 : block.start].count("\n")
    alone = (before > 1 or not number) and text.count("\n", block.end, following.start) > 1
    if not alone or following.indent < block.indent or following.is_row or not _TITLE.match(text, block.start):
        return ""
    if _PART.match(text, block.start) or text.endswith(_OPENS, block.start, block.end):
        return ""
    says = not _names(text[following.start : following.end].strip())
    return "after" if says or _holds(text, blocks, number + 1, most - 1) else ""


def _blocks(text: str) -> Iterator[_Block]:
    """Runs of lines with one indentation; a list item, a row and a line after a blank one begin another."""
    start, end, indent, row, lead = -1, 0, 0, False, 0
    offset, front = 0, _FRONT.match(text)
    for line in text.splitlines(keepends=True):
        bare = line.strip()
        here = len(line) - len(line.lstrip())
        is_row = bool(bare) and bool(_ROW.match(line) or _COLUMNS.search(bare))
        is_row = is_row or (front is not None and 0 < offset < front.end())
        first = text[start:end].strip() if start >= 0 else ""
        if here < indent and len(first) >= _LINE and "\n" not in first and not first.endswith(_CLOSED):
            indent = here  # the first line of a paragraph stands in
        item = _ITEM.match(line)
        wraps = start >= 0 and here > indent and _ITEM.match(text, start) is not None
        if item and start >= 0 and bare[0].isdigit() and here == indent and not _ITEM.match(text, start):
            before = text[text.rfind("\n", 0, end) + 1 : end]
            item = None if len(before) >= _LINE and not before.endswith((*_ENDS, *_OPENS)) else item
        breaks = not bare or is_row or row or item or bare.startswith("#")
        if start >= 0 and (breaks or (here != indent and not wraps)):
            yield _Block(start, end, lead, row)
            start = -1
        if bare and start < 0:
            start, indent, lead, row = offset, here, here, is_row
        if bare:
            end = offset + len(line.rstrip())
        offset += len(line)
    if start >= 0:
        yield _Block(start, end, lead, row)
