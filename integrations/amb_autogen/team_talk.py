"""What a transcript tells an agent's part in a team: its own words, and those of its team-mates."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from autogen_core.models import AssistantMessage, LLMMessage, UserMessage

from amb_core import ContextAdapter
from amb_core.rendering import private_line, team_line

__all__ = ["Hearing"]

_STANDS_FOR_A_RESULT = re.compile(
    "|".join(
        re.escape(line("TOOL", language)).replace("TOOL", r"[^\n]+")
        for line in (team_line, private_line)
        for language in ("en", "zh")
    )
)
"""The lines by which mates learn of a result; nobody said them."""


class Hearing:
    """Tells the team of what is said, each message once, however often the transcript is gone through.

    What `agent` says is its own note; what AutoGen handed over of another's thoughts is nobody's to pass on.
    """

    def __init__(self, adapter: ContextAdapter, *, agent: str | None) -> None:
        self._adapter, self._agent = adapter, agent
        self._told: Counter[tuple[str, str, str]] = Counter()

    def begin(self) -> None:
        """The transcript begins anew."""
        self._told.clear()

    def listen(self, messages: Sequence[LLMMessage]) -> None:
        """Go through a transcript; nothing without a team."""
        if self._adapter.team is None:
            return
        met: Counter[tuple[str, str, str]] = Counter()
        for message in messages:
            text = _words(message)
            if not text or not isinstance(message, AssistantMessage | UserMessage):
                continue
            key = (message.type, message.source, text)
            met[key] += 1
            if met[key] <= self._told[key]:
                continue
            self._told[key] += 1
            if isinstance(message, UserMessage):
                self._adapter.hook.heard(message.source, text)
            elif message.source == self._agent:
                self._adapter.hook.said(text)


def _words(message: LLMMessage) -> str:
    """What a message says, without its tool calls and pictures."""
    if isinstance(message, AssistantMessage):
        said = message.content if isinstance(message.content, str) else ""
        return "\n".join(filter(None, [message.thought, said]))
    if isinstance(message, UserMessage):
        told = [message.content] if isinstance(message.content, str) else message.content
        said = "\n".join(part for part in told if isinstance(part, str))
        return "\n".join(line for line in said.splitlines() if not _STANDS_FOR_A_RESULT.fullmatch(line))
    return ""
