"""The agents that a smolagents agent manages: who they are, what they are asked, and what they answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from smolagents import MultiStepAgent
from smolagents.agents import populate_template

from amb_core import ToolResult

__all__ = ["answer_in", "managed_by", "request_in"]

_ANSWER = "[the answer]"
_SUMMARY = "\n\nFor more detail, find below a summary of this agent's work:\n<summary_of_work>\n"
"""What smolagents puts between an answer and the summary of an agent that gives one."""


def managed_by(agent: MultiStepAgent) -> Iterator[tuple[str, MultiStepAgent]]:
    """The agents that an agent manages by name, at any depth; what is no agent of smolagents is passed over."""
    for name, member in agent.managed_agents.items():
        if isinstance(member, MultiStepAgent):
            yield name, member
            yield from managed_by(member)


def request_in(arguments: Any) -> str:
    """What a managed agent is asked."""
    return str(arguments.get("task", "")) if isinstance(arguments, Mapping) else str(arguments)


def answer_in(agent: MultiStepAgent, result: ToolResult) -> tuple[str, str] | None:
    """Which managed agent a result came from and what it answered, without the words smolagents puts around that."""
    mate = agent.managed_agents.get(result.tool)
    if mate is None:
        return None
    answer = result.output
    if isinstance(mate, MultiStepAgent):
        report = mate.prompt_templates["managed_agent"]["report"]
        around = populate_template(report, variables={"name": mate.name, "final_answer": _ANSWER})
        before, _, after = around.strip().partition(_ANSWER)
        answer = answer.partition(_SUMMARY)[0].removeprefix(before).removesuffix(after)
    return result.tool, answer
