"""What an adapter asks of the memory of earlier runs: `amb_core.experience.Experience` is one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from amb_core.bank import MemoryBank
from amb_core.models import ToolResult
from amb_core.rendering import Language

__all__ = ["PastRuns", "RunView"]


class RunView(Protocol):
    """What one run is told of earlier ones."""

    @property
    def most_tokens(self) -> int:
        """What may be told at most."""
        ...

    def saw(self, results: Iterable[ToolResult]) -> None:
        """Take in what tools brought to this run."""
        ...

    def block(self, asked: str, request: str, *, language: Language) -> str:
        """What this run should know of earlier ones and `request` does not hold; "" for nothing."""
        ...

    def corrected(self, text: str) -> str:
        """What was told, without what this run has read differently since."""
        ...


class PastRuns(Protocol):
    """The earlier runs of an agent for a user."""

    def join(self, bank: MemoryBank, *, agent: str = "") -> RunView:
        """The view of the run that a bank is; what the run does is kept at its end."""
        ...
