"""Puts the parts of a bank together."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from typing import Self

from amb_core.attachments import AttachmentContent
from amb_core.call_lock import CallLock
from amb_core.clock import SteadyClock, SystemClock
from amb_core.errors import EmbedderMismatch, MissingExtra, OpenedBeforeFork, StoreError, StoreGone
from amb_core.memory.agent_counts import AgentCounts
from amb_core.memory.arguments import require_id, require_parts
from amb_core.memory.bank_files import ERASING, BankEraser, BankFiles, drop_old_index
from amb_core.memory.bank_lock import BankLock, FollowingBankLock
from amb_core.memory.bank_state import BankState
from amb_core.memory.blocks import Blocks
from amb_core.memory.change_set import ChangeSet
from amb_core.memory.derived_notes import DerivedNotes
from amb_core.memory.entry_views import EntryViews
from amb_core.memory.events import Events, events_of
from amb_core.memory.intake import Intake
from amb_core.memory.journal import PREFIX, Journal
from amb_core.memory.steps import Steps
from amb_core.memory.undigested import Undigested
from amb_core.memory.writer import Writer
from amb_core.models import ArchivedNode, EmbedderIdentity, InsightDoc, InteractionEntry, MergeEvent, QueryNode
from amb_core.protocols import Agents, Changed, Clock, Embedder, FollowedStore, RecordStore, Redactor
from amb_core.registry import find_extra, from_package
from amb_core.settings import Settings
from amb_core.stores import open_store

__all__ = ["BankParts", "check_embedder", "identity_of", "re_embedded"]

_log = logging.getLogger("amb.bank")


class BankParts:
    """Everything a bank is made of; opens what has names (store, embedder) and wires the rest, but reads nothing yet.

    `owns_store` says whether closing the bank closes the store, `keeps` whether it keeps the task by default.
    `store_url` and `embedder_name` are what the two were opened by, None when they were handed over as objects.
    """

    def __init__(
        self,
        insight: InsightDoc,
        *,
        agents: Agents | None,
        embedder: Embedder | str | None,
        store: str | RecordStore,
        settings: Settings | None,
        clock: Clock | None,
        keeps: bool,
        redactor: Redactor | None = None,
    ) -> None:
        self.keeps = keeps
        self.settings = settings = Settings() if settings is None else settings
        self.clock = SteadyClock(SystemClock() if clock is None else clock)
        self.owns_store = isinstance(store, str)
        self.store_url = store if isinstance(store, str) else None
        self.embedder_name = embedder if isinstance(embedder, str) else None
        self.embedder = _opened(embedder) if isinstance(embedder, str) else embedder
        require_parts(agents=agents, embedder=self.embedder, settings=settings, store=store, redactor=redactor)
        all_local, judged, planned = (True, False, False) if agents is None else _roles_of(agents)
        events, self._agents, self.counts = Events(), agents, AgentCounts()
        self._made: DerivedNotes | None = None
        self._making = CallLock()
        self.store = open_store(store, synchronous=settings.synchronous) if isinstance(store, str) else store
        self.files = BankFiles(settings, store_url=self.store_url, store=self.store)
        self.state = BankState(insight, embedder=self.embedder, vectors=_vectors_of(settings))
        self.entries = EntryViews(self.state, self.files.read)
        self.lock = self._lock()
        self.writer = Writer(
            state=self.state,
            journal=Journal(self.store, clock=self.clock, digests_here=settings.digests != "worker"),
            clock=self.clock,
            lock=self.lock,
            counts=self.counts,
            events=events,
            verifies=settings.disputes == "verify" or (settings.disputes == "auto" and judged),
            redactor=redactor,
        )
        self.writer.unaided = all_local and not self.writer.verifies
        self.state.graph.written_by_model = not all_local
        self.writer.lazy = settings.digests == "lazy" and self.writer.unaided
        self.undigested = Undigested(self.writer)
        self.steps = Steps(self.writer, self._notes, follows_loop=settings.disputes == "auto", plans_itself=planned)
        self.intake = Intake(self.undigested, self._notes, self.files)
        self.blocks = Blocks(self.writer, self.entries, self._notes, settings, self.steps)

    @property
    def notes(self) -> DerivedNotes:
        """The notes of the bank, with the agents that write and judge them: loaded when somebody asks for one."""
        with self._making:
            if self._made is None:
                made: DerivedNotes = from_package("amb_notes:NotePath")(self, self._agents)
                self._made = made
            return self._made

    def _notes(self) -> DerivedNotes:
        return self.notes

    def forget_notes(self) -> None:
        """Keep nothing of what was counted of texts, one of which is to leave no trace (hold the lock)."""
        if self._made is not None:
            self._made.forget()

    def _lock(self) -> BankLock:
        if isinstance(self.store, FollowedStore):
            return FollowingBankLock(self.store, prefix=PREFIX, follow=self._follow)
        return BankLock(repair=lambda: self._follow(None, True), forks=not self.store.capabilities.durable)

    def _follow(self, changed: Changed | None, anew: bool) -> None:
        """Take up what other processes have written; None for whatever there is (the lock held).

        After a call that was stopped everything is read `anew`, for nobody knows what of it is in memory.
        """
        before = self.state.usage
        if changed is None and not anew and self.writer.journal.is_current:
            return  # what was written beside the task, for instance into long-term memory in the same file
        if changed is None:
            stored = self.writer.journal.read()
            if not stored.puts:
                raise StoreGone("the task was deleted by another process; begin a new one in this store")
            self.state.renew(changes := stored)
        else:
            changes = self.writer.journal.changed(changed)
            self.state.check(changes)
            told = events_of(changes, self.state) if self.writer.events.wanted else ()
            self.state.apply(changes)
            self.writer.events.tell(*told)
        if changed is None or any(entry.forgotten for entry in changes.records(InteractionEntry)):
            self.state.graph.forget_removed()
            self.blocks.forget()
            self.forget_notes()
        if anew:
            self.undigested.note_left()
        if self.state.usage != before and not anew:
            self.counts.follow(self.state.usage, before)

    @property
    def current(self) -> BankState:
        """The state, with what other processes have written by now."""
        with self.lock.reading():
            return self.state

    @property
    def at_rest(self) -> bool:
        """Whether no step runs and nothing is being digested, so that closing and opening again changes nothing."""
        return not self.steps.running and self.intake.is_idle

    @property
    def with_notes(self) -> Self:
        """The same, once there are notes of all that came in: for whoever asks for notes (hold no lock)."""
        self.intake.make_notes()
        return self

    def wait_for_blocks(self) -> Blocks:
        """The blocks, after waiting until everything that was absorbed is digested."""
        self.intake.join()
        return self.blocks

    def open_waiting(self, attachment_id: str) -> AttachmentContent:
        """A waiting attachment with what is in its file; UnknownId when none of that id waits."""
        with self.lock:
            require_id("waiting attachment", attachment_id, among=self.state.waiting)
            attachment = self.state.waiting[attachment_id]
        return self.files.read(attachment)

    def release(self) -> None:
        """Close what the bank opened itself."""
        self.lock.end()
        if self.owns_store:
            self.store.close()

    @property
    def eraser(self) -> BankEraser:
        """Deletes what was forgotten down to the files."""
        return BankEraser(self.store, ERASING, self.files, self.state)

    def end(self, *, keep: bool) -> None:
        """Release everything; unless it is to be kept, the task and the files of its attachments are deleted first."""
        try:
            if not keep:
                with suppress(StoreError):  # a full disk keeps nobody from deleting
                    self.eraser.begin("-")
                self.writer.journal.clear()
            self.files.discard(self.state.insight.doc_id, keep=keep)
            if not keep:
                self.eraser.finish_if_possible("-")
        finally:
            self.release()

    def erase_left(self) -> None:
        """Go on where a process died: delete files that nobody holds, erase what was forgotten (hold no lock)."""
        drop_old_index(self.store)
        with self.lock:
            marks = self.eraser.sweep()
        if marks:
            self.eraser.finish_if_possible(*marks)

    def is_parents(self, *, keep: bool | None) -> bool:
        """Whether this is a child of a fork, which leaves what its parent opened as it is, and may not delete it."""
        if self.lock.foreign and keep is False:
            raise OpenedBeforeFork
        return self.lock.foreign

    def discard(self) -> None:
        """Take a task that failed to begin out of its store again, so that the next try finds it empty."""
        with suppress(StoreError):
            self.end(keep=False)


def _roles_of(agents: Agents) -> tuple[bool, bool, bool]:
    """Whether AMB's local agents do everything; whether another one judges; whether another one plans."""
    roles: tuple[bool, bool, bool] = from_package("amb_notes.note_path:roles_of")(agents)
    return roles


def _opened(embedder: str) -> Embedder | None:
    opened: Embedder | None = from_package("amb_embedders:open_embedder")(embedder)
    return opened


def _vectors_of(settings: Settings) -> Callable[[], object] | None:
    """How the index of vectors is made; None for the exact one, with a warning where hnswlib is wanted but missing."""
    if settings.vector_index == "exact":
        return None
    approximate: Callable[..., object] = find_extra(settings.vector_index)
    try:
        approximate()
    except MissingExtra as error:
        _log.warning("vectors are searched exactly: %s", error)
        return None
    return partial(approximate, least=settings.hnsw_from)


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
    vectors = from_package("amb_notes.drafts:embedding_of")(embedder, [node.indexed_text for node in nodes])
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
