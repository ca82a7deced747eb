"""Where in a text stands what a passage's path names: `flights[2].fares`, `conf.py:120`, `def load`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from amb_core.reading.layout import Layout, read_regions
from amb_core.reading.layout_passages import PassageSpan, read_passages
from amb_core.reading.records import DataNode, read_nodes

__all__ = ["find_record"]

_STEP = re.compile(r"\[(?P<index>[^\[\]]*)\]|(?P<name>[^.\[\]]+)")
_INDEX = re.compile(r"#?(?P<first>\d+)(?:\s*\.\.\s*(?P<last>\d+))?(?=\s|$)")
_FIELD = re.compile(r"(?P<name>[^=]+)=(?P<value>.*)")
_LINE = re.compile(r"(?P<file>\S*?):(?P<line>\d+)")


def find_record(text: str, path: str) -> tuple[int, int] | None:
    """Characters (start, end) of what a path names, None where the text has no such thing.

    In data the members of a path are followed, and a record of a list may be named by a field (`[id=7]`); elsewhere the
    passages whose own path holds the words are meant.
    """
    steps = list(_STEP.finditer(path.strip()))
    for region in read_regions(text):
        if region.layout in (Layout.JSON, Layout.JSON_LINES) and steps:
            root = read_nodes(text, region.start, region.end)
            single = len(root.children) == 1 and root.children[0].mark
            found = _follow(text, root.children[0] if single else root, steps)
            if found is not None:
                return found
    return _of_passages(read_passages(text), path.strip().casefold())


def _follow(text: str, node: DataNode, steps: Sequence[re.Match[str]]) -> tuple[int, int] | None:
    place = (node.start, node.end)
    for number, step in enumerate(steps):
        found = _members(text, node, step)
        if not found or (len(found) > 1 and number + 1 < len(steps)):
            return None
        node, place = found[0], (found[0].start, found[-1].end)
    return place


def _members(text: str, node: DataNode, step: re.Match[str]) -> list[DataNode]:
    """The members that one step of a path names: one, or several for a range of a list."""
    if step["name"]:
        wanted = step["name"].strip().casefold()
        return [child for child in node.children if str(child.name).casefold() == wanted][:1]
    if index := _INDEX.match(step["index"].strip()):
        first, last = int(index["first"]), int(index["last"] or index["first"])
        return [child for child in node.children if isinstance(child.name, int) and first <= child.name <= last]
    field = _FIELD.match(step["index"])
    if field is None:
        return []
    name, value = field["name"].strip(), field["value"].strip().strip("\"'")
    return [child for child in node.children if _says(text, child, name, value)][:1]


def _says(text: str, record: DataNode, name: str, value: str) -> bool:
    return any(one.name == name and text[one.value : one.end].strip("\"'") == value for one in record.children)


def _of_passages(passages: Sequence[PassageSpan], path: str) -> tuple[int, int] | None:
    """The first passages in a row whose path is this one, or holds it; a line of a file is in the last that begins
    before it.
    """
    for fits in (lambda shown: shown == path, lambda shown: bool(path) and path in shown):
        at = next((at for at, one in enumerate(passages) if fits(one.path.casefold())), None)
        if at is not None:
            last = at
            while last + 1 < len(passages) and fits(passages[last + 1].path.casefold()):
                last += 1
            return passages[at].start, passages[last].end
    wanted = _LINE.fullmatch(path)
    before = [
        one
        for one in passages
        if wanted
        and (place := _LINE.match(one.path.casefold()))
        and place["file"].endswith(wanted["file"])
        and int(place["line"]) <= int(wanted["line"])
    ]
    return (before[-1].start, before[-1].end) if before else None
