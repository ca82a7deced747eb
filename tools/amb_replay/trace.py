"""A recorded run of an agent, whatever wrote it down."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

__all__ = ["Trace"]


@dataclass(frozen=True, slots=True)
class Trace:
    """The messages of one run in OpenAI's chat form, in order, and what else its file says.

    Calls stand in `tool_calls`, results are messages of role "tool" with `tool_call_id`, and reasoning is
    `reasoning_content`. `tools` are the schemas the agent was given, `model` what it ran on, and `format` the name of
    the format it was read from; each is empty where the file does not say.
    """

    id: str
    messages: tuple[dict[str, Any], ...]
    tools: tuple[dict[str, Any], ...] = ()
    model: str = ""
    format: str = ""
