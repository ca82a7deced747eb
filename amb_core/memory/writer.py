"""The one place a bank is written from: its state and journal under one lock, and what is woven into them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

from pydantic import JsonValue

from amb_core.attachments import Attachment
from amb_core.errors import ScopeMixed
from amb_core.memory.agent_counts import AgentCounts
from amb_core.memory.bank_lock import BankLock
from amb_core.memory.bank_state import BankState
from amb_core.memory.change_set import ChangeSet
from amb_core.memory.events import Events, events_of
from amb_core.memory.journal import Journal
from amb_core.models import Digestion, EntryState, InteractionEntry
from amb_core.protocols import Clock, Redactor
from amb_core.scope import Scope

__all__ = ["Writer"]

Plan = TypeVar("Plan")
Answer = TypeVar("Answer")
Report = TypeVar("Report")
Kept = TypeVar("Kept", str, dict[str, JsonValue])

_ATTEMPTS = 3
"""How often agents are asked about a change to the bank, the last time with the lock held."""


@dataclass(slots=True)
class Writer:
    """Commits changes to one bank; `lock` guards its state."""

    state: BankState
    journal: Journal
    clock: Clock
    lock: BankLock
    counts: AgentCounts
    events: Events
    verifies: bool
    """Whether disputes are verified, settled and merged where witnesses decide; else both sides are only shown."""
    unaided: bool = False
    """Whether no model writes notes or judges them."""
    lazy: bool = False
    """Whether notes of what an adapter takes in are made when somebody asks for them."""
    redactor: Redactor | None = None
    """Takes out of every text that comes in what nobody should keep."""
    step_nodes: dict[str, None] = field(default_factory=dict)
    """Nodes made since the pending step began, in order."""
    step_repeats: int = 0

    def redacted(self, value: Kept) -> Kept:
        """What is kept of a text, or of JSON with texts in it."""
        if self.redactor is None:
            return value
        from amb_core.kept_texts import map_texts, redact_safely  # here, for most banks have no redactor

        redactor = self.redactor
        changed: Kept = map_texts(value, lambda text: redact_safely(text, redactor).text)
        return changed

    def commit(self, changes: ChangeSet, *, claims: bool = True) -> None:
        """Journal the changes, then apply them; what fails leaves memory as it was (hold the lock).

        Without `claims` it is left to whoever asks for notes to digest what is new in them.
        What is stopped in here, by whatever is no error of ours, has memory read anew when the lock is taken next.
        """
        usage = self.counts.unkept(self.state.usage)
        if usage is not None:
            changes.put(usage)
        self.state.check(changes)
        self.journal.write(changes, claims=claims)
        happened = events_of(changes, self.state) if self.events.wanted else ()
        self.state.apply(changes)
        if happened:
            self.events.tell(*happened)

    def agree(
        self,
        plan: Callable[[], Plan | None],
        ask: Callable[[Plan], Answer],
        commit: Callable[[Plan, Answer], Report],
        *,
        still: Callable[[Answer], bool] = lambda answer: False,
    ) -> Report | None:
        """Change the bank by an answer that takes long, without holding the lock meanwhile (hold no lock).

        `plan` says under the lock what is to be asked, None for nothing; `ask` asks agents without the lock; `commit`
        writes the answer under the lock. Where the bank has changed in between and `still` does not say that the answer
        holds all the same, it is planned and asked again; the last time the lock is held throughout.
        """
        for attempt in range(_ATTEMPTS):
            with self.lock:
                version, planned = self.state.version, plan()
                if planned is None:
                    return None
                if attempt == _ATTEMPTS - 1:
                    return commit(planned, ask(planned))
            answer = ask(planned)
            with self.lock:
                if self.state.version == version or still(answer):
                    return commit(planned, answer)
        raise AssertionError("the last attempt returns")

    def record(
        self,
        text: str,
        metadata: dict[str, JsonValue],
        *,
        attachments: tuple[Attachment, ...] = (),
        waits: bool = False,
    ) -> tuple[InteractionEntry, str | None]:
        """Journal a raw entry; also returns the entry it repeats, which settles it at once (hold the lock).

        Of one that `waits` for somebody to ask for its notes it is not looked up yet what it repeats.
        """
        changes = self.state.changes()
        entry = InteractionEntry(
            entry_id=changes.new_id("e"),
            text=text,
            timestamp=self.clock.now(),
            metadata=metadata,
            attachments=attachments,
        )
        repeated = self.state.tree.repeats.original_of(entry) if not (attachments or waits) else None
        if repeated is not None:
            entry = entry.model_copy(update={"parent_id": repeated})
        state = EntryState.RAW if repeated is None else EntryState.DONE
        changes.put(entry, Digestion(entry_id=entry.entry_id, state=state, repeat_of=repeated))
        self.commit(changes, claims=not waits)
        return entry, repeated

    def assign(self, scope: Scope) -> Scope:
        """Keep whose memory this is; returns what is named by now, ScopeMixed when it is another's (hold no lock)."""
        with self.lock:
            held = self.state.scope or Scope()
            if held.differs(scope):
                raise ScopeMixed("another user or thread", held=held, met=scope)
            joined = held.joined(scope)
            if joined != held:
                changes = self.state.changes()
                changes.put(joined)
                self.commit(changes)
            return joined

    def keep_usage(self) -> None:
        """Write down what was spent since the last commit, if anything (hold no lock)."""
        with self.lock:
            if self.counts.unkept(self.state.usage) is not None:
                self.commit(self.state.changes())
