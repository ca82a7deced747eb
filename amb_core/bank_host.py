"""What adapters and loops ask of a bank; whoever owns the agent needs none of it."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Self

from amb_core.attachments import Attachment, AttachmentContent
from amb_core.errors import BankClosed, InvalidParameter
from amb_core.memory import arguments
from amb_core.memory.arguments import named_arguments
from amb_core.memory.bank_lock import BankLock
from amb_core.memory.bank_parts import BankParts
from amb_core.memory.entry_views import EntryView
from amb_core.memory.events import AbsorbReport, Listener
from amb_core.memory.step_places import parse_step_place, step_entry, step_of
from amb_core.memory.steps import finished
from amb_core.models import Conflict, Injection, InsightDoc, QueryNode, Span, StepResult, ToolResult
from amb_core.rendering import MemoryBlock
from amb_core.scope import Scope
from amb_core.usage import accounting

if TYPE_CHECKING:
    from amb_core.memory.derived_notes import HearsOpinions
    from amb_core.memory.host_edits import HostEdit
    from amb_core.memory.moment import Moment
    from amb_core.memory.spoken_entries import SpokenText

__all__ = ["BankHost", "OpenBank", "moved_name"]


class OpenBank:
    """The inside of a bank, which its owner's side (`MemoryBank`) and its host's side share."""

    _parts: BankParts
    _lock: BankLock

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


class BankHost:
    """The side of a bank that is turned to whatever runs its agent: `bank.host`."""

    def __init__(self, bank: OpenBank) -> None:
        self._bank = bank

    def keep_messages(self, spoken: Sequence[SpokenText]) -> list[tuple[str, str]]:
        """Keep what the agent and the user said, each once, without notes; returns by which run and id each is known.

        What was forgotten is not kept again. An adapter does this with the messages it is given.
        """
        return self._bank._open.intake.keep_messages(spoken)

    def mark_edits(self, edits: Mapping[str, tuple[HostEdit, Sequence[str]]]) -> None:
        """Note by entry id what a host did to it in its transcript, with the texts that stand in its place.

        What was "replaced" by another text or "deleted" is quoted nowhere but in `snapshot` and `export`: its notes and
        disputes are gone, and whoever opens its step sees what stands in its place. What was "left" with a branch is
        marked; "" takes that back. A text that was only cleared or shortened stays as it was.
        """
        from amb_core.memory.host_edits import mark_edits  # here, for most hosts edit nothing

        with self._bank._open.lock:
            mark_edits(self._bank._parts, edits)

    def mark_older_results(self, call_id: str, text: str, *, run: str = "") -> None:
        """Note that of the results which the very same call has in memory, this text alone stands in its transcript."""
        from amb_core.memory.host_edits import mark_edits, older_results

        with self._bank._open.lock:
            mark_edits(self._bank._parts, older_results(self._bank._parts.writer, run, call_id, text))

    def what_it_stands_for(self, result: ToolResult) -> AbsorbReport | None:
        """The report of the result of the same call for which a placeholder or an excerpt stands; None otherwise."""
        from amb_core.memory.host_edits import standing_entry

        with self._bank._lock.reading():
            entry_id = standing_entry(self._bank._open.writer, result)
            nodes = () if entry_id is None else self._bank._parts.current.nodes_of_entry(entry_id)
            return None if entry_id is None else AbsorbReport(entry_ids=(entry_id,), node_ids=nodes, repeat_of=entry_id)

    def entries_of_call(self, call_id: str, *, run: str = "") -> tuple[str, ...]:
        """The ids of the entries that a tool call's results, or a message by its id, were kept as, oldest first."""
        with self._bank._lock.reading():
            return tuple(entry.entry_id for entry in self._bank._open.state.tree.of_call(call_id, run=run))

    @property
    def withdrawals(self) -> int:
        """A number that changes whenever a text is forgotten, or marked as replaced, deleted or left, or no longer."""
        with self._bank._lock.reading():
            tree = self._bank._parts.current.tree
            return hash((tree.tombstones, frozenset(tree.edits.items())))

    def recall_for(self, moment: Moment, *, budget_tokens: int, shared: OpenBank | None = None) -> MemoryBlock:
        """The `<memory>` block of passages that the request of a moment does not hold, chosen for its work.

        Passages of a `shared` bank compete for the room. Empty, with 0 tokens, when nothing is missing.
        """
        others = None if shared is None else shared._open.wait_for_blocks()
        return self._bank._open.wait_for_blocks().missing_block(moment, budget_tokens, others)

    def log_injection(self, block: MemoryBlock, *, prompt_tokens: int, raw_tokens: int) -> Injection:
        """Remember that a block went into a request, for the record of what was injected when and why."""
        arguments.require_type(block, MemoryBlock, by="log_injection")
        return self._bank._open.blocks.log(block, prompt_tokens=prompt_tokens, raw_tokens=raw_tokens)

    def open_waiting(self, attachment_id: str) -> AttachmentContent:
        """A waiting attachment with what is in its file; UnknownId when none of that id waits."""
        return self._bank._open.open_waiting(attachment_id)

    def plan_to_tell(self, *, special: bool = False) -> InsightDoc | None:
        """What `plan` gives of the notes there are, where it can say more than the goal, or only something `special`.

        Else None, unplanned.
        """
        steps = self._bank._open.steps
        return steps.plan() if steps.says_more(special=special) else None

    def begin_step(self) -> InsightDoc:
        """Plan, and hold the plan still until `finish_step`; outer loops call it before each step.

        From the first one on `disputes="auto"` means `"verify"`: a step that is planned will really be done.
        """
        return self._bank._open.with_notes.steps.begin()

    def change_goal(self, goal: str) -> InsightDoc:
        """Open an Insight Doc for another question; the one before is kept in `earlier`. InvalidInput when blank."""
        arguments.require_text(goal, "the new goal is empty; say in a sentence what is asked now")
        return self._bank._open.steps.change_goal(goal.strip())

    def finish_step(self, step: StepResult) -> InsightDoc:
        """Close the pending step: take in its tool results, settle what it verified or recognised, plan the next."""
        arguments.require_type(step, StepResult, by="finish_step")
        pending = self._bank._open.with_notes.current.insight.pending
        self._bank._open.intake.take_step(step, pending=pending)
        return self._bank._parts.steps.close(step, pending=pending)

    @named_arguments
    def enhance(
        self, *, query: str | None = None, budget_tokens: int | None = None, shared: OpenBank | None = None
    ) -> MemoryBlock:
        """The whole block for the next model call: `<task>`, then `<memory>` for the pending step (or `query`).

        Passages of a `shared` bank compete for the budget; then notes are `p12` of this bank, `s12` of the shared one.
        """
        arguments.require_type(query or "", str, by="enhance(query=…)", error=InvalidParameter)
        if shared is not None:
            arguments.require_type(shared, OpenBank, by="enhance(shared=…)", error=InvalidParameter)
        budget = self._bank._open.blocks.budget(budget_tokens)
        others = None if shared is None else shared._noted.wait_for_blocks()
        own = self._bank._noted.wait_for_blocks()
        asked = query if query and query.strip() else None
        insight = self.plan_to_tell() or self._bank._parts.current.insight
        return own.whole_block(insight, query=asked, budget=budget, shared=others)

    @contextmanager
    def metered(self) -> Iterator[None]:
        """Count the model calls made inside, in this thread, into `usage`: those of an agent that works on this task.

        Threads started inside count when they run in a copy of the context (`contextvars.copy_context().run`).
        """
        with accounting(self._bank._open.counts.ledger):
            try:
                yield
            finally:
                if not self._bank._closed:
                    self._bank._parts.writer.keep_usage()

    def deep_retrieval(self, node_id: str) -> list[EntryView]:
        """Every raw entry behind a node or of a "step 12", oldest first, attachments opened.

        In the place of one that its host took back stands the newest of its call; without text where none does.
        """
        parts = self._bank._noted if parse_step_place(node_id) is None else self._bank._open
        with self._bank._lock.reading():
            return parts.entries.entries_of(node_id)

    def node(self, node_id: str) -> QueryNode:
        """A node by id; a merged id leads to its successor; UnknownId lists ids that look alike."""
        parts = self._bank._noted
        with self._bank._lock.reading():
            return parts.current.graph.node(self._bank._open.entries.node(node_id).id)

    def passages(self, node_id: str) -> tuple[tuple[Span, str], ...]:
        """The raw text a node stands on, span by span, without what was refuted or forgotten."""
        with self._bank._lock.reading():
            return self._bank._parts.current.graph.passages(self.node(node_id))

    def undo_merge(self, event_id: str) -> None:
        """Put the merged nodes, their links, neighbours and conflict back as they were before the merge."""
        self._bank._open.notes.undo_merge(event_id)

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Call `listener` with a BankEvent for everything that happens from now on; the function returned ends that.

        It is called in the thread that made the change, while the bank is locked: be quick, wait for nobody, and only
        read. What it raises is logged. Its method `at_end`, if any, gets the bank, unlocked, before that is closed.
        """
        return self._bank._open.writer.events.subscribe(listener)

    def flush(self) -> None:
        """Wait until all that was absorbed here is digested, raising the first failure; digest what others left raw."""
        self._bank._open.intake.flush()

    @property
    def scope(self) -> Scope | None:
        """Whose memory this is, kept with the bank; None while nobody was named."""
        return self._bank._parts.current.scope

    @property
    def finished(self) -> bool:
        """Whether nothing is pending and every step succeeded, was done again, or was given up."""
        return finished(self._bank._parts.current.insight)

    @property
    def waiting(self) -> tuple[Attachment, ...]:
        """Attachments that wait to be recognised."""
        return tuple(self._bank._parts.current.waiting.values())

    def abandon_step(self) -> None:
        """Let the plan move again after a step that was begun and will not be finished; otherwise no effect."""
        self._bank._open.steps.running = False

    @property
    def known_conflicts(self) -> tuple[Conflict, ...]:
        """The conflicts found so far, oldest first; results whose notes wait are not looked at for more."""
        return tuple(self._bank._parts.current.conflicts.values())

    @property
    def opinions(self) -> HearsOpinions:
        """Hears what the agent at work says of open disputes; which is shown, and counts where evidence says so too."""
        return self._bank._open.with_notes.notes.opinions

    def nodes_of(self, call_id: str, *, run: str = "") -> tuple[str, ...]:
        """Living nodes a tool call's result went into; () when the call is unknown."""
        arguments.require_id("tool call", call_id)
        arguments.require_id("run", run)
        parts = self._bank._open.with_notes
        with self._bank._lock.reading():
            return parts.state.nodes_of_call(call_id, run=run)

    def steps_of(self, call_id: str, *, run: str = "") -> tuple[int, ...]:
        """The numbers of the steps that a tool call's results are, oldest first; () when the call is unknown."""
        arguments.require_id("tool call", call_id)
        arguments.require_id("run", run)
        with self._bank._lock.reading():
            return tuple(step_of(entry) for entry in self._bank._open.state.tree.of_call(call_id, run=run))

    def has_step(self, number: int) -> bool:
        """Whether there is a step of this number, and it was not forgotten."""
        with self._bank._lock.reading():
            return step_entry(self._bank._open.state.tree, number) is not None

    def notes_of(self, step: int) -> dict[str, str]:
        """By id what the living notes are about that the result of a step went into."""
        state = self._bank._open.with_notes.state
        with self._bank._lock.reading():
            return {name: state.graph.bare(name).context for name in state.nodes_of_entry(f"e{step}")}

    def assign(self, scope: Scope) -> Scope:
        """Say whose memory this is, which is kept with it; returns what is named by now.

        Integrations do this with what their framework names. Raises ScopeMixed when it is somebody else's.
        """
        arguments.require_type(scope, Scope, by="assign", error=InvalidParameter)
        return self._bank._open.writer.assign(scope)

    @property
    def embedder_name(self) -> str | None:
        """What the embedder was opened by; None when there is none or it was given as an object."""
        return self._bank._parts.embedder_name

    @property
    def verifies(self) -> bool:
        """Whether disputes are verified, or only shown; with `disputes="auto"` by who judges, and who begins steps."""
        return self._bank._parts.writer.verifies

    @property
    def store_url(self) -> str | None:
        """The URL of the store this bank works on; None when it was given a RecordStore."""
        return self._bank._parts.store_url


def moved_name(bank: Any, name: str) -> Any:
    """What a bank had by a name that is another's now, with a warning; AttributeError where it never had one."""
    if name in ("deep_retrieval_text", "text_of"):
        _warn(name, "open")
        return bank.open
    if name.startswith("_") or name not in vars(BankHost):
        from amb_core.memory.bank_opener import RUN  # here, for most names are there

        how = f". To have an agent work on its task:\n{RUN}" if name == "run" else ""
        raise AttributeError(f"a MemoryBank has no {name!r}{how}")
    _warn(name, f"host.{name}")
    return getattr(bank.host, name)


def _warn(old: str, new: str) -> None:
    warnings.warn(f"MemoryBank.{old} is called {new} now", DeprecationWarning, stacklevel=4)
