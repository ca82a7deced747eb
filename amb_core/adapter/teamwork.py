"""What an adapter asks of the memory of the team its agent works in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from amb_core.models import ToolResult

__all__ = ["Teammate"]


class Teammate(Protocol):
    """One agent's part in a team's memory: `amb_core.team.TeamMemory.member(name)` gives one."""

    @property
    def team(self) -> object:
        """What all members have in common."""
        ...

    @property
    def most_tokens(self) -> int:
        """What a block may cost at most."""
        ...

    def block(self, *, query: str | None = None) -> str:
        """The text to be put behind the agent's own block; "" when there is nothing to tell."""
        ...

    def saw(self, result: ToolResult) -> object:
        """Take in what a tool of the agent brought."""
        ...

    def said(self, text: str) -> None:
        """Take in what the agent's model wrote."""
        ...

    def heard(self, sender: str, text: str) -> None:
        """Take in what another agent told this one; each message once, strangers to the team not at all."""
        ...

    def known(self, tool: str, arguments: Mapping[str, Any]) -> str | None:
        """What the team's memory answers instead of a search, with who asked it and when; None to make the call."""
        ...
