"""The state of a bank: its layers together, and the one place where a change set is applied to them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from amb_core.agent_io import are_same_values
from amb_core.errors import EmbedderMismatch, UnknownId
from amb_core.memory.change_set import BOOKKEEPING, ChangeSet, Counters, id_number
from amb_core.memory.interaction_tree import InteractionTree
from amb_core.memory.query_graph import QueryGraph
from amb_core.models import (
    ArchivedNode,
    Attachment,
    BankSnapshot,
    Conflict,
    ConflictStatus,
    Digestion,
    EmbedderIdentity,
    Frozen,
    Injection,
    InsightDoc,
    InteractionEntry,
    Link,
    MergeEvent,
    QueryNode,
)
from amb_core.protocols import Embedder
from amb_core.rendering import MemoryBlock
from amb_core.retrieval import DenseIndex, Packed
from amb_core.scope import Scope
from amb_core.usage import Bill, Usage

__all__ = ["BankSize", "BankState", "ConflictTable"]


@dataclass(frozen=True, slots=True)
class BankSize:
    """How much a bank holds: counts of living things, and the tokens of all raw text that came in."""

    entries: int
    raw_tokens: int
    nodes: int
    links: int
    open_conflicts: int
    merges: int


class BankState:
    """Insight Doc, Query Graph, Interaction Tree, conflicts, merges, archive and the log of injections."""

    def __init__(
        self, insight: InsightDoc, *, embedder: Embedder | None, vectors: Callable[[], DenseIndex] = DenseIndex
    ) -> None:
        self.insight = insight
        self._embedder = embedder
        self._vectors = vectors
        self.tree = InteractionTree()
        self.graph = self._graph_over(self.tree)
        self.conflicts = ConflictTable()
        self.merges: dict[str, MergeEvent] = {}
        self.archive: dict[str, ArchivedNode] = {}
        self.injections: dict[str, Injection] = {}
        self.waiting: dict[str, Attachment] = {}
        self.embedder: EmbedderIdentity | None = None
        self.usage: Usage | None = None
        self.scope: Scope | None = None
        self.bills: dict[str, Bill] = {}
        self.last: dict[str, int] = {}
        self.version = 0
        """Rises with every change but bookkeeping, which nothing is judged or planned by."""
        self.block: tuple[object, MemoryBlock] | None = None
        """The last block for a prompt and what it was made for, until anything changes."""
        self.applied: Callable[[BankState], None] | None = None
        """Called after each change, its owner's lock held."""

    def _graph_over(self, tree: InteractionTree) -> QueryGraph:
        return QueryGraph(embedder=self._embedder, read=tree.text_of, entry_of=tree.entries.get, vectors=self._vectors)

    def restore(self, packed: Mapping[str, Packed], raw: Mapping[str, Mapping[str, bytes]], rest: ChangeSet) -> None:
        """Take up the layers that `packed` was made of over their stored records, and add the rest of the records.

        ValueError or KeyError leave the state as it was.
        """
        tree = InteractionTree()
        graph = self._graph_over(tree)
        tree.restore(packed, entries=raw["entry"], digestions=raw["digestion"])
        graph.restore(packed, nodes=raw["node"], links=raw["link"])
        self.tree, self.graph = tree, graph
        self.apply(rest)

    def changes(self) -> ChangeSet:
        """An empty change set that draws its ids from where this state stands."""
        return ChangeSet(last=dict(self.last))

    def check(self, changes: ChangeSet) -> None:
        """Raise EmbedderMismatch for vectors that do not fit, so that `apply` cannot fail half-way."""
        identity = changes.puts.get(("embedder", "-"), self.embedder)
        size = 4 * identity.dimension if isinstance(identity, EmbedderIdentity) else 0
        for node in changes.of("node"):
            if isinstance(node, QueryNode) and node.embedding is not None and len(node.embedding) != size:
                raise EmbedderMismatch(
                    f"node {node.id} has a vector of {len(node.embedding) // 4} numbers, this bank's have {size // 4}"
                )

    def apply(self, changes: ChangeSet) -> None:
        """Make the changes: deletes first, then puts, links after the nodes they join."""
        for kind, identifier in changes.deletes:
            self._delete(kind, identifier)
        links: list[Link] = []
        nodes: list[QueryNode] = []
        for record in changes.puts.values():
            if isinstance(record, Link):
                links.append(record)
            elif isinstance(record, QueryNode):
                nodes.append(record)
            else:
                self._put(record)
        for node in nodes:  # after their entries, whose text is indexed with them
            self.graph.put(node)
        for link in links:
            self.graph.link(link)
        self.last = dict(changes.last)
        if any(kind not in BOOKKEEPING for kind, _ in (*changes.puts, *changes.deletes)):
            self.version += 1
            self.block = None
        if self.applied is not None:
            self.applied(self)

    def _put(self, record: Frozen) -> None:
        match record:
            case InsightDoc():
                self.insight = record
            case InteractionEntry():
                self.tree.put_entry(record)
            case Digestion():
                self.tree.put_digestion(record)
            case Conflict():
                self.conflicts.put(record)
            case MergeEvent():
                self.merges[record.event_id] = record
            case ArchivedNode():
                self.archive[record.node.id] = record
            case Injection():
                self.injections[str(record.turn)] = record
            case Attachment():
                self.waiting[record.id] = record
            case EmbedderIdentity():
                self.embedder = record
            case Usage():
                self.usage = record
            case Bill():
                self.bills[record.entry_id] = record
            case Scope():
                self.scope = record
            case Counters():
                pass  # `last` travels with the change set
            case _:
                raise TypeError(f"a bank keeps no {type(record).__name__}")

    def _delete(self, kind: str, identifier: str) -> None:
        match kind:
            case "node":
                self.graph.remove(identifier)
            case "link":
                a, _, b = identifier.partition("-")
                self.graph.unlink(a, b)
            case "entry":
                self.tree.remove_entry(identifier)
            case "conflict":
                self.conflicts.remove(identifier)
            case "merge":
                self.merges.pop(identifier, None)
            case "archive":
                self.archive.pop(identifier, None)
            case "injection":
                self.injections.pop(identifier, None)
            case "waiting":
                self.waiting.pop(identifier, None)
            case "embedder":
                self.embedder = None
            case _:
                raise TypeError(f"a {kind} cannot be deleted")

    # --- looking things up -------------------------------------------------------------------------------------------

    def resolve(self, node_id: str) -> str:
        """The id of the living node: itself, or the successor of a merged one; UnknownId when there is none."""
        found, seen = node_id, set()
        while found not in self.graph and found not in seen:
            seen.add(found)
            archived = self.archive.get(found)
            if archived is None:
                break
            found = self.merges[archived.event_id].new_node_id
        if found not in self.graph:
            raise UnknownId("node", node_id, near=self.graph.near(node_id))
        return found

    def unsettled(self) -> list[Conflict]:
        """Conflicts that still have to be verified, oldest first."""
        return self.conflicts.unsettled()

    def disputes(self, node_id: str) -> list[Conflict]:
        """Conflicts that mark a node as disputed."""
        return [
            conflict for conflict in self.conflicts.of_node(node_id) if conflict.status is not ConflictStatus.RESOLVED
        ]

    def nodes_of_entry(self, entry_id: str) -> tuple[str, ...]:
        """Living nodes an entry went into; for a repeat those of the entry it repeats."""
        digestion = self.tree.digestions.get(entry_id)
        if digestion is None:
            return ()
        if digestion.repeat_of is not None:
            return self.nodes_of_entry(digestion.repeat_of)
        return self.living(digestion.node_ids)

    def nodes_of_call(self, call_id: str, *, run: str) -> tuple[str, ...]:
        """Living nodes the newest result of a tool call went into; () when the call is unknown."""
        entries = self.tree.of_call(call_id, run=run)
        return self.nodes_of_entry(entries[-1].entry_id) if entries else ()

    def living(self, node_ids: Iterable[str]) -> tuple[str, ...]:
        """The living successors of some nodes, each once, in order."""
        alive: dict[str, None] = {}
        for node_id in node_ids:
            try:
                alive[self.resolve(node_id)] = None
            except UnknownId:
                continue
        return tuple(alive)

    def has_conflict(self, a: str, b: str, values: tuple[str, ...]) -> bool:
        """Whether a conflict between the two over these values is recorded, settled or not."""
        known = (conflict for conflict in self.conflicts.of_node(a) if b in conflict.node_ids)
        return any(are_same_values(conflict.values, values) for conflict in known)

    def nodes(self) -> tuple[QueryNode, ...]:
        """All living nodes with their links, ordered by id."""
        return tuple(sorted(self.graph, key=lambda node: id_number(node.id)))

    def size(self) -> BankSize:
        """How much this state holds."""
        return BankSize(
            entries=len(self.tree.entries),
            raw_tokens=self.tree.raw_tokens,
            nodes=len(self.graph),
            links=self.graph.link_count,
            open_conflicts=len(self.unsettled()),
            merges=sum(not event.undone for event in self.merges.values()),
        )

    def snapshot(self) -> BankSnapshot:
        """Everything as one value, ordered by id."""

        def by_number(identifier: str) -> int:
            return id_number(identifier)

        return BankSnapshot(
            insight=self.insight,
            entries=tuple(self.tree.entries[e] for e in sorted(self.tree.entries, key=by_number)),
            digestions=tuple(self.tree.digestions[e] for e in sorted(self.tree.digestions, key=by_number)),
            nodes=self.nodes(),
            links=tuple(self.graph.links()),
            conflicts=tuple(self.conflicts[c] for c in sorted(self.conflicts, key=by_number)),
            merges=tuple(self.merges[m] for m in sorted(self.merges, key=by_number)),
            archive=tuple(self.archive[n] for n in sorted(self.archive, key=by_number)),
            injections=tuple(self.injections[t] for t in sorted(self.injections, key=int)),
            waiting=tuple(self.waiting[a] for a in sorted(self.waiting, key=by_number)),
            counters=dict(sorted(self.last.items())),
            embedder=self.embedder,
            usage=self.usage,
            scope=self.scope,
            bills=tuple(self.bills[e] for e in sorted(self.bills, key=by_number)),
        )


_UNSETTLED = (ConflictStatus.OPEN, ConflictStatus.VERIFYING)


class ConflictTable(Mapping[str, Conflict]):
    """Conflicts by id, in the order they were recorded."""

    def __init__(self) -> None:
        self._conflicts: dict[str, Conflict] = {}
        self._of_node: defaultdict[str, dict[str, None]] = defaultdict(dict)
        self._open: dict[str, None] = {}

    def __getitem__(self, conflict_id: str) -> Conflict:
        return self._conflicts[conflict_id]

    def __iter__(self) -> Iterator[str]:
        return iter(self._conflicts)

    def __len__(self) -> int:
        return len(self._conflicts)

    def put(self, conflict: Conflict) -> None:
        """Insert or replace a conflict, which keeps its place."""
        self._forget_sides(conflict.id)
        self._conflicts[conflict.id] = conflict
        for node_id in conflict.node_ids:
            self._of_node[node_id][conflict.id] = None
        if conflict.status is ConflictStatus.RESOLVED:
            self._open.pop(conflict.id, None)
        else:
            self._open[conflict.id] = None

    def remove(self, conflict_id: str) -> None:
        """Remove a conflict; a missing one is no error."""
        self._forget_sides(conflict_id)
        self._conflicts.pop(conflict_id, None)
        self._open.pop(conflict_id, None)

    def _forget_sides(self, conflict_id: str) -> None:
        known = self._conflicts.get(conflict_id)
        for node_id in known.node_ids if known is not None else ():
            self._of_node[node_id].pop(conflict_id, None)
            if not self._of_node[node_id]:
                del self._of_node[node_id]

    def of_node(self, node_id: str) -> list[Conflict]:
        """The conflicts a node is a side of, settled ones included, oldest first."""
        return [self._conflicts[conflict_id] for conflict_id in self._of_node.get(node_id, ())]

    def unsettled(self) -> list[Conflict]:
        """Conflicts that still have to be verified, oldest first."""
        return [conflict for conflict in self.unresolved() if conflict.status in _UNSETTLED]

    def unresolved(self) -> list[Conflict]:
        """Those, and the ones that were given up, oldest first: all but what was resolved."""
        return [self._conflicts[conflict_id] for conflict_id in sorted(self._open, key=id_number)]
