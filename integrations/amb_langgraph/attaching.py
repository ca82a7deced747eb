"""Giving a memory to an agent that exists, and taking it off again."""

from __future__ import annotations

import asyncio
from typing import Any
from weakref import WeakKeyDictionary

from langgraph.graph.state import CompiledStateGraph
from langgraph.prebuilt import ToolNode

from amb_core import InvalidParameter, MemoryBank
from amb_langgraph.middleware import AMBMiddleware

__all__ = ["attach", "detach"]

_Graph = CompiledStateGraph[Any, Any, Any, Any]
_before: WeakKeyDictionary[_Graph, tuple[AMBMiddleware, dict[str, Any]]] = WeakKeyDictionary()
"""What `attach` put into each agent, and the calls that stood there."""
_CALLS, _TOOLS = ("_execute_model_sync", "_execute_model_async"), "default_tools"


def attach(agent: _Graph, /, bank: MemoryBank, **options: Any) -> AMBMiddleware:
    """Give an agent made by `create_agent` a memory; what its thread holds is taken in before its next model call.

    The agent's own middleware stays, outside of this one. An agent without tools of its own gets no `deep_retrieval`.
    `options` are AMBMiddleware's. Raises InvalidParameter for a graph of any other make, when the agent has a memory
    already, and for `small_state`, since a detached agent would be left with references.
    """
    if options.get("small_state"):
        raise InvalidParameter("an attached memory leaves the state as it is; pass small_state to an AMBMiddleware.")
    cells, tools = _parts(agent)
    named: dict[str, Any] = {"agent": agent.name, **options}
    memory = AMBMiddleware(bank, **named)
    if agent in _before or any(tool.name in tools for tool in memory.tools):
        raise InvalidParameter("this agent has a memory already; detach it first.")
    before = {name: cells[name].cell_contents for name in _CALLS}
    call, acall = before.values()

    async def awith_memory(request: Any) -> Any:
        return await acall(await asyncio.to_thread(memory.bounded_request, request))

    cells[_CALLS[0]].cell_contents = lambda request: call(memory.bounded_request(request))
    cells[_CALLS[1]].cell_contents = awith_memory
    if tools:
        tools.update({tool.name: tool for tool in memory.tools})
        cells[_TOOLS].cell_contents.extend(memory.tools)
    _before[agent] = memory, before
    return memory


def detach(agent: _Graph) -> None:
    """Undo `attach`; the agent has its own parts again. Raises InvalidParameter when nothing was attached."""
    if agent not in _before:
        raise InvalidParameter("nothing was attached to this graph.")
    memory, before = _before.pop(agent)
    cells, tools = _parts(agent)
    for name, call in before.items():
        cells[name].cell_contents = call
    for tool in memory.tools:
        if tools.pop(tool.name, None):
            cells[_TOOLS].cell_contents.remove(tool)


def _parts(agent: _Graph) -> tuple[dict[str, Any], dict[str, Any]]:
    """Where an agent keeps its model calls and its tools.

    LangChain has no public way to reach them: this is the one place that touches what is private to it.
    """
    nodes = getattr(agent, "nodes", {})
    bound, node = (getattr(nodes.get(name), "bound", None) for name in ("model", "tools"))
    functions = [getattr(bound, name, None) for name in ("func", "afunc")]
    cells: dict[str, Any] = {}
    for function in functions:
        names = getattr(getattr(function, "__code__", None), "co_freevars", ())
        cells |= zip(names, getattr(function, "__closure__", None) or (), strict=True)
    if any(name not in cells for name in (*_CALLS, _TOOLS)):
        raise InvalidParameter(
            "attach is for agents made by langchain's create_agent, as langchain 1.2 to 1.5 make them; this is none. "
            "Build it with memory = AMBMiddleware(bank): create_agent(..., middleware=[memory]), create_react_agent or "
            "create_supervisor(..., pre_model_hook=memory.pre_model_hook), or memory.bounded(messages) and "
            "memory.tool_node(tools) in nodes of your own. A supervisor's agents are attached to one by one."
        )
    return cells, node.tools_by_name if isinstance(node, ToolNode) else {}
