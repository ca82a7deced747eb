"""Units of texts that are made of lines: logs, listings, page trees, tables, code and diffs, each with its path."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from amb_core.reading.layout import Layout, Region
from amb_core.reading.passage_units import Break, Line, Unit, read_lines, shorten
from amb_core.reading.tree_passages import read_tree

__all__ = ["header_line", "read_line_units"]


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
_CELLS = re.compile(r"\s*[|\t]\s*|\s{2,}|[,;]\s*")
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


def header_line(text: str, start: int, end: int, *, path: str) -> tuple[int, int] | None:
    """Where in `text[start:end]` the header of a table stands (start, end) that is the path of its rows."""
    for line in read_lines(text, start, end):
        if _header(text[line.start : line.end][:2_000]) == path:
            return line.start, line.end
    return None


_READERS: dict[Layout, Callable[[str, Sequence[Line]], Iterator[Unit]]] = {
    Layout.LOG: _read_log,
    Layout.LISTING: _read_listing,
    Layout.PAGE_TREE: read_tree,
    Layout.TABLE: _read_table,
}


# --- code ------------------------------------------------------------------------------------------------------------

_NUMBERED = re.compile(r"\s*(?P<number>\d+)(?:\t|:|→| ?\| ?|-(?=\s|$))")
_NUMBERED_SHARE = 0.6
_READ = 400
_WORDS = (
    r"(?:export|default|public|private|protected|internal|static|final|abstract|async|pub(?:\(crate\))?|inline|virtual|"
    r"override|sealed|synchronized|native|const|unsafe|extern|open|data)"
)
_DEFINITION = re.compile(
    rf"(?:{_WORDS}\s+)*(?P<kind>class|interface|enum|struct|trait|impl|def|function|func|fn|module|namespace|record)\s+"
    r"(?:\([^)]{0,80}\)\s*)?(?P<name>[A-Za-z_$](?:[\w$.]|::){0,80})"
    rf"|(?:{_WORDS}\s+)+(?:[\w$<>\[\],.?&* ]{{0,120}}\s)?(?P<method>[A-Za-z_$][\w$]{{0,80}})\s*\([^;]*$"
    r"|(?!(?:return|new|else|throw|if|for|while|switch|catch|await|yield)\b)[A-Za-z_][\w<>\[\],.?]{0,80}[ *&]+"
    r"(?P<plain>[A-Za-z_]\w{0,80})\s*\([^;=]*\)[^;=()]{0,80}\{$"
    r"|(?:export\s+)?(?:const|let|var)\s+(?P<arrow>[\w$]{1,80})\s*=\s*(?:async\s*)?(?:function\b|\([^()]{0,200}\)\s*=>)"
)
_LEADS = re.compile(r"@\w|//|/\*|\*|#(?!include|define|if|endif|else)|\[\w+(?:\(.*\))?\]$")
_PLACE = re.compile(r":\d+$|[/.]")
_CLOSES = re.compile(r"[)\]}{]|</")


@dataclass(slots=True)
class _Scopes:
    """The definitions that are open at a line, by their indentation."""

    opened: list[tuple[int, str]] = field(default_factory=list)

    def enter(self, indent: int, code: str) -> str:
        """Follow one line of code; what it defines, "" for nothing."""
        if not _CLOSES.match(code):
            while self.opened and self.opened[-1][0] >= indent:
                self.opened.pop()
        name = _defined(code)
        if name:
            self.opened.append((indent, shorten(name)))
        return name

    def path(self) -> str:
        return " > ".join(name for _, name in self.opened[-3:])


def _defined(code: str) -> str:
    found = _DEFINITION.match(code)
    if found is None:
        return ""
    if found["kind"]:
        return f"{found['kind']} {found['name']}"
    return f"{found['method'] or found['plain'] or found['arrow']}()"


def read_code(text: str, lines: Sequence[Line], *, file: str) -> Iterator[Unit]:
    """Lines of code; comments and decorators above a definition belong to it."""
    numbers = [_NUMBERED.match(text[line.start : line.end][:40]) for line in lines]
    numbered = sum(map(bool, numbers)) >= _NUMBERED_SHARE * len(lines)
    scopes, units = _Scopes(), _Lead()
    before, indent, closes = Break.LINE, 0, False
    for line, number in zip(lines, numbers, strict=True):
        head = number.end() if numbered and number else 0
        code = text[line.start + head : line.end][:_READ]
        place = f"{file}:{number['number']}" if head and number else file
        bare = code.strip()
        if not bare or bare == "--":
            yield from units.add(Unit(line.start, line.end, place, Break.NONE))
            before = Break.BLANK
            continue
        column = (len(code) - len(code.lstrip())) if head else line.indent
        before = max(before, Break.BLANK if line.after_blank else Break.DEDENT if column < indent else Break.LINE)
        if before is not Break.BLANK and _CLOSES.match(bare):
            before = Break.NONE
        elif column == indent and closes:
            before = Break.BLANK
        closes = bare.startswith("</")
        leads = _LEADS.match(bare) is not None
        defined = "" if leads else scopes.enter(column, bare)
        unit = Unit(line.start, line.end, f"{place} {scopes.path()}".strip(), before)
        yield from units.add(unit, leads=leads, scope=scopes.path() if defined else "")
        before, indent = Break.LINE, column
    yield from units.finish()


class _Lead:
    """Holds back the comments and decorators above a definition until it is known that one comes."""

    def __init__(self) -> None:
        self._held: list[Unit] = []

    def add(self, unit: Unit, *, leads: bool = False, scope: str = "") -> Iterator[Unit]:
        if self._held and unit.before is Break.BLANK:
            yield from self.finish()
        if leads:
            self._held.append(unit)
            return
        if scope:
            for held in self._held:
                held.path = f"{_place_of(held.path)} {scope}".strip()
            first = self._held[0] if self._held else unit
            first.before = Break.HEAD
        yield from self.finish()
        yield unit

    def finish(self) -> Iterator[Unit]:
        yield from self._held
        self._held = []


def _place_of(path: str) -> str:
    """File and line without the definitions."""
    place = path.partition(" ")[0]
    return place if _PLACE.search(place) else ""


# --- diffs -----------------------------------------------------------------------------------------------------------

_DIFF_FILE = re.compile(
    r"diff --git a/(?P<git>\S{1,300})|\+\+\+ (?:b/)?(?P<new>\S{1,300})|--- (?:a/)?(?P<old>\S{1,300})"
)
_HUNK = re.compile(r"@@ -\d+(?:,\d+)? \+(?P<line>\d+)(?:,\d+)? @@ ?(?P<around>.{0,80})")


def read_diff(text: str, lines: Sequence[Line], *, file: str) -> Iterator[Unit]:
    """Hunks with file, line number of the new side and what git names beside it."""
    number, around = 0, ""
    for line in lines:
        said = text[line.start : line.end][:_READ]
        before = Break.BLANK if line.after_blank else Break.LINE
        if found := _DIFF_FILE.match(said):
            named = found["git"] or found["new"] or found["old"]
            if named != file and named != "/dev/null":
                before, file = Break.APART, named
            number, around = 0, ""
        elif found := _HUNK.match(said):
            number, around, before = int(found["line"]), shorten(found["around"]), Break.HEAD
        place = f"{file}:{number}" if number else file
        yield Unit(line.start, line.end, f"{place} {around}".strip(), before)
        if number and found is None and said[0] != "-":
            number += 1
