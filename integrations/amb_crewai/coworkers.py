"""Who of a crew asks whom, and what an agent is told by others: requests, answers, and the tasks before its own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from crewai.utilities.string_utils import sanitize_tool_name

__all__ = ["asked_of", "name_of", "names_in", "outputs_before", "request_of", "same_role"]

_ASKING = frozenset({"delegate_work_to_coworker", "ask_question_to_coworker"})
"""CrewAI's tools for it, as it shows their names to models."""
_WHOM = ("coworker", "co_worker")
_WHAT = ("task", "question", "context")


def name_of(agent: Any) -> str:
    """An agent's role as it was written: CrewAI fills in `{topic}` and the like anew for each run."""
    written: str = getattr(agent, "_original_role", None) or agent.role
    return written.strip()


def names_in(crew: Any) -> dict[str, str]:
    """The names of a crew's agents, by their roles of this run."""
    agents = [] if crew is None else [*crew.agents, crew.manager_agent]
    return {same_role(agent.role): name_of(agent) for agent in agents if agent is not None}


def same_role(role: str) -> str:
    """A role as CrewAI compares them: models write them in many ways."""
    return " ".join(role.split()).replace('"', "").casefold()


def asked_of(tool: str, arguments: Mapping[str, Any]) -> str | None:
    """The role of the coworker a tool call is for; None for another tool."""
    whom = next((arguments[name] for name in _WHOM if arguments.get(name)), None)
    if not isinstance(whom, str) or sanitize_tool_name(tool) not in _ASKING:
        return None
    listed = whom[1:-1].split(",")[0] if whom.startswith("[") and whom.endswith("]") else whom
    return same_role(listed)


def request_of(arguments: Mapping[str, Any]) -> str:
    """What a coworker is asked, with what it is told along."""
    return "\n".join(str(arguments[name]) for name in _WHAT if arguments.get(name))


def outputs_before(task: Any, crew: Any) -> Iterator[tuple[str, str]]:
    """Whose outputs CrewAI put into the prompt of a task, and what they say."""
    context = getattr(task, "prompt_context", None)
    if not context or crew is None:
        return
    names = names_in(crew)
    for earlier in crew.tasks:
        output = None if earlier is task else earlier.output
        if output is not None and output.raw and output.raw in context:
            yield names.get(same_role(output.agent)) or output.agent, output.raw
