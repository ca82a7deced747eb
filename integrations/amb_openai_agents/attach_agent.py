"""Giving a memory to an agent, by its hooks and tools, or to a whole run, by its RunConfig and hooks."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Mapping, Sequence
from copy import copy
from dataclasses import replace
from typing import Any, Unpack

from agents import Agent, FunctionTool, RunConfig
from agents.lifecycle import AgentHooksBase, RunHooksBase
from agents.run import CallModelData, ModelInputData

from amb_core import InvalidParameter
from amb_core.adapter import AdapterOptions, BankSource
from amb_openai_agents.agent_memory import AgentMemory
from amb_openai_agents.callers import Traces, caller_of
from amb_openai_agents.tools import memory_tools

__all__ = ["attach", "detach", "run_options", "with_memory"]

_Hook = Callable[..., Awaitable[None]]


def with_memory(
    bank: BankSource, *, tools: Sequence[Any] = (), hooks: Any = None, **options: Unpack[AdapterOptions]
) -> dict[str, Any]:
    """The arguments that give a new Agent a memory: `Agent("a", **with_memory(bank, tools=[search]))`.

    Pass the agent's own `tools` and AgentHooks here; `deep_retrieval` joins the tools, and both hooks are called. The
    other options are AgentMemory's.
    """
    memory = AgentMemory(bank, **options)
    if options.get("team") is not None:
        tools = [_answered_first(tool, memory) for tool in tools]
    return {
        "tools": [*tools, *memory_tools(memory.adapters, settles=memory.settles)],
        "hooks": _agent_hooks(memory, hooks),
    }


def attach(agent: Agent[Any], bank: BankSource, /, **options: Unpack[AdapterOptions]) -> AgentMemory:
    """Give an agent that exists a memory, whoever runs it: Runner, another agent's handoff, or as a tool.

    Its own hooks are called as before. The options are AgentMemory's, which is returned; `agent` is by default the
    agent's name. Raises InvalidParameter when the agent has a memory already.
    """
    if _memory_of(agent) is not None:
        raise InvalidParameter(f"the agent {agent.name!r} has a memory already; detach it first.")
    options.setdefault("agent", agent.name)
    memory = AgentMemory(bank, **options)
    hooks = _agent_hooks(memory, agent.hooks)
    hooks.before, hooks.added = (agent.tools, agent.hooks), memory_tools(memory.adapters, settles=memory.settles)
    tools = agent.tools if options.get("team") is None else [_answered_first(tool, memory) for tool in agent.tools]
    hooks.own = {id(ours): own for ours, own in zip(tools, agent.tools, strict=True)}
    agent.tools, agent.hooks = [*tools, *hooks.added], hooks
    return memory


def detach(agent: Agent[Any]) -> None:
    """Undo `attach`: the agent has its own tools and hooks again; tools it was given meanwhile stay.

    Raises InvalidParameter when nothing was attached.
    """
    hooks: Any = agent.hooks
    if getattr(hooks, "before", None) is None:
        raise InvalidParameter(f"nothing was attached to the agent {agent.name!r}.")
    left = [hooks.own.get(id(tool), tool) for tool in agent.tools if not any(tool is ours for ours in hooks.added)]
    tools, agent.hooks = hooks.before
    agent.tools = tools if tools == left else left


def run_options(
    bank: BankSource,
    *,
    run_config: RunConfig | None = None,
    hooks: Any = None,
    **options: Unpack[AdapterOptions],
) -> dict[str, Any]:
    """The arguments that give a run a memory: `Runner.run(agent, task, **run_options(bank))`.

    It serves all agents of the run, and agents used as their tools, except those with a memory of their own. A
    `call_model_input_filter` in your RunConfig comes first, your RunHooks second. The model needs the tool as well:
    `Agent(tools=[..., *memory_tools(bank)])`. The other options are AgentMemory's.
    """
    memory = AgentMemory(bank, **options)
    config = run_config or RunConfig()
    first, traces = config.call_model_input_filter, Traces()

    async def filtered(data: CallModelData[Any]) -> ModelInputData:
        if first is not None:
            answer = first(data)
            data = replace(data, model_data=await answer if inspect.isawaitable(answer) else answer)
        shown = data.model_data
        if _memory_of(data.agent) is not None:
            return shown
        given: Any = {"instructions": shown.instructions, "tools": data.agent.tools}
        items = await memory.request(shown.input, **given, caller=traces.caller(data.context))
        return replace(shown, input=items)

    async def on_agent_start(context: Any, agent: Any) -> None:
        traces.begin(context)

    async def on_tool_end(context: Any, agent: Any, tool: Any, result: object) -> None:
        if _memory_of(agent) is None:
            await memory.result(context, tool, result)

    async def on_agent_end(context: Any, agent: Any, output: object) -> None:
        await memory.answered(context, output)

    ours: dict[str, _Hook] = {
        "on_agent_start": on_agent_start,
        "on_tool_end": on_tool_end,
        "on_agent_end": on_agent_end,
    }
    both = _chain(RunHooksBase, ours, hooks)
    return {"run_config": replace(config, call_model_input_filter=filtered), "hooks": both}


def _answered_first(tool: Any, memory: AgentMemory) -> Any:
    """A function tool that asks the team's memory before it is called; no hook of the SDK could answer for it."""
    if not isinstance(tool, FunctionTool):
        return tool

    async def invoke(context: Any, arguments: str) -> Any:
        known = await memory.known(context, tool.name, arguments)
        return await tool.on_invoke_tool(context, arguments) if known is None else known

    asking = copy(tool)
    asking.on_invoke_tool = invoke
    return asking


def _agent_hooks(memory: AgentMemory, theirs: Any) -> Any:
    """AgentHooks that bring the memory into each request of the agent they belong to.

    The SDK has a filter for the requests of a run but none for those of an agent; it sends the list that on_llm_start
    is shown, so this is the one place that writes into such a list.
    """

    async def on_llm_start(context: Any, agent: Any, system_prompt: str | None, input_items: list[Any]) -> None:
        given: Any = {"instructions": system_prompt, "tools": agent.tools, "caller": caller_of(context)}
        input_items[:] = await memory.request(input_items, **given)

    async def on_tool_end(context: Any, agent: Any, tool: Any, result: object) -> None:
        await memory.result(context, tool, result)

    async def on_end(context: Any, agent: Any, output: object) -> None:
        await memory.answered(context, output)

    ours: dict[str, _Hook] = {"on_llm_start": on_llm_start, "on_tool_end": on_tool_end, "on_end": on_end}
    hooks = _chain(AgentHooksBase, ours, theirs)
    hooks.memory = memory
    return hooks


def _memory_of(agent: Any) -> AgentMemory | None:
    memory = getattr(agent.hooks, "memory", None)
    return memory if isinstance(memory, AgentMemory) else None


def _chain(kind: type[Any], ours: Mapping[str, _Hook], theirs: Any) -> Any:
    """Hooks of the given kind that do ours, then theirs, whatever hooks this version of the SDK has."""

    def both(name: str) -> _Hook:
        async def call(self: Any, *args: Any, **kwargs: Any) -> None:
            if name in ours:
                await ours[name](*args, **kwargs)
            if theirs is not None:
                await getattr(theirs, name)(*args, **kwargs)

        return call

    names = [name for name in dir(kind) if name.startswith("on_")]
    return type("MemoryHooks", (kind,), {name: both(name) for name in names})()
