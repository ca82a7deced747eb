"""CrewAI's transcripts as the adapter sees them, and as they came although CrewAI keeps what a hook wrote into them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from crewai.agents.parser import AgentAction, OutputParserError, parse
from crewai.utilities.i18n import I18N_DEFAULT

from amb_core import ToolResult
from amb_core.adapter import arguments_in, fingerprint_of, made_from, origin_of, written_back

__all__ = ["Transcript", "as_chat", "as_crew", "broke_off"]

Messages = list[dict[str, Any]]
_OBSERVED = "\nObservation: "
_REMINDER = "\n\n" + I18N_DEFAULT.slice("tools").partition("{")[0]
_REPEATED = I18N_DEFAULT.errors("task_repeated_usage").strip()
_BROKE_OFF = re.compile(
    "|".join(
        [
            *(
                re.escape(I18N_DEFAULT.errors(name).partition("{")[0])
                for name in ("tool_usage_exception", "wrong_tool_name")
            ),
            "Error executing tool: ",
            r"Error: Failed to parse tool arguments",
            r"Tool execution blocked by hook\b",
            r"Tool not found$",
            r"Tool '.*' has reached its (?:maximum )?usage limit\b",
        ]
    )
)
"""How results begin that CrewAI writes itself for a call that brought none."""
_ANALYSE = I18N_DEFAULT.slice("post_tool_reasoning")


def broke_off(result: ToolResult) -> bool:
    """Whether a result is CrewAI's word that the call failed."""
    return _BROKE_OFF.match(result.output.lstrip()) is not None


@dataclass(slots=True)
class Transcript:
    """What one executor's messages were before a hook shortened them, and what it was shown instead."""

    raw: Messages = field(default_factory=list)
    shown: Messages = field(default_factory=list)
    role: str = ""

    def keep(self, raw: Messages, *, shown: Messages, role: str) -> None:
        """What was shown instead of `raw`, and to whom."""
        self.raw, self.shown, self.role = raw, list(shown), role

    def whole(self, messages: Sequence[Any]) -> Messages:
        """All messages as they came; a list that was begun anew or summarised meanwhile is taken as it is."""
        known = len(self.shown)
        return [*self.raw, *messages[known:]] if known and messages[:known] == self.shown else list(messages)

    def restored(self, messages: Sequence[Any]) -> Messages:
        """The same, for good: the next call starts from these."""
        whole = self.whole(messages)
        self.shown = []
        return whole

    def continued_by(self, messages: Sequence[Any]) -> Messages | None:
        """The same for a request that quotes this transcript without its executor; None when it does not."""
        texts = [message.get("content") for message in messages]
        for begun in (self.shown, self.raw):
            if begun and texts[: len(begun)] == [message.get("content") for message in begun]:
                return [*self.raw, *messages[len(begun) :]]
        return None


def as_chat(messages: Sequence[Any]) -> Messages:
    """OpenAI-style messages: one of the text protocol, with an action and its observation, becomes a call and a result.

    Equal calls with equal results get equal ids. What CrewAI itself puts among the results is no result: the reminder
    of the format after every third, which repeats the system message, is cut off, a refusal to run a call twice stays
    text, and the request to analyse a result belongs to it.
    """
    chat: Messages = []
    for message in messages:
        content, role = message.get("content"), message.get("role")
        if content == _ANALYSE and role == "user" and chat and chat[-1].get("role") == "tool" and origin_of(chat[-1]):
            origin_of(chat[-1]).append(message)
            continue
        text = content if role == "assistant" and isinstance(content, str) else ""
        said, observed, observation = text.partition(_OBSERVED)
        observation = observation.partition(_REMINDER)[0]
        action = _action(said) if observed else None
        if action is None:
            chat.append(message)
        elif observation.startswith(_REPEATED):
            chat.append({**message, "content": f"{said}{observed}{observation}"})
        else:
            name = f"action-{fingerprint_of(said + observation)}"
            call = {"id": name, "type": "function", "function": {"name": action.tool, "arguments": action.tool_input}}
            asked = {"role": "assistant", "content": action.thought, "tool_calls": [call]}
            answer = {"role": "tool", "tool_call_id": name, "content": observation}
            chat += made_from([{**message, "content": f"{said}{observed}{observation}"}], asked, answer)
    return chat


def _action(said: str) -> AgentAction | None:
    try:
        action = parse(said)
    except OutputParserError:
        return None
    return action if isinstance(action, AgentAction) else None


def as_crew(chat: Iterable[dict[str, Any]]) -> Messages:
    """The messages back in the form they came in."""
    written: list[Messages] = written_back(chat, changed=_changed, new=lambda told: [dict(told)])
    return list(chain.from_iterable(written))


def _changed(messages: Messages, told: Sequence[Mapping[str, Any]]) -> Messages:
    """An action with what is left of its observation, and what CrewAI asked for after it."""
    acted, *after = messages
    said = acted["content"].partition(_OBSERVED)[0]
    action = _action(said)
    for given in arguments_in(told[0]).values():
        if action is not None and isinstance(given, str) and given != action.tool_input:
            said = said.replace(action.tool_input, given)
    return [{**acted, "content": f"{said}{_OBSERVED}{told[-1]['content']}"}, *after]
