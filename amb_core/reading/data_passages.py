"""Passages of JSON and printed data: whole records where they fit, else their members, each with its path."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from amb_core.reading.passage_units import PassageSpan, cut_long
from amb_core.reading.records import DataNode, key_name, read_nodes
from amb_core.text.tokens import TokenScale

__all__ = ["read_data"]


# --- a string as it is read beside the string as it was written ------------------------------------------------------

_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|.)", re.DOTALL)
_MEANT = {"n": "\n", "t": "\t", "r": "\r"}


@dataclass(frozen=True, slots=True)
class Projection:
    """`text` is what is read; its piece that begins at `starts[i]` was written from `written[i]` on.

    A piece either was written as it is read or, where the next one begins further on, in more characters.
    """

    text: str
    starts: tuple[int, ...]
    written: tuple[int, ...]

    def start(self, place: int) -> int:
        """Where the character at `place` begins in what was written."""
        at = bisect_right(self.starts, place) - 1
        return self.written[at] + place - self.starts[at]

    def end(self, place: int) -> int:
        """Where the character before `place` ends in what was written."""
        at = bisect_right(self.starts, place - 1) - 1
        stop = self.written[at] + place - self.starts[at]
        ends_piece = at + 1 < len(self.starts) and place == self.starts[at + 1]
        return max(stop, self.written[at + 1]) if ends_piece and self._is_escape(at) else stop

    def _is_escape(self, at: int) -> bool:
        return self.starts[at + 1] - self.starts[at] == 1


def unescape_string(text: str, start: int, end: int) -> Projection:
    """What the characters `start:end` of a quoted string mean."""
    parts: list[str] = []
    starts, written = [0], [start]
    length, done = 0, start
    for found in _ESCAPE.finditer(text, start, end):
        plain, mark = text[done : found.start()], found[1]
        meant = chr(int(mark[1:], 16)) if len(mark) > 1 else _MEANT.get(mark, mark)
        parts += (plain, meant)
        length += len(plain)
        starts += (length, length + 1)
        written += (found.start(), found.end())
        length, done = length + 1, found.end()
    parts.append(text[done:end])
    return Projection("".join(parts), tuple(starts), tuple(written))


_WHOLE = 1.5
"""A record of up to so many times the size of a passage is not parted."""
_TEXT_IN_STRING = 1.5
"""From so many times that size on a string with line breaks is read as a text of its own."""
_CRUMB, _STRETCH = 0.25, 1.3
"""Last members under the first share of the size join those before, which may become that much larger."""
_LONGEST_KEY, _LONGEST_NAME, _LONGEST_PATH = 32, 40, 160

_FRACTION = re.compile(r"-?\d+\.\d")

ReadText = Callable[[str], Iterable[PassageSpan]]


def read_data(text: str, start: int, end: int, *, scale: TokenScale, tokens: int, read: ReadText) -> list[PassageSpan]:
    """The passages of the data in `text[start:end]`, in order; `read` reads a long string in it as a text."""
    reader = _Reader(text, scale, tokens, read)
    root = read_nodes(text, start, end)
    single = len(root.children) == 1 and bool(root.children[0].mark)
    reader.read_members(root.children[0] if single else root, "")
    if reader.found and single:
        reader.found[0].start, reader.found[-1].end = root.children[0].start, root.children[0].end
    return [PassageSpan(one.start, one.end, one.path) for one in reader.found]


@dataclass(slots=True)
class _Found:
    start: int
    end: int
    path: str


@dataclass(slots=True)
class _Reader:
    text: str
    scale: TokenScale
    tokens: int
    read: ReadText
    found: list[_Found] = field(default_factory=list)

    def read_members(self, container: DataNode, path: str) -> None:
        """Neighbouring small members together; one that is too large is read by its own members."""
        run: list[DataNode] = []
        keys: list[str] | None = None
        before = len(self.found)
        for number, child in enumerate(container.children):
            size = self.scale.between(child.start, child.end)
            large = size > (_WHOLE if child.mark else 1) * self.tokens
            if run and (large or self.scale.between(run[0].start, child.end) > self.tokens):
                self._file(run, container, path, joins=len(self.found) > before)
                run = []
            if not large:
                run.append(child)
                continue
            if keys is None:
                keys = self._keys(container)
            self._read_large(child, _path_of(path, container, child, keys[number]))
            before = len(self.found)
        if run:
            self._file(run, container, path, joins=len(self.found) > before)

    def _read_large(self, node: DataNode, path: str) -> None:
        first = len(self.found)
        if node.children:
            self.read_members(node, path)
        else:
            self._read_string(node, path)
        if len(self.found) > first:
            self.found[first].start, self.found[-1].end = node.start, node.end

    def _read_string(self, node: DataNode, path: str) -> None:
        start, end = node.value + 1, node.end - (self.text[node.end - 1] == self.text[node.value])
        long = self.scale.between(node.value, node.end) > _TEXT_IN_STRING * self.tokens
        if long and not node.mark and any(mark in self.text[start:end] for mark in ("\\n", "</")):
            meant = unescape_string(self.text, start, end)
            for inner in self.read(meant.text):
                place = f"{path} {inner.path}".strip() if inner.path else path
                self.found.append(_Found(meant.start(inner.start), meant.end(inner.end), place))
            return
        for left, right in cut_long(self.text, node.start, node.end, scale=self.scale, tokens=self.tokens):
            self.found.append(_Found(left, right, path))

    def _file(self, run: Sequence[DataNode], container: DataNode, path: str, *, joins: bool) -> None:
        """Add a run; with `joins` the members before it stand in the last passage, which a crumb joins."""
        first, last = run[0], run[-1]
        crumb = joins and self.scale.between(first.start, last.end) < _CRUMB * self.tokens
        if crumb and self.scale.between(self.found[-1].start, last.end) <= _STRETCH * self.tokens:
            self.found[-1].end = last.end
            return
        if container.mark == "{":
            place = _path_of(path, container, first, "") if len(run) == 1 and first.mark else path
        elif first.name == last.name:
            place = _path_of(path, container, first, "")
        else:
            place = f"{path}[{first.name}..{last.name}]"
        self.found.append(_Found(first.start, last.end, place))

    def _keys(self, container: DataNode) -> list[str]:
        """What tells each object of a list from the others, as `id=7`; "" where nothing does."""
        rows = [self._short_fields(child) for child in container.children]
        key = key_name(rows) if container.mark != "{" and all(rows) else ""
        return [f"{key}={row[key]}" if key else "" for row in rows]

    def _short_fields(self, node: DataNode) -> dict[str, str]:
        if node.mark != "{":
            return {}
        return {
            str(child.name): self.text[child.value : child.end].strip("\"'")
            for child in node.children
            if not child.mark
            and child.end - child.value <= _LONGEST_KEY
            and not _FRACTION.match(self.text, child.value)
        }


def _path_of(path: str, container: DataNode, child: DataNode, key: str) -> str:
    if len(path) > _LONGEST_PATH:
        path = "…" + path[-_LONGEST_PATH:]
    if container.mark == "{":
        name = " ".join(str(child.name)[:_LONGEST_NAME].split())
        return f"{path}.{name}" if path else name
    return f"{path}[{child.name} {key}]" if key else f"{path}[{child.name}]"
