"""Giving a memory to an agent that exists, and taking it off again."""

from __future__ import annotations

import asyncio
from typing import Any
from weakref import WeakKeyDictionary

from langgraph.graph.state import CompiledStateGraph
from langgraph.prebuilt import ToolNode

from amb_core import AmbError, InvalidParameter, MemoryBank
from amb_langgraph.middleware import AMBMiddleware

__all__ = ["attach", "detach"]

_Graph = CompiledStateGraph[Any, Any, Any, Any]
_before: WeakKeyDictionary[_Graph, tuple[AMBMiddleware, dict[str, Any]]] = WeakKeyDictionary()
"""What `attach` put into each agent, and what stood there."""


def attach(agent: _Graph, bank: MemoryBank, **options: Any) -> AMBMiddleware:
    """Give an agent made by `create_agent` a memory; a thread it has begun is taken in before its next model call.

    The agent's own middleware stays, outside of this one. An agent without tools of its own gets no `deep_retrieval`.
    `options` are AMBMiddleware's, but for `small_state`: what is detached must find its whole transcript. Raises
    InvalidParameter for a graph of any other make, and when the agent has a memory already.
    """
    if not isinstance(agent, CompiledStateGraph) or "model" not in agent.nodes:
        raise InvalidParameter(_NOT_OURS)
    if options.get("small_state"):
        raise InvalidParameter("small_state is for AMBMiddleware: a graph that is detached would keep the references.")
    cells, tools = _parts(agent)
    memory = AMBMiddleware(bank, **{"agent": agent.name, **options})
    if agent in _before or any(tool.name in tools for tool in memory.tools):
        raise InvalidParameter("this agent has a memory already; detach it first.")
    call, acall = (cells[name].cell_contents for name in _CALLS)

    def with_memory(request: Any) -> Any:
        return call(memory.bounded_request(request))

    async def awith_memory(request: Any) -> Any:
        return await acall(await asyncio.to_thread(memory.bounded_request, request))

    cells[_CALLS[0]].cell_contents, cells[_CALLS[1]].cell_contents = with_memory, awith_memory
    if tools:
        tools.update({tool.name: tool for tool in memory.tools})
        cells[_TOOLS].cell_contents.extend(memory.tools)
    _before[agent] = memory, dict(zip(_CALLS, (call, acall), strict=True))
    return memory


def detach(agent: _Graph) -> None:
    """Undo `attach`; the agent has its own parts again. Raises InvalidParameter when nothing was attached."""
    if agent not in _before:
        raise InvalidParameter("nothing was attached to this graph.")
    memory, calls = _before.pop(agent)
    cells, tools = _parts(agent)
    for name, call in calls.items():
        cells[name].cell_contents = call
    for tool in memory.tools:
        if tools.pop(tool.name, None):
            cells[_TOOLS].cell_contents.remove(tool)


_CALLS, _TOOLS = ("_execute_model_sync", "_execute_model_async"), "default_tools"
_NOT_OURS = (
    "attach is for agents made by langchain's create_agent, and this graph is none. Build it with "
    "memory = AMBMiddleware(bank): pre_model_hook=memory.pre_model_hook for create_react_agent and create_supervisor; "
    "memory.tool_node(tools) and model.invoke(memory.bounded(messages)) in a graph of your own. "
    "In a graph of agents, attach to each agent before you put them together."
)


def _parts(agent: _Graph) -> tuple[dict[str, Any], dict[str, Any]]:
    """Where an agent keeps its model calls and its tools.

    LangChain has no public way to reach them: this is the one place that touches what is private to it.
    """
    bound, node = agent.nodes["model"].bound, agent.nodes.get("tools")
    cells: dict[str, Any] = {}
    for function in (getattr(bound, "func", None), getattr(bound, "afunc", None)):
        names = getattr(getattr(function, "__code__", None), "co_freevars", ())
        cells.update(zip(names, getattr(function, "__closure__", None) or (), strict=True))
    if any(name not in cells for name in (*_CALLS, _TOOLS)):
        if getattr(getattr(bound, "func", None), "__module__", "") == "langchain.agents.factory":
            raise AmbError(
                "this LangChain keeps an agent's parts elsewhere; "
                "build the agent with create_agent(..., middleware=[AMBMiddleware(bank)]) instead."
            )
        raise InvalidParameter(_NOT_OURS)
    return cells, node.bound.tools_by_name if node is not None and isinstance(node.bound, ToolNode) else {}
