"""Giving a memory to a smolagents agent and the agents it manages, and taking it away."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from typing import Any, Unpack

from smolagents import LocalPythonExecutor, MultiStepAgent, ToolCallingAgent
from smolagents.memory import MemoryStep, SystemPromptStep

from amb_core import AmbError, ContextAdapter, InvalidParameter, MemoryBank
from amb_core.adapter import AdapterOptions, BankSource, ToolMember
from amb_smolagents.agent_memory import Attachment, attachment_of
from amb_smolagents.managed_agents import answer_in, managed_by
from amb_smolagents.tools import memory_tools

__all__ = ["attach", "attach_all", "detach"]


def attach(
    agent: MultiStepAgent,
    /,
    bank: BankSource,
    *,
    managed: Mapping[str, MemoryBank] | None = None,
    **options: Unpack[AdapterOptions],
) -> ContextAdapter:
    """Give an agent a memory; what its transcript holds so far is taken in before its next model call.

    `managed` gives agents that it manages, at any depth and by name, banks of their own beside the `shared` one.
    The other options are ContextAdapter's; with `team` those of `managed` are members of it by their names. Returns the
    agent's adapter, whose `failures` count.
    Raises InvalidParameter when one of them has a memory already, or there is no managed agent of a name.
    """
    mates = dict(managed_by(agent))
    if unknown := sorted(set(managed or ()) - set(mates)):
        known = ", ".join(sorted(mates)) or "none"
        raise InvalidParameter(f"no managed agent is named {', '.join(unknown)}; there is: {known}.")
    ours: AdapterOptions = {"agent": agent.name, **options}
    wanted: list[tuple[MultiStepAgent, BankSource, AdapterOptions]] = [(agent, bank, ours)]
    for name, theirs in (managed or {}).items():
        own: AdapterOptions = {**options, "agent": name}
        member = getattr(getattr(options.get("team"), "team", None), "member", None)
        if member is not None:
            own["team"] = member(name)
        wanted.append((mates[name], theirs, own))
    first, *others = attach_all(wanted)
    for other in others:
        first.undo.callback(other.undo.close)
    return first.adapter


def attach_all(wanted: Sequence[tuple[MultiStepAgent, BankSource, AdapterOptions]]) -> list[Attachment]:
    """Give each agent its bank with the options of its own; all of them or none."""
    if busy := [one.name or one.agent_name for one, _, _ in wanted if attachment_of(one)]:
        raise InvalidParameter(f"the agent {busy[0]!r} has a memory already; detach it first.")
    attachments = [_attachment(agent, bank, options) for agent, bank, options in wanted]
    with ExitStack() as failed:
        for attachment in attachments:
            failed.callback(attachment.undo.close)
            _exchange(attachment)
        failed.pop_all()
    return attachments


def _attachment(agent: MultiStepAgent, bank: BankSource, options: AdapterOptions) -> Attachment:
    member = options.get("team")
    if member is not None:
        options = {**options, "team": ToolMember(member, partial(answer_in, agent))}
    name = getattr(member, "agent", "") or options.get("agent") or ""
    return Attachment(agent, bank, options, name=name)


def detach(agent: MultiStepAgent) -> None:
    """Undo `attach`: the agent, and those attached with it, have their own parts again and the whole raw transcript.

    Raises InvalidParameter when nothing was attached.
    """
    attachment = attachment_of(agent)
    if attachment is None:
        raise InvalidParameter(f"nothing was attached to the agent {agent.name or agent.agent_name!r}.")
    attachment.undo.close()


def _exchange(attachment: Attachment) -> None:
    """Put the attachment in the place of its agent's methods, so that closing its `undo` puts everything back.

    Smolagents has no public way to do this: this is the one place that touches how it works inside.
    """
    agent, undo = attachment.agent, attachment.undo
    python = getattr(agent, "python_executor", None)
    local = isinstance(python, LocalPythonExecutor)
    owners: dict[str, Any] = {"write_memory_to_messages": agent, "_generate_planning_step": agent}
    if isinstance(agent, ToolCallingAgent):
        owners |= {"process_tool_calls": agent, "execute_tool_call": agent}
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
