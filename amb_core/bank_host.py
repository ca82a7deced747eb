"""What adapters and loops ask of a bank; whoever owns the agent needs none of it."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from amb_core.attachments import AttachmentContent
from amb_core.errors import InvalidParameter
from amb_core.memory import arguments
from amb_core.memory.events import AbsorbReport
from amb_core.memory.step_places import step_entry, step_of
from amb_core.models import Conflict, Injection, InsightDoc, ToolResult
from amb_core.rendering import MemoryBlock
from amb_core.scope import Scope

if TYPE_CHECKING:
    from amb_core.bank import MemoryBank
    from amb_core.memory.derived_notes import HearsOpinions
    from amb_core.memory.host_edits import HostEdit
    from amb_core.memory.moment import Moment
    from amb_core.memory.spoken_entries import SpokenText

__all__ = ["BankHost", "moved_name"]


class BankHost:
    """The side of a bank that is turned to whatever runs its agent: `bank.host`."""

    def __init__(self, bank: MemoryBank) -> None:
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

    def recall_for(self, moment: Moment, *, budget_tokens: int, shared: MemoryBank | None = None) -> MemoryBlock:
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


def moved_name(bank: MemoryBank, name: str) -> Any:
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
