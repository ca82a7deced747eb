"""Giving a memory to an AutoGen agent: to a new one by its arguments, to one that exists by exchanging its parts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Unpack
from weakref import WeakKeyDictionary

from autogen_agentchat.agents import AssistantAgent
from autogen_core.tools import BaseTool, StaticStreamWorkbench, Workbench

from amb_autogen.context import AMBContext, summary_formatter
from amb_autogen.searches import AskingWorkbench, as_tool
from amb_autogen.tools import memory_tools
from amb_core import AmbError, InvalidParameter
from amb_core.adapter import AdapterOptions, BankSource

__all__ = ["attach", "detach", "with_memory"]

_before: WeakKeyDictionary[AssistantAgent, dict[str, Any]] = WeakKeyDictionary()
"""What `attach` took out of each agent."""


def with_memory(
    bank: BankSource,
    *,
    tools: Sequence[Any] = (),
    workbench: Workbench | Sequence[Workbench] | None = None,
    strict: bool = False,
    **options: Unpack[AdapterOptions],
) -> dict[str, Any]:
    """The arguments that give a new AssistantAgent a memory: `AssistantAgent("a", client, **with_memory(bank))`.

    Pass the agent's `tools` or `workbench` here instead of to the agent; `deep_retrieval` joins them (`strict`: see
    memory_tools). The other options are AMBContext's; a member of a team gets its own bank, and `shared=` the team's or
    `team=team.member(name)`, which answers searches that the team has made before: the tools are a workbench then.
    """
    if tools and workbench is not None:
        raise InvalidParameter("AutoGen takes tools or a workbench, not both; put the tools into a StaticWorkbench.")
    context = AMBContext(bank, **options)
    found: dict[str, Any] = {
        "model_context": context,
        "tool_call_summary_formatter": summary_formatter(context),
    }
    ours = memory_tools(context, strict=strict)
    if workbench is None and context.adapter.team is None:
        context.offer([StaticStreamWorkbench([as_tool(tool) for tool in [*tools, *ours]])])
        return found | {"tools": [*tools, *ours]}
    if workbench is None:
        workbench = StaticStreamWorkbench([as_tool(tool) for tool in tools])
    theirs = [workbench] if isinstance(workbench, Workbench) else list(workbench)
    benches = [*_asking(theirs, context), StaticStreamWorkbench(list[BaseTool[Any, Any]](ours))]
    context.offer(benches)
    return found | {"workbench": benches}


def attach(
    agent: AssistantAgent, /, bank: BankSource, *, strict: bool = False, **options: Unpack[AdapterOptions]
) -> AMBContext:
    """Give an agent that exists a memory; its transcript so far is taken in before its next model call.

    A run that is under way goes on as it was. A summary formatter of the agent's own stays in place, and so does a
    format string, which is filled with the name of a result instead of the result. Returns the new
    model context, whose `options` these are. Raises InvalidParameter when the agent has a memory already.
    """
    options.setdefault("agent", agent.name)
    context = AMBContext(bank, **options)
    ours = StaticStreamWorkbench(list[BaseTool[Any, Any]](memory_tools(context, strict=strict)))
    form = getattr(agent, "_tool_call_summary_format", "{result}")
    _before[agent] = _exchanged(agent, context, add=ours, formatter=summary_formatter(context, form=form))
    context.offer([*_before[agent]["_workbench"], ours])
    return context


def detach(agent: AssistantAgent) -> None:
    """Undo `attach`: the agent has its own parts again, and its own context has the transcript up to now.

    Raises InvalidParameter when nothing was attached.
    """
    before = _before.pop(agent, None)
    if before is None:
        raise InvalidParameter(f"nothing was attached to the agent {agent.name!r}.")
    _exchanged(agent, before["_model_context"], restore=before)


def _asking(benches: Sequence[Workbench], context: AMBContext) -> list[Workbench]:
    """The workbenches behind the team's memory, if there is one."""
    if context.adapter.team is None:
        return list(benches)
    return [AskingWorkbench(bench, context.adapter) for bench in benches]


def _exchanged(
    agent: AssistantAgent,
    context: Any,
    *,
    add: Workbench | None = None,
    formatter: Any = None,
    restore: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """Put a context with its tools and formatter into an agent, or restore the old ones; returns what was there.

    AutoGen has no public way to do this: this is the one place that touches its private names. A model that cannot
    call tools gets none.
    """
    names = ("_model_context", "_workbench", "_tool_call_summary_formatter")
    missing = [name for name in (*names, "_model_client") if name not in vars(agent)]
    if missing or not hasattr(agent.model_context, "_messages"):
        raise AmbError(
            f"this AutoGen keeps an agent's parts elsewhere (no {', '.join(missing or ['_messages'])}); "
            "build the agent with AssistantAgent(..., **with_memory(bank)) instead."
        )
    found = {name: getattr(agent, name) for name in names}
    if restore is None and isinstance(agent.model_context, AMBContext):
        raise InvalidParameter(f"the agent {agent.name!r} has a memory already; detach it first.")
    context._messages = list(agent.model_context._messages)
    can_call = agent._model_client.model_info["function_calling"]
    new = restore or {
        "_model_context": context,
        "_workbench": [*_asking(found["_workbench"], context), add] if can_call else found["_workbench"],
        "_tool_call_summary_formatter": found["_tool_call_summary_formatter"] or formatter,
    }
    for name, value in new.items():
        setattr(agent, name, value)
    return found
