"""The state of a bank: its layers together, and the one place where a change set is applied to them."""

from __future__ import annotations

from collections import UserDict, defaultdict
from collections.abc import Callable, Iterable, Mapping, MutableMapping
from dataclasses import dataclass
from typing import Any

from amb_core.attachments import Attachment
from amb_core.errors import EmbedderMismatch, UnknownId
from amb_core.memory.change_set import BOOKKEEPING, KINDS, ChangeSet
from amb_core.memory.ids import LETTERS, Counters, id_number, is_message
from amb_core.memory.interaction_tree import InteractionTree
from amb_core.memory.query_graph import QueryGraph
from amb_core.models import (
    ArchivedNode,
    BankSnapshot,
    ClosedInsight,
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
    are_same_values,
)
from amb_core.protocols import Embedder
from amb_core.rendering import MemoryBlock
from amb_core.scope import Scope
from amb_core.usage import Bill, Usage

__all__ = ["BankSize", "BankState", "ConflictTable", "is_disputed"]


@dataclass(frozen=True, slots=True)
class BankSize:
    """How much a bank holds: counts of living things, and the tokens of all raw text that came in.

    `entries` are those of results and texts that were read, `messages` what the agent and the user said.
    """

    entries: int
    raw_tokens: int
    nodes: int
    links: int
    open_conflicts: int
    merges: int
    messages: int = 0


class BankState:
    """Insight Doc, Query Graph, Interaction Tree, conflicts, merges, archive and the log of injections."""

    def __init__(
        self, insight: InsightDoc, *, embedder: Embedder | None, vectors: Callable[[], object] | None = None
    ) -> None:
        self.insight = self._stored = insight
        self.earlier: dict[str, ClosedInsight] = {}
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
        self._tables: dict[str, MutableMapping[str, Any]] = {
            "earlier": self.earlier,
            "conflict": self.conflicts,
            "merge": self.merges,
            "archive": self.archive,
            "injection": self.injections,
            "waiting": self.waiting,
            "bill": self.bills,
        }
        self.version = 0
        """Rises with every change but bookkeeping, which nothing is judged or planned by."""
        self.block: tuple[object, MemoryBlock] | None = None
        """The last block for a prompt and what it was made for, until anything changes."""

    def _graph_over(self, tree: InteractionTree) -> QueryGraph:
        return QueryGraph(embedder=self._embedder, read=tree.text_of, vectors=self._vectors)

    def renew(self, stored: ChangeSet) -> None:
        """Hold what is stored and nothing else."""
        self.tree = InteractionTree()
        self.graph = self._graph_over(self.tree)
        for table in self._tables.values():
            table.clear()
        self.embedder = self.usage = self.scope = None
        self.apply(stored)

    def changes(self) -> ChangeSet:
        """An empty change set that draws its ids from where this state stands."""
        return ChangeSet(last=dict(self.last))

    def put_insight(self, changes: ChangeSet, insight: InsightDoc) -> None:
        """Put an Insight Doc without the `earlier` ones; of these, each that is no record yet is made one.

        So a step writes the document of now alone. Stores of before hold the earlier ones inside it.
        """
        for closed in insight.earlier[len(self.earlier) :]:
            changes.put(ClosedInsight(id=changes.new_id("g"), insight=closed))
        changes.put(insight.model_copy(update={"earlier": ()}))

    def check(self, changes: ChangeSet) -> None:
        """Raise EmbedderMismatch for vectors that do not fit, so that `apply` cannot fail half-way."""
        identity = changes.puts.get(("embedder", "-"), self.embedder)
        size = 4 * identity.dimension if isinstance(identity, EmbedderIdentity) else 0
        for node in changes.records(QueryNode):
            if node.embedding is not None and len(node.embedding) != size:
                raise EmbedderMismatch(
                    f"node {node.id} has a vector of {len(node.embedding) // 4} numbers, this bank's have {size // 4}"
                )

    def apply(self, changes: ChangeSet) -> None:
        """Make the changes: deletes first, then puts, links after the nodes they join."""
        for kind, identifier in changes.deletes:
            self._delete(kind, identifier)
        for (kind, identifier), record in changes.puts.items():
            self._put(kind, identifier, record)
        for node in changes.records(QueryNode):  # after their entries, whose text is indexed with them
            self.graph.put(node)
        for link in changes.records(Link):
            self.graph.link(link)
        kinds = {kind for kind, _ in (*changes.puts, *changes.deletes)}
        if not kinds.isdisjoint(("insight", "earlier")):
            closed = (doc.insight for doc in sorted(self.earlier.values(), key=lambda doc: id_number(doc.id)))
            self.insight = self._stored.model_copy(update={"earlier": (*closed, *self._stored.earlier)})
        self.last = dict(changes.last)
        if not kinds.issubset(BOOKKEEPING):
            self.version += 1
            self.block = None

    def _put(self, kind: str, identifier: str, record: Frozen) -> None:
        match record:
            case InteractionEntry():
                self.tree.put_entry(record)
            case Digestion():
                self.tree.put_digestion(record)
            case QueryNode() | Link() | Counters():  # put when all else is; `last` travels with the change set
                pass
            case InsightDoc():
                self._stored = record
            case EmbedderIdentity() | Usage() | Scope():
                setattr(self, kind, record)
            case _:
                self._tables[kind][identifier] = record

    def _delete(self, kind: str, identifier: str) -> None:
        match kind:
            case "node":
                self.graph.remove(identifier)
            case "link":
                a, _, b = identifier.partition("-")
                self.graph.unlink(a, b)
            case "embedder":
                self.embedder = None
            case _:
                self._tables[kind].pop(identifier, None)

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

    def disputes(self, node_id: str) -> list[Conflict]:
        """Conflicts that mark a node as disputed."""
        return [conflict for conflict in self.conflicts.of_node(node_id) if is_disputed(conflict)]

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
            entries=sum(not is_message(entry_id) for entry_id in self.tree.entries),
            raw_tokens=self.tree.raw_tokens,
            nodes=len(self.graph),
            links=self.graph.link_count,
            open_conflicts=sum(conflict.status.is_open for conflict in self.conflicts.values()),
            merges=sum(not event.undone for event in self.merges.values()),
            messages=self.tree.message_count,
        )

    def snapshot(self) -> BankSnapshot:
        """Everything as one value, ordered by id."""
        layers: dict[str, Mapping[str, Any]] = {
            "entry": self.tree.entries,
            "digestion": self.tree.digestions,
            **self._tables,
        }
        ordered: dict[str, Any] = {
            KINDS[kind].group: tuple(table[identifier] for identifier in sorted(table, key=_place))
            for kind, table in layers.items()
        }
        return BankSnapshot(
            insight=self._stored,
            nodes=self.nodes(),
            links=tuple(self.graph.links()),
            counters=dict(sorted(self.last.items())),
            embedder=self.embedder,
            usage=self.usage,
            scope=self.scope,
            **ordered,
        )


def _place(identifier: str) -> int:
    """The number in an id, with or without its letter."""
    return int(identifier.lstrip(LETTERS))


def is_disputed(conflict: Conflict) -> bool:
    """Whether it marks its notes as disputed: until it is resolved."""
    return conflict.status is not ConflictStatus.RESOLVED


class ConflictTable(UserDict[str, Conflict]):
    """Conflicts by id, in the order they were recorded, found by their sides as well."""

    def __init__(self) -> None:
        super().__init__()
        self._of_node: defaultdict[str, dict[str, None]] = defaultdict(dict)

    def __setitem__(self, conflict_id: str, conflict: Conflict) -> None:
        self._forget_sides(conflict_id)
        self.data[conflict_id] = conflict
        for node_id in conflict.node_ids:
            self._of_node[node_id][conflict_id] = None

    def __delitem__(self, conflict_id: str) -> None:
        self._forget_sides(conflict_id)
        del self.data[conflict_id]

    def _forget_sides(self, conflict_id: str) -> None:
        known = self.data.get(conflict_id)
        for node_id in known.node_ids if known is not None else ():
            self._of_node[node_id].pop(conflict_id, None)
            if not self._of_node[node_id]:
                del self._of_node[node_id]

    def of_node(self, node_id: str) -> list[Conflict]:
        """The conflicts a node is a side of, settled ones included, oldest first."""
        return [self.data[conflict_id] for conflict_id in self._of_node.get(node_id, ())]

    def disputed(self) -> list[Conflict]:
        """All but what was resolved, oldest first."""
        return sorted((each for each in self.data.values() if is_disputed(each)), key=lambda each: id_number(each.id))
