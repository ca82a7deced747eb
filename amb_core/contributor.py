"""What speaks in a request beside the bank: long-term memory, earlier runs, a team, or a memory of your own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol, runtime_checkable

from amb_core.bank import MemoryBank
from amb_core.memory.moment import Moment as RecallContext
from amb_core.models import ToolResult

__all__ = ["Contributor", "ContributorSource", "Entry", "RecallContext"]


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing that was said in a run.

    `result` is the whole result where a tool spoke, and `sender` another agent, by name, that told this one something.
    """

    speaker: Literal["tool", "agent", "user"]
    text: str
    result: ToolResult | None = None
    sender: str = ""


@runtime_checkable
class Contributor(Protocol):
    """Whatever speaks in a request: `ContextAdapter(bank, contributors=[…])`; subclass it and write what you need.

    Each method but `block` has an answer for whoever has nothing to say to it. What one raises is logged and counted
    in the adapter's `failures`, and the turn goes on without it. Calls may come from several threads.
    """

    @property
    def most_tokens(self) -> int:
        """What its block may cost at most; the request leaves so much free."""
        return 200

    @property
    def sees_repeats(self) -> bool:
        """Whether it is told of a result each time it stands in a transcript, and of blank ones; else of each once."""
        return False

    def on_entry(self, entry: Entry) -> None:
        """Take in what was said in this run."""
        return

    def block(self, context: RecallContext, room: int) -> str:
        """What to say in the next request, in at most `room` tokens; "" for nothing.

        `context.user_said` is the user's newest message, `context.goal` what the task is, `context.question` what waits
        for an answer just now, and `context.request` all that the request says already.
        """
        ...

    def still_true(self, text: str) -> str:
        """A block of earlier requests, without what of it is no longer so."""
        return text

    def cached_result(self, tool: str, arguments: Mapping[str, Any]) -> str | None:
        """What is known instead of calling a tool, for the agent to see as its result; None to make the call."""
        return None


@runtime_checkable
class ContributorSource(Protocol):
    """Something that has a contributor for each run, such as a LongTermMemory and an Experience."""

    def join(self, bank: MemoryBank, *, agent: str = "") -> Contributor:
        """The contributor for the run that a bank is."""
        ...
