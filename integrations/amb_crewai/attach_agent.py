"""A memory for the agents of a CrewAI program: in a `with`, or from `attach` to `detach`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any, Unpack

from crewai import Agent, Crew
from crewai.hooks import InterceptionPoint, register_hook, unregister_hook

from amb_core import AmbError, InvalidParameter
from amb_core.adapter import AdapterOptions, BankSource
from amb_crewai.crew_memory import CrewMemory

__all__ = ["attach", "detach", "has_memory", "install", "memory", "remove"]

Hooks = dict[InterceptionPoint, Callable[[Any], Any]]
_attached: dict[int, CrewMemory] = {}


@contextmanager
def memory(
    bank: BankSource, *targets: Crew | Agent, tools: bool = True, **options: Unpack[AdapterOptions]
) -> Iterator[CrewMemory]:
    """Inside, the crews and agents named (or with none named: all that run) work with the bank's memory.

    Holds for what is started inside, also in threads and tasks of CrewAI's; what others run meanwhile is untouched, and
    nothing stays registered. `tools=False` gives no agent `deep_retrieval`; other options are ContextAdapter's, such as
    `shared=` for a team's bank. Raises InvalidParameter for an agent that has a memory already.
    """
    given = CrewMemory(bank, targets, tools=tools, options=options)
    with given, _scoped(_hooks_of(given)), given.as_one_run():
        yield given


def attach(
    target: Crew | Agent, bank: BankSource, *, tools: bool = True, **options: Unpack[AdapterOptions]
) -> CrewMemory:
    """Give a crew's agents or one agent a memory until `detach`; the options are those of `memory`.

    Raises InvalidParameter when the crew or agent has one already.
    """
    if has_memory(target):
        raise InvalidParameter(f"this {type(target).__name__.lower()} has a memory already; detach it first.")
    given = CrewMemory(bank, [target], tools=tools, options=options)
    install(given)
    _attached[id(target)] = given
    return given


def detach(target: Crew | Agent) -> None:
    """Undo `attach`; InvalidParameter when nothing was attached."""
    given = _attached.pop(id(target), None)
    if given is None:
        raise InvalidParameter(f"nothing was attached to this {type(target).__name__.lower()}.")
    remove(given)


def has_memory(target: Crew | Agent) -> bool:
    """Whether `attach` gave this crew or agent a memory."""
    return id(target) in _attached


def install(given: CrewMemory) -> None:
    """Open a memory and let it be heard in every thread; nothing is left when that fails."""
    given.__enter__()
    for point, hook in _hooks_of(given).items():
        register_hook(point, hook)
    _in_executors(given, add=True)


def remove(given: CrewMemory) -> None:
    """Undo `install`."""
    for point, hook in _hooks_of(given).items():
        unregister_hook(point, hook)
    _in_executors(given, add=False)
    given.__exit__(None, None, None)


def _hooks_of(given: CrewMemory) -> Hooks:
    return {
        InterceptionPoint.PRE_MODEL_CALL: given.before_model,
        InterceptionPoint.POST_MODEL_CALL: given.after_model,
        InterceptionPoint.PRE_TOOL_CALL: given.before_tool,
        InterceptionPoint.POST_TOOL_CALL: given.after_tool,
        InterceptionPoint.EXECUTION_START: given.on_start,
        InterceptionPoint.EXECUTION_END: given.on_end,
    }


def _in_executors(given: CrewMemory, *, add: bool) -> None:
    """An executor copies the registered model hooks when it is made, so those made earlier are told one by one."""
    for executor in filter(None, (agent.agent_executor for agent in given.agents)):
        for hooks, ours in (
            (executor.before_llm_call_hooks, given.before_model),
            (executor.after_llm_call_hooks, given.after_model),
        ):
            hooks[:] = [hook for hook in hooks if hook != ours] + ([ours] if add else [])


def _scoped(hooks: Hooks) -> AbstractContextManager[Any]:
    """The hooks for what runs in this context only, before those of a scope around it.

    CrewAI does not list scoped hooks among its public names: this is the one place that touches them.
    """
    try:
        from crewai.hooks.dispatch import get_scoped_hooks, scoped_hooks
    except ImportError as error:
        raise AmbError(
            "this CrewAI keeps its scoped hooks elsewhere; use attach(crew, bank) and detach(crew) instead of memory()."
        ) from error
    return scoped_hooks(
        {point: [*filter(None, [hooks.get(point)]), *get_scoped_hooks(point)] for point in InterceptionPoint}
    )
