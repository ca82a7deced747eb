"""The banks of an agent: its own, and the one it shares; where a result belongs, and what team-mates may see of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from threading import Lock
from weakref import WeakKeyDictionary

from amb_core.adapter.chat_messages import fingerprint_of
from amb_core.adapter.memory_tools import DEEP_RETRIEVAL
from amb_core.adapter.transcript_turns import TranscriptItem
from amb_core.bank import MemoryBank
from amb_core.errors import InvalidParameter, UnknownId
from amb_core.memory.step_places import StepPlace, parse_step_place
from amb_core.models import ToolResult
from amb_core.rendering import Language, private_line, team_line
from amb_core.rendering.memory_items import OWN, SHARED, with_letter
from amb_core.text import estimate_tokens
from amb_core.text.text_spans import known_text

__all__ = ["TwoBanks", "everything"]


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
            found = () if bank is None else bank.host.steps_of(call_id, run=run)
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
                node = bank.host.node(name)
                return {self._shown_id(bank, node.id): node.context}
        except UnknownId:
            return None
        if not bank.host.has_step(place.number):
            return None
        notes = bank.host.notes_of(place.number) if asked else {}
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
