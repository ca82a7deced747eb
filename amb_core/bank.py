"""MemoryBank: the three layers of one task, joined with retrieval, the five agents and a store."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Literal, Self

from amb_core.accounting import accounting
from amb_core.errors import BankClosed, InvalidParameter, InvalidToolResult, ScopeMixed
from amb_core.memory import arguments
from amb_core.memory.assembly import Parts
from amb_core.memory.blocks import Blocks
from amb_core.memory.entry_pages import deep_retrieval_text
from amb_core.memory.events import Listener
from amb_core.memory.evidence import EntryView
from amb_core.memory.forgetting import Forgetter
from amb_core.memory.intake import Intake
from amb_core.memory.looking import Looking
from amb_core.memory.planning import parse_task
from amb_core.memory.reports import AbsorbReport
from amb_core.memory.snapshots import write_snapshot
from amb_core.memory.startup import Opening
from amb_core.models import (
    Attachment,
    AttachmentContent,
    AttachmentType,
    Injection,
    InsightDoc,
    StepResult,
    ToolResult,
)
from amb_core.protocols import Agents, Clock, Embedder, Hit, RecordStore
from amb_core.rendering import MemoryBlock, MemoryItem
from amb_core.scope import Scope
from amb_core.settings import Settings

__all__ = ["MemoryBank"]

Ending = Literal["keep", "delete"]
"""What `close` does with a durable task."""


class MemoryBank(Looking):
    """The memory of one task: takes texts in, keeps them as a graph of traceable notes, and gives bounded blocks out.

    Thread-safe. `agents` default to the local ones (no model, no key); `embedder` is an Embedder, a name for
    `open_embedder`, or None; `store` is a URL (`memory://`, `sqlite:///task.db`) or a RecordStore of yours, which is
    then not closed. `ends="delete"` makes `close` the end of the task, which deletes it; by default a durable store
    keeps it. Raises InvalidInput for an empty goal or a store that already holds a task.
    """

    def __init__(
        self,
        task_goal: str,
        *,
        agents: Agents | None = None,
        embedder: Embedder | str | None = None,
        store: str | RecordStore = "memory://",
        settings: Settings | None = None,
        clock: Clock | None = None,
        ends: Ending = "keep",
    ) -> None:
        arguments.require_text(task_goal, "the task goal is empty; say in a sentence what the memory is for")
        goal, context = parse_task(task_goal)
        keeps = _keeps(ends)
        self._adopt(Opening(agents, embedder, store, settings, clock).begin(goal), keeps=keeps)
        try:
            if context:
                self.read(context, source="context")
            self.plan()
        except BaseException:
            self._parts.discard()
            raise

    @classmethod
    def resume(
        cls,
        store: str | RecordStore,
        *,
        agents: Agents | None = None,
        embedder: Embedder | str | None = None,
        settings: Settings | None = None,
        clock: Clock | None = None,
        re_embed: bool = False,
        ends: Ending = "keep",
    ) -> Self:
        """Open an unfinished task; what was absorbed but not digested when its process ended is digested now.

        Raises InvalidInput when the store holds no task, EmbedderMismatch unless `embedder` is the one it was
        written with or `re_embed` is set.
        """
        bank, keeps = cls.__new__(cls), _keeps(ends)
        bank._adopt(Opening(agents, embedder, store, settings, clock).resume(re_embed=re_embed), keeps=keeps)
        bank.plan()
        return bank

    @classmethod
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
        ends: Ending = "keep",
    ) -> Self:
        """Open a bank from a file `export` wrote, in an empty store; InvalidExport says what is wrong with a file."""
        bank, keeps, file = cls.__new__(cls), _keeps(ends), arguments.file_path(path)
        bank._adopt(Opening(agents, embedder, store, settings, clock).load(file, re_embed=re_embed), keeps=keeps)
        return bank

    def _adopt(self, parts: Parts, *, keeps: bool) -> None:
        self._parts, self._keeps = parts, keeps
        self._state = parts.state
        self._lock = parts.lock
        self._blocks = Blocks(parts.writer, parts.evidence, parts.settings, parts.steps)
        self._intake = Intake(parts.absorber, parts.files)
        self._closed = self._deleted = False

    # --- taking in ---------------------------------------------------------------------------------------------------

    def read(self, text: str, *, source: str) -> AbsorbReport:
        """Take in a text of any length, such as the initial context; InvalidInput when it is blank."""
        self._check_open()
        arguments.require_text(text, f"the text from {str(source)[:80]!r} is empty; there is nothing to read")
        arguments.require_type(source, str, by="read(source=…)")
        return self._intake.take_in(text, {"kind": "read", "source": source})

    def absorb(self, result: ToolResult, *, wait: bool = True) -> AbsorbReport:
        """Take in what a tool returned, so that it is memory at the next model call.

        The raw text is journalled before anything else. The same call with the same text is taken in once; a text
        that says nothing new makes no node. While a cross-validation is pending, a result from a source that neither
        side stands on is also tried as its evidence. `wait=False` returns after the raw text is safe and digests in
        the background, in order; the next `recall` or `enhance` waits for it. Raises InvalidToolResult, or StoreError
        with nothing half-written.
        """
        self._check_open()
        arguments.require_type(result, ToolResult, by="absorb", error=InvalidToolResult)
        return self._intake.absorb(result, wait=wait)

    def attach(self, path: str | Path, *, type: AttachmentType | str = AttachmentType.IMAGE) -> Attachment:
        """Put a copy of a file into temporary storage, to be recognised by a step that the planner then plans.

        `path` is read as given, wherever on this machine it is: it must come from your code, never from a model.
        Raises InvalidParameter for an unknown type, UnreadableSource for a file that cannot be read.
        """
        self._check_open()
        kind, file = arguments.attachment_type(type), arguments.file_path(path)
        with self._lock:
            changes = self._state.changes()
            stored = self._parts.files.receive(self._state.insight.doc_id, file, type=kind)
            attachment = Attachment(id=changes.new_id("a"), type=kind, content=str(stored))
            changes.put(attachment)
            try:
                self._parts.writer.commit(changes)
            except BaseException:
                self._parts.files.remove([attachment])
                raise
            return attachment

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Call `listener` with a BankEvent for everything that happens from now on; the function returned ends that.

        It is called in the thread that made the change, while the bank is locked: be quick, and wait for no other
        thread. It may read the bank. What it raises is logged and goes no further.
        """
        self._check_open()
        return self._parts.writer.events.subscribe(listener)

    def flush(self) -> None:
        """Wait until everything absorbed with `wait=False` is digested; the first failure there is raised."""
        self._check_open()
        self._intake.flush()

    # --- giving out --------------------------------------------------------------------------------------------------

    def recall(self, query: str, *, budget_tokens: int | None = None, k: int | None = None) -> MemoryBlock:
        """The `<memory>` block for a query within a token budget; receipts best first.

        `k` bounds how many nodes are considered; by default as many as the budget can use.
        """
        self._check_open()
        arguments.require_text(query, "the query is empty; say what is to be recalled", error=InvalidParameter)
        k = None if k is None else arguments.whole_number("k", k, least=1)
        budget = self._blocks.budget(budget_tokens)
        self._intake.join()
        with self._lock:
            return self._blocks.recall(query, budget=budget, k=k)

    def enhance(
        self, *, query: str | None = None, budget_tokens: int | None = None, team: MemoryBank | None = None
    ) -> MemoryBlock:
        """The whole block for the next model call: `<task>`, then `<memory>` for the pending step (or `query`).

        With the bank of a `team`, notes of both compete for the budget; then `p12` is this bank's, `s12` the team's.
        """
        self._check_open()
        arguments.require_type(query or "", str, by="enhance(query=…)", error=InvalidParameter)
        query = query if query and query.strip() else None
        budget = self._blocks.budget(budget_tokens)
        offer = None
        if team is not None:
            team._check_open()
            team._intake.join()
            offer = team._offered
        self._intake.join()
        insight = self.plan()
        with self._lock:
            return self._blocks.whole(insight, query=query, budget=budget, team=offer)

    def _offered(self, query: str, budget: int) -> list[MemoryItem]:
        with self._lock:
            return self._blocks.offered(query, budget=budget)

    def log_injection(self, block: MemoryBlock, *, prompt_tokens: int, raw_tokens: int) -> Injection:
        """Remember that a block went into a request, for the record of what was injected when and why."""
        self._check_open()
        arguments.require_type(block, MemoryBlock, by="log_injection")
        prompt_tokens = arguments.whole_number("prompt_tokens", prompt_tokens, least=0)
        raw_tokens = arguments.whole_number("raw_tokens", raw_tokens, least=0)
        with self._lock:
            return self._blocks.log(block, prompt_tokens=prompt_tokens, raw_tokens=raw_tokens)

    @contextmanager
    def metered(self) -> Iterator[None]:
        """Count the model calls made inside, in this thread, into `usage`: those of an agent that works on this task.

        Threads started inside count when they run in a copy of the context (`contextvars.copy_context().run`).
        """
        self._check_open()
        with accounting(self._parts.calls.ledger):
            try:
                yield
            finally:
                if not self._closed:
                    self._parts.writer.keep_usage()

    def deep_retrieval(self, node_id: str) -> list[EntryView]:
        """Every raw entry behind a node, oldest first, attachments opened; a merged id leads to its successor."""
        self._check_open()
        with self._lock:
            node = self.node(node_id)
            return [self._parts.evidence.entry_view(entry) for entry in self._state.tree.of_spans(node.sources)]

    def deep_retrieval_text(self, node_id: str, *, budget_tokens: int = 2_000, page: int = 0) -> str:
        """One page of `deep_retrieval` as text for a model, escaped."""
        page = arguments.whole_number("page", page, least=0)
        budget = self._blocks.budget(budget_tokens)
        entries = self.deep_retrieval(node_id)
        with self._lock:
            item = self._parts.evidence.item(Hit(id=self.node(node_id).id, score=0.0, reason="opened"))
        language = self._blocks.language
        return deep_retrieval_text(item, entries, budget_tokens=budget, page=page, language=language)

    def open_waiting(self, attachment_id: str) -> AttachmentContent:
        """A waiting attachment with what is in its file; UnknownId when none of that id waits."""
        self._check_open()
        with self._lock:
            arguments.require_id("waiting attachment", attachment_id, among=self._state.waiting)
            attachment = self._state.waiting[attachment_id]
        return self._parts.files.read(attachment)

    # --- steps -------------------------------------------------------------------------------------------------------

    def plan(self) -> InsightDoc:
        """The Insight Doc, with the next step planned anew when the state has changed."""
        self._check_open()
        return self._parts.steps.plan()

    def begin_step(self) -> InsightDoc:
        """Plan, and hold the plan still until `finish_step`; outer loops call it before each step.

        From the first one on `disputes="auto"` means `"verify"`: a step that is planned will really be done.
        """
        self._check_open()
        return self._parts.steps.begin()

    def abandon_step(self) -> None:
        """Let the plan move again after a step that was begun and will not be finished; otherwise no effect."""
        self._check_open()
        self._parts.steps.running = False

    def finish_step(self, step: StepResult) -> InsightDoc:
        """Close the pending step: take in its tool results, settle what it verified or recognised, plan the next."""
        self._check_open()
        arguments.require_type(step, StepResult, by="finish_step")
        pending = self._state.insight.pending
        self._intake.take_step(step, pending=pending)
        return self._parts.steps.close(step, pending=pending)

    # --- changing the past -------------------------------------------------------------------------------------------

    def forget(self, entry_id: str) -> None:
        """Delete an entry and all that was derived from it; a tombstone without content stays. UnknownId if none.

        A replay of its call (same run, call id and text) stays forgotten. Merged ids still lead to what remains of
        their successor, but a merge that a side was forgotten of can no longer be undone.
        """
        self._check_open()
        with self._lock:
            arguments.require_id("entry", entry_id, among=self._state.tree.entries)
            changes = self._state.changes()
            Forgetter(self._state, self._parts.calls, self._parts.embedder).forget(entry_id, changes)
            gone = [self._state.tree.entries[entry.entry_id] for entry in changes.entries()]
            attachments = [attachment for entry in gone for attachment in entry.attachments]
            self._parts.eraser.begin(entry_id)
            self._parts.writer.commit(changes)
        try:
            self._parts.steps.plan()
        finally:  # what the step planned before said of it is gone only now
            with self._lock:
                self._parts.drop_index()
                self._parts.evidence.witnesses.forget()
                self._parts.eraser.finish(entry_id, attachments)

    def undo_merge(self, event_id: str) -> None:
        """Put the merged nodes, their links, neighbours and conflict back as they were before the merge."""
        self._check_open()
        with self._lock:
            arguments.require_id("merge event", event_id, among=self._state.merges)
        self._parts.settler.undo(event_id)

    # --- life ---------------------------------------------------------------------------------------------------------

    def export(self, path: str | Path) -> Path:
        """Write the whole bank to a JSON file, atomically."""
        self._check_open()
        self.flush()
        return write_snapshot(self.snapshot(), arguments.file_path(path))

    def assign(self, scope: Scope) -> Scope:
        """Say whose memory this is, which is kept with it; returns what is named by now.

        Integrations do this with what their framework names. Raises ScopeMixed when it is somebody else's.
        """
        self._check_open()
        arguments.require_type(scope, Scope, by="assign", error=InvalidParameter)
        with self._lock:
            held = self._state.scope or Scope()
            if held.differs(scope):
                raise ScopeMixed("another user or thread", held=held, met=scope)
            joined = held.joined(scope)
            if joined != held:
                changes = self._state.changes()
                changes.put(joined)
                self._parts.writer.commit(changes)
            return joined

    def close(self, *, keep: bool | None = None) -> None:
        """Let go of the store. A durable one keeps the task, to be resumed; `memory://` ends with its bank.

        `keep=False` deletes the task and the files of its attachments, and so does a bank that was opened with
        `ends="delete"`, unless `keep=True`. Closing twice is no error.
        """
        if self._closed:
            return
        kept = (self._keeps if keep is None else keep) and self.store_url != "memory://"
        try:
            self._intake.stop()
        finally:
            self._closed = True
            self._deleted = not kept
            self._parts.end(keep=kept)

    def delete(self) -> None:
        """End the task: delete its memory and the files of its attachments, and close. Twice is no error.

        Raises BankClosed for a bank that was closed and kept; resume it to delete it.
        """
        if self._closed and not self._deleted:
            raise BankClosed("this bank was closed and its task kept; delete it by MemoryBank.resume(…).delete().")
        self.close(keep=False)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close; after an error a durable store is kept even with `ends="delete"`, so that it can be resumed."""
        self.close(keep=None if error is None else True)


def _keeps(ends: str) -> bool:
    if ends not in ("keep", "delete"):
        raise InvalidParameter(f'`ends` says what closing a bank does: "keep" or "delete", not {ends!r:.40}.')
    return ends == "keep"
