"""Gives any step function a memory: `@remember(bank)` over a function that takes a message list."""

from __future__ import annotations

import asyncio
import functools
import inspect
import operator
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator, Iterable, Mapping
from typing import Any, TypeVar, cast

from amb_core.adapter import ContextAdapter
from amb_core.bank import MemoryBank
from amb_core.errors import InvalidParameter
from amb_core.models import StepResult, ToolResult

__all__ = ["remember"]

_Step = TypeVar("_Step", bound=Callable[..., Any])


def remember(
    bank: MemoryBank, *, argument: str = "messages", adapter: ContextAdapter | None = None
) -> Callable[[_Step], _Step]:
    """Decorate a step function, plain, async, generator or async generator, that takes OpenAI-style messages.

    Before each call the tool messages that are new become memory, old ones are condensed, and the block is put in, at
    every turn unless `inject` is set otherwise; the function gets a new list of bounded size, and what it appends to
    that list is appended to the caller's.
    Tool results it returns are taken in too. `adapter` sets placement, scope and the like. Raises InvalidParameter
    when the function has no parameter named `argument`; calls raise ScopeMixed for a conversation that is not the
    bank's.
    """
    if not isinstance(bank, MemoryBank):
        raise InvalidParameter("the decorator needs a bank: write @remember(bank) above the function.")
    if adapter is not None and adapter.bank is not bank:
        raise InvalidParameter("the adapter belongs to another bank; pass one made with ContextAdapter(bank).")
    connected = adapter or ContextAdapter(bank)

    def decorate(step: _Step) -> _Step:
        signature = inspect.signature(step)
        if argument not in signature.parameters:
            raise InvalidParameter(
                f"{getattr(step, '__name__', 'the function')} has no parameter {argument!r}; "
                "name the one that takes the messages: remember(bank, argument=...)."
            )

        def begin(*args: Any, **kwargs: Any) -> _Turn:
            bound = signature.bind(*args, **kwargs)
            bound.apply_defaults()
            return _Turn(connected, bound, argument)

        return cast(_Step, _wrapped(step, begin))

    return decorate


class _Turn:
    """One call: the caller's list, what the function gets instead, and what comes back.

    To open and to end one is slow work, which async callers do in a thread.
    """

    def __init__(self, adapter: ContextAdapter, bound: inspect.BoundArguments, argument: str) -> None:
        self.adapter = adapter
        self.bound = bound
        self.caller = bound.arguments[argument]
        adapter.meet(self.caller)
        adapter.intercept_context(list(self.caller))
        self.given: list[Any] = list(adapter.prepare(self.caller, inject=adapter.inject or "always"))
        self.sent = tuple(self.given)
        bound.arguments[argument] = self.given

    def hand_over(self) -> None:
        """What the function appended to its list goes to the caller's, also when it failed or was cancelled."""
        kept = len(self.given) >= len(self.sent) and all(map(operator.is_, self.given, self.sent))
        if kept and isinstance(self.caller, list):
            self.caller.extend(self.given[len(self.sent) :])
            self.sent = tuple(self.given)

    def take_in(self, output: object = None) -> None:
        """Tool results that the function appended or returned become memory now rather than at the next call."""
        self.adapter.intercept_context([*self.caller, *_messages_in(output)])
        self.adapter.absorb(_results_in(output))


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
    """The messages among what a step returned: one message, or a list of them."""
    candidates = output if isinstance(output, list | tuple) else [output]
    return [item for item in candidates if isinstance(item, Mapping) and isinstance(item.get("role"), str)]


def _results_in(output: object) -> Iterable[ToolResult]:
    if isinstance(output, StepResult):
        return output.tool_results
    candidates = output if isinstance(output, list | tuple) else [output]
    return [item for item in candidates if isinstance(item, ToolResult)]
