"""Giving a memory to all agents of an app, by a plugin, or to one agent, by its callbacks."""

from __future__ import annotations

from typing import Any, Unpack

from google.adk.agents import LlmAgent
from google.adk.plugins.base_plugin import BasePlugin

from amb_core import InvalidParameter
from amb_core.adapter import AdapterOptions, BankSource
from amb_google_adk.agent_memory import AgentMemory

__all__ = ["AMBPlugin", "attach", "detach"]

_CALLBACKS = {
    "before_model_callback": "before_model",
    "before_tool_callback": "before_tool",
    "after_tool_callback": "after_tool",
}


class AMBPlugin(BasePlugin):
    """A memory for every agent of an app: `App(name="app", root_agent=agent, plugins=[AMBPlugin(bank)])`.

    `bank` is a bank, or a function of the Scope (such as Banks) that gives one for each user and session. An agent with
    a memory of its own by `attach` keeps that one. The options are ContextAdapter's.
    """

    def __init__(self, bank: BankSource, *, name: str = "amb", **options: Unpack[AdapterOptions]) -> None:
        super().__init__(name=name)
        self.memory = AgentMemory(bank, **options)

    async def before_model_callback(self, *, callback_context: Any, llm_request: Any) -> None:
        """Give one model call its memory."""
        if _memory_of(_agent(callback_context)) is None:
            await self.memory.before_model(callback_context, llm_request)

    async def before_tool_callback(self, *, tool: Any, tool_args: dict[str, Any], tool_context: Any) -> Any:
        """Answer a search from the team's memory, if it can."""
        if _memory_of(_agent(tool_context)) is None:
            return await self.memory.before_tool(tool, tool_args, tool_context)
        return None

    async def after_tool_callback(self, **told: Any) -> None:
        """The tool has done its work."""
        await self.memory.after_tool()


def attach(agent: LlmAgent, bank: BankSource, /, **options: Unpack[AdapterOptions]) -> AgentMemory:
    """Give an agent a memory, behind the callbacks it has; whoever runs it.

    The options are AgentMemory's, which is returned; `agent` is by default the agent's name. Raises InvalidParameter
    when the agent has a memory already.
    """
    if _memory_of(agent) is not None:
        raise InvalidParameter(f"the agent {agent.name!r} has a memory already; detach it first.")
    options.setdefault("agent", agent.name)
    memory = AgentMemory(bank, **options)
    for callback, ours in _CALLBACKS.items():
        setattr(agent, callback, [*_listed(getattr(agent, callback)), getattr(memory, ours)])
    return memory


def detach(agent: LlmAgent) -> None:
    """Undo `attach`: the agent has its own callbacks again. Raises InvalidParameter when nothing was attached."""
    if _memory_of(agent) is None:
        raise InvalidParameter(f"nothing was attached to the agent {agent.name!r}.")
    for callback in _CALLBACKS:
        left = [each for each in _listed(getattr(agent, callback)) if not _is_ours(each)]
        setattr(agent, callback, left or None)


def _memory_of(agent: Any) -> AgentMemory | None:
    return next(
        (each.__self__ for each in _listed(getattr(agent, "before_model_callback", None)) if _is_ours(each)), None
    )


def _agent(context: Any) -> Any:
    """The agent that a callback is about. ADK tells a plugin its name only: this is the one place that looks for it."""
    return getattr(getattr(context, "_invocation_context", None), "agent", None)


def _is_ours(callback: Any) -> bool:
    return isinstance(getattr(callback, "__self__", None), AgentMemory)


def _listed(callbacks: Any) -> list[Any]:
    return callbacks if isinstance(callbacks, list) else [] if callbacks is None else [callbacks]
