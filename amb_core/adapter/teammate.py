"""An agent's part in a team's memory, and how it hears team-mates where one agent asks another by a tool call."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Protocol

from amb_core.contributor import Contributor, Entry, RecallContext
from amb_core.models import ToolResult

__all__ = ["Teammate", "ToolMember"]


class Teammate(Contributor, Protocol):
    """One agent's part in a team's memory: `amb_team.TeamMemory.member(name)` gives one.

    It is told of results that the agent shares, of what the agent wrote, and of what others told it, by their names.
    """

    @property
    def team(self) -> object:
        """What all members have in common."""
        ...


class ToolMember(Contributor):
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

    def block(self, context: RecallContext, room: int) -> str:
        """The member's block."""
        return self._member.block(context, room)

    def on_entry(self, entry: Entry) -> None:
        """Take in what was said; of a tool that is a team-mate, as what that one told."""
        result = entry.result
        if result is None:
            return self._member.on_entry(entry)
        if self._broke_off is not None and self._broke_off(result):
            result = result.model_copy(update={"is_error": True})
        sender, answer = self._answer_in(result) or ("", "")
        if sender in getattr(self.team, "agents", ()):
            return self._member.on_entry(Entry("agent", answer, sender=sender))
        return self._member.on_entry(replace(entry, result=result))

    def cached_result(self, tool: str, arguments: Mapping[str, Any]) -> str | None:
        """What the team's memory answers instead of a search."""
        return self._member.cached_result(tool, arguments)
