"""What a bank tells: what became of a text it took in, and what happens in it, to listeners, by kinds and ids."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from amb_core.call_lock import CallLock, raise_if_stopped
from amb_core.memory.ids import is_message
from amb_core.models import (
    Conflict,
    ConflictStatus,
    Digestion,
    EntryState,
    Frozen,
    Injection,
    InsightDoc,
    InteractionEntry,
    MergeEvent,
    QueryNode,
)
from amb_core.usage import TokenUsage

__all__ = ["AbsorbReport", "BankEvent", "EventKind", "Events", "HeardOpinion", "Listener", "events_of"]


class AbsorbReport(Frozen):
    """What became of one text: its entry, the nodes it lives in now, and what was found on the way.

    For a repeat `node_ids` are the nodes that hold it already and `repeat_of` names the earlier entry. `resolved`
    are conflicts this text decided. `pending` is True while it is digested in the background (`wait=False`).
    `usage` is what the model calls for it cost.
    """

    entry_ids: tuple[str, ...]
    node_ids: tuple[str, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    resolved: tuple[Conflict, ...] = ()
    repeat_of: str | None = None
    usage: TokenUsage = TokenUsage()
    pending: bool = False

    @property
    def llm_calls(self) -> int:
        """Requests to chat models that were answered."""
        return self.usage.calls


@dataclass(frozen=True, slots=True)
class HeardOpinion:
    """A dispute with what was said of it, and why that does not count; "" where it counts."""

    conflict: Conflict
    missing: str = ""


if TYPE_CHECKING:
    from amb_core.memory.bank_state import BankState
    from amb_core.memory.change_set import ChangeSet


_log = logging.getLogger("amb.events")


class EventKind(StrEnum):
    """What may happen in a bank."""

    ENTRY_RECORDED = "entry_recorded"
    ENTRY_DIGESTED = "entry_digested"
    ENTRY_FAILED = "entry_failed"
    ENTRY_FORGOTTEN = "entry_forgotten"
    NODE_ADDED = "node_added"
    CONFLICT_FOUND = "conflict_found"
    CONFLICT_VERIFYING = "conflict_verifying"
    CONFLICT_RESOLVED = "conflict_resolved"
    CONFLICT_UNRESOLVED = "conflict_unresolved"
    NODES_MERGED = "nodes_merged"
    MERGE_UNDONE = "merge_undone"
    PLANNED = "planned"
    INJECTED = "injected"
    AGENT_FELL_BACK = "agent_fell_back"


class BankEvent(Frozen):
    """One thing that happened: what it is, and the ids it is about.

    `ids` are the entry, node, conflict or merge; for a merge its new node and the old ones follow; for a plan it is the
    conflict or the attachments the next step is about; for an injection the nodes shown; for a fallback the role.
    """

    kind: EventKind
    ids: tuple[str, ...] = ()


Listener = Callable[[BankEvent], object]


class Events:
    """The listeners of one bank; one that raises is logged and keeps nobody from anything."""

    def __init__(self) -> None:
        self._listeners: list[Listener] = []
        self._lock = CallLock()
        self._here = threading.local()

    @property
    def wanted(self) -> bool:
        """Whether anybody listens."""
        return bool(self._listeners)

    @property
    def telling(self) -> bool:
        """Whether this thread is inside a listener."""
        return getattr(self._here, "telling", False)

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Call `listener` with every event from now on; the function returned ends that, also when called twice."""
        with self._lock:
            self._listeners.append(listener)

        def unsubscribe() -> None:
            with self._lock:
                if listener in self._listeners:
                    self._listeners.remove(listener)

        return unsubscribe

    def tell(self, *events: BankEvent) -> None:
        """Hand the events to every listener, in order."""
        with self._lock:
            listeners = tuple(self._listeners)
        outside, self._here.telling = self.telling, True
        try:
            for event in events:
                for listener in listeners:
                    _call(listener, event)
        finally:
            self._here.telling = outside

    def end(self, bank: object, *, keep: bool | None) -> None:
        """Give the bank that is about to be closed to the listeners that have an `at_end`, unless it is deleted."""
        with self._lock:
            listeners = tuple(self._listeners)
        for at_end in (getattr(listener, "at_end", None) for listener in listeners):
            if at_end is not None and keep is not False:
                try:
                    at_end(bank)
                except Exception as error:  # noqa: BLE001 - a bank is closed whatever others do at its end
                    raise_if_stopped(error)
                    _log.warning("what was to be done at the end of a task failed (%s)", type(error).__name__)


def _call(listener: Listener, event: BankEvent) -> None:
    try:
        listener(event)
    except Exception as error:  # noqa: BLE001 - whatever a listener raises, memory must not fail of it
        raise_if_stopped(error)
        _log.warning("a listener failed at %s (%s)", event.kind.value, type(error).__name__)


_OF_STATUS = {
    ConflictStatus.OPEN: EventKind.CONFLICT_FOUND,
    ConflictStatus.VERIFYING: EventKind.CONFLICT_VERIFYING,
    ConflictStatus.RESOLVED: EventKind.CONFLICT_RESOLVED,
    ConflictStatus.UNRESOLVED: EventKind.CONFLICT_UNRESOLVED,
}
_OF_DIGESTION = {EntryState.DONE: EventKind.ENTRY_DIGESTED, EntryState.FAILED: EventKind.ENTRY_FAILED}


def events_of(changes: ChangeSet, before: BankState) -> list[BankEvent]:
    """What a change set that is about to be applied will have done to a state, in the order of its records."""
    found = (_event(record, before) for record in changes.puts.values())
    return [BankEvent(kind=kind, ids=ids) for pair in found for kind, ids in pair]


def _event(record: Frozen, before: BankState) -> Iterator[tuple[EventKind, tuple[str, ...]]]:
    match record:
        case InteractionEntry():
            known = before.tree.entries.get(record.entry_id)
            if record.forgotten:
                yield EventKind.ENTRY_FORGOTTEN, (record.entry_id,)
            elif known is None:
                yield EventKind.ENTRY_RECORDED, (record.entry_id,)
        case Digestion() if is_message(record.entry_id):
            return  # nothing is made of what was said
        case Digestion():
            known_state = before.tree.digestions.get(record.entry_id)
            changed = known_state is None or known_state.state is not record.state
            if changed and record.state in _OF_DIGESTION:
                yield _OF_DIGESTION[record.state], (record.entry_id, *record.node_ids)
        case QueryNode():
            if record.id not in before.graph and record.id not in before.archive:
                yield EventKind.NODE_ADDED, (record.id,)
        case Conflict():
            conflict = before.conflicts.get(record.id)
            if conflict is None or conflict.status is not record.status:
                yield _OF_STATUS[record.status], (record.id, *record.node_ids)
        case MergeEvent():
            if record.undone:
                yield EventKind.MERGE_UNDONE, (record.event_id, *record.merged_node_ids)
            elif record.event_id not in before.merges:
                yield EventKind.NODES_MERGED, (record.event_id, record.new_node_id, *record.merged_node_ids)
        case InsightDoc():
            pending = record.pending
            about = () if pending is None else (*filter(None, [pending.conflict_id]), *pending.attachment_ids)
            yield EventKind.PLANNED, about
        case Injection():
            if str(record.turn) not in before.injections:
                yield EventKind.INJECTED, tuple(receipt.node_id for receipt in record.receipts)
        case _:
            return
