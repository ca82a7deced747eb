"""The one hook of an adapter for the memory of a team: what it adds before a call, and what it learns after one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, Protocol

from amb_core.adapter.chat_messages import TokenCounter, fingerprint_of
from amb_core.models import ToolResult
from amb_core.rendering import MemoryBlock

__all__ = ["TeamHook", "Teammate", "ToolMember"]


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


class TeamHook:
    """Asks and tells an agent's part in a team's memory, if it has one; what fails there costs only that.

    `attempt` does what may fail, `shares` says which results team-mates may know of.
    """

    def __init__(
        self,
        mate: Teammate | None,
        *,
        attempt: Callable[[str, Callable[[], Any]], Any],
        shares: Callable[[ToolResult], bool],
    ) -> None:
        self._mate, self._attempt, self._shares = mate, attempt, shares
        self._answered: set[str] = set()

    @property
    def most_tokens(self) -> int:
        """What may be added before a call at most."""
        return 0 if self._mate is None else self._mate.most_tokens

    def add_to(self, block: MemoryBlock, *, query: str | None, count: TokenCounter) -> MemoryBlock:
        """The block with the team's behind it."""
        told = None if self._mate is None else self._attempt("ask the team", partial(self._mate.block, query=query))
        if not told:
            return block
        return replace(block, text=f"{block.text}\n\n{told}", tokens=block.tokens + count.text(told))

    def known(self, tool: str, arguments: Mapping[str, Any]) -> str | None:
        """What the team's memory answers instead of a search, for the tool call to return; None to make the call."""
        if self._mate is None:
            return None
        found: str | None = self._attempt("look up a search", partial(self._mate.known, tool, arguments))
        if found is not None:
            self._answered.add(fingerprint_of(found))
        return found

    def has_answered(self, text: str) -> bool:
        """Whether a result is what the team's memory answered, which is not to be taken in a second time."""
        return fingerprint_of(text) in self._answered

    def saw(self, result: ToolResult) -> None:
        """Tell of a result that was taken in, unless it is kept from the team."""
        if self._mate is not None and self._shares(result):
            self._attempt("tell the team", partial(self._mate.saw, result))

    def said(self, text: str) -> None:
        """Tell what the agent's model wrote."""
        if self._mate is not None and text:
            self._attempt("tell the team", partial(self._mate.said, text))

    def heard(self, sender: str, text: str) -> None:
        """Tell what another agent told this one."""
        if self._mate is not None:
            self._attempt("hear a team-mate", partial(self._mate.heard, sender, text))


class ToolMember:
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
