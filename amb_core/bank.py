"""MemoryBank: the three layers of one task, joined with retrieval, the five agents and a store."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Self

from amb_core.attachments import Attachment, AttachmentType
from amb_core.bank_host import BankHost, OpenBank, moved_name
from amb_core.errors import BankClosed, InvalidParameter, InvalidToolResult
from amb_core.memory import arguments
from amb_core.memory.arguments import named_arguments
from amb_core.memory.bank_opener import BankOpener
from amb_core.memory.bank_state import BankSize
from amb_core.memory.events import AbsorbReport
from amb_core.memory.step_places import parse_step_place
from amb_core.models import (
    BankSnapshot,
    Conflict,
    InsightDoc,
    MergeEvent,
    QueryNode,
    Receipt,
    ToolResult,
)
from amb_core.protocols import Agents, Clock, Embedder, RecordStore, Redactor
from amb_core.rendering import MemoryBlock
from amb_core.settings import Settings
from amb_core.tracing import traced
from amb_core.usage import Usage

__all__ = ["MemoryBank"]


class MemoryBank(OpenBank):
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

    def forget(self, entry_id: str) -> None:
        """Delete an entry and all that was derived from it; a tombstone without content stays. UnknownId if none.

        It may be named as blocks and pages show it: "e12", "step 12", 第12步; a step goes with what was said at it.

        A replay of its call (same run, call id and text) stays forgotten. Merged ids still lead to what remains of
        their successor, but a merge that a side was forgotten of can no longer be undone.
        """
        from amb_core.memory.forgetter import entries_named, forget_entry  # here, for most tasks forget nothing

        for one in entries_named(self._open, entry_id):
            forget_entry(self._open, one)

    @property
    def host(self) -> BankHost:
        """What adapters and loops ask of a bank."""
        return BankHost(self)

    def __getattr__(self, name: str) -> Any:
        return moved_name(self, name)

    @property
    def settings(self) -> Settings:
        """The settings this bank works with."""
        return self._parts.settings

    @property
    def closed(self) -> bool:
        """Whether `close` was called."""
        return self._closed

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
    def usage(self) -> Usage:
        """Calls per role, second tries, fallbacks and model calls so far; kept in the store with the rest."""
        return self._parts.counts.usage

    def snapshot(self) -> BankSnapshot:
        """The whole bank as one value."""
        parts = self._noted
        with self._lock.reading():
            return parts.current.snapshot()

    def export(self, path: str | Path) -> Path:
        """Write the whole bank to a JSON file, atomically."""
        from amb_core.memory.snapshots import write_snapshot  # here, for most tasks stay in their stores

        self.host.flush()
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

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *error: object) -> None:
        """Close; after an error a durable store is kept even with `ends="delete"`, so that it can be resumed."""
        self.close(keep=None if kind is None else True)
