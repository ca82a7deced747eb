"""What an agent of a team says and hears: its own words, messages of others, and work that is done by calling them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage

from amb_core import ContextAdapter
from amb_core.adapter import text_of
from amb_core.contributor import Entry

__all__ = ["Colleague", "Errand", "is_handover"]


@dataclass(slots=True)
class Errand:
    """One tool call of an agent; whoever of its team works inside it puts its name into `doers`."""

    sender: str
    request: str
    circle: object | None
    doers: dict[str, None] = field(default_factory=dict)


_errand: ContextVar[Errand | None] = ContextVar("amb_langgraph_errand", default=None)


class Colleague:
    """Tells a team's memory what its agent says and hears, each once; without a team it does nothing.

    `names` are what the agent's messages are called by, its name in the team first; `answers` gets what others of the
    team said that worked inside a tool call, by its id: who, and what.
    """

    def __init__(self, adapter: ContextAdapter, names: Sequence[str], answers: dict[str, tuple[str, str]]) -> None:
        self._adapter, self._member, self._names, self._answers = adapter, adapter.team, names, answers
        self._told: set[tuple[str, str]] = set()

    def listen(self, messages: Sequence[BaseMessage]) -> None:
        """Take in what is said in messages that name who said it, and what the agent was called for."""
        if self._member is None:
            return
        errand = _errand.get()
        if errand is not None and errand.circle is self._member.team and errand.sender not in self._names:
            errand.doers[self._names[0]] = None
            self._note(errand.sender, errand.request)
        for message in messages:
            if isinstance(message, AIMessage | HumanMessage) and message.name and not is_handover(message):
                self._note(message.name, text_of(message.content))

    def say(self, messages: Sequence[BaseMessage]) -> None:
        """Take in what the agent's own model replied."""
        for message in messages:
            if isinstance(message, AIMessage):
                self._note(self._names[0], text_of(message.content))

    @contextmanager
    def errand(self, call: Any) -> Iterator[Errand]:
        """A tool call; agents of the team that work inside it are asked by this one."""
        request = "\n".join(value for value in call["args"].values() if isinstance(value, str))
        made = Errand(self._names[0], request, None if self._member is None else self._member.team)
        if self._member is None:
            yield made
            return
        before = _errand.set(made)
        try:
            yield made
        finally:
            _errand.reset(before)

    def hear_back(self, errand: Errand, result: Any) -> None:
        """Take in what the agents said that worked inside a call."""
        if not errand.doers or not isinstance(result, ToolMessage):
            return
        said = text_of(result.content)
        for name in errand.doers:
            self._answers[result.tool_call_id] = name, said
            self._note(name, said)

    def _note(self, speaker: str, text: str) -> None:
        if self._member is None or not text.strip() or (speaker, text) in self._told:
            return
        self._told.add((speaker, text))
        sender = "" if speaker in self._names else speaker
        self._adapter.on_entry(Entry("agent", text, sender=sender))


def is_handover(message: BaseMessage | None = None, *, marks: Collection[str] = ()) -> bool:
    """Whether a message only says that another agent goes on, as langgraph-supervisor and -swarm mark it."""
    told = {*marks, *(message.response_metadata if message is not None else ())}
    return not told.isdisjoint({"__handoff_destination", "__is_handoff_back"})
