"""What a bank asks of its notes, which are in a package of their own and loaded when somebody asks for one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from amb_core.memory.events import AbsorbReport, HeardOpinion
from amb_core.models import InsightDoc, InteractionEntry, PendingTask, QueryNode, StepResult
from amb_core.protocols import Hit
from amb_core.rendering import MemoryItem
from amb_core.rendering.memory_items import State

if TYPE_CHECKING:
    from amb_core.agent_io import StepOutcome

__all__ = ["DerivedNotes", "HearsOpinions"]


class HearsOpinions(Protocol):
    """Hears what the agent at work says of disputes."""

    def hear(self, dispute: str, *, holds: str, because: str) -> HeardOpinion: ...


class DerivedNotes(Protocol):
    """The notes of one bank, with the agents that write and judge them: `amb_notes.NotePath`."""

    @property
    def opinions(self) -> HearsOpinions: ...

    # texts become notes
    def digest(self, entry: InteractionEntry) -> AbsorbReport: ...
    def repeat(self, entry: InteractionEntry, original: str) -> AbsorbReport: ...
    def refresh(self) -> None: ...
    def remade(self, node: QueryNode, content: str) -> QueryNode: ...
    def undo_merge(self, event_id: str) -> None: ...
    def forget(self) -> None: ...

    # steps
    def plan(self, closing: StepOutcome | None) -> InsightDoc: ...
    def close(self, step: StepResult, *, pending: PendingTask | None) -> InsightDoc: ...
    def has_something_to_verify(self) -> bool: ...

    # what is shown of them
    def item(self, hit: Hit, *, state: State | None) -> MemoryItem: ...
    def state_of(self, node_id: str) -> State | None: ...
