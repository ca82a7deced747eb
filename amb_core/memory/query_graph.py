"""The semantic layer: nodes, undirected `related` links, and the one hybrid index over them."""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol, cast

from amb_core.call_lock import raise_if_stopped
from amb_core.errors import AmbError, UnknownId
from amb_core.memory.change_set import ChangeSet
from amb_core.memory.ids import id_number, link_id
from amb_core.models import Link, QueryNode, Span
from amb_core.protocols import Embedder, Hit, Query
from amb_core.registry import from_package

if TYPE_CHECKING:
    from amb_core.retrieval import IndexedText

__all__ = ["LinkTable", "NoteIndex", "QueryGraph", "cut_out", "remove_node"]

_log = logging.getLogger("amb.embedder")


class NoteIndex(Protocol):
    """What notes are found by: `amb_retrieval.HybridIndex`."""

    def put(self, item: IndexedText) -> None: ...
    def remove(self, id: str) -> None: ...
    def forget_removed(self) -> None: ...
    def search(self, query: Query) -> list[Hit]: ...
    def candidates(self, text: str, *, k: int, exclude: Collection[str] = ()) -> list[str]: ...


class QueryGraph:
    """Nodes by id. `read` gives the text under a span, `vectors` makes the index of vectors."""

    def __init__(
        self,
        *,
        embedder: Embedder | None,
        read: Callable[[Span], str],
        vectors: Callable[[], object] | None = None,
    ) -> None:
        self._nodes: dict[str, QueryNode] = {}
        self._links = LinkTable()
        self._stale: set[str] = set()
        self._read = read
        self._embedder = embedder
        self.written_by_model = False
        self._vectors = vectors
        self._index: NoteIndex | None = None
        self._waiting: dict[str, None] = {}
        """Nodes that are indexed when somebody looks for one."""

    def __len__(self) -> int:
        return len(self._nodes)

    def __contains__(self, node_id: str) -> bool:
        return node_id in self._nodes

    def __iter__(self) -> Iterator[QueryNode]:
        return (self.node(node_id) for node_id in self._nodes)

    def put(self, node: QueryNode) -> None:
        """Insert or replace a node and index it."""
        self._nodes[node.id] = node.model_copy(update={"links": ()}) if node.links else node
        (self._stale.add if node.stale else self._stale.discard)(node.id)
        self._waiting[node.id] = None

    @property
    def index(self) -> NoteIndex:
        """The index over all nodes."""
        if self._index is None:
            dense = (self._vectors or from_package("amb_retrieval:DenseIndex"))()
            hybrid = from_package("amb_retrieval:HybridIndex")
            self._index = cast(NoteIndex, hybrid(embedder=self._embedder, dense=dense, exact=True))
        while self._waiting:
            node_id = next(iter(self._waiting))
            self._index.put(self._item(self._nodes[node_id]))
            del self._waiting[node_id]
        return self._index

    def remove(self, node_id: str) -> None:
        """Remove a node and all its links; a missing one is no error."""
        self._nodes.pop(node_id, None)
        self._stale.discard(node_id)
        self._waiting.pop(node_id, None)
        if self._index is not None:
            self._index.remove(node_id)
        self._links.isolate(node_id)

    def forget_removed(self) -> None:
        """Drop the words that only removed nodes had."""
        if self._index is not None:
            self._index.forget_removed()

    def node(self, node_id: str) -> QueryNode:
        """The node with its links filled in; UnknownId when there is none."""
        node, links = self.bare(node_id), tuple(self.neighbour_ids(node_id))
        return node.model_copy(update={"links": links}) if links else node

    def bare(self, node_id: str) -> QueryNode:
        """The node as it is kept, without its links; UnknownId when there is none."""
        node = self._nodes.get(node_id)
        if node is None:
            raise UnknownId("node", node_id, near=self.near(node_id))
        return node

    def link(self, link: Link) -> None:
        """Join two nodes; the newest reason is kept."""
        self._links.put(link)

    def unlink(self, a: str, b: str) -> None:
        """Remove a link; a missing one is no error."""
        self._links.cut(a, b)

    def neighbour_ids(self, node_id: str) -> list[str]:
        """Ids of linked nodes, oldest first: in whatever order they were linked, equal graphs are equal."""
        return sorted(self._links.neighbours(node_id), key=id_number)

    def links_of(self, node_id: str) -> list[Link]:
        """The node's links, in the order they were made."""
        return self._links.of(node_id)

    def links(self) -> list[Link]:
        """Every link once, ordered by its two ids."""
        return sorted(self._links, key=lambda link: [id_number(end) for end in link_id(link.a, link.b).split("-")])

    @property
    def link_count(self) -> int:
        """How many links there are."""
        return len(self._links)

    @property
    def stale(self) -> list[str]:
        """Ids of nodes whose summary drew on what is gone by now, oldest first."""
        return sorted(self._stale, key=id_number)

    def near(self, node_id: str) -> list[str]:
        """Ids that look like an unknown one: same number first, then the nearest numbers."""
        digits = "".join(character for character in node_id if character.isascii() and character.isdigit())
        if not digits:
            return list(self._nodes)[-3:]
        wanted = int(digits[:9])
        return sorted(self._nodes, key=lambda known: (abs(id_number(known) - wanted), id_number(known)))[:3]

    def search(self, query: Query) -> list[Hit]:
        """Hybrid search over the nodes, best first; by words alone while the embedder fails."""
        try:
            return self.index.search(query)
        except AmbError:
            raise
        except Exception as error:  # noqa: BLE001 - whatever an embedder raises, words can still be searched
            raise_if_stopped(error)
            _log.warning("the embedder failed (%s); searching by words alone", type(error).__name__)
            return self.index.search(replace(query, mode="lexical"))

    def found(self, question: str, *, k: int) -> list[Hit]:
        """The best notes by their vectors, or where a model wrote them by their words; none where neither is so."""
        if self._embedder is None and not self.written_by_model:
            return []
        return self.search(Query(question, k=k, mode="dense" if self._embedder else "lexical", exact=True))

    def passages(self, node: QueryNode) -> tuple[tuple[Span, str], ...]:
        """The raw text the node stands on, in order, without what was refuted or forgotten."""
        spans = node.sources
        if node.refuted:
            spans = tuple(part for span in node.sources for part in cut_out(span, node.refuted))
        found = [(span, self._read(span)) for span in spans]
        return tuple([(span, text) for span, text in found if text and not text.isspace()])

    def _item(self, node: QueryNode) -> IndexedText:
        """What the index holds for a node: its own words and the raw text they stand on."""
        from amb_core.retrieval import IndexedText  # here, for passages answer where nobody looks for a note

        source_text = "\n".join(text for _, text in self.passages(node))
        own_words = "\n".join(part for part in _unless_in(node.summary, source_text))
        return IndexedText(
            id=node.id,
            text="\n".join((node.context, " ".join(node.keywords), source_text, own_words)),
            timestamp=node.timestamp,
            vector=node.vector,
        )


def cut_out(span: Span, others: Iterable[Span]) -> Iterator[Span]:
    """What is left of a span when others are cut out of it, in order."""
    position = span.start
    for other in sorted((o for o in others if o.entry_id == span.entry_id), key=lambda o: o.start):
        if position < min(other.start, span.end):
            yield Span(entry_id=span.entry_id, start=position, end=min(other.start, span.end))
        position = max(position, other.end)
    if position < span.end:
        yield Span(entry_id=span.entry_id, start=position, end=span.end)


def remove_node(graph: QueryGraph, node_id: str, changes: ChangeSet) -> None:
    """Put the removal of a node and of all its links into `changes`."""
    changes.delete("node", [node_id])
    changes.delete("link", [link_id(link.a, link.b) for link in graph.links_of(node_id)])


def _unless_in(summary: str, source_text: str) -> Iterator[str]:
    """The lines of a summary that are not verbatim in the source, so that no word is counted twice."""
    for line in summary.splitlines():
        if line.strip() and line.strip() not in source_text:
            yield line


class LinkTable:
    """Every link once, and by node the ids at its other ends in the order they were joined."""

    def __init__(self) -> None:
        self._links: dict[str, Link] = {}
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
