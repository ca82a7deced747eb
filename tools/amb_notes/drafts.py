"""Drafts of notes, made of a raw text without the bank's lock; and their weaving into nodes, links and conflicts."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass, replace
from itertools import islice, zip_longest
from typing import TYPE_CHECKING

import numpy as np

from amb_agents.key_terms import keywords
from amb_agents.sources import SourceSpan, passages_in, prose_of
from amb_core.agent_io import (
    AnalysisRequest,
    ClassificationRequest,
    Cluster,
    DigestRequest,
    NodeView,
    Passage,
    Relationship,
    StructureRequest,
    are_same_values,
    with_conflicts,
)
from amb_core.call_lock import raise_if_stopped
from amb_core.memory.change_set import ChangeSet
from amb_core.models import EXTRACTION, Conflict, Digestion, EntryState, InteractionEntry, Link, QueryNode, Span
from amb_core.protocols import Embedder
from amb_core.text.index_terms import tokens_by_line
from amb_notes.agent_calls import AgentCalls, admitted
from amb_notes.node_views import NodeViews
from amb_values import paragraph_spans, sentences

if TYPE_CHECKING:
    from amb_core.memory.bank_lock import BankLock
    from amb_core.memory.writer import Writer

__all__ = ["Draft", "Drafter", "Judgement", "Weaver", "embedding_of", "remade"]

_log = logging.getLogger("amb.embedder")
_SIBLINGS = 3
"""With how many earlier parts of its own text a draft is compared."""
_AT_ONCE = 4
"""How many clusters are condensed at the same time, where that waits for a model."""
_REMEMBERED = 64
"""How many of the newest nodes of a running step are remembered for its record."""
_TELLING = 8
"""A word that more parts of a text share does not tell which of them belong together."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A node before it has an id.

    `judged` are the existing nodes a digest has compared it with already, `relationships` what it said of them; None
    when there was no digest. `locally` says that the model failed, and that nothing more is asked of it for this text.
    """

    summary: str
    context: str
    keywords: tuple[str, ...]
    spans: tuple[Span, ...]
    content: str
    embedding: bytes | None
    relationships: tuple[Relationship, ...] = ()
    judged: frozenset[str] | None = None
    locally: bool = False
    passages: tuple[Passage, ...] | None = None

    def view(self, name: str, *, timestamp: float, source: str) -> NodeView:
        """The draft as an agent sees it, under a provisional id."""
        return NodeView(
            id=name,
            summary=self.summary,
            context=self.context,
            keywords=self.keywords,
            text=self.content,
            timestamp=timestamp,
            source=source,
            passages=self.passages,
        )


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the analysis said of one draft: relationships by existing node id (or provisional id of a sibling)."""

    draft: Draft
    relationships: tuple[Relationship, ...]
    judged: frozenset[str]


def embedding_of(embedder: Embedder | None, texts: Sequence[str]) -> list[bytes | None]:
    """One little-endian float32 vector per text, in one batch; None for each without an embedder.

    An embedder that fails, or answers with what are no vectors of its dimension, costs the vectors, not the texts:
    they are then found by their words.
    """
    if embedder is None or not texts:
        return [None] * len(texts)
    try:
        rows = np.asarray(embedder.embed(list(texts)), dtype="<f4")
    except Exception as error:  # noqa: BLE001 - whatever an embedder raises, the text must still be kept
        raise_if_stopped(error)
        _log.warning("the embedder failed (%s); %d texts have no vector", type(error).__name__, len(texts))
        return [None] * len(texts)
    if rows.shape != (len(texts), embedder.dimension) or not np.isfinite(rows).all():
        _log.warning("the embedder answered with shape %s instead of vectors; they are left out", rows.shape)
        return [None] * len(texts)
    return [row.tobytes() for row in rows]


class Drafter:
    """From one entry's text to drafts: in one call where an agent can, else by classification and structure.

    Holds no lock while an agent is asked; the bank's `lock` only while existing nodes are looked for.
    """

    def __init__(self, weaver: Weaver, lock: BankLock) -> None:
        self._weaver = weaver
        self._calls = weaver.calls
        self._embedder = weaver.embedder
        self._lock = lock

    def drafts(self, entry: InteractionEntry, *, task_goal: str, locally: bool = False) -> list[Draft]:
        """One draft per topic, in text order; `locally` without a model, as what a model extracted itself."""
        locally = locally or entry.metadata.get("tool") == EXTRACTION
        fused = not locally and self._calls.digests(entry.text)
        drafts = self._digested(entry, task_goal) if fused else None
        if drafts is None:
            drafts = self._in_steps(entry, task_goal, locally=locally or fused)
        texts = ["\n".join((d.summary, d.context, " ".join(d.keywords))) for d in drafts]
        vectors = embedding_of(self._embedder, texts)
        return [replace(draft, embedding=vector) for draft, vector in zip(drafts, vectors, strict=True)]

    def _digested(self, entry: InteractionEntry, task_goal: str) -> list[Draft] | None:
        with self._lock.reading():
            candidates = self._weaver.candidates_of_text(entry.text)
        request = DigestRequest(text=entry.text, task_goal=task_goal, candidates=candidates)
        answer = self._calls.digest(request)
        if answer is None:
            return None
        judged, prose = frozenset(answer.judged), prose_of(entry)
        return [
            replace(
                _draft(entry, topic.cluster, topic.summary, prose), relationships=topic.relationships, judged=judged
            )
            for topic in answer.topics
        ]

    def _in_steps(self, entry: InteractionEntry, task_goal: str, *, locally: bool) -> list[Draft]:
        request = ClassificationRequest(text=entry.text, task_goal=task_goal)
        clusters = self._calls.classify(request, locally=locally).clusters
        prose = prose_of(entry)

        def condensed(cluster: Cluster) -> Draft:
            request = StructureRequest(
                content=cluster.content, context=cluster.context, keywords=cluster.keywords, task_goal=task_goal
            )
            summary = self._calls.structure(request, locally=locally).summary
            return replace(_draft(entry, cluster, summary, prose), locally=locally)

        if locally or len(clusters) < 2 or not self._calls.parallel("structure"):
            return [condensed(cluster) for cluster in clusters]
        with ThreadPoolExecutor(max_workers=_AT_ONCE, thread_name_prefix="amb-structure") as pool:
            waiting = [pool.submit(copy_context().run, condensed, cluster) for cluster in clusters]
            return [future.result() for future in waiting]


def _draft(entry: InteractionEntry, cluster: Cluster, summary: str, prose: Sequence[SourceSpan]) -> Draft:
    return Draft(
        passages=passages_in(entry, prose, cluster.spans),
        summary=summary,
        context=cluster.context,
        keywords=cluster.keywords,
        spans=tuple(Span(entry_id=entry.entry_id, start=a, end=b) for a, b in cluster.spans),
        content=cluster.content,
        embedding=None,
    )


class Weaver:
    """Joins drafts to the graph: candidates, judgements, then the changes that make them nodes."""

    def __init__(self, calls: AgentCalls, nodes: NodeViews, *, embedder: Embedder | None, candidates: int) -> None:
        self.calls = calls
        self._nodes = nodes
        self._state = nodes.state
        self.embedder = embedder
        self._candidates = candidates

    def candidates(self, draft: Draft, *, exclude: Collection[str] = ()) -> tuple[NodeView, ...]:
        """Existing nodes the draft may contradict or belong with."""
        index = self._state.graph.index
        found = index.candidates(f"{draft.context}\n{draft.content}", k=self._candidates, exclude=exclude)
        return self._nodes.views(found)

    def candidates_of_text(self, text: str) -> tuple[NodeView, ...]:
        """Existing nodes that any paragraph of a raw text may have to do with, the best of each paragraph first."""
        index = self._state.graph.index
        found = [list(index.candidates(text[start:end], k=self._candidates)) for start, end in paragraph_spans(text)]
        in_turn = (name for rank in zip_longest(*found) for name in rank if name is not None)
        return self._nodes.views(islice(dict.fromkeys(in_turn), self._candidates))

    def siblings(self, drafts: Sequence[Draft]) -> list[tuple[str, ...]]:
        """For each draft the earlier ones of the same text it may contradict, as provisional ids `d0`, `d1`, …"""
        if len(drafts) < 2:
            return [()] * len(drafts)
        found: list[tuple[str, ...]] = []
        holders: dict[str, int] = {}  # by term which parts have it, a bit each
        for number, draft in enumerate(drafts):
            terms = set(tokens_by_line(f"{draft.context}\n{draft.content}"))
            shared: Counter[int] = Counter()
            for parts, count in Counter([holders.get(term, 0) for term in terms]).items():
                rest = parts if parts.bit_count() <= _TELLING else 0
                while rest:
                    shared[rest.bit_length() - 1] += count
                    rest ^= 1 << rest.bit_length() - 1
            holders.update({term: holders.get(term, 0) | 1 << number for term in terms})
            nearest = sorted(shared, key=lambda other: (-shared[other], other))
            found.append(tuple(f"d{other}" for other in nearest[:_SIBLINGS]))
        return found

    def views(self, node_ids: Iterable[str]) -> tuple[NodeView, ...]:
        """Living nodes as the analysis agent sees them."""
        return self._nodes.views(node_ids)

    def judge(
        self,
        entry: InteractionEntry,
        drafts: Sequence[Draft],
        candidates: Sequence[Sequence[NodeView]],
        siblings: Sequence[tuple[str, ...]],
    ) -> list[Judgement]:
        """How each draft of an entry stands to its candidates and to its siblings among the drafts (hold no lock)."""
        source = str(entry.metadata.get("source") or "")
        judgements = []
        for draft, found, near in zip(drafts, candidates, siblings, strict=True):
            mates = (drafts[int(name[1:])].view(name, timestamp=entry.timestamp, source=source) for name in near)
            judgements.append(self._judge_one(draft, [*found, *mates], timestamp=entry.timestamp, source=source))
        return judgements

    def _judge_one(self, draft: Draft, candidates: Sequence[NodeView], *, timestamp: float, source: str) -> Judgement:
        """How the draft stands to the candidates (an agent call; hold no lock).

        A digest has compared the draft already: the local agent adds what was not before its eyes, and every
        contradiction that it sees itself.
        """
        new = draft.view("new", timestamp=timestamp, source=source)
        goal = self._state.insight.task_goal
        request = AnalysisRequest(new=new, candidates=tuple(candidates), task_goal=goal)
        known = frozenset(candidate.id for candidate in candidates)
        if draft.judged is None:
            answer = self.calls.analyse(request, locally=draft.locally)
            return Judgement(draft=draft, relationships=answer.relationships, judged=known)
        named = {one.existing_node for one in draft.relationships if one.existing_node in self._state.graph} - known
        among = (*candidates, *self._nodes.views(sorted(named)))
        said = admitted(draft.relationships, new=new, among=among)
        seen = self.calls.analyse(request, locally=True).relationships
        fresh = (one for one in seen if one.existing_node not in draft.judged)
        found = with_conflicts((*said, *fresh), seen)
        return Judgement(draft=draft, relationships=tuple(found), judged=known | named)

    def weave(self, judgements: Sequence[Judgement], changes: ChangeSet, *, timestamp: float) -> list[str]:
        """Add nodes, links and conflicts for the judgements to `changes`; returns the new node ids in order."""
        names: dict[str, str] = {}
        for number, judgement in enumerate(judgements):
            node = self._node(judgement.draft, changes.new_id("n"), timestamp=timestamp)
            names[f"d{number}"] = node.id
            changes.put(node)
        for name, judgement in zip(names.values(), judgements, strict=True):
            for relation in judgement.relationships:
                existing = names.get(relation.existing_node, relation.existing_node)
                self._relate(name, existing, relation, changes, timestamp=timestamp)
        return list(names.values())

    def commit_woven(
        self,
        writer: Writer,
        entry: InteractionEntry,
        judgements: Sequence[Judgement],
        changes: ChangeSet,
        *,
        merged: str | None = None,
    ) -> tuple[str, ...]:
        """Add the judgements' nodes to `changes` and commit it all as the digestion of the entry."""
        if self._state.tree.entries[entry.entry_id].forgotten:  # meanwhile
            return ()
        known = self._state.tree.digestions[entry.entry_id].node_ids
        new = self.weave(judgements, changes, timestamp=writer.clock.now())
        node_ids = (*known, *([merged] if merged else []), *new)
        changes.put(Digestion(entry_id=entry.entry_id, state=EntryState.DONE, node_ids=node_ids))
        writer.commit(changes)
        alive = self._state.living(node_ids)
        writer.step_nodes.update(dict.fromkeys(alive))
        for oldest in list(writer.step_nodes)[:-_REMEMBERED]:
            del writer.step_nodes[oldest]
        return alive

    def relate(
        self,
        node_id: str,
        relationships: Sequence[Relationship],
        changes: ChangeSet,
        *,
        among: Collection[str],
        timestamp: float,
    ) -> None:
        """Add links and conflicts between a living node and some others to `changes`."""
        for relation in relationships:
            if relation.existing_node in among:
                self._relate(node_id, relation.existing_node, relation, changes, timestamp=timestamp)

    def _node(self, draft: Draft, node_id: str, *, timestamp: float) -> QueryNode:
        return QueryNode(
            id=node_id,
            summary=draft.summary,
            context=draft.context,
            keywords=draft.keywords,
            embedding=draft.embedding,
            timestamp=timestamp,
            sources=draft.spans,
        )

    def _relate(self, new: str, existing: str, relation: Relationship, changes: ChangeSet, *, timestamp: float) -> None:
        if relation.relationship == "conflict":
            if not self._is_recorded(new, existing, relation.conflict_values, changes):
                changes.put(
                    Conflict(
                        id=changes.new_id("c"),
                        node_ids=(existing, new),
                        description=relation.conflict_description or relation.reasoning,
                        subject=relation.conflict_subject,
                        values=relation.conflict_values,
                        found_at=timestamp,
                    )
                )
        elif relation.relationship == "related":
            changes.put(Link(a=existing, b=new, reason=relation.reasoning))
            self._update(existing, relation.context_update_existing, relation.keywords_update_existing, changes)
            self._update(new, relation.context_update_new, relation.keywords_update_new, changes)

    def _is_recorded(self, a: str, b: str, values: tuple[str, ...], changes: ChangeSet) -> bool:
        """Whether this disagreement of two nodes is in memory, or about to be."""
        pending = (one for one in changes.records(Conflict) if {a, b} == set(one.node_ids))
        return self._state.has_conflict(a, b, values) or any(are_same_values(one.values, values) for one in pending)

    def _update(self, node_id: str, context: str | None, keywords: tuple[str, ...] | None, changes: ChangeSet) -> None:
        """Give a node a new topic or keywords, and a new embedding with them."""
        pending = changes.puts.get(("node", node_id))
        node = pending if isinstance(pending, QueryNode) else self._state.graph.bare(node_id)
        fields: dict[str, object] = {}
        if context and context != node.context:
            fields["context"] = context
        if keywords is not None and keywords != node.keywords:
            fields["keywords"] = keywords
        if fields:
            changed = node.model_copy(update=fields)
            [vector] = embedding_of(self.embedder, [changed.indexed_text])
            changes.put(changed.model_copy(update={"embedding": vector}))


def remade(node: QueryNode, content: str, *, calls: AgentCalls, embedder: Embedder | None) -> QueryNode:
    """The node with summary, topic, keywords and embedding made from `content` alone, and no longer stale."""
    words = keywords(content)
    summary = calls.structure(StructureRequest(content=content, keywords=words)).summary
    topic = next(iter(sentences(summary)), "")
    fresh = node.model_copy(
        update={"summary": summary, "context": topic, "keywords": words, "links": (), "stale": False}
    )
    [vector] = embedding_of(embedder, [fresh.indexed_text])
    return fresh.model_copy(update={"embedding": vector})
