"""JSON and printed Python data as a tree of nodes with their places in the text, also where it is cut off or broken."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

__all__ = ["Node", "read_nodes"]

_DEEPEST = 60
"""Containers nested deeper are read as part of the one they are in."""
_TOKEN = re.compile(r"\"(?:[^\"\\\n]|\\.)*+\"?|'(?:[^'\\\n]|\\.)*+'?|[\[\]{}():,]|[^\s\[\]{}():,\"']+", re.DOTALL)
_CLOSERS = {"}": "{", "]": "[", ")": "("}


@dataclass(slots=True)
class Node:
    """One value with its name: characters `start:end`, the value itself from `value`; `mark` opens a container.

    `name` is the key in a dict, the index in a list.
    """

    start: int
    value: int
    end: int
    name: str | int = ""
    mark: str = ""
    children: list[Node] = field(default_factory=list)
    index: int = 0
    key: Node | None = None


def read_nodes(text: str, start: int, end: int) -> Node:
    """A list of the values in `text[start:end]`, of which there is mostly one; linear in the text."""
    root = Node(start, start, end, mark="[")
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


def _add(top: Node, start: int, end: int, *, mark: str = "") -> Node:
    key, name = top.key, top.index if top.mark != "{" else ""
    node = Node(start if key is None else key.start, start, end, name if key is None else key.name, mark)
    top.key = None
    top.children.append(node)
    return node
