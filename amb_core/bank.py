"""MemoryBank: the three layers of one task, joined with retrieval, the five agents and a store."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from amb_core.attachments import Attachment, AttachmentType
from amb_core.errors import BankClosed, InvalidParameter, InvalidToolResult
from amb_core.memory import arguments
from amb_core.memory.arguments import named_arguments
from amb_core.memory.bank_opener import BankOpener
from amb_core.memory.bank_parts import BankParts
from amb_core.memory.bank_state import BankSize
from amb_core.memory.entry_views import EntryView
from amb_core.memory.events import AbsorbReport, Listener
from amb_core.memory.step_places import parse_step_place
from amb_core.memory.steps import finished
from amb_core.models import (
    BankSnapshot,
    Conflict,
    InsightDoc,
    MergeEvent,
    QueryNode,
    Receipt,
    Span,
    StepResult,
    ToolResult,
)
from amb_core.protocols import Agents, Clock, Embedder, RecordStore, Redactor
from amb_core.rendering import MemoryBlock
from amb_core.scope import Scope
from amb_core.settings import Settings
from amb_core.tracing import traced
from amb_core.usage import Usage, accounting

if TYPE_CHECKING:
    from amb_core.bank_host import BankHost

__all__ = ["MemoryBank"]


class MemoryBank:
    """The memory of one task: takes texts in, keeps them as a graph of traceable notes, and gives bounded blocks out.

    Thread-safe. `agents` default to the local ones (no model, no key); `embedder` is an Embedder, a name, or None;
    `store` is a URL (`sqlite:///task.db`) or a RecordStore of yours, which is not closed. `ends="delete"` makes `close`
    delete the task; a `redactor` takes out what is not to be kept. InvalidInput: an empty goal, an occupied store.
    """

    @named_arguments
    def __init__(
        self,
        task_goal: str,
        *,
        agents: Agents | None = None,
        embedder: Embedder | str | None = None,
        store: str | RecordStore = "memory://",
        settings: Settings | None = None,
        clock: Clock | None = None,
        ends: arguments.Ending = "keep",
        redactor: Redactor | None = None,
    ) -> None:
        self._adopt(BankOpener(agents, embedder, store, settings, clock, ends, redactor).begin(task_goal))

    @classmethod
    @named_arguments
    def resume(
        cls,
        store: str | RecordStore,
        *,
        agents: Agents | None = None,
        embedder: Embedder | str | None = None,
        settings: Settings | None = None,
        clock: Clock | None = None,
        re_embed: bool = False,
        ends: arguments.Ending = "keep",
        redactor: Redactor | None = None,
    ) -> Self:
        """Open an unfinished task; what was absorbed but not digested when its process ended is digested now.

        Raises InvalidInput when the store holds no task, EmbedderMismatch unless `embedder` is the one it was
        written with or `re_embed` is set.
        """
        opener = BankOpener(agents, embedder, store, settings, clock, ends, redactor)
        return cls.__new__(cls)._adopt(opener.resume(re_embed=re_embed))

    @classmethod
    @named_arguments
    def load(
        cls,
        path: str | Path,
        *,
        agents: Agents | None = None,
        embedder: Embedder | str | None = None,
        store: str | RecordStore = "memory://",
        settings: Settings | None = None,
        clock: Clock | None = None,
        re_embed: bool = False,
        ends: arguments.Ending = "keep",
        redactor: Redactor | None = None,
    ) -> Self:
        """Open a bank from a file `export` wrote, in an empty store; InvalidExport says what is wrong with a file."""
        opener = BankOpener(agents, embedder, store, settings, clock, ends, redactor)
        return cls.__new__(cls)._adopt(opener.load(path, re_embed=re_embed))

    def _adopt(self, parts: BankParts) -> Self:
        self._parts, self._lock = parts, parts.lock
        self._closed = self._deleted = False
        return self

    @property
    def _open(self) -> BankParts:
        """What an open bank is made of; BankClosed after `close`."""
        if self._closed:
            raise BankClosed("this bank is closed; begin a new one, or resume it from its store")
        return self._parts

    @property
    def _noted(self) -> BankParts:
        """What the bank is made of, with notes of all that came in; once it is closed, with those there are."""
        return self._parts if self._closed else self._parts.with_notes

    @property
    def _for_blocks(self) -> BankParts:
        """The parts, with notes where these say more than their passages: by vectors, or in a model's words."""
        return self._open if self._parts.writer.unaided and self._parts.embedder is None else self._noted

    @named_arguments
    def read(self, text: str, *, source: str) -> AbsorbReport:
        """Take in a text of any length, such as the initial context; InvalidInput when it is blank."""
        arguments.require_text(text, f"the text from {str(source)[:80]!r} is empty; there is nothing to read")
        arguments.require_type(source, str, by="read(source=…)")
        return self._open.intake.take_in(text, {"kind": "read", "source": source})

    @named_arguments
    def absorb(self, result: ToolResult, *, wait: bool = True, lazy: bool = False) -> AbsorbReport:
        """Take in what a tool returned, so that it is memory at the next model call.

        The raw text is journalled before anything else. The same call with the same text is taken in once; a text
        that says nothing new makes no node. While a cross-validation is pending, a result from a source that neither
        side stands on is also tried as its evidence. `wait=False` returns after the raw text is safe and digests in
        the background, in order; the next `recall` or `enhance` waits for it. `lazy=True`, as adapters have
        it, leaves the notes until somebody asks for them, unless the setting `digests`, a model or a loop of steps
        has them made at once. Raises InvalidToolResult, or StoreError with nothing half-written.
        """
        arguments.require_type(result, ToolResult, by="absorb", error=InvalidToolResult)
        return self._open.intake.absorb(result, wait=wait, lazy=lazy)

    def attach(self, path: str | Path, *, type: AttachmentType | str = AttachmentType.IMAGE) -> Attachment:
        """Put a copy of a file into temporary storage, to be recognised by a step that the planner then plans.

        `path` is read as given, wherever on this machine it is: it must come from your code, never from a model.
        Raises InvalidParameter for an unknown type, UnreadableSource for a file that cannot be read.
        """
        return self._open.intake.attach(arguments.file_path(path), type=arguments.attachment_type(type))

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Call `listener` with a BankEvent for everything that happens from now on; the function returned ends that.

        It is called in the thread that made the change, while the bank is locked: be quick, wait for nobody, and only
        read. What it raises is logged. Its method `at_end`, if any, gets the bank, unlocked, before that is closed.
        """
        return self._open.writer.events.subscribe(listener)

    def flush(self) -> None:
        """Wait until all that was absorbed here is digested, raising the first failure; digest what others left raw."""
        self._open.intake.flush()

    @named_arguments
    def recall(self, query: str, *, budget_tokens: int | None = None, k: int | None = None) -> MemoryBlock:
        """The `<memory>` block for a query within a token budget; receipts best first.

        `k` bounds how many passages are shown; by default as many as the budget holds.
        """
        arguments.require_text(query, "the query is empty; say what is to be recalled", error=InvalidParameter)
        budget = self._open.blocks.budget(budget_tokens)
        blocks = self._for_blocks.wait_for_blocks()
        with traced("recall", memory="search_memory", budget=budget) as span:
            block = blocks.recall(query, budget=budget, k=k)
            span.update(tokens=block.tokens, nodes=len(block.receipts))
        return block

    @named_arguments
    def enhance(
        self, *, query: str | None = None, budget_tokens: int | None = None, shared: MemoryBank | None = None
    ) -> MemoryBlock:
        """The whole block for the next model call: `<task>`, then `<memory>` for the pending step (or `query`).

        Passages of a `shared` bank compete for the budget; then notes are `p12` of this bank, `s12` of the shared one.
        """
        arguments.require_type(query or "", str, by="enhance(query=…)", error=InvalidParameter)
        if shared is not None:
            arguments.require_type(shared, MemoryBank, by="enhance(shared=…)", error=InvalidParameter)
        budget = self._open.blocks.budget(budget_tokens)
        others = None if shared is None else shared._noted.wait_for_blocks()
        own = self._noted.wait_for_blocks()
        asked = query if query and query.strip() else None
        return own.whole_block(self.host.plan_to_tell() or self.insight, query=asked, budget=budget, shared=others)

    @contextmanager
    def metered(self) -> Iterator[None]:
        """Count the model calls made inside, in this thread, into `usage`: those of an agent that works on this task.

        Threads started inside count when they run in a copy of the context (`contextvars.copy_context().run`).
        """
        with accounting(self._open.counts.ledger):
            try:
                yield
            finally:
                if not self._closed:
                    self._parts.writer.keep_usage()

    def deep_retrieval(self, node_id: str) -> list[EntryView]:
        """Every raw entry behind a node or of a "step 12", oldest first, attachments opened.

        In the place of one that its host took back stands the newest of its call; without text where none does.
        """
        parts = self._noted if parse_step_place(node_id) is None else self._open
        with self._lock.reading():
            return parts.entries.entries_of(node_id)

    def open(self, what: str | Receipt, *, budget_tokens: int = 2_000, page: int = 0) -> str:
        """The raw text behind a step, a note, or a receipt of a block.

        A step may be named with lines or a record of it: "step 12 lines 4-8", "step 12 flights[2]". Of a step or a note
        it is one page of escaped text; of a receipt what the block shows of it, as it came. UnknownId where none is.
        """
        if isinstance(what, Receipt):
            tree = self._open.state.tree
            with self._lock.reading():
                return "\n".join(filter(None, map(tree.text_of, what.spans)))
        node_id = what
        parts = self._open if parse_step_place(node_id) is not None else self._open.with_notes
        return parts.blocks.source_page(node_id, budget_tokens=budget_tokens, page=page)

    def plan(self) -> InsightDoc:
        """The Insight Doc, with the next step planned anew when the state has changed."""
        return self._open.with_notes.steps.plan()

    def begin_step(self) -> InsightDoc:
        """Plan, and hold the plan still until `finish_step`; outer loops call it before each step.

        From the first one on `disputes="auto"` means `"verify"`: a step that is planned will really be done.
        """
        return self._open.with_notes.steps.begin()

    def change_goal(self, goal: str) -> InsightDoc:
        """Open an Insight Doc for another question; the one before is kept in `earlier`. InvalidInput when blank."""
        arguments.require_text(goal, "the new goal is empty; say in a sentence what is asked now")
        return self._open.steps.change_goal(goal.strip())

    def finish_step(self, step: StepResult) -> InsightDoc:
        """Close the pending step: take in its tool results, settle what it verified or recognised, plan the next."""
        arguments.require_type(step, StepResult, by="finish_step")
        pending = self._open.with_notes.current.insight.pending
        self._open.intake.take_step(step, pending=pending)
        return self._parts.steps.close(step, pending=pending)

    def forget(self, entry_id: str) -> None:
        """Delete an entry and all that was derived from it; a tombstone without content stays. UnknownId if none.

        It may be named as blocks and pages show it: "e12", "step 12", 第12步; a step goes with what was said at it.

        A replay of its call (same run, call id and text) stays forgotten. Merged ids still lead to what remains of
        their successor, but a merge that a side was forgotten of can no longer be undone.
        """
        from amb_core.memory.forgetter import entries_named, forget_entry  # here, for most tasks forget nothing

        for one in entries_named(self._open, entry_id):
            forget_entry(self._open, one)

    def undo_merge(self, event_id: str) -> None:
        """Put the merged nodes, their links, neighbours and conflict back as they were before the merge."""
        self._open.notes.undo_merge(event_id)

    @property
    def host(self) -> BankHost:
        """What adapters and loops ask of a bank."""
        from amb_core.bank_host import BankHost  # here, for who reads a bank asks none of it

        return BankHost(self)

    @property
    def settings(self) -> Settings:
        """The settings this bank works with."""
        return self._parts.settings

    @property
    def scope(self) -> Scope | None:
        """Whose memory this is, kept with the bank; None while nobody was named."""
        return self._parts.current.scope

    @property
    def closed(self) -> bool:
        """Whether `close` was called."""
        return self._closed

    @property
    def finished(self) -> bool:
        """Whether nothing is pending and every step succeeded, was done again, or was given up."""
        return finished(self._parts.current.insight)

    @property
    def insight(self) -> InsightDoc:
        """The Insight Doc as it stands."""
        return self._parts.current.insight

    @property
    def nodes(self) -> tuple[QueryNode, ...]:
        """All living nodes, oldest first."""
        parts = self._noted
        with self._lock.reading():
            return parts.current.nodes()

    @property
    def size(self) -> BankSize:
        """How much the bank holds."""
        parts = self._noted
        with self._lock.reading():
            return parts.current.size()

    @property
    def conflicts(self) -> tuple[Conflict, ...]:
        """All conflicts, settled ones included, oldest first."""
        return tuple(self._noted.current.conflicts.values())

    @property
    def merges(self) -> tuple[MergeEvent, ...]:
        """All merge events, undone ones included, oldest first."""
        return tuple(self._noted.current.merges.values())

    @property
    def waiting(self) -> tuple[Attachment, ...]:
        """Attachments that wait to be recognised."""
        return tuple(self._parts.current.waiting.values())

    @property
    def usage(self) -> Usage:
        """Calls per role, second tries, fallbacks and model calls so far; kept in the store with the rest."""
        return self._parts.counts.usage

    def node(self, node_id: str) -> QueryNode:
        """A node by id; a merged id leads to its successor; UnknownId lists ids that look alike."""
        parts = self._noted
        with self._lock.reading():
            return parts.current.graph.node(self._open.entries.node(node_id).id)

    def passages(self, node_id: str) -> tuple[tuple[Span, str], ...]:
        """The raw text a node stands on, span by span, without what was refuted or forgotten."""
        with self._lock.reading():
            return self._parts.current.graph.passages(self.node(node_id))

    def snapshot(self) -> BankSnapshot:
        """The whole bank as one value."""
        parts = self._noted
        with self._lock.reading():
            return parts.current.snapshot()

    def export(self, path: str | Path) -> Path:
        """Write the whole bank to a JSON file, atomically."""
        from amb_core.memory.snapshots import write_snapshot  # here, for most tasks stay in their stores

        self.flush()
        return write_snapshot(self.snapshot(), arguments.file_path(path))

    def close(self, *, keep: bool | None = None) -> None:
        """Let go of the store. A durable one keeps the task, to be resumed; `memory://` ends with its bank.

        `keep=False` deletes the task and the files of its attachments, and so does a bank that was opened with
        `ends="delete"`, unless `keep=True`. Closing twice is no error.
        """
        if self._closed or self._parts.is_parents(keep=keep):
            return
        self._parts.writer.events.end(self, keep=keep)
        kept = (self._parts.keeps if keep is None else keep) and self._parts.store_url != "memory://"
        try:
            self._parts.intake.stop()
        finally:
            self._closed, self._deleted = True, not kept
            self._parts.end(keep=kept)

    def delete(self) -> None:
        """End the task: delete its memory and attachments, and close; twice is no error. BankClosed for one kept."""
        if self._closed and not self._deleted:
            raise BankClosed("this bank was closed and its task kept; delete it by MemoryBank.resume(…).delete()")
        self.close(keep=False)

    def __getattr__(self, name: str) -> Any:
        from amb_core.bank_host import moved_name

        return moved_name(self, name)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *error: object) -> None:
        """Close; after an error a durable store is kept even with `ends="delete"`, so that it can be resumed."""
        self.close(keep=None if kind is None else True)
