"""A member of a team whose team-mates answer it the way its tools do."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from amb_core.adapter.teamwork import Teammate
from amb_core.models import ToolResult

__all__ = ["AskingMember"]


class AskingMember:
    """A `Teammate` for frameworks in which one agent asks another by a tool call: what it brings is a message.

    `answer_in` says which agent a result came from and what that one said; None for a tool's own. Whoever is not in the
    team is a tool like others. `broke_off` knows the results that are errors where a framework hands them on as text.
    """

    def __init__(
        self,
        member: Teammate,
        answer_in: Callable[[ToolResult], tuple[str, str] | None],
        *,
        broke_off: Callable[[ToolResult], bool] | None = None,
    ) -> None:
        self._member, self._answer_in, self._broke_off = member, answer_in, broke_off

    @property
    def team(self) -> object:
        """What all members have in common."""
        return self._member.team

    @property
    def most_tokens(self) -> int:
        """What a block may cost at most."""
        return self._member.most_tokens

    def block(self, *, query: str | None = None) -> str:
        """The member's block."""
        return self._member.block(query=query)

    def saw(self, result: ToolResult) -> None:
        """Take in what a tool brought, or hear what a team-mate answered."""
        if self._broke_off is not None and self._broke_off(result):
            result = result.model_copy(update={"is_error": True})
        sender, answer = self._answer_in(result) or ("", "")
        if sender in getattr(self.team, "agents", ()):
            self._member.heard(sender, answer)
        else:
            self._member.saw(result)

    def said(self, text: str) -> None:
        """Take in what the agent's model wrote."""
        self._member.said(text)

    def heard(self, sender: str, text: str) -> None:
        """Take in what another agent told this one."""
        self._member.heard(sender, text)

    def known(self, tool: str, arguments: Mapping[str, Any]) -> str | None:
        """What the team's memory answers instead of a search."""
        return self._member.known(tool, arguments)
