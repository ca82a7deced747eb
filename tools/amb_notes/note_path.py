"""How the results of a bank become notes, put together."""

from __future__ import annotations

from amb_agents import local_agents
from amb_core.agent_io import StepOutcome
from amb_core.memory.bank_parts import BankParts
from amb_core.memory.events import AbsorbReport
from amb_core.models import InsightDoc, InteractionEntry, PendingTask, QueryNode, StepResult
from amb_core.protocols import Agents, Hit
from amb_core.rendering import MemoryItem
from amb_core.rendering.memory_items import State
from amb_notes.agent_calls import AgentCalls
from amb_notes.digester import Digester
from amb_notes.drafts import Drafter, Weaver, remade
from amb_notes.merger import Merger
from amb_notes.node_views import NodeViews
from amb_notes.planner import Planner
from amb_notes.settler import Settler
from amb_notes.witnesses import Opinions, Witnesses

__all__ = ["NotePath", "roles_of"]


class NotePath:
    """The notes of one bank: who writes them, judges them and plans by them. Implements `DerivedNotes`."""

    def __init__(self, parts: BankParts, agents: Agents | None) -> None:
        settings, writer = parts.settings, parts.writer
        twins = local_agents(settings)
        self.calls = AgentCalls(
            agents or twins, twins=twins, counts=writer.counts, events=writer.events, deadline=settings.agent_deadline
        )
        self._embedder = parts.embedder
        self._witnesses = Witnesses(parts.state)
        self._views = NodeViews(parts.state, self._witnesses)
        weaver = Weaver(self.calls, self._views, embedder=parts.embedder, candidates=settings.candidates)
        merger = Merger(self._views, parts.embedder, settings.candidates)
        self._settler = Settler(writer, weaver, merger)
        self._digester = Digester(writer, Drafter(weaver, parts.lock), self._settler, parts.undigested, weaver)
        self._planner = Planner(writer, parts.steps, self._settler, self._views, self.calls)
        self.opinions = Opinions(writer, self._witnesses)
        """Hears what the agent at work says of disputes."""

    def digest(self, entry: InteractionEntry) -> AbsorbReport:
        """Make nodes of a recorded entry (hold no lock)."""
        return self._digester.digest(entry)

    def repeat(self, entry: InteractionEntry, original: str) -> AbsorbReport:
        """What became of an entry that says an earlier one again (hold no lock)."""
        return self._digester.repeat(entry, original)

    def refresh(self) -> None:
        """Summarise stale nodes anew (hold no lock)."""
        self._settler.refresh()

    def remade(self, node: QueryNode, content: str) -> QueryNode:
        """The node made from `content` alone."""
        return remade(node, content, calls=self.calls, embedder=self._embedder)

    def undo_merge(self, event_id: str) -> None:
        """Take a merge back (hold no lock)."""
        self._settler.undo(event_id)

    def forget(self) -> None:
        """Keep nothing of what was counted of texts."""
        self._witnesses.forget()

    def plan(self, closing: StepOutcome | None) -> InsightDoc:
        """The Insight Doc, planned anew when the state changed; `closing` is the outcome of a step that ends now."""
        return self._planner.plan(closing)

    def close(self, step: StepResult, *, pending: PendingTask | None) -> InsightDoc:
        """Record how the pending step went and plan the next one (hold no lock)."""
        return self._planner.close(step, pending=pending)

    def has_something_to_verify(self) -> bool:
        """Whether a matter is disputed that is neither given up nor being verified."""
        return self._planner.has_something_to_verify()

    def item(self, hit: Hit, *, state: State | None) -> MemoryItem:
        """What has to be said of a node."""
        return self._views.item(hit, state=state)

    def state_of(self, node_id: str) -> State | None:
        """How a node stands to other states of what it shows."""
        return self._views.state_of(node_id)


def roles_of(agents: Agents) -> tuple[bool, bool, bool]:
    """Whether AMB's local agents do everything; whether another one judges; whether another one plans."""
    calls, local = agents, local_agents()
    other = {
        role: type(getattr(calls, role)) is not type(getattr(local, role))
        for role in ("classification", "structure", "analysis", "integration", "planning")
    }
    digests = agents.digest is not None
    return not (digests or any(other.values())), digests or other["analysis"], other["planning"]
