"""What can be seen of a bank: the half of `MemoryBank` that changes nothing."""

from __future__ import annotations

import threading

from amb_core.errors import BankClosed
from amb_core.memory import arguments
from amb_core.memory.assembly import Parts
from amb_core.memory.planning import finished
from amb_core.memory.state import BankSize, BankState
from amb_core.models import Attachment, BankSnapshot, Conflict, InsightDoc, MergeEvent, QueryNode, Span
from amb_core.scope import Scope
from amb_core.settings import Settings
from amb_core.usage import Usage

__all__ = ["Looking"]


class Looking:
    """Reads one bank; whoever derives from it sets the parts."""

    _parts: Parts
    _state: BankState
    _lock: threading.RLock
    _closed: bool

    @property
    def settings(self) -> Settings:
        """The settings this bank works with."""
        return self._parts.settings

    @property
    def store_url(self) -> str | None:
        """The URL of the store this bank works on; None when it was given a RecordStore."""
        return self._parts.store_url

    @property
    def embedder_name(self) -> str | None:
        """What the embedder was opened by; None when there is none or it was given as an object."""
        return self._parts.embedder_name

    @property
    def scope(self) -> Scope | None:
        """Whose memory this is, kept with the bank; None while nobody was named."""
        return self._state.scope

    @property
    def closed(self) -> bool:
        """Whether `close` was called."""
        return self._closed

    @property
    def finished(self) -> bool:
        """Whether nothing is pending and every step succeeded, was done again, or was given up."""
        return finished(self._state.insight)

    @property
    def verifies(self) -> bool:
        """Whether disputes are verified and settled, or only shown: as `disputes` is set.

        With `auto` they are verified where another analysis agent than the local one judges, or an outer loop has begun
        a step.
        """
        return self._parts.writer.verifies

    @property
    def insight(self) -> InsightDoc:
        """The Insight Doc as it stands."""
        return self._state.insight

    @property
    def nodes(self) -> tuple[QueryNode, ...]:
        """All living nodes, oldest first."""
        with self._lock:
            return self._state.nodes()

    @property
    def size(self) -> BankSize:
        """How much the bank holds."""
        with self._lock:
            return self._state.size()

    @property
    def conflicts(self) -> tuple[Conflict, ...]:
        """All conflicts, settled ones included, oldest first."""
        return tuple(self._state.conflicts.values())

    @property
    def merges(self) -> tuple[MergeEvent, ...]:
        """All merge events, undone ones included, oldest first."""
        return tuple(self._state.merges.values())

    @property
    def waiting(self) -> tuple[Attachment, ...]:
        """Attachments that wait to be recognised."""
        return tuple(self._state.waiting.values())

    @property
    def usage(self) -> Usage:
        """Calls per role, second tries, fallbacks and model calls so far; kept in the store with the rest."""
        return self._parts.calls.usage

    def node(self, node_id: str) -> QueryNode:
        """A node by id; a merged id leads to its successor; UnknownId lists ids that look alike."""
        self._check_open()
        arguments.require_id("node", node_id)
        with self._lock:
            return self._state.graph.node(self._state.resolve(node_id))

    def passages(self, node_id: str) -> tuple[tuple[Span, str], ...]:
        """The raw text a node stands on, span by span, without what was refuted or forgotten."""
        with self._lock:
            return self._state.graph.passages(self.node(node_id))

    def nodes_of(self, call_id: str, *, run: str = "") -> tuple[str, ...]:
        """Living nodes a tool call's result went into; () when the call is unknown."""
        self._check_open()
        arguments.require_id("tool call", call_id)
        with self._lock:
            entries = self._state.tree.of_call(call_id, run=run)
            return self._state.nodes_of_entry(entries[-1].entry_id) if entries else ()

    def snapshot(self) -> BankSnapshot:
        """The whole bank as one value."""
        with self._lock:
            return self._state.snapshot()

    def _check_open(self) -> None:
        if self._closed:
            raise BankClosed("this bank is closed; begin a new one, or resume it from its store")
