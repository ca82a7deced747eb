"""Undirected links between nodes, found from either end."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

import numpy as np

from amb_core.memory.changes import link_id
from amb_core.memory.records import Records
from amb_core.models import Link
from amb_core.retrieval import Packed
from amb_core.retrieval.packing import integers, strings

__all__ = ["LinkTable"]


class LinkTable:
    """Every link once, and by node the ids at its other ends in the order they were joined."""

    def __init__(self) -> None:
        self._links: Records[Link] = Records(Link)
        self._others: defaultdict[str, dict[str, None]] = defaultdict(dict)
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def put(self, link: Link) -> None:
        """Join two nodes; the newest reason is kept."""
        self._links[link_id(link.a, link.b)] = link
        self._count += link.b not in self._others[link.a]
        self._others[link.a][link.b] = None
        self._others[link.b][link.a] = None

    def cut(self, a: str, b: str) -> None:
        """Remove a link; a missing one is no error."""
        if b in self._others.get(a, ()):
            self._count -= 1
            self._links.pop(link_id(a, b), None)
            del self._others[a][b], self._others[b][a]

    def isolate(self, node_id: str) -> None:
        """Remove all links of a node."""
        for other in list(self._others.get(node_id, ())):
            self.cut(node_id, other)
        self._others.pop(node_id, None)

    def neighbours(self, node_id: str) -> Iterable[str]:
        """Ids of linked nodes, in the order they were linked."""
        return self._others.get(node_id, ())

    def of(self, node_id: str) -> list[Link]:
        """The node's links, in the order they were made."""
        return [self._links[link_id(node_id, other)] for other in self.neighbours(node_id)]

    def __iter__(self) -> Iterator[Link]:
        """Every link once."""
        return (self._links[link_id(a, b)] for a, group in self._others.items() for b in group if a <= b)

    def packed(self) -> Packed:
        """Who is linked with whom, as arrays; the links themselves are in the store."""
        number = {node_id: place for place, node_id in enumerate(self._others)}
        others = [number[other] for group in self._others.values() for other in group]
        return {
            "ids": list(number),
            "counts": np.array([len(group) for group in self._others.values()], dtype=np.int64),
            "others": np.array(others, dtype=np.int64),
        }

    def restore(self, packed: Packed, raw: Mapping[str, bytes]) -> None:
        """Become what `packed` was made of; `raw` are the links as stored, which may hold some of removed nodes."""
        ids = strings(packed, "ids")
        others = [ids[number] for number in integers(packed, "others").tolist()]
        ends = np.cumsum(integers(packed, "counts")).tolist()
        begin = 0
        for node_id, end in zip(ids, ends, strict=True):
            self._others[node_id] = dict.fromkeys(others[begin:end])
            begin = end
        self._count = len(others) // 2
        self._links.restore(raw)
