"""TeamMember: one agent's part in a team's memory, as an adapter or a loop of one's own uses it."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, ParamSpec

from amb_core.adapter import fingerprint_of
from amb_core.adapter.memory_tools import DEEP_RETRIEVAL, SETTLE_DISPUTE
from amb_core.bank import MemoryBank
from amb_core.call_lock import CallLock
from amb_core.contributor import Contributor, Entry, RecallContext
from amb_core.errors import InvalidParameter
from amb_core.models import ToolResult
from amb_core.rendering import Language, escape_line, strip_block
from amb_core.text import clip_tokens, detect_language, index_tokens
from amb_longterm.longterm_tools import DESCRIPTIONS
from amb_team.actions import action_of, argument_of, is_handover, is_search
from amb_team.hop_record import HopReport
from amb_team.team_records import SearchResult

if TYPE_CHECKING:
    from amb_team.team_memory import TeamMemory

__all__ = ["FirstTime", "TeamMember", "own_banks"]

_Given = ParamSpec("_Given")
_GIST_TOKENS = 60
_OURS = frozenset({DEEP_RETRIEVAL, SETTLE_DISPUTE, *DESCRIPTIONS})
"""AMB's own tools: they search memories of which each agent has its own, and which change."""
_OFFER, _ERROR = "offered", "error"
"""Marks of what memory answered, which a team-mate may be handed with the history, and of calls that broke off."""
_OFFERED: dict[Language, tuple[str, str]] = {
    "en": ("Found in the team's memory: {agent} asked “{query}” {turns} turn(s) ago.", "you"),
    "zh": ("取自团队记忆：{agent}在 {turns} 轮前查过“{query}”。", "你"),
}
"""The line over a result that stands in for a search, and what the agent itself is called there."""


class FirstTime:
    """Called with what happened, says whether it is told for the first time; True only once for each. Thread-safe."""

    def __init__(self) -> None:
        self._marks: set[str] = set()
        self._lock = CallLock()

    def __call__(self, *event: str) -> bool:
        with self._lock:
            known = event in self
            self._marks.add(fingerprint_of("\0".join(event)))
            return not known

    def __contains__(self, event: tuple[str, ...]) -> bool:
        return fingerprint_of("\0".join(event)) in self._marks


class TeamMember(Contributor):
    """What `TeamMemory.member(name)` gives: the block before the agent's model calls, and what its tools bring.

    It is a `Teammate` of ContextAdapter, so integrations take it: `attach(agent, bank, team=member)`. Thread-safe.
    """

    def __init__(self, team: TeamMemory, agent: str, *, first_time: FirstTime) -> None:
        self.team, self.agent, self._first_time = team, agent, first_time

    @property
    def most_tokens(self) -> int:
        """What a block may cost at most, that of an agent in circles."""
        settings = self.team.settings
        return round(settings.block_tokens * settings.stronger)

    def block(self, context: RecallContext | None = None, room: int = 0, *, query: str | None = None) -> str:
        """The `<team>` block for the agent's next model call; "" when there is nothing to tell.

        What stands in the request of a `context` is left out; without one, `query` is what it is for.
        """
        if context is None:
            return self.team.inject(self.agent, query=query or "")
        return self.team.inject(self.agent, query=context.asked, held=context.request)

    def on_entry(self, entry: Entry) -> None:
        """Take in what a tool brought, what the agent wrote, or what another one told it."""
        if entry.result is not None:
            self.saw(entry.result)
        elif entry.sender:
            self.heard(entry.sender, entry.text)
        elif entry.speaker == "agent":
            self.said(entry.text)

    def cached_result(self, tool: str, arguments: Mapping[str, Any]) -> str | None:
        """What `known` gives."""
        return self.known(tool, arguments)

    def saw(self, result: ToolResult) -> HopReport | None:
        """Take in what a tool brought: its hop, facts, steps, hypothesis and plan; one call's result once in a team.

        None for what a team-mate was handed together with the history, what memory itself answered, and for the handing
        over of the work.
        """
        if result.tool in _OURS or is_handover(result.tool) or self.gave(result.output):
            return None
        if result.call_id and not self._first_time(result.run, result.call_id, result.output):
            return None
        if result.is_error:
            self._first_time(_ERROR, strip_block(result.output))
        return self.team.observe(
            agent=self.agent,
            action=action_of(result.tool, result.arguments),
            observation=result.output,
            success=False if result.is_error else None,
        )

    def said(self, text: str) -> None:
        """Keep what the agent's model wrote among its own notes."""
        self.team.note_output(self.agent, text)

    def heard(self, sender: str, text: str) -> None:
        """Note what another agent of the team told this one, once; other senders and empty texts are passed over."""
        clean = strip_block(text).strip()
        if sender == self.agent or sender not in self.team.agents or not clean:
            return
        if self._first_time(sender, self.agent, clean):
            self.team.message(sender, self.agent, clean)

    def known(self, tool: str, arguments: Mapping[str, Any]) -> str | None:
        """What the same or a nearly equal search brought, headed by who made it and when; None for anything else.

        A search that broke off with an error may be made again.
        """
        action = action_of(tool, arguments)
        if not is_search(action):
            return None
        known = self.team.shared.search_result(argument_of(action))
        if known is None or (_ERROR, known.result) in self._first_time:
            return None
        return self._answered(action)

    def gave(self, text: str) -> bool:
        """Whether a text is what the team's memory answered in place of a search; it brings nothing new."""
        return (_OFFER, text) in self._first_time

    def gist(self, output: str) -> str:
        """What a result that the team saw says of its task, as one line with the action; "" when it holds nothing."""
        shared, text = self.team.shared, strip_block(output)
        hop = next((hop for hop in reversed(shared.hops) if hop.observation and text.endswith(hop.observation)), None)
        if hop is None or not hop.success:
            return ""
        asked = set(index_tokens(f"{self.team.task} {hop.extracted_answer or ''}"))
        facts = [escape_line(fact.text) for fact in shared.facts if fact.source == hop.id]
        told = max(facts, key=lambda fact: len(asked & set(index_tokens(fact))), default=hop.extracted_answer or "")
        return f"{escape_line(hop.action)} → {clip_tokens(told, _GIST_TOKENS)}" if told else ""

    def asking_once(self, search: Callable[_Given, str]) -> Callable[_Given, str]:
        """A search function that asks memory first, and tells it what was found; for loops without an integration."""
        names = inspect.signature(search)

        @functools.wraps(search)
        def searched(*args: _Given.args, **kwargs: _Given.kwargs) -> str:
            arguments = dict(names.bind(*args, **kwargs).arguments)
            action = f"Search[{argument_of(action_of('search', arguments))}]"
            found = self._answered(action)
            if found is not None:
                return found
            brought = search(*args, **kwargs)
            self.team.observe(agent=self.agent, action=action, observation=brought)
            return brought

        return searched

    def _answered(self, action: str) -> str | None:
        """What memory answers in place of a search, which is noted as a turn in vain; None where it was never made."""
        found = self.team.before_search(self.agent, argument_of(action))
        if found is None:
            return None
        self.team.went_over(self.agent, action)
        offered = self._headed(found)
        self._first_time(_OFFER, offered)
        return offered

    def _headed(self, found: SearchResult) -> str:
        head, you = _OFFERED[detect_language(self.team.task)]
        who = you if found.agent == self.agent else found.agent
        return f"{head.format(agent=who, query=found.query, turns=self.team.turn - found.turn)}\n{found.result}"


def own_banks(
    names: Iterable[str], *, task: str, bank: Callable[[str], MemoryBank] | None, undo: ExitStack
) -> dict[str, MemoryBank]:
    """A bank for each agent by name: the one that `bank` opens for it, or one in memory that `undo` closes.

    Raises InvalidParameter when two agents get the same one.
    """
    banks: dict[str, MemoryBank] = {}
    for name in names:
        own = bank(name) if bank is not None else undo.enter_context(MemoryBank(task))
        if any(own is other for other in banks.values()):
            raise InvalidParameter(f"each agent has a bank of its own; open another for {name!r}.")
        banks[name] = own
    return banks
