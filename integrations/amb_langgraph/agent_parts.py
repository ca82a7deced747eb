"""Where a compiled agent keeps its model calls and its tools.

LangChain and LangGraph have no public way to reach them: this is the one place that touches what is private to them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from langchain_core.tools import BaseTool
from langgraph.prebuilt import ToolNode

from amb_core import InvalidParameter
from amb_langgraph.callers import caller_of
from amb_langgraph.middleware import AMBMiddleware

__all__ = ["AgentParts", "is_agent", "parts_of"]

Undo = Callable[[], None]
_CALLS, _TOOLS = ("_execute_model_sync", "_execute_model_async"), "default_tools"
_REACT = "_get_model_input_state"
_TOOL_CALLS = ("_wrap_tool_call", "_awrap_tool_call")


@dataclass(frozen=True, slots=True)
class AgentParts:
    """`node` is the function of the model's node, `cells` the variables of create_agent's, `tools` the other node.

    An agent of create_react_agent has its model bound to its tools already, so that it can be offered no more of them.
    """

    node: Any
    cells: Mapping[str, Any]
    tools: ToolNode | None

    @property
    def tools_by_name(self) -> dict[str, BaseTool]:
        """The tools that the agent can call."""
        return {} if self.tools is None else self.tools.tools_by_name

    def wrap_model_calls(self, memory: AMBMiddleware) -> Undo:
        """Put a memory before each model call."""
        if _REACT in self.cells:
            return _react_wrapped(self.node, memory)
        before = {name: self.cells[name].cell_contents for name in _CALLS}
        call, acall = before.values()
        self.cells[_CALLS[0]].cell_contents = lambda request: memory.wrap_model_call(request, call)
        self.cells[_CALLS[1]].cell_contents = lambda request: memory.awrap_model_call(request, acall)

        def undo() -> None:
            for name, contents in before.items():
                self.cells[name].cell_contents = contents

        return undo

    def offer(self, tools: Sequence[BaseTool]) -> Undo:
        """Give the agent more tools, unless it has none or its model cannot be told of them."""
        given = list(tools) if self.tools_by_name and _TOOLS in self.cells else []
        self.tools_by_name.update({tool.name: tool for tool in given})
        if given:
            self.cells[_TOOLS].cell_contents.extend(given)

        def undo() -> None:
            for tool in given:
                self.tools_by_name.pop(tool.name, None)
                self.cells[_TOOLS].cell_contents.remove(tool)

        return undo

    def wrap_tool_calls(self, memory: AMBMiddleware) -> Undo:
        """Put a memory around each tool call, outside of what wraps it already."""
        node = self.tools
        if node is None or not all(hasattr(node, name) for name in _TOOL_CALLS):
            return lambda: None
        before = call, acall = [getattr(node, name) for name in _TOOL_CALLS]

        def wrapped(request: Any, handler: Callable[[Any], Any]) -> Any:
            return memory.wrap_tool_call(request, handler if call is None else lambda asked: call(asked, handler))

        async def awrapped(request: Any, handler: Callable[[Any], Any]) -> Any:
            return await memory.awrap_tool_call(
                request, handler if acall is None else lambda asked: acall(asked, handler)
            )

        only_sync = call is not None and acall is None  # then LangGraph runs the sync wrapper in async runs, too
        for name, made in zip(_TOOL_CALLS, (wrapped, None if only_sync else awrapped), strict=True):
            setattr(node, name, made)

        def undo() -> None:
            for name, was in zip(_TOOL_CALLS, before, strict=True):
                setattr(node, name, was)

        return undo


def is_agent(graph: object) -> bool:
    """Whether a graph was made by create_agent or create_react_agent."""
    return _found(graph) is not None


def parts_of(agent: object) -> AgentParts:
    """The parts of an agent; InvalidParameter says what to do for a graph of any other make."""
    parts = _found(agent)
    if parts is None:
        raise InvalidParameter(
            "attach is for agents made by langchain's create_agent, as langchain 1.2 to 1.5 make them, and by "
            "create_react_agent; this is none. Build it with memory = AMBMiddleware(bank): create_agent(..., "
            "middleware=[memory]), create_supervisor(..., pre_model_hook=memory.pre_model_hook), or "
            "memory.bounded(messages) and memory.tool_node(tools) in nodes of your own. The agents of a team get "
            "theirs from attach_team."
        )
    return parts


def _found(agent: object) -> AgentParts | None:
    nodes = getattr(agent, "nodes", None)
    if not isinstance(nodes, Mapping):
        return None
    tools = getattr(nodes.get("tools"), "bound", None)
    node_of_tools = tools if isinstance(tools, ToolNode) else None
    for name, wanted in (("model", (*_CALLS, _TOOLS)), ("agent", (_REACT,))):
        node = getattr(nodes.get(name), "bound", None)
        cells = _cells(node)
        if all(each in cells for each in wanted):
            return AgentParts(node, {each: cells[each] for each in wanted}, node_of_tools)
    return None


def _cells(node: object) -> dict[str, Any]:
    """The variables that a node's functions have from the function that made them."""
    cells: dict[str, Any] = {}
    for function in (getattr(node, name, None) for name in ("func", "afunc")):
        names = getattr(getattr(function, "__code__", None), "co_freevars", ())
        cells |= zip(names, getattr(function, "__closure__", None) or (), strict=True)
    return cells


def _react_wrapped(node: Any, memory: AMBMiddleware) -> Undo:
    """Exchange the two functions of create_react_agent's node for ones that show the model bounded messages."""
    call, acall = node.func, node.afunc

    def called(state: Any, **given: Any) -> Any:
        shown, caller = _bounded(state, memory), caller_of(_messages_of(state)[1])
        with memory.run_of(caller).adapter.gate.watching(caller.run):
            return memory.replied(call(shown, **given), caller)

    async def acalled(state: Any, **given: Any) -> Any:
        shown, caller = await asyncio.to_thread(_bounded, state, memory), caller_of(_messages_of(state)[1])
        with memory.run_of(caller).adapter.gate.watching(caller.run):
            return await asyncio.to_thread(memory.replied, await acall(shown, **given), caller)

    node.func, node.afunc = called, acalled

    def undo() -> None:
        node.func, node.afunc = call, acall

    return undo


def _messages_of(state: Any) -> tuple[str, Any]:
    """The messages for the model, where its own pre_model_hook or nobody has put them, and by what name they go."""
    given = state if isinstance(state, Mapping) else {name: getattr(state, name) for name in type(state).model_fields}
    key = "llm_input_messages" if given.get("llm_input_messages") else "messages"
    return key, given[key]


def _bounded(state: Any, memory: AMBMiddleware) -> Any:
    """The state with bounded messages for the model."""
    key, messages = _messages_of(state)
    shown = {key: memory.bounded(messages)}
    return {**state, **shown} if isinstance(state, Mapping) else state.model_copy(update=shown)
