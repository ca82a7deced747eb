"""Giving a memory to an agent that exists, and taking it off again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from weakref import WeakKeyDictionary

from langgraph.graph.state import CompiledStateGraph

from amb_core import InvalidParameter
from amb_core.adapter import BankSource
from amb_langgraph.agent_parts import parts_of
from amb_langgraph.middleware import AMBMiddleware

__all__ = ["attach", "detach", "is_attached"]

_Graph = CompiledStateGraph[Any, Any, Any, Any]
_undoing: WeakKeyDictionary[_Graph, list[Callable[[], None]]] = WeakKeyDictionary()
"""What puts the parts of each attached agent back."""


def attach(agent: _Graph, /, bank: BankSource, **options: Any) -> AMBMiddleware:
    """Give an agent made by `create_agent` a memory; what its thread holds is taken in before its next model call.

    The agent's own middleware stays, outside of this one; tool calls go through memory first. An agent of
    create_react_agent, or without tools of its own, gets no `deep_retrieval`.
    `options` are AMBMiddleware's. Raises InvalidParameter for a graph of any other make, when the agent has a memory
    already, and for `small_state`, since a detached agent would be left with references.
    """
    if options.get("small_state"):
        raise InvalidParameter("an attached memory leaves the state as it is; pass small_state to an AMBMiddleware.")
    parts = parts_of(agent)
    named: dict[str, Any] = {"agent": agent.name, **options}
    memory = AMBMiddleware(bank, **named)
    if agent in _undoing or any(tool.name in parts.tools_by_name for tool in memory.tools):
        raise InvalidParameter("this agent has a memory already; detach it first.")
    _undoing[agent] = [parts.wrap_model_calls(memory), parts.offer(memory.tools), parts.wrap_tool_calls(memory)]
    return memory


def detach(agent: _Graph) -> None:
    """Undo `attach`; the agent has its own parts again. Raises InvalidParameter when nothing was attached."""
    if not is_attached(agent):
        raise InvalidParameter("nothing was attached to this graph.")
    for undo in reversed(_undoing.pop(agent)):
        undo()


def is_attached(agent: _Graph) -> bool:
    """Whether `attach` gave this agent a memory."""
    return agent in _undoing
