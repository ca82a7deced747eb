"""One call that gives an agent and all it manages their own memories and the team's."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from typing import Unpack

from smolagents import MultiStepAgent

from amb_core import ContextAdapter, InvalidParameter, MemoryBank
from amb_core.adapter import AdapterOptions
from amb_smolagents.agent_memory import attachment_of
from amb_smolagents.attach_agent import attach_all
from amb_smolagents.managed_agents import managed_by
from amb_team import TeamMemory
from amb_team.member import own_banks

__all__ = ["attach_team", "detach_team"]


def attach_team(
    agent: MultiStepAgent,
    team: TeamMemory,
    /,
    *,
    bank: Callable[[str], MemoryBank] | None = None,
    manager: str = "manager",
    **options: Unpack[AdapterOptions],
) -> dict[str, ContextAdapter]:
    """Give an agent, and the agents it manages at any depth, a memory of its own each and its part in the team's.

    Their names are names of the team's agents; `manager` is what `agent` is called when it has no name. `bank` opens
    the bank of an agent; those that are opened by default are closed by `detach_team`. The other options are those of
    `attach`. Returns the adapters by name. Raises InvalidParameter for names that the team does not have and when one
    of the agents has a memory already; then nothing is attached.
    """
    if not isinstance(agent, MultiStepAgent):
        raise InvalidParameter(f"a team is the agent that manages it, not {type(agent).__name__}.")
    members = _members_of(agent, team, manager)
    with ExitStack() as undo:
        banks = own_banks(members, task=team.task, bank=bank, undo=undo)
        parts: list[AdapterOptions] = [{**options, "agent": name, "team": team.member(name)} for name in members]
        first, *others = attach_all(list(zip(members.values(), banks.values(), parts, strict=True)))
        for other in others:
            undo.callback(other.undo.close)
        first.leads = True
        first.undo.callback(undo.pop_all().close)
    return {name: attachment.adapter for name, attachment in zip(members, [first, *others], strict=True)}


def detach_team(agent: MultiStepAgent) -> None:
    """Undo `attach_team` and close the banks it opened; InvalidParameter when nothing was attached."""
    attachment = attachment_of(agent)
    if attachment is None or not attachment.leads:
        raise InvalidParameter(f"no team's memory was attached to the agent {agent.name or agent.agent_name!r}.")
    attachment.undo.close()


def _members_of(agent: MultiStepAgent, team: TeamMemory, manager: str) -> dict[str, MultiStepAgent]:
    members: dict[str, MultiStepAgent] = {}
    for name, member in [(agent.name or manager, agent), *managed_by(agent)]:
        if members.setdefault(name, member) is not member:
            raise InvalidParameter(f"two agents of this team are called {name!r}; give each a name of its own.")
    if set(members) - set(team.agents):
        raise InvalidParameter(
            f"the agents here are {', '.join(members)}, those of the team {', '.join(team.agents)}; give "
            "TeamMemory(agents=…) the names of the agents, and attach_team(manager=…) that of an agent without one."
        )
    return members
