"""Where JSON and printed Python data can be cut: between members of a container, as far out as fits."""

from collections.abc import Iterator
from itertools import pairwise

from amb_core.reading.data_nodes import Node, read_nodes

__all__ = ["json_units"]

_DEEPEST = 4
_TITLES = frozenset(("title", "name", "headline", "标题", "名称"))
_BODIES = frozenset(("url", "link", "href", "snippet", "content", "body", "摘要", "链接"))
"""Fields of a search result beside its title."""


def json_units(text: str, limit: int) -> list[tuple[int, int, str, bool]]:
    """(start, end, title, opens) of adjoining members of at most `limit` characters where cuts allow it.

    `opens` marks objects of a list that are search results or records: they have a title and a link or a body.
    """
    root = read_nodes(text, 0, len(text))
    results = _results(root)
    if results:
        starts = [0, *(node.start for node in results[1:]), len(text)]
        pieces = [(*span, _title(text, node)) for span, node in zip(pairwise(starts), results, strict=True)]
    else:
        pieces = [(start, end, "") for start, end in _pieces(root, 0, len(text), limit, _DEEPEST)]
    found = []
    for start, end, title in pieces:
        piece = text[start:end]
        if stripped := piece.strip():
            left = start + len(piece) - len(piece.lstrip())
            found.append((left, left + len(stripped), title, bool(results)))
    return found


def _results(root: Node) -> list[Node]:
    """The members of the outermost list of at least two search results."""
    level = [root]
    for _ in range(_DEEPEST):
        for node in level:
            found = [one for one in node.children if one.mark == "{" and _is_result(one)] if node.mark == "[" else []
            if len(found) > 1:
                return found
        level = [child for node in level for child in node.children if child.mark]
    return []


def _is_result(node: Node) -> bool:
    names = {str(field.name) for field in node.children}
    return not _TITLES.isdisjoint(names) and not _BODIES.isdisjoint(names)


def _title(text: str, node: Node) -> str:
    field = next(field for field in node.children if field.name in _TITLES)
    return " ".join(text[field.value : field.end].strip("\"'").split())


def _pieces(node: Node, start: int, end: int, limit: int, depth: int) -> Iterator[tuple[int, int]]:
    """The members of a node, those that are too long one level deeper."""
    if end - start <= limit // 4 or not node.children or not depth:
        yield start, end
        return
    starts = [start, *(child.start for child in node.children[1:]), end]
    for child, (first, last) in zip(node.children, pairwise(starts), strict=True):
        if last - first > limit:
            yield from _pieces(child, first, last, limit, depth - 1)
        else:
            yield first, last
