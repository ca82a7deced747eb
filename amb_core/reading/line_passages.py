"""Units of texts that are made of lines: logs, code, diffs, listings, page trees and tables, each with its path."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from amb_core.reading.code_passages import read_code, read_diff
from amb_core.reading.layout import Layout, Region
from amb_core.reading.passage_units import Break, Line, Unit, read_lines, shorten
from amb_core.reading.tree_passages import read_tree

__all__ = ["read_line_units"]


def read_line_units(text: str, region: Region, *, file: str) -> Iterator[Unit]:
    """The units of one region; `file` is the file it shows as far as the text has said so."""
    lines = read_lines(text, region.start, region.end)
    if region.layout in (Layout.CODE, Layout.HTML):
        return read_code(text, lines, file=file)
    if region.layout is Layout.DIFF:
        return read_diff(text, lines, file=file)
    return _READERS[region.layout](text, lines)


# --- logs ------------------------------------------------------------------------------------------------------------

_SECTION = re.compile(r"\s*[=_*#~-]{3,}\s+(\S.{0,100}?)\s+[=_*#~-]{3,}\s*$")
_TRACE_BEGINS = re.compile(r"\s*(?:Traceback \(most recent|Exception in thread |panic: |thread '.{1,60}' panicked)")
_TRACE_GOES_ON = re.compile(
    r"\s+at \S|\s*Caused by: |\s*\.\.\. \d+ more|\s*File \"[^\"]{1,300}\", line \d+|\s*During handling of|goroutine \d+"
)
_TRACE_ENDS = re.compile(r"\s*[A-Za-z_][\w.]{2,80}(?:Error|Exception|Warning|Exit|Interrupt)\b(?::|$)")
_DATED = re.compile(r"\W?(?:\d{4}[-/.]\d\d?[-/.]\d\d?|\d{1,2}:\d\d|[A-Z][a-z]{2} [ \d]\d \d\d:|\d{10}\b)")


def _read_log(text: str, lines: Sequence[Line]) -> Iterator[Unit]:
    """Entries with the lines that go on after them; a stack trace stays whole; the path is the section's title."""
    section, entry, in_trace = "", "", False
    for line in lines:
        said = text[line.start : line.end][:2_000]
        before = Break.BLANK if line.after_blank else Break.LINE
        if found := _SECTION.match(said):
            section, entry, before, in_trace = shorten(found[1]), "", Break.HEAD, False
        elif _TRACE_BEGINS.match(said):
            before, in_trace = Break.NONE if entry and not line.after_blank else Break.HEAD, True
        elif _TRACE_GOES_ON.match(said):
            before, in_trace = Break.NONE, True
        elif in_trace:
            before = Break.NONE
            in_trace = line.indent > 0 and not _TRACE_ENDS.match(said)
        elif _DATED.match(said):
            entry, before = shorten(said, most=100), max(before, Break.DEDENT)
            yield Unit(line.start, line.end, section, before)
            continue
        elif entry and line.indent and not line.after_blank:
            before = Break.NONE
        yield Unit(line.start, line.end, entry or section, before)


# --- listings --------------------------------------------------------------------------------------------------------

_HIT = re.compile(r"\s*(?P<file>[^\s:]{1,300}[\w\])]):\d+(?=[:-]|$)")
_FOLDER = re.compile(r"\s*(?P<folder>(?:\.{0,2}/|~/|[A-Za-z]:\\)?[^\s:：]{1,300}):\s*$")


def _read_listing(text: str, lines: Sequence[Line]) -> Iterator[Unit]:
    """Lines of a folder or hits in a file; a new file or folder begins a new passage where there is enough."""
    folder, last = "", ""
    indent = 0
    for line in lines:
        said = text[line.start : line.end][:400]
        before = Break.BLANK if line.after_blank else Break.DEDENT if line.indent < indent else Break.LINE
        indent = line.indent
        if found := _FOLDER.match(said):
            folder, before = shorten(found["folder"]), Break.HEAD
        elif found := _HIT.match(said):
            before = before if found["file"] == last else max(before, Break.BLANK)
            last = found["file"]
        yield Unit(line.start, line.end, folder, before)


# --- tables ----------------------------------------------------------------------------------------------------------

_RULE = re.compile(r"[\s|+:=-]+$")
_CELLS = re.compile(r"\s*[|\t]\s*|\s{2,}|,\s*")
_FIELD = re.compile(r"\s*(?:[-*•]\s+)?[^:：,，|\t]{1,31}[:：]\s")
_NUMBER = re.compile(r"[-+]?[\d.,%$€¥]+$")


def _read_table(text: str, lines: Sequence[Line]) -> Iterator[Unit]:
    """Rows; the path is the header."""
    header = ""
    for line in lines:
        said = text[line.start : line.end][:2_000]
        before = Break.BLANK if line.after_blank else Break.LINE
        if line.after_blank:
            header = ""
        yield Unit(line.start, line.end, header, Break.NONE if _RULE.match(said) else before)
        if not header and not _RULE.match(said):
            header = _header(said)


def _header(line: str) -> str:
    """The names of the columns, "-" when the first row holds none."""
    cells = [cell.strip().strip('"') for cell in _CELLS.split(line.strip().strip("|"))]
    named = len(cells) > 1 and all(cells) and not any(map(_NUMBER.match, cells)) and not _FIELD.match(line)
    return shorten(" | ".join(cells), most=120) if named else ""


_READERS: dict[Layout, Callable[[str, Sequence[Line]], Iterator[Unit]]] = {
    Layout.LOG: _read_log,
    Layout.LISTING: _read_listing,
    Layout.PAGE_TREE: read_tree,
    Layout.TABLE: _read_table,
}
