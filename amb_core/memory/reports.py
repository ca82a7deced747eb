"""What the bank says became of a text it took in."""

from __future__ import annotations

from amb_core.models import Conflict, Frozen
from amb_core.usage import TokenUsage

__all__ = ["AbsorbReport"]


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
