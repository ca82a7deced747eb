"""What is shown of a text of which only some stretches are wanted: whole members of data, lines, sentences.

Of data the containers around what is wanted are shown as well, with their keys and what names a record, so that a
member never stands without its owner; `[…]` stands where members are left out, outside of all quotation marks. Of other
texts each stretch says what it stands under: headings, a folder, a class, the header of its table.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from amb_core.reading.layout import Layout, Region, read_regions
from amb_core.reading.layout_passages import PassageSpan, shown_text
from amb_core.reading.records import DataNode, key_name, read_nodes
from amb_core.text.pure_cache import text_cache
from amb_core.text.text_spans import GAP

__all__ = ["TextPart", "shown_parts"]

_LAST_HEADING = re.compile(r"(?<=\S)\s*\n#{1,6} [^\n]*\s*\Z")
"""A heading of which what it heads is not shown."""
_PLACE_IN_DATA = re.compile(r"(?:\[[^\]]*\])+")
_TAGS = re.compile(r"</?[a-zA-Z][^<>]*>")
_DATA = (Layout.JSON, Layout.JSON_LINES)
_JOINT, _FILLED = 8, 80
"""Two stretches with at most so many marks or blanks, or with a line of so many characters, between them are one."""
_LONGEST_NAME = 120
"""So many characters has a value that names a record, or is shown whole where a part of it is wanted."""
_SMALL = 20
"""So many characters between two members are shown sooner than left out."""


@dataclass(frozen=True, slots=True)
class TextPart:
    """Characters `start:end` of a text, how they are shown, and what they stand `under` and do not say themselves."""

    start: int
    end: int
    text: str
    under: str = ""


def shown_parts(text: str, spans: Sequence[PassageSpan], *, known: str = "") -> list[TextPart]:
    """How stretches of a text are shown, in order; the paths of `spans` say where each of them stands.

    What `known` says already, such as the call that brought the text, is not said again to name what is shown.
    """
    regions = [region for region in read_regions(text) if region.layout in _DATA]
    found: list[TextPart] = []
    joined = list(_joined(text, spans))
    wanted = [(span.start, span.end) for span in joined]
    for span in joined:
        done = span.start
        for region in regions:
            if region.end <= span.start or region.start >= span.end:
                continue
            found += _plain(text, PassageSpan(done, max(region.start, done), span.path))
            inside = (max(span.start, region.start), min(span.end, region.end))
            if found and found[-1].start == region.start and found[-1].end < inside[0]:
                found[-1] = TextPart(region.start, inside[1], "", found[-1].under)
            else:
                found.append(TextPart(region.start, inside[1], ""))
            done = region.end
        found += _plain(text, PassageSpan(done, span.end, span.path))
    return _with_introductions(
        text, [part if part.text else _of_data(text, part, regions, wanted, known) for part in found]
    )


def _with_introductions(text: str, parts: Sequence[TextPart]) -> list[TextPart]:
    """The parts, of which two with only blanks or a bracket between them are one: data, and what introduces them."""
    found: list[TextPart] = []
    for part in parts:
        before = found[-1] if found else None
        if before is None or text[before.end : part.start].strip("[{( \t\r\n"):
            found.append(part)
        else:
            joint = "\n" if before.text.endswith("\n") or "\n" in text[before.end : part.start] else " "
            said = f"{before.text.rstrip()}{joint}{part.text}"
            found[-1] = TextPart(before.start, max(before.end, part.end), said, before.under)
    return found


def _joined(text: str, spans: Sequence[PassageSpan]) -> Iterator[PassageSpan]:
    """Stretches of which those next to each other are one."""
    held: PassageSpan | None = None
    for span in sorted(spans, key=lambda one: one.start):
        between = text[held.end : span.start] if held is not None else ""
        near = len(between) <= _FILLED and between.count("\n") <= 2 and ("\n" in between or len(between) <= _JOINT)
        near = near or not any(map(str.isalnum, _TAGS.sub("", between[:_FILLED]) or between[_FILLED:]))
        if held is not None and near:
            held = PassageSpan(held.start, max(held.end, span.end), held.path)
            continue
        if held is not None:
            yield held
        held = span
    if held is not None:
        yield held


def _plain(text: str, span: PassageSpan) -> list[TextPart]:
    margin = text.rfind("\n", 0, span.start) + 1
    start = span.start if text[margin : span.start].strip() else margin
    shown = shown_text(text, PassageSpan(start, span.end)) if text[start : span.end].strip() else ""
    if span.path.startswith("#"):
        shown = _LAST_HEADING.sub("", shown)
    under = "" if _PLACE_IN_DATA.fullmatch(span.path) else span.path
    return [TextPart(span.start, span.end, shown, under)] if shown.strip() else []


# --- data ------------------------------------------------------------------------------------------------------------


def _of_data(
    text: str, part: TextPart, regions: Sequence[Region], wanted: Sequence[tuple[int, int]], known: str
) -> TextPart:
    region = next(one for one in regions if one.start == part.start)
    inside = [(start, end) for start, end in wanted if start < region.end and end > region.start]
    tree, names = _tree(text, region.start, region.end), _names(text, region.start, region.end)
    shown = _Pruned(text, inside, known, names).root(tree)
    return TextPart(min(start for start, _ in inside), max(end for _, end in inside), shown)


_tree = text_cache(most=8)(read_nodes)


@text_cache(most=8)
def _names(text: str, start: int, end: int) -> dict[int, dict[int, set[int]]]:
    """What was found out of the lists of data, by where they begin; a large list is gone through once."""
    return {}


@dataclass(frozen=True, slots=True)
class _Pruned:
    """Data of which only some stretches are wanted."""

    text: str
    wanted: Sequence[tuple[int, int]]
    known: str
    names: dict[int, dict[int, set[int]]]
    """By where a list begins: for each object where the members begin that name it."""

    def root(self, root: DataNode) -> str:
        if len(root.children) > 1:
            return "\n".join(said for said, _ in self._members(root, set()))
        [node] = root.children
        first = node.children[0] if node.mark == "{" and node.children else None
        is_named = (
            first is None or first.mark or first.end - first.value > _LONGEST_NAME or self._value(first) in self.known
        )
        return self._of(node, set() if is_named or first is None else {first.start})

    def _of(self, node: DataNode, names: set[int]) -> str:
        """A value with its key, of which some is wanted; members among `names` are shown whatever is wanted."""
        if self._is_whole(node) or (not node.mark and node.end - node.value <= _LONGEST_NAME):
            return self.text[node.start : node.end]
        if not node.mark:
            return self.text[node.start : node.value] + self._of_string(node)
        parts: list[str] = [self.text[node.start : node.value + 1]]
        for number, (said, lead) in enumerate(self._members(node, names)):
            parts.append(f"{',' if number else ''}{lead if number or chr(10) in lead else ''}{said}")
        closer = self.text[node.end - 1] if self.text[node.end - 1] in ")]}" and node.end - 1 > node.value else ""
        tail = self.text[node.children[-1].end : node.end - 1] if node.children else ""
        return "".join([*parts, tail if closer and tail.isspace() else "", closer])

    def _members(self, node: DataNode, names: set[int]) -> Iterator[tuple[str, str]]:
        """What is said of the members in turn, each run of whole ones as it stands, with the blanks before it."""
        run: list[DataNode] = []
        gap: list[DataNode] = []
        for child in node.children:
            some = self._touches(child)
            if not some and child.start not in names:
                gap.append(child)
                continue
            if run and gap and gap[-1].end - run[-1].end <= _SMALL:
                run, gap = [*run, *gap], []
            if run and gap:
                yield self.text[run[0].start : run[-1].end], self._lead(run[0])
                run = []
            if gap:
                yield GAP, " "
                gap = []
            if child.start in names or self._is_whole(child):
                run.append(child)
                continue
            if run:
                yield self.text[run[0].start : run[-1].end], self._lead(run[0])
                run = []
            if node.start not in self.names:
                self.names[node.start] = self._keys(node)
            yield self._of(child, self.names[node.start].get(child.start, set())), self._lead(child)
        if run:
            yield self.text[run[0].start : run[-1].end], self._lead(run[0])
        if gap:
            yield GAP, " "

    def _lead(self, node: DataNode) -> str:
        """The blanks before a member."""
        before = self.text[max(node.start - 200, 0) : node.start]
        blanks = before[len(before.rstrip()) :]
        return blanks if "\n" in blanks else " "

    def _keys(self, node: DataNode) -> dict[int, set[int]]:
        """For each object of a list the members that name it: what tells it from the others, and its address."""
        if node.mark == "{":
            return {}
        rows = [[one for one in child.children if self._may_name(one)] for child in node.children if child.mark == "{"]
        key = key_name([{str(one.name): self._value(one) for one in row} for row in rows])
        return {
            child.start: {one.start for one in row if one.name == key or self._value(one).startswith("http")}
            for child, row in zip((child for child in node.children if child.mark == "{"), rows, strict=True)
        }

    def _may_name(self, node: DataNode) -> bool:
        """Whether a member is short enough to name its record, or an address of any length."""
        if node.mark or node.end - node.value <= _LONGEST_NAME:
            return not node.mark
        return self._value(node).startswith("http") and " " not in self._value(node)

    def _value(self, node: DataNode) -> str:
        return self.text[node.value : node.end].strip("\"'")

    def _of_string(self, node: DataNode) -> str:
        """The wanted parts of a long text, each in quotation marks of its own."""
        mark = self.text[node.value]
        if mark not in "\"'":
            return self.text[node.value : node.end]
        closes = self.text[node.end - 1] == mark and node.end - 1 > node.value
        low, high = node.value + 1, node.end - closes
        parts: list[str] = []
        done = low
        for start, end in self.wanted:
            start, end = max(start, low), min(end, high)
            if start >= end:
                continue
            parts += [GAP] if any(map(str.isalnum, self.text[done:start])) else []
            parts.append(f"{mark}{self.text[start:end]}{mark}")
            done = end
        parts += [GAP] if any(map(str.isalnum, self.text[done:high])) else []
        return " ".join(parts)

    def _touches(self, node: DataNode) -> bool:
        return any(start < node.end and node.value < end for start, end in self.wanted)

    def _is_whole(self, node: DataNode) -> bool:
        if node.mark and node.children:
            return all(map(self._is_whole, node.children))
        edge = 0 if node.mark or self.text[node.value] not in "\"'" else 1
        return any(start <= node.value + edge and node.end - edge <= end for start, end in self.wanted)
