"""Tables, JSON objects and lines of "key: value" as records: whose field has which value, where in the text."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

__all__ = ["Field", "fields_of"]

Span = tuple[int, int]

_ROW = re.compile(r"[^\n]+")
_RULE = re.compile(r"[\s|:+=-]*-[\s|:+=-]*$")
_CELL = re.compile(r"[^|]+")
_SEPARATORS = (("\t", re.compile(r"[^\t]+")), (",", re.compile(r"[^,]+")), ("，", re.compile(r"[^，]+")))
_LONGEST_CELL = 40
_MOST_CELL_WORDS = 5
_OBJECT = re.compile(r"(?:[\"']([^\"'\n]{1,60})[\"']\s*:\s*)?\{([^{}]{3,4000})\}")
_PAIR = re.compile(
    r"[\"'](?P<key>[^\"'\n]{1,60})[\"']\s*:\s*(?:\"(?P<text>(?:[^\"\\\n]|\\.){1,200})\"|'(?P<single>[^'\n]{1,200})'"
    r"|(?P<plain>-?\d[\d.]*|true|false|null))"
)
_LINE = re.compile(
    r"^[ \t]*(?:[-*+•·▪◦]\s+|\d{1,2}[.)、]\s*)?(?:\*\*)?"
    r"(?P<key>[^\W\d][^:：\n|{}\"]{0,40}?)(?:\*\*)?\s?[:：](?:\*\*)?\s*"
    r"(?P<value>[^\s:：/][^\n:：]{0,60}?)[ \t]*[.。;；]?$",
    re.MULTILINE,
)
_NAMING = re.compile(
    r"(?:(?:full |product |company |project |service |official )?name|title|company(?: profile| name)?|service|product"
    r"|project|plant|model|city|town"
    r"|country|organi[sz]ation|institution|profile|drug|vessel|ship|station|site|facility|yard|hospital|school|museum|"
    r"(?:inspected |registered )?(?:body|entity)|"
    r"名称|全称|(?:公司|企业)(?:名称|简介)?|(?:单位|机构|项目|产品|服务|药品)(?:名称)?|学校|医院|城市|电站)$",
    re.IGNORECASE,
)
_ROLE = re.compile(r"(?:role|position|office|job|角色|职务|职位|职称)$", re.IGNORECASE)
_PERSON = re.compile(r"(?:name|full name|holder|person|姓名|人选)$", re.IGNORECASE)
_GENERIC_HEADER = re.compile(
    r"(?:property|attribute|field|parameter|item|key|metric|specification|option|指标|项目|属性|参数|字段|名目)$",
    re.IGNORECASE,
)
_NAME_AHEAD = re.compile(r"\s*([^:：;；,，。\n]{2,40})[,，]\s*(?=[^:：;；,，。\n]{1,30}[:：])")
_INLINE = re.compile(
    r"(?:^|[;；,，])?\s*(?P<key>[^\W_][^:：;；,，。\n]{0,30}?)\s?[:：]\s*(?P<value>[^:：;；。\n]{1,40}?)(?=\s*(?:[;；。]|$))",
    re.MULTILINE,
)
_FEWEST_LINES = 2


@dataclass(frozen=True, slots=True)
class Field:
    """`subject` (None: what the text is about) has under `name` the value at `span`; the whole row is at `row`.

    `kind` is what the subject's column is called ("Plant"), "" where nothing says so.
    """

    subject: str | None
    kind: str
    name: str
    span: Span
    row: Span


def fields_of(text: str) -> Iterator[Field]:
    """The fields of every table, JSON object and list of "key: value" lines, in that order."""
    if "|" in text or "\t" in text or "," in text or "，" in text:
        yield from _tables(text)
    if "{" in text and ":" in text:
        yield from _objects(text)
    if ":" in text or "：" in text:
        yield from _lines(text)
        yield from _inline(text)


# --- tables ----------------------------------------------------------------------------------------------------------


def _cells(text: str, row: Span, pattern: re.Pattern[str]) -> list[Span]:
    found = []
    for cell in pattern.finditer(text, *row):
        surface = cell.group()
        start = cell.start() + len(surface) - len(surface.lstrip())
        found.append((start, start + len(surface.strip())))
    return [span for span in found if span[0] < span[1]] if pattern is _CELL else found


def _tables(text: str) -> Iterator[Field]:
    block: list[Span] = []
    last = -1
    for row in [*(match.span() for match in _ROW.finditer(text)), (len(text) + 2, len(text) + 2)]:
        if row[0] != last + 1 and block:
            yield from _table(text, block)
            block = []
        block.append(row)
        last = row[1]


def _table(text: str, rows: Sequence[Span]) -> Iterator[Field]:
    piped = [row for row in rows if text.count("|", *row) >= 2]
    if len(piped) >= _FEWEST_LINES:
        kept = [row for row in piped if not _RULE.match(text[slice(*row)])]
        yield from _fields(text, kept, [_cells(text, row, _CELL) for row in kept])
        return
    for mark, pattern in _SEPARATORS:
        for start in range(min(2, len(rows))):
            kept = list(rows[start:])
            if len(kept) >= _FEWEST_LINES and text.count(mark, *kept[0]) >= 1:
                cells = [_cells(text, row, pattern) for row in kept]
                if _is_grid(text, cells, tabs=mark == "\t"):
                    yield from _fields(text, kept, cells)
                    return


def _is_grid(text: str, cells: Sequence[Sequence[Span]], *, tabs: bool) -> bool:
    """Whether rows of cells between commas are a table rather than prose."""
    width = len(cells[0])
    if width < (2 if tabs else 3) or any(len(row) != width for row in cells):
        return False
    surfaces = [text[slice(*cell)] for row in cells for cell in row]
    if any(len(s) > _LONGEST_CELL or len(s.split()) > _MOST_CELL_WORDS or s.endswith((".", "。")) for s in surfaces):
        return False
    header, rest = surfaces[:width], surfaces[width:]
    return not any(char.isdigit() for s in header for char in s) and any(char.isdigit() for s in rest for char in s)


def _fields(text: str, rows: Sequence[Span], cells: Sequence[Sequence[Span]]) -> Iterator[Field]:
    if not cells:
        return
    header = [text[slice(*cell)].strip(' *`"') for cell in cells[0]]
    for row, found in zip(rows[1:], cells[1:], strict=True):
        if len(found) != len(header) or len(found) < 2:
            continue
        first = text[slice(*found[0])].strip(' *`"')
        if len(header) == 2 and _GENERIC_HEADER.match(header[0]):
            yield Field(None, "", first, found[1], row)
            continue
        if not any(char.isalpha() for char in first) or len(first) > _LONGEST_CELL:
            continue
        for name, cell in list(zip(header, found, strict=True))[1:]:
            if name and cell[0] < cell[1]:
                yield Field(first, header[0], name, cell, row)


# --- JSON and lines --------------------------------------------------------------------------------------------------


def _objects(text: str) -> Iterator[Field]:
    for found in _OBJECT.finditer(text):
        pairs = [
            (pair["key"].replace("_", " "), next(pair.span(g) for g in ("text", "single", "plain") if pair[g]))
            for pair in _PAIR.finditer(text, *found.span(2))
        ]
        row = found.span()
        naming = next((pair for pair in pairs if _NAMING.match(pair[0])), None)
        subject = text[slice(*naming[1])] if naming is not None else found[1]
        kind = naming[0] if naming is not None and naming[0].lower() not in ("name", "title", "名称") else ""
        for name, span in pairs:
            if naming is None or span != naming[1]:
                yield Field(subject, kind, name, span, row)


def _lines(text: str) -> Iterator[Field]:
    block: list[re.Match[str]] = []
    for found in _LINE.finditer(text):
        if block and found.start() > block[-1].end() + 1:
            yield from _block(block)
            block = []
        block.append(found)
    yield from _block(block)


def _inline(text: str) -> Iterator[Field]:
    """Pairs set off by semicolons on one line, after a name: "X, founded: 1958; beds: 640"."""
    for row in _ROW.finditer(text):
        if row.group().count(";") + row.group().count("；") < _FEWEST_LINES - 1:
            continue
        named = _NAME_AHEAD.match(row.group())
        pairs = list(_INLINE.finditer(text, row.start() + (named.end() if named else 0), row.end()))
        if len(pairs) > _FEWEST_LINES:
            for pair in pairs:
                yield Field(
                    named[1].strip() if named else None, "", pair["key"].strip(), pair.span("value"), row.span()
                )


def _block(lines: Sequence[re.Match[str]]) -> Iterator[Field]:
    role = next((line for line in lines if _ROLE.match(line["key"])), None)
    person = next((line for line in lines if role is not None and _PERSON.match(line["key"])), None)
    naming = next((line for line in lines if line is not person and _NAMING.match(line["key"])), None)
    subject = naming["value"] if naming is not None else None
    if role is not None and person is not None and subject is not None:
        yield Field(subject, "", role["value"], person.span("value"), person.span())
    for line in lines:
        if line not in (role, person, naming):
            yield Field(subject, "", line["key"], line.span("value"), line.span())
