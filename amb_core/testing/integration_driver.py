"""What the integration contract asks of a driver: how a framework runs a scripted agent, and what the model got."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from amb_core.adapter import text_of
from amb_core.bank import MemoryBank
from amb_core.testing.integration_story import Scenario

__all__ = ["AgentDriver", "Request", "Trace"]


@dataclass(frozen=True, slots=True)
class Request:
    """What the model got in one call: OpenAI-style messages, and the names of the tools it was offered."""

    messages: tuple[Mapping[str, Any], ...]
    tools: tuple[str, ...]

    @property
    def text(self) -> str:
        """What the messages say."""
        return "\n".join(text_of(message.get("content")) for message in self.messages)


@dataclass(frozen=True, slots=True)
class Trace:
    """All requests of a run in order, and the agent's answer."""

    requests: tuple[Request, ...]
    answer: str


class AgentDriver(Protocol):
    """Runs agents of one framework with a scripted model. Called from several threads at once.

    A driver may have `shows_errors = False`, where its framework hides from the model what a tool raised;
    `follows_talk = False`, where its transcripts do not tell the user's questions from what the agent is shown;
    `joins_users = True`, where its framework itself joins messages of the user on the way to the model, after what the
    driver hands back; and `steady`, where a framework's own prompt takes most of a small budget: by `inject` the
    budget in which what stands before the block is looked at, and how often it may change there.
    """

    def run(self, scenario: Scenario, *, bank: MemoryBank | None) -> Trace:
        """A new agent does the scenario, connected to the bank the way your users do it (None: without AMB)."""
        ...

    def run_after_detaching(self, first: Scenario, second: Scenario, *, bank: MemoryBank | None) -> Trace:
        """One agent does the first scenario with the bank, the bank is taken off, and the same agent does the second.

        The trace is of the second. With None there never was a bank.
        """
        ...

    def go_on(self, first: Scenario, second: Scenario, *, bank: MemoryBank) -> Trace:
        """One agent does the first scenario with the bank and then, in the same conversation, the second.

        The trace is of the second.
        """
        ...
