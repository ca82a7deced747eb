"""Gives any step function a memory: `@remember(bank)` over one that takes messages, a state or an observation."""

from __future__ import annotations

import asyncio
import copy
import functools
import inspect
import operator
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator, Iterable, Mapping, Sequence
from typing import Any, TypeVar, cast

from amb_core.adapter import ContextAdapter
from amb_core.bank import MemoryBank
from amb_core.errors import InvalidParameter
from amb_core.models import StepResult, ToolResult
from amb_core.rendering import Reference, head_and_tail

__all__ = ["remember"]

_Step = TypeVar("_Step", bound=Callable[..., Any])


def remember(
    bank: MemoryBank, *, argument: str | None = None, adapter: ContextAdapter | None = None
) -> Callable[[_Step], _Step]:
    """Decorate a step function, plain, async, generator or async generator, that takes messages.

    Before each call the tool messages that are new become memory, old ones are condensed, and the block is put in, at
    every turn unless `inject` is set otherwise; the function gets a new list of bounded size, and what it appends to
    that list is appended to the caller's.
    The argument may also be a state with `messages`, such as LangGraph's: the function gets a copy of it with such a
    list, and the messages of its update are taken in. Or it is a text, an observation: that becomes memory as a tool
    result, and the function gets it behind the block.
    Tool results it returns are taken in too. `argument` names the parameter, by default `messages` or the only one
    there is; `adapter` sets placement, scope and the like. Raises InvalidParameter when the function has no such
    parameter; calls raise ScopeMixed for a conversation that is not the bank's.
    """
    if not isinstance(bank, MemoryBank):
        raise InvalidParameter("the decorator needs a bank: write @remember(bank) above the function.")
    if adapter is not None and adapter.bank is not bank:
        raise InvalidParameter("the adapter belongs to another bank; pass one made with ContextAdapter(bank).")
    connected = adapter or ContextAdapter(bank)

    def decorate(step: _Step) -> _Step:
        signature = inspect.signature(step)
        wanted = argument or _only(signature) or "messages"
        if wanted not in signature.parameters:
            raise InvalidParameter(
                f"{getattr(step, '__name__', 'the function')} has no parameter {wanted!r}; "
                "name the one that takes the messages, the state or the observation: remember(bank, argument=...)."
            )

        def begin(*args: Any, **kwargs: Any) -> _Turn:
            bound = signature.bind(*args, **kwargs)
            bound.apply_defaults()
            value = bound.arguments[wanted]
            kind = _TextTurn if isinstance(value, str) else _Turn
            return kind(connected, bound, wanted, getattr(step, "__name__", "step"))

        return cast(_Step, _wrapped(step, begin))

    return decorate


def _only(signature: inspect.Signature) -> str | None:
    """The one parameter of a function that takes no `messages`; None where it takes several, or any."""
    plain = [one.name for one in signature.parameters.values() if one.kind not in (one.VAR_POSITIONAL, one.VAR_KEYWORD)]
    names = [name for name in plain if name not in ("self", "cls")]
    return names[0] if len(names) == 1 and "messages" not in names else None


class _Turn:
    """One call: the caller's list, what the function gets instead, and what comes back.

    To open and to end one is slow work, which async callers do in a thread.
    """

    def __init__(self, adapter: ContextAdapter, bound: inspect.BoundArguments, argument: str, name: str) -> None:
        self.adapter, self.bound = adapter, bound
        value = bound.arguments[argument]
        self.caller = self.read(value)
        self.is_theirs = isinstance(value, list)
        self.given: list[Any] = list(adapter.prepare(self.caller, inject=adapter.inject or "always"))
        self.sent = tuple(self.given)
        bound.arguments[argument] = self.made(value)

    def read(self, value: Any) -> Any:
        """The messages of the argument, of which what is new is memory now."""
        state = value.get("messages") if isinstance(value, Mapping) else getattr(value, "messages", None)
        messages = cast("Sequence[Any]", value if state is None else state)
        self.adapter.meet(messages)
        self.adapter.intercept_context(list(messages))
        return messages

    def made(self, value: Any) -> Any:
        """What the function gets: the new list, or a copy of the state with it."""
        if isinstance(value, Mapping):
            return {**value, "messages": self.given}
        if value is self.caller:
            return self.given
        state = copy.copy(value)
        object.__setattr__(state, "messages", self.given)
        return state

    def hand_over(self) -> None:
        """What the function appended to its list goes to the caller's, also when it failed or was cancelled."""
        kept = len(self.given) >= len(self.sent) and all(map(operator.is_, self.given, self.sent))
        if kept and self.is_theirs:
            self.caller.extend(self.given[len(self.sent) :])
            self.sent = tuple(self.given)

    def take_in(self, output: object = None) -> None:
        """Tool results that the function appended or returned become memory now rather than at the next call."""
        self.adapter.intercept_context([*self.caller, *_messages_in(output)])
        self.adapter.absorb(_results_in(output))


class _TextTurn(_Turn):
    """A call whose argument is an observation: the result of a tool that has the function's name."""

    def __init__(self, adapter: ContextAdapter, bound: inspect.BoundArguments, argument: str, name: str) -> None:
        self.adapter, self.bound = adapter, bound
        observation = bound.arguments[argument]
        block = None if adapter.inject == "never" else adapter.block(query=observation)
        kept = None
        if observation.strip():
            turn = {"turn": adapter.bank.size.entries + 1}  # so that none is a newer state of another
            reports = adapter.absorb([ToolResult(tool=name, arguments=turn, output=observation)]).reports
            kept = next((Reference((f"step {report.entry_ids[0][1:]}",), opens=False) for report in reports), None)
        if block is not None:
            text = f"{block.text}\n\n{self.cut(observation, kept, beside=block.text)}"
            adapter.log(block, prompt_tokens=adapter.count.text(text), raw_tokens=adapter.bank.size.raw_tokens)
            bound.arguments[argument] = text
        else:
            bound.arguments[argument] = self.cut(observation, kept)

    def cut(self, observation: str, kept: Reference | None, *, beside: str = "") -> str:
        """As much of the observation as the bound of a request leaves room for: its beginning and end."""
        bank, count = self.adapter.bank, self.adapter.count.text
        room = max(bank.settings.prompt_budget_tokens - count(beside), _LEAST)
        language = bank.settings.language_for(bank.insight.task_goal)
        return observation if count(observation) <= room else head_and_tail(observation, room, kept, language)

    def hand_over(self) -> None:
        """Nothing is appended to a text."""

    def take_in(self, output: object = None) -> None:
        """What the function says is kept as the agent's words, and results it returns as results."""
        if isinstance(output, str) and output.strip():
            self.adapter.intercept_context([{"role": "assistant", "content": output}])
        self.adapter.absorb(_results_in(output))


_LEAST = 60
"""Tokens that an observation always has."""

_Begin = Callable[..., _Turn]


def _wrapped(step: Callable[..., Any], begin: _Begin) -> Callable[..., Any]:
    if _is(inspect.isasyncgenfunction, step):
        return _async_generator(step, begin)
    if _is(inspect.iscoroutinefunction, step):
        return _coroutine(step, begin)
    if _is(inspect.isgeneratorfunction, step):
        return _generator(step, begin)
    return _plain(step, begin)


def _plain(step: Callable[..., Any], begin: _Begin) -> Callable[..., Any]:
    @functools.wraps(step)
    def call(*args: Any, **kwargs: Any) -> Any:
        turn = begin(*args, **kwargs)
        try:
            output = step(*turn.bound.args, **turn.bound.kwargs)
        finally:
            turn.hand_over()
        if inspect.isawaitable(output):  # a plain function that hands on a coroutine
            return _awaited(output, turn)
        turn.take_in(output)
        return output

    return call


def _coroutine(step: Callable[..., Any], begin: _Begin) -> Callable[..., Any]:
    @functools.wraps(step)
    async def call(*args: Any, **kwargs: Any) -> Any:
        turn = await asyncio.to_thread(begin, *args, **kwargs)
        return await _awaited(step(*turn.bound.args, **turn.bound.kwargs), turn)

    return call


async def _awaited(output: Awaitable[Any], turn: _Turn) -> Any:
    try:
        value = await output
    finally:
        turn.hand_over()
    await asyncio.to_thread(turn.take_in, value)
    return value


def _generator(step: Callable[..., Any], begin: _Begin) -> Callable[..., Any]:
    @functools.wraps(step)
    def call(*args: Any, **kwargs: Any) -> Generator[Any, Any, Any]:
        turn = begin(*args, **kwargs)
        try:
            output = yield from step(*turn.bound.args, **turn.bound.kwargs)
        finally:
            turn.hand_over()
        turn.take_in(output)
        return output

    return call


def _async_generator(step: Callable[..., Any], begin: _Begin) -> Callable[..., Any]:
    @functools.wraps(step)
    async def call(*args: Any, **kwargs: Any) -> AsyncGenerator[Any, None]:
        turn = await asyncio.to_thread(begin, *args, **kwargs)
        inner = step(*turn.bound.args, **turn.bound.kwargs)
        try:
            async for value in inner:
                yield value
        finally:
            turn.hand_over()
            await inner.aclose()
        await asyncio.to_thread(turn.take_in)

    return call


def _is(kind: Callable[[object], bool], step: Callable[..., Any]) -> bool:
    return kind(step) or kind(getattr(step, "__call__", None))  # noqa: B004 - an object whose __call__ is async


def _messages_in(output: object) -> list[Any]:
    """The messages among what a step returned: one message, a list of them, or the update of a state."""
    if isinstance(output, Mapping) and "messages" in output:
        output = output["messages"]
    candidates = output if isinstance(output, list | tuple) else [output]
    return [
        item
        for item in candidates
        if hasattr(item, "response_metadata") or (isinstance(item, Mapping) and isinstance(item.get("role"), str))
    ]


def _results_in(output: object) -> Iterable[ToolResult]:
    if isinstance(output, StepResult):
        return output.tool_results
    candidates = output if isinstance(output, list | tuple) else [output]
    return [item for item in candidates if isinstance(item, ToolResult)]
