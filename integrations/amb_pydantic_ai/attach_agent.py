"""Giving a memory to a Pydantic AI agent that exists, by its model and tools."""

from __future__ import annotations

from typing import Any, Unpack

from pydantic_ai import Agent, FunctionToolset

from amb_core import AmbError, InvalidParameter
from amb_core.adapter import AdapterOptions, BankSource
from amb_pydantic_ai.agent_memory import AgentMemory
from amb_pydantic_ai.model import AMBModel
from amb_pydantic_ai.tools import memory_tools

__all__ = ["attach", "detach"]


class _Attached(AMBModel):
    """The model of an agent with a memory; `before` is what the agent had."""

    before: Any = None


def attach(agent: Agent[Any, Any], bank: BankSource, /, **options: Unpack[AdapterOptions]) -> AgentMemory:
    """Give an agent that exists a memory: its model is wrapped, and `deep_retrieval` joins its tools.

    A run that names a model of its own, or overrides the agent's, goes without. The options are AgentMemory's, which is
    returned; `agent` is by default the agent's name. Raises InvalidParameter when the agent has a memory already, no
    model, or a tool of that name.
    """
    if isinstance(agent.model, _Attached):
        raise InvalidParameter(f"the agent {agent.name!r} has a memory already; detach it first.")
    if agent.model is None:
        raise InvalidParameter("the agent has no model to attach to; give it AMBCapability(bank) or a model first.")
    options.setdefault("agent", agent.name)
    memory = AgentMemory(bank, **options)
    model = _Attached(agent.model, memory)
    model.before = agent.model
    own = _function_tools(agent)
    for tool in memory_tools(memory.adapters, settles=memory.settles):
        if tool.name in own.tools:
            raise InvalidParameter(f"the agent has a tool {tool.name!r} of its own; rename it first.")
        own.add_tool(tool)
    agent.model = model
    return memory


def detach(agent: Agent[Any, Any]) -> None:
    """Undo `attach`: the agent has its own model and tools again.

    Raises InvalidParameter when nothing was attached.
    """
    model = agent.model
    if not isinstance(model, _Attached):
        raise InvalidParameter(f"nothing was attached to the agent {agent.name!r}.")
    for tool in memory_tools(model.memory.adapters, settles=model.memory.settles):
        _function_tools(agent).tools.pop(tool.name, None)
    agent.model = model.before


def _function_tools(agent: Agent[Any, Any]) -> FunctionToolset[Any]:
    """The agent's own tools; Pydantic AI lists them first."""
    first = next(iter(agent.toolsets), None)
    if not isinstance(first, FunctionToolset):
        raise AmbError(
            "this Pydantic AI keeps an agent's own tools elsewhere; "
            "build the agent with Agent(..., capabilities=[AMBCapability(bank)]) instead."
        )
    return first
