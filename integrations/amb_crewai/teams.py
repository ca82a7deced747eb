"""One call that gives every agent of a crew its own memory and the team's."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from typing import Unpack

from crewai import Agent, Crew, Process
from crewai.utilities.i18n import get_i18n

from amb_core import InvalidParameter, MemoryBank
from amb_core.adapter import AdapterOptions
from amb_crewai.attach_agent import has_memory, install, remove
from amb_crewai.coworkers import name_of
from amb_crewai.crew_memory import CrewMemory
from amb_team import TeamMemory
from amb_team.member import own_banks

__all__ = ["attach_team", "detach_team"]

_joined: dict[int, tuple[Crew, ExitStack]] = {}


def attach_team(
    crew: Crew,
    team: TeamMemory,
    /,
    *,
    bank: Callable[[str], MemoryBank] | None = None,
    tools: bool = True,
    **options: Unpack[AdapterOptions],
) -> dict[str, CrewMemory]:
    """Give each agent of a crew a memory of its own and its part in the team's, by name, until `detach_team`.

    The agents' roles, as they are written, are names of the team's agents; the manager of a hierarchical crew is one
    of them, also when CrewAI makes it. Agents of other frameworks that work in a crew are passed over. `bank` opens the
    bank of an agent; those that are opened by default are closed again. The other options are those of `memory`. Raises
    InvalidParameter for roles that the team does not name and when one of them has a memory already; then nothing is
    attached.
    """
    if not isinstance(crew, Crew):
        raise InvalidParameter(f"a team's memory is for a crew, not for {type(crew).__name__}; attach() takes agents.")
    if id(crew) in _joined or has_memory(crew):
        raise InvalidParameter("this crew has a memory already; detach_team(crew) or detach(crew) first.")
    members = _members_of(crew, team)
    made: dict[str, CrewMemory] = {}
    with ExitStack() as undo:
        banks = own_banks(members, task=team.task, bank=bank, undo=undo)
        for name, agent in members.items():
            wanted: AdapterOptions = {**options, "agent": name, "team": team.member(name)}
            targets, manager_of = ([agent], None) if agent is not None else ([], crew)
            made[name] = CrewMemory(banks[name], targets, tools=tools, options=wanted, manager_of=manager_of)
            install(made[name])
            undo.callback(remove, made[name])
        _joined[id(crew)] = (crew, undo.pop_all())
    return made


def detach_team(crew: Crew) -> None:
    """Undo `attach_team` and close the banks it opened; InvalidParameter when nothing was attached."""
    _, undo = _joined.pop(id(crew), (None, None))
    if undo is None:
        raise InvalidParameter("no team's memory was attached to this crew.")
    undo.close()


def _members_of(crew: Crew, team: TeamMemory) -> dict[str, Agent | None]:
    """The agents of a crew by name; None is the manager, who may not be there yet."""
    named: list[tuple[str, Agent | None]] = [(name_of(one), one) for one in crew.agents if isinstance(one, Agent)]
    manager = crew.manager_agent
    if crew.process == Process.hierarchical and isinstance(manager, Agent | None):
        named.append((_manager_role(crew) if manager is None else name_of(manager), None))
    members = dict(named)
    if len(members) < len(named):
        raise InvalidParameter(f"each agent of a team needs a role of its own, not {', '.join(n for n, _ in named)}.")
    if set(members) - set(team.agents):
        raise InvalidParameter(
            f"the agents of the crew are {', '.join(members)}, those of the team {', '.join(team.agents)}; give "
            "TeamMemory(agents=…) the roles of the crew."
        )
    if busy := [name for name, agent in named if agent is not None and has_memory(agent)]:
        raise InvalidParameter(f"the agent {busy[0]!r} has a memory already; detach it first.")
    return members


def _manager_role(crew: Crew) -> str:
    """The role that CrewAI gives a manager it makes itself."""
    return get_i18n(prompt_file=crew.prompt_file).retrieve("hierarchical_manager_agent", "role").strip()
