"""attach_team: every agent of a LangGraph team gets its private memory and the team's, in one call."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any
from weakref import WeakKeyDictionary

from langgraph.graph.state import CompiledStateGraph
from langgraph.prebuilt import ToolNode

from amb_core import InvalidParameter, MemoryBank
from amb_langgraph.agent_parts import is_agent
from amb_langgraph.attach_agent import attach, detach, is_attached
from amb_langgraph.middleware import AMBMiddleware
from amb_langgraph.supervised_worker import SupervisedWorker
from amb_team import TeamMemory

__all__ = ["attach_team", "detach_team"]

_Graph = CompiledStateGraph[Any, Any, Any, Any]
_joined: WeakKeyDictionary[_Graph, MemoryBank | None] = WeakKeyDictionary()
"""The agents that `attach_team` gave a memory, with the bank it opened for each."""


def attach_team(
    group: Any, team: TeamMemory, *, bank: Callable[[str], MemoryBank] | None = None, **options: Any
) -> dict[str, AMBMiddleware]:
    """Give each agent of a group its own memory and its part in the team's; returns the middleware by agent.

    `group` is a compiled supervisor (create_supervisor's, or a create_agent whose tools call agents), a graph with
    agents as nodes, several agents, or a mapping name → agent. `bank` makes the bank of an agent, by default one in
    memory that `detach_team` closes; `options` are AMBMiddleware's, such as `share`. Nodes that are no agents of
    create_agent or create_react_agent are passed over. Raises InvalidParameter when the agents' names are not the
    team's, or one has a memory already; then nobody has got one.
    """
    agents = _named(group)
    strangers = [name for name in agents if name not in team.agents]
    if strangers or not agents:
        there = ", ".join(agents) or "none that create_agent or create_react_agent made"
        raise InvalidParameter(
            f"the agents of the group are {there}; those of the team are {', '.join(team.agents)}. Name them alike "
            "(create_agent(..., name=...)), or pass a mapping name → agent of those that are in the team."
        )
    memories: dict[str, AMBMiddleware] = {}
    try:
        for name, agent in agents.items():
            memories[name] = _given(agent, name, team, bank, options)
    except BaseException:
        for name in memories:
            _take_off(agents[name])
        raise
    return memories


def detach_team(group: Any) -> None:
    """Undo `attach_team` and close the banks it opened; InvalidParameter when nothing of the group was attached."""
    attached = [agent for agent in _members(group) if agent in _joined]
    if not attached:
        raise InvalidParameter("no agent of this group was attached by attach_team.")
    for agent in attached:
        _take_off(agent)


def _given(
    agent: Any,
    name: str,
    team: TeamMemory,
    bank: Callable[[str], MemoryBank] | None,
    options: Mapping[str, Any],
) -> AMBMiddleware:
    own = MemoryBank(team.task) if bank is None else bank(name)
    try:
        memory = attach(agent, own, **{"agent": name, **options, "team": team.member(name)})
    except BaseException:
        if bank is None:
            own.close()
        raise
    _joined[agent] = own if bank is None else None
    return memory


def _take_off(agent: _Graph) -> None:
    opened = _joined.pop(agent)
    if is_attached(agent):  # else somebody detached it alone
        detach(agent)
    if opened is not None:
        opened.close()


# --- who is in a group -----------------------------------------------------------------------------------------------


def _named(group: Any) -> dict[str, Any]:
    """The agents of a group by their names, each of which must be its own."""
    pairs = group.items() if isinstance(group, Mapping) else ((agent.name, agent) for agent in _members(group))
    named: dict[str, Any] = {}
    for name, agent in pairs:
        if name in named:
            raise InvalidParameter(f"two agents of the group are called {name!r:.60}; pass a mapping name → agent.")
        named[name] = _bare(agent)
    return named


def _members(group: Any) -> list[Any]:
    """The agents of a group: those it names, or those found in a graph."""
    if isinstance(group, Mapping):
        return list(map(_bare, group.values()))
    if isinstance(group, Sequence) and not isinstance(group, str):
        return list(map(_bare, group))
    found: dict[int, Any] = {}
    _search(_bare(group), found, set())
    return list(found.values())


def _bare(agent: Any) -> Any:
    """The agent itself, where it has long-term memory around it."""
    return agent.agent if isinstance(agent, SupervisedWorker) else agent


def _search(graph: Any, found: dict[int, Any], seen: set[int]) -> None:
    if not isinstance(graph, CompiledStateGraph) or id(graph) in seen:
        return
    seen.add(id(graph))
    if is_agent(graph):
        found[id(graph)] = graph
    for node in graph.nodes.values():
        for inner in _within(node.bound):
            _search(_bare(inner), found, seen)


def _within(bound: Any) -> Iterator[Any]:
    """What a node may run: a graph that it is, and graphs that its function, or a tool's, refers to by name."""
    yield bound
    functions = [getattr(bound, name, None) for name in ("func", "afunc")]
    if isinstance(bound, ToolNode):
        tools = bound.tools_by_name.values()
        functions = [getattr(tool, name, None) for tool in tools for name in ("func", "coroutine")]
    for function in functions:
        with suppress(TypeError, ValueError):  # no function of Python's
            named = inspect.getclosurevars(inspect.unwrap(function))  # type: ignore[arg-type]
            yield from (*named.nonlocals.values(), *named.globals.values())
