"""Giving a memory to a smolagents agent and the agents it manages, and taking it away."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from typing import Any, Unpack

from smolagents import LocalPythonExecutor, MultiStepAgent, ToolCallingAgent
from smolagents.memory import MemoryStep, SystemPromptStep

from amb_core import AmbError, ContextAdapter, InvalidParameter, MemoryBank
from amb_core.adapter import AdapterOptions
from amb_smolagents.attachment import Attachment
from amb_smolagents.tools import memory_tools

__all__ = ["attach", "detach"]


def attach(
    agent: MultiStepAgent,
    /,
    bank: MemoryBank,
    *,
    managed: Mapping[str, MemoryBank] | None = None,
    **options: Unpack[AdapterOptions],
) -> ContextAdapter:
    """Give an agent a memory; what its transcript holds so far is taken in before its next model call.

    `managed` gives agents that it manages, at any depth and by name, banks of their own beside the `shared` one.
    The other options are ContextAdapter's. Returns the agent's adapter, whose `failures` count.
    Raises InvalidParameter when one of them has a memory already, or there is no managed agent of a name.
    """
    team = dict(_managed_by(agent))
    if unknown := sorted(set(managed or ()) - set(team)):
        known = ", ".join(sorted(team)) or "none"
        raise InvalidParameter(f"no managed agent is named {', '.join(unknown)}; there is: {known}.")
    wanted = [(agent, bank), *((team[name], theirs) for name, theirs in (managed or {}).items())]
    if busy := [one.name or one.agent_name for one, _ in wanted if _attached(one)]:
        raise InvalidParameter(f"the agent {busy[0]!r} has a memory already; detach it first.")
    attachments: list[Attachment] = []
    for one, own in wanted:
        named: AdapterOptions = {"agent": one.name, **options} if one is agent else {**options, "agent": one.name}
        attachments.append(Attachment(one, ContextAdapter(own, **named)))
    with ExitStack() as failed:
        for attachment in attachments:
            failed.callback(attachment.undo.close)
            _exchange(attachment)
        failed.pop_all()
    for other in attachments[1:]:
        attachments[0].undo.callback(other.undo.close)
    return attachments[0].adapter


def detach(agent: MultiStepAgent) -> None:
    """Undo `attach`: the agent, and those attached with it, have their own parts again and the whole raw transcript.

    Raises InvalidParameter when nothing was attached.
    """
    attachment = _attached(agent)
    if attachment is None:
        raise InvalidParameter(f"nothing was attached to the agent {agent.name or agent.agent_name!r}.")
    attachment.undo.close()


def _managed_by(agent: MultiStepAgent) -> Iterator[tuple[str, MultiStepAgent]]:
    for name, member in agent.managed_agents.items():
        if isinstance(member, MultiStepAgent):
            yield name, member
            yield from _managed_by(member)


def _attached(agent: MultiStepAgent) -> Attachment | None:
    owner = getattr(vars(agent).get("write_memory_to_messages"), "__self__", None)
    return owner if isinstance(owner, Attachment) else None


def _exchange(attachment: Attachment) -> None:
    """Put the attachment in the place of its agent's methods, so that closing its `undo` puts everything back.

    Smolagents has no public way to do this: this is the one place that touches how it works inside.
    """
    agent, undo = attachment.agent, attachment.undo
    python = getattr(agent, "python_executor", None)
    local = isinstance(python, LocalPythonExecutor)
    owners: dict[str, Any] = {"write_memory_to_messages": agent, "_generate_planning_step": agent}
    owners |= {"process_tool_calls": agent} if isinstance(agent, ToolCallingAgent) else {}
    owners |= {"send_tools": python} if local else {}
    callbacks = getattr(agent.step_callbacks, "_callbacks", None)
    wrong = [
        name for name, owner in owners.items() if not _takes(getattr(owner, name, None), getattr(attachment, name))
    ]
    if wrong or not isinstance(callbacks, dict):
        raise AmbError(
            f"this smolagents works differently inside ({', '.join(wrong or ['step_callbacks'])}), so AMB cannot be "
            "attached; install a version that docs/smolagents.md names, or a newer AMB."
        )
    undo.callback(_refresh, agent, python if local else None)
    for name, owner in owners.items():
        attachment.originals[name] = getattr(owner, name)
        _put(undo, vars(owner), name, getattr(attachment, name))
    if python is None or local:  # elsewhere, Python could not reach the bank
        for tool in memory_tools(attachment.adapter):
            _put(undo, agent.tools, tool.name, tool)
    if MemoryStep not in callbacks:
        undo.callback(callbacks.pop, MemoryStep)
    agent.step_callbacks.register(MemoryStep, attachment.on_step)
    undo.callback(callbacks[MemoryStep].remove, attachment.on_step)


def _takes(theirs: Any, ours: Callable[..., Any]) -> bool:
    """Whether a method of smolagents can be called the way ours is."""
    if not callable(theirs):
        return False
    wanted, found = inspect.signature(ours).parameters, inspect.signature(theirs).parameters
    return set(wanted) <= set(found) or any(one.kind is one.VAR_KEYWORD for one in found.values())


def _put(undo: ExitStack, place: dict[str, Any], name: str, value: Any) -> None:
    undo.callback(place.update, {name: place[name]}) if name in place else undo.callback(place.pop, name, None)
    place[name] = value


def _refresh(agent: MultiStepAgent, python: LocalPythonExecutor | None) -> None:
    """Leave no word of ours where a run has put it; the next run would do the same."""
    if agent.memory.steps:
        agent.memory.system_prompt = SystemPromptStep(system_prompt=agent.system_prompt)
    if python is not None and python.static_tools is not None:
        python.send_tools({**agent.tools, **agent.managed_agents})
