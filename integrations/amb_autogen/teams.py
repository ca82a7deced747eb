"""Giving the agents of an AutoGen team their private memories and the team's, in one call."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeAlias, Unpack
from weakref import WeakKeyDictionary

from autogen_agentchat.agents import AssistantAgent, MessageFilterAgent
from autogen_agentchat.base import ChatAgent, Team
from autogen_agentchat.teams import BaseGroupChat

from amb_autogen.attach_agent import attach, detach
from amb_autogen.context import AMBContext
from amb_core import AmbError, InvalidParameter, MemoryBank
from amb_core.adapter import AdapterOptions
from amb_team import TeamMemory

__all__ = ["Group", "attach_team", "detach_team"]

Group: TypeAlias = BaseGroupChat | Sequence[ChatAgent | Team]
"""A group chat of any kind, or its agents."""

_attached: WeakKeyDictionary[AssistantAgent, MemoryBank | None] = WeakKeyDictionary()
"""The agents with the banks that were made for them; None where the bank is the caller's."""


def attach_team(
    group: Group,
    team: TeamMemory,
    /,
    *,
    bank: Callable[[str], MemoryBank] | None = None,
    strict: bool = False,
    **options: Unpack[AdapterOptions],
) -> dict[str, AMBContext]:
    """Give every AssistantAgent of a group a bank of its own and its part in the team's memory, or none of them.

    Call it before the group runs or between two runs, in groups within groups too; agents of other kinds are only
    heard. `bank` makes the bank of an agent by its name; without it each gets one in memory, which detach_team closes.
    The options go to each `attach`, with the agent's name and its part in the team. Returns the contexts by name.
    Raises InvalidParameter when an agent is not in the team by its AutoGen name, or has a memory already.
    """
    members = _assistants(group)
    strangers = [agent.name for agent in members if agent.name not in team.agents]
    if strangers:
        raise InvalidParameter(
            f"the team's memory knows nothing of {_listed(strangers)}: the group has "
            f"{_listed(agent.name for agent in members)}, the memory {_listed(team.agents)}; "
            "begin it with agents=[...] by the names AutoGen has for them."
        )
    contexts: dict[str, AMBContext] = {}
    made: list[MemoryBank] = []
    try:
        for agent in members:
            own = MemoryBank(team.task) if bank is None else bank(agent.name)
            if bank is None:
                made.append(own)
            given: Any = {**options, "agent": agent.name, "team": team.member(agent.name)}
            contexts[agent.name] = attach(agent, own, strict=strict, **given)
            _attached[agent] = own if bank is None else None
    except BaseException:
        _detached([agent for agent in members if agent.name in contexts])
        for own in made:
            own.close()
        raise
    return contexts


def detach_team(group: Group, /) -> None:
    """Undo `attach_team`: each agent has its own parts again; banks made for them are closed, the team's memory stays.

    Raises InvalidParameter when it was not done to any of them.
    """
    members = [agent for agent in _assistants(group) if agent in _attached]
    if not members:
        raise InvalidParameter("no agent of this group got its memory by attach_team.")
    _detached(members)


def _detached(members: Sequence[AssistantAgent]) -> None:
    for agent in members:
        made = _attached.pop(agent)
        if isinstance(agent.model_context, AMBContext):
            detach(agent)
        if made is not None:
            made.close()


def _assistants(group: Group) -> list[AssistantAgent]:
    if not isinstance(group, BaseGroupChat | Sequence) or isinstance(group, str):
        raise InvalidParameter(f"a group is a group chat or a list of its agents, not {type(group).__name__}.")
    found = list(dict.fromkeys(_found(group)))
    if not found:
        raise InvalidParameter("there is no AssistantAgent in this group, so nobody to give a memory to.")
    return found


def _found(group: Group) -> Iterator[AssistantAgent]:
    """The AssistantAgents of a group at any depth. AutoGen does not name a group's parts in public."""
    for part in _inside(group, "_participants") if isinstance(group, BaseGroupChat) else group:
        if isinstance(part, AssistantAgent):
            yield part
        elif isinstance(part, BaseGroupChat):
            yield from _found(part)
        elif isinstance(part, MessageFilterAgent):
            yield from _found([_inside(part, "_wrapped_agent")])


def _inside(whole: object, name: str) -> Any:
    if name not in vars(whole):
        raise AmbError(f"this AutoGen keeps a group's agents elsewhere (no {name}); pass them as a list instead.")
    return vars(whole)[name]


def _listed(names: Iterable[str]) -> str:
    return ", ".join(repr(name) for name in names)
