"""JSON and printed data as a tree of nodes, and the records of machine data with their fields and places.

A record's identity is the path in the data and the key of the list's members or of the table's rows: the field whose
values are all there and all different, an id before a name before any other. The call (tool and arguments) that brought
the text is the part of the identity that only the caller knows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from amb_core.reading.layout import Layout, read_regions

__all__ = ["DataNode", "TextRecord", "key_name", "read_nodes", "read_records"]


# --- trees -----------------------------------------------------------------------------------------------------------

_DEEPEST = 60
"""Containers nested deeper are read as part of the one they are in."""
_TOKEN = re.compile(r"\"(?:[^\"\\\n]|\\.)*+\"?|'(?:[^'\\\n]|\\.)*+'?|[\[\]{}():,]|[^\s\[\]{}():,\"']+", re.DOTALL)
_CLOSERS = {"}": "{", "]": "[", ")": "("}


@dataclass(slots=True)
class DataNode:
    """One value with its name: characters `start:end`, the value itself from `value`; `mark` opens a container.

    `name` is the key in a dict, the index in a list.
    """

    start: int
    value: int
    end: int
    name: str | int = ""
    mark: str = ""
    children: list[DataNode] = field(default_factory=list)
    index: int = 0
    key: DataNode | None = None


def read_nodes(text: str, start: int, end: int) -> DataNode:
    """A list of the values in `text[start:end]`, of which there is mostly one; linear in the text."""
    root = DataNode(start, start, end, mark="[")
    opened, ignored = [root], 0
    for token in _TOKEN.finditer(text, start, end):
        mark, top = token.group(), opened[-1]
        if mark in ("{", "[", "("):
            if len(opened) > _DEEPEST:
                ignored += 1
            else:
                opened.append(_add(top, token.start(), end, mark=mark))
        elif mark in _CLOSERS:
            if ignored:
                ignored -= 1
            elif len(opened) > 1:
                top.end = token.end()
                opened.pop()
                if len(opened) == 1:
                    root.index += 1
        elif mark == ",":
            if not ignored and len(opened) > 1:
                top.index, top.key = top.index + 1, None
        elif mark == ":":
            if top.mark == "{" and top.key is None and top.children and not top.children[-1].mark:
                top.key = top.children.pop()
        else:
            node = _add(top, token.start(), token.end())
            if top.mark == "{" and not node.name:
                node.name = mark.strip("\"'")
    return root


def _add(top: DataNode, start: int, end: int, *, mark: str = "") -> DataNode:
    key, name = top.key, top.index if top.mark != "{" else ""
    node = DataNode(start if key is None else key.start, start, end, name if key is None else key.name, mark)
    top.key = None
    top.children.append(node)
    return node


# --- records ---------------------------------------------------------------------------------------------------------

_MOST_LEAVES = 20_000
_KEY_NAMES = ("id", "key", "code", "sku", "number", "name", "title")

_Path = tuple[str | int, ...]
_Leaf = tuple[_Path, str, int, int]


@dataclass(slots=True)
class TextRecord:
    """One record: field name → value as it stands in the text, and field name → (start, end) in the text."""

    identity: str
    fields: dict[str, str] = field(default_factory=dict)
    spans: dict[str, tuple[int, int]] = field(default_factory=dict)

    def add(self, name: str, value: str, start: int, end: int) -> None:
        """Set a field; the first value of a name counts."""
        if name not in self.fields:
            self.fields[name], self.spans[name] = value, (start, end)


def read_records(text: str) -> Mapping[str, TextRecord]:
    """Identity → record for the JSON, printed data, tables and short fields of a text; {} where there are none.

    The record "" holds what belongs to the text as a whole. A list too long to be read is left out.
    """
    records: dict[str, TextRecord] = {}
    for region in read_regions(text):
        if region.layout in (Layout.JSON, Layout.JSON_LINES):
            leaves = list(_leaves(text, region.start, region.end, lines=region.layout is Layout.JSON_LINES))
            _file_leaves(leaves, records)
        elif region.layout is Layout.TABLE:
            _file_rows(text, region.start, region.end, records)
    return records


def _file(records: dict[str, TextRecord], identity: str) -> TextRecord:
    return records.setdefault(identity, TextRecord(identity))


# --- JSON and printed data -------------------------------------------------------------------------------------------


def _leaves(text: str, start: int, end: int, *, lines: bool) -> Iterator[_Leaf]:
    """Path, value and place of every scalar; values one after another (JSON lines) are members of a list."""
    root = read_nodes(text, start, end)
    waiting: list[tuple[_Path, DataNode]] = [((node.name,) if lines else (), node) for node in reversed(root.children)]
    count = 0
    while waiting and count < _MOST_LEAVES:
        path, node = waiting.pop()
        if node.mark:
            named = [one for one in node.children if node.mark != "{" or one.start < one.value]
            waiting += [((*path, one.name), one) for one in reversed(named)]
        else:
            count += 1
            yield path, text[node.value : node.end].strip("\"'"), node.value, node.end


def _file_leaves(leaves: Sequence[_Leaf], records: dict[str, TextRecord]) -> None:
    keys = _keys(leaves)
    for path, value, start, end in leaves:
        identity = ""
        name: list[str] = []
        for depth, step in enumerate(path):
            if isinstance(step, int) and (place := keys.get(path[: depth + 1])) is not None:
                identity, name = "/".join(filter(None, [identity, *name, place])), []
            else:
                name.append(str(step))
        _file(records, identity).add(".".join(name), value, start, end)


def _keys(leaves: Sequence[_Leaf]) -> dict[_Path, str]:
    """For the path of every object in a list what tells it from the others: "id=7", or its place."""
    lists: dict[_Path, dict[int, dict[str, str]]] = {}
    for path, value, _, _ in leaves:
        for depth in range(1, len(path)):
            at, name = path[depth - 1], path[depth]
            if isinstance(at, int) and isinstance(name, str):
                member = lists.setdefault(path[: depth - 1], {}).setdefault(at, {})
                if depth == len(path) - 1:
                    member[name] = value
    found: dict[_Path, str] = {}
    for path, members in lists.items():
        key = key_name(list(members.values()))
        for at, member in members.items():
            found[(*path, at)] = f"{key}={member[key]}" if key else f"#{at}"
    return found


def key_name(rows: Sequence[Mapping[str, str]]) -> str:
    """The field whose values are all there and all different; "" where there is none."""
    if not rows:
        return ""
    unique = [name for name in rows[0] if len({row.get(name) for row in rows if row.get(name)}) == len(rows)]
    return min(unique, key=lambda name: (_rank(name), unique.index(name)), default="")


def _rank(name: str) -> int:
    last = re.split(r"[\W_]+", re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower())[-1]
    return _KEY_NAMES.index(last) if last in _KEY_NAMES else len(_KEY_NAMES)


# --- tables ----------------------------------------------------------------------------------------------------------

_ROW = re.compile(r"[^\n]+")
_RULE = re.compile(r"[-+=|: ]+$")
_FIELD = re.compile(r"\s*(?:[-*•]\s+)?(?P<key>[^:：,，\n]{1,31})[:：]\s*(?P<value>\S.*)$")
_CELL = {mark: re.compile(rf"[^{mark}]+") for mark in ("|", "\t", ";", ",")} | {" ": re.compile(r"\S+(?: \S+)*")}


def _file_rows(text: str, start: int, end: int, records: dict[str, TextRecord]) -> None:
    rows = [found for found in _ROW.finditer(text, start, end) if not _RULE.fullmatch(found.group().strip())]
    lines = [found.group() for found in rows]
    mark = next((mark for mark in "|\t;," if all(mark in line for line in lines)), "")
    if not mark and all(_FIELD.match(line) for line in lines):
        for row in rows:
            if field_found := _FIELD.match(row.group()):
                left, right = (row.start() + place for place in field_found.span("value"))
                _file(records, "").add(field_found["key"].strip(), field_found["value"].strip(), left, right)
        return
    cells = [_cells(text, row.start(), row.end(), mark or " ") for row in rows]
    if len(cells) < 2 or len({len(row) for row in cells}) != 1:
        return
    head = [cell[0] for cell in cells[0]]
    named = [{name: cell[0] for name, cell in zip(head, row, strict=True)} for row in cells[1:]]
    key = key_name(named)
    for number, (row_cells, values) in enumerate(zip(cells[1:], named, strict=True), 1):
        record = _file(records, f"{key}={values[key]}" if key else f"#{number}")
        for name, cell in zip(head, row_cells, strict=True):
            record.add(name, *cell)


def _cells(text: str, start: int, end: int, mark: str) -> list[tuple[str, int, int]]:
    found = ((cell.group().strip(), cell.start(), cell.end()) for cell in _CELL[mark].finditer(text, start, end))
    return [cell for cell in found if cell[0]]
