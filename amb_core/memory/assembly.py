"""Puts the parts of a bank together."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial

from amb_core.agent_io import NodeView
from amb_core.clock import SteadyClock, SystemClock
from amb_core.errors import EmbedderMismatch, MissingExtra, StoreError
from amb_core.memory.absorption import Absorber
from amb_core.memory.agent_calls import AgentCalls
from amb_core.memory.arguments import require_id, require_parts
from amb_core.memory.blocks import Blocks
from amb_core.memory.change_set import ChangeSet
from amb_core.memory.digestion import Drafter, Weaver, embedding_of
from amb_core.memory.events import Events
from amb_core.memory.evidence import Evidence
from amb_core.memory.files import BankFiles, Eraser
from amb_core.memory.intake import Intake
from amb_core.memory.journal import Journal
from amb_core.memory.kept_index import KeptIndex
from amb_core.memory.merger import Merger
from amb_core.memory.planner import Planner
from amb_core.memory.row_store import RowStore
from amb_core.memory.settler import Settler
from amb_core.memory.state import BankState
from amb_core.memory.steps import Steps
from amb_core.memory.witnesses import Witnesses
from amb_core.memory.writer import Writer
from amb_core.models import ArchivedNode, AttachmentContent, EmbedderIdentity, InsightDoc, MergeEvent, QueryNode
from amb_core.protocols import Agents, Clock, Embedder, RecordStore
from amb_core.retrieval import DenseIndex
from amb_core.settings import Settings
from amb_core.stores import open_store

__all__ = ["Parts", "assemble", "check_embedder", "identity_of", "re_embedded"]

_log = logging.getLogger("amb.bank")


@dataclass(frozen=True, slots=True)
class Parts:
    """Everything a bank is made of.

    `owns_store` says whether closing the bank closes the store, `keeps` whether it keeps the task by default.
    `store_url` and `embedder_name` are what the two were opened by, None when they were handed over as objects.
    """

    settings: Settings
    clock: SteadyClock
    embedder: Embedder | None
    store: RecordStore
    owns_store: bool
    files: BankFiles
    calls: AgentCalls
    lock: threading.RLock
    state: BankState
    evidence: Evidence
    writer: Writer
    settler: Settler
    absorber: Absorber
    steps: Steps
    intake: Intake
    blocks: Blocks
    store_url: str | None
    embedder_name: str | None
    index: KeptIndex | None
    keeps: bool

    def open_waiting(self, attachment_id: str) -> AttachmentContent:
        """A waiting attachment with what is in its file; UnknownId when none of that id waits."""
        with self.lock:
            require_id("waiting attachment", attachment_id, among=self.state.waiting)
            attachment = self.state.waiting[attachment_id]
        return self.files.read(attachment)

    def keep_index(self) -> None:
        """Keep what was worked out from the records beside a store in a file, for the next opening."""
        if self.index is not None:
            with self.lock:
                self.index.write(self.state)

    def drop_index(self) -> None:
        """Remove what was kept, with every word in it."""
        if self.index is not None:
            self.index.drop()

    def release(self) -> None:
        """Close what the bank opened itself."""
        if self.owns_store:
            self.store.close()

    @property
    def eraser(self) -> Eraser:
        """Deletes what was forgotten down to the files."""
        return Eraser(self.store, self.files, self.state)

    def end(self, *, keep: bool) -> None:
        """Release everything; unless it is to be kept, the task and the files of its attachments are deleted first."""
        try:
            if keep:
                self.keep_index()
            else:
                self.drop_index()
                with suppress(StoreError):  # a full disk keeps nobody from deleting
                    self.eraser.begin("-")
                self.writer.journal.clear()
            self.files.discard(self.state.insight.doc_id, keep=keep)
            if not keep:
                self.eraser.finish_if_possible("-")
        finally:
            self.release()

    def discard(self) -> None:
        """Take a task that failed to begin out of its store again, so that the next try finds it empty."""
        with suppress(StoreError):
            self.end(keep=False)


def assemble(
    insight: InsightDoc,
    *,
    agents: Agents | None,
    embedder: Embedder | str | None,
    store: str | RecordStore,
    settings: Settings | None,
    clock: Clock | None,
    keeps: bool,
) -> Parts:
    """Open what has names (store, embedder) and wire the rest; nothing is read or written yet."""
    from amb_core.agents import local_agents  # here, for it would be a fifth of `import amb_core`

    settings = Settings() if settings is None else settings
    steady = SteadyClock(SystemClock() if clock is None else clock)
    store_url = store if isinstance(store, str) else None
    embedder_name = embedder if isinstance(embedder, str) else None
    embedder = _opened(embedder) if isinstance(embedder, str) else embedder
    given: dict[str, object] = {"agents": agents, "embedder": embedder, "settings": settings}
    require_parts(**{name: part for name, part in given.items() if part is not None})
    if store_url is None:
        require_parts(store=store)
    twins = local_agents(settings)
    events = Events()
    calls = AgentCalls(agents or twins, twins=twins, events=events, deadline=settings.agent_deadline)
    files = BankFiles(settings, store_url=store_url)
    opened = open_store(store, synchronous=settings.synchronous) if isinstance(store, str) else store
    state = BankState(insight, embedder=embedder, vectors=_vectors_of(settings))
    evidence = Evidence(state, files.read, Witnesses(state))
    journal = Journal(opened, clock=steady)
    weaver = Weaver(calls, evidence, embedder=embedder, candidates=settings.candidates)
    writer = _writer(state, weaver, journal=journal, clock=steady, calls=calls, events=events, of=settings)
    settler = Settler(writer, Merger(calls, evidence, embedder, settings.candidates))
    index = KeptIndex(opened, least=settings.index_file_from) if isinstance(opened, RowStore) else None
    absorber = _absorber(writer, settler, embedder=embedder)
    steps = Steps(writer, settler, Planner(calls, evidence), follows_loop=settings.disputes == "auto")
    state.applied = None if index is None else index.grown
    return Parts(
        settings=settings,
        clock=steady,
        embedder=embedder,
        store=opened,
        owns_store=isinstance(store, str),
        files=files,
        calls=calls,
        lock=writer.lock,
        state=state,
        evidence=evidence,
        writer=writer,
        settler=settler,
        absorber=absorber,
        steps=steps,
        intake=Intake(absorber, files),
        blocks=Blocks(writer, evidence, settings, steps),
        store_url=store_url,
        embedder_name=embedder_name,
        index=index,
        keeps=keeps,
    )


def _opened(embedder: str) -> Embedder | None:
    from amb_core.embedders import open_embedder  # here, for a bank needs none

    return open_embedder(embedder)


def _writer(
    state: BankState,
    weaver: Weaver,
    *,
    journal: Journal,
    clock: Clock,
    calls: AgentCalls,
    events: Events,
    of: Settings,
) -> Writer:
    """What writes the bank, with its lock."""
    return Writer(
        state=state,
        journal=journal,
        weaver=weaver,
        clock=clock,
        lock=threading.RLock(),
        calls=calls,
        events=events,
        verifies=of.disputes == "verify" or (of.disputes == "auto" and calls.judged_by_model),
    )


def _absorber(writer: Writer, settler: Settler, *, embedder: Embedder | None) -> Absorber:
    """What takes texts in."""

    def candidates(text: str) -> tuple[NodeView, ...]:
        with writer.lock:
            return writer.weaver.candidates_of_text(text)

    return Absorber(writer, Drafter(writer.calls, embedder=embedder, candidates=candidates), settler)


def _vectors_of(settings: Settings) -> Callable[[], DenseIndex]:
    """How the index of vectors is made; the exact one, with a warning, where hnswlib is wanted but missing."""
    if settings.vector_index == "exact":
        return DenseIndex
    from amb_core.retrieval import ApproximateIndex  # here, for most banks search exactly

    try:
        ApproximateIndex()
    except MissingExtra as error:
        _log.warning("vectors are searched exactly: %s", error)
        return DenseIndex
    return partial(ApproximateIndex, least=settings.hnsw_from)


def identity_of(embedder: Embedder | None) -> list[EmbedderIdentity]:
    """The embedder's identity as a record, or nothing without one."""
    return [] if embedder is None else [EmbedderIdentity(model_id=embedder.model_id, dimension=embedder.dimension)]


def check_embedder(changes: ChangeSet, embedder: Embedder | None) -> None:
    """EmbedderMismatch unless the stored vectors come from this very embedder (or there are neither)."""
    stored = changes.puts.get(("embedder", "-"))
    ours = next(iter(identity_of(embedder)), None)
    if stored != ours:
        names = [
            f"{x.model_id!r} ({x.dimension} dimensions)" if isinstance(x, EmbedderIdentity) else "none"
            for x in (stored, ours)
        ]
        raise EmbedderMismatch(
            f"this memory was written with embedder {names[0]}, but {names[1]} was given; "
            "name that one, or pass re_embed=True to compute all vectors anew"
        )


def re_embedded(stored: ChangeSet, embedder: Embedder | None) -> ChangeSet:
    """The change that gives every node a bank keeps a vector of this embedder (or none), and the identity with it.

    Kept are living nodes, archived ones, and the neighbours as they were before each merge. EmbedderMismatch when the
    embedder fails: new text can do without vectors, but what was asked for here are vectors.
    """
    nodes = list(_nodes_in(stored))
    vectors = embedding_of(embedder, [node.indexed_text for node in nodes])
    if embedder is not None and None in vectors:
        raise EmbedderMismatch(f"embedder {embedder.model_id!r} could not embed the memory; nothing was changed")
    fresh = iter([n.model_copy(update={"embedding": v}) for n, v in zip(nodes, vectors, strict=True)])
    changes = ChangeSet(last=dict(stored.last))
    for record in stored.puts.values():
        match record:
            case QueryNode():
                changes.put(next(fresh))
            case ArchivedNode():
                changes.put(record.model_copy(update={"node": next(fresh)}))
            case MergeEvent():
                before = tuple(next(fresh) for _ in record.neighbours_before)
                changes.put(record.model_copy(update={"neighbours_before": before}))
    changes.put(*identity_of(embedder))
    if embedder is None:
        changes.delete("embedder", ["-"])
    return changes


def _nodes_in(stored: ChangeSet) -> Iterator[QueryNode]:
    """Every node in the records, in their order."""
    for record in stored.puts.values():
        match record:
            case QueryNode():
                yield record
            case ArchivedNode():
                yield record.node
            case MergeEvent():
                yield from record.neighbours_before
