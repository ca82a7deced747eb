"""An agent in a team: the bank it shares, and its part in a team's memory, asked before a call and told after one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from threading import Lock
from typing import Any, Protocol, runtime_checkable
from weakref import WeakKeyDictionary

from amb_core.adapter.chat_messages import TokenCounter, fingerprint_of
from amb_core.adapter.memory_tools import DEEP_RETRIEVAL
from amb_core.adapter.transcript_turns import TranscriptItem
from amb_core.bank import MemoryBank
from amb_core.errors import InvalidParameter, UnknownId
from amb_core.memory.step_places import StepPlace, parse_step_place
from amb_core.models import ToolResult
from amb_core.rendering import Language, MemoryBlock, private_line, team_line
from amb_core.rendering.memory_items import OWN, SHARED, with_letter
from amb_core.text import estimate_tokens
from amb_core.text.text_spans import known_text

__all__ = ["TeamHook", "Teammate", "ToolMember", "TwoBanks", "everything"]


class Teammate(Protocol):
    """One agent's part in a team's memory: `amb_team.TeamMemory.member(name)` gives one."""

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


@runtime_checkable
class TellsNews(Protocol):
    """A Teammate that can leave out what a request holds."""

    def news(self, *, query: str | None = None, held: str = "") -> str:
        """The block without what stands in the text of the request, which is `held`."""
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

    def add_to(self, block: MemoryBlock, *, query: str | None, count: TokenCounter, held: str = "") -> MemoryBlock:
        """The block with the team's behind it, as far as the request that is `held` does not say it."""
        ask = None if self._mate is None else partial(self._mate.block, query=query)
        if held and isinstance(self._mate, TellsNews):
            ask = partial(self._mate.news, query=query, held=held)
        told = None if ask is None else self._attempt("ask the team", ask)
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

    def news(self, *, query: str | None = None, held: str = "") -> str:
        """The member's block without what is held, if it can leave that out."""
        member = self._member
        return member.news(query=query, held=held) if isinstance(member, TellsNews) else member.block(query=query)

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


_Mark = tuple[str, str, str]
"""Tool, call id, and the output's fingerprint."""
_withheld: WeakKeyDictionary[object, set[_Mark]] = WeakKeyDictionary()
"""For what each team has in common, what its members kept from it."""
_marking = Lock()


def everything(result: ToolResult) -> bool:
    """Shares whatever an agent finds."""
    return True


@dataclass(frozen=True, slots=True)
class TwoBanks:
    """The agent's own bank and, if it works in a team, the shared one.

    Each tool result is kept once: `share` says which go to the team (by default all), the others stay the agent's own.
    A result that one agent kept to itself may be handed to another with the history: it does not go to the team then,
    but into the own bank of the second as well.
    The task, its plan and the log of what was injected are always the agent's own. `circle` is what the team has in
    common when that is no bank, or beside one.
    """

    own: MemoryBank
    shared: MemoryBank | None = None
    share: Callable[[ToolResult], bool] = everything
    circle: object | None = None

    def __post_init__(self) -> None:
        if self.shared is self.own:
            raise InvalidParameter("the shared bank is the agent's own; leave `shared` out, or pass another bank.")

    @property
    def both(self) -> tuple[MemoryBank, ...]:
        """The bank of the agent's own, and the shared one where there is one."""
        return (self.own,) if self.shared is None else (self.own, self.shared)

    def home_of(self, result: ToolResult) -> MemoryBank:
        """The bank a result is kept in."""
        return self.shared if self.shared is not None and self.shares(result) else self.own

    def shares(self, result: ToolResult) -> bool:
        """Whether team-mates may know of a result."""
        return not self.withholds(result.tool, result.call_id or "", result.output) and self.share(result)

    def withhold(self, result: ToolResult) -> None:
        """Note that a result is kept from the team."""
        if self._common is not None and result.call_id and not self.share(result):
            with _marking:
                _withheld.setdefault(self._common, set()).add(_mark(result.tool, result.call_id, result.output))

    def withholds(self, tool: str, call_id: str, output: str) -> bool:
        """Whether this agent or a team-mate kept this very result from the team."""
        if self._common is None or not call_id:
            return False
        with _marking:
            return _mark(tool, call_id, output) in _withheld.get(self._common, ())

    def told_to_mates(self, result: TranscriptItem, *, held: bool, language: Language) -> str | None:
        """What the others see of a result in place of the notes it went into; None where they may see those.

        Of one that is not shared, no more than that there is one. Where there is no shared bank, the ids of one agent's
        notes tell the others nothing: of what is `held`, they are told that the team's memory has it.
        """
        apart = self.circle is not None and self.shared is None
        kept = self.withholds(result.tool, next(iter(result.call_ids), ""), result.text)
        if kept or (apart and result.tool == DEEP_RETRIEVAL):
            return private_line(result.tool, language)
        if not apart or not held:
            return None
        line = team_line(result.tool, language)
        return line if estimate_tokens(line) < estimate_tokens(result.text) else result.text

    @property
    def _common(self) -> object | None:
        """What the members of the team have in common; None for an agent of its own."""
        return self.circle or self.shared

    def step_of(self, call_id: str, *, run: str) -> tuple[str, ...]:
        """The step that a tool call's newest result is, as it is shown; () where no bank knows the call."""
        for bank in (self.own, self.shared):
            found = () if bank is None else bank.steps_of(call_id, run=run)
            if bank is not None and found:
                return (self.shown_step(bank, found[-1]),)
        return ()

    def living(self, shown: Iterable[str]) -> tuple[str, ...]:
        """The steps and notes among these that were not forgotten."""
        return tuple(name for name in shown if self._notes_in(name, asked=False) is not None)

    def topics(self, shown: Iterable[str]) -> dict[str, str]:
        """By id what the living notes are about that these steps went into, or that these are."""
        return {name: topic for one in shown for name, topic in (self._notes_in(one, asked=True) or {}).items()}

    def _notes_in(self, shown: str, *, asked: bool) -> dict[str, str] | None:
        """The notes of a step, where they are `asked` for, or a note itself; None for what was forgotten."""
        try:
            bank, name = self.find(shown)
            place = parse_step_place(name)
            if place is None:
                node = bank.node(name)
                return {self._shown_id(bank, node.id): node.context}
        except UnknownId:
            return None
        if not bank.has_step(place.number):
            return None
        notes = bank.notes_of(place.number) if asked else {}
        return {self._shown_id(bank, name): topic for name, topic in notes.items()}

    def shown_step(self, bank: MemoryBank, number: int) -> str:
        """A step as a reference names it."""
        return str(StepPlace(number, shared=bank is not self.own))

    def _shown_id(self, bank: MemoryBank, node_id: str) -> str:
        """A node's id as it stands in a block."""
        return node_id if self.shared is None else with_letter(node_id, OWN if bank is self.own else SHARED)

    def find(self, shown: str) -> tuple[MemoryBank, str]:
        """The bank of a note and its id there, for an id as a block shows it; UnknownId for one without a letter.

        A step is the agent's own, "team step 12" one of the shared bank; UnknownId where there is none.
        """
        place = parse_step_place(shown)
        if place is not None:
            bank = self.shared if place.shared else self.own
            if bank is None:
                raise UnknownId("team step", shown, near=[str(replace(place, shared=False))])
            return bank, shown
        if self.shared is None:
            return self.own, shown
        if shown[:1] not in (OWN, SHARED):
            alike = [with_letter(shown, letter) for letter in (OWN, SHARED)] if shown[:1] == "n" else []
            raise UnknownId("node", shown, near=alike)
        return (self.own if shown[0] == OWN else self.shared), with_letter(shown, "n")


def _mark(tool: str, call_id: str, output: str) -> _Mark:
    return (tool, call_id, fingerprint_of(known_text(output)))
