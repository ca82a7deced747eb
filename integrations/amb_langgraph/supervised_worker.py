"""A worker of a supervisor: its task with what is remembered before it, its result remembered behind it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal
from uuid import uuid4

from langchain_core.messages import (
    AIMessage,
    BaseMessage,
    HumanMessage,
    SystemMessage,
    ToolMessage,
    convert_to_messages,
)
from langchain_core.runnables import Runnable, RunnableConfig

from amb_core.adapter import text_of
from amb_longterm import SupervisorMemory

__all__ = ["Placement", "SupervisedWorker", "asked_last", "with_block"]

Placement = Literal["user", "system"]


class SupervisedWorker(Runnable[Any, Any]):
    """Runs an agent on a state with `messages`; what comes back is the agent's own, without the block."""

    def __init__(
        self, agent: Any, name: str, memory: Callable[[], SupervisorMemory | None], placement: Placement = "user"
    ) -> None:
        self.agent, self.name, self._worker = agent, name, name
        self._memory = memory
        self._placement: Placement = placement

    def invoke(self, input: Any, config: RunnableConfig | None = None, **kwargs: Any) -> Any:
        """The agent's output; its errors are raised as they come."""
        turn = self._turn(input)
        return turn.ended(self.agent.invoke(turn.given, config, **kwargs))

    async def ainvoke(self, input: Any, config: RunnableConfig | None = None, **kwargs: Any) -> Any:
        """The agent's output; its errors are raised as they come."""
        turn = await asyncio.to_thread(self._turn, input)
        output = await self.agent.ainvoke(turn.given, config, **kwargs)
        return await asyncio.to_thread(turn.ended, output)

    def _turn(self, input: Any) -> _Turn:
        return _Turn(self._worker, input, self._memory(), self._placement)


class _Turn:
    """One hand-off."""

    def __init__(self, worker: str, state: Any, memory: SupervisorMemory | None, placement: Placement) -> None:
        self._worker, self._memory = worker, memory
        self._before = [_with_id(message) for message in convert_to_messages(state["messages"])]
        self._task = _task(self._before)
        block = memory.before_handoff(worker, self._task) if memory else ""
        self._shown = with_block(self._before, block, placement=placement)
        self.given = {**state, "messages": self._shown}

    def ended(self, output: Any) -> Any:
        """The output without the block; what the worker brought is remembered."""
        messages = output.get("messages") if isinstance(output, dict) else None
        if not messages or self._memory is None:
            return output
        known = {message.id for message in self._shown}
        new = [message for message in messages if message.id not in known]
        answer = next((text_of(each.content) for each in reversed(new) if isinstance(each, AIMessage)), "")
        self._memory.after_worker(self._worker, task=self._task, answer=answer, calls=list(_calls(new)))
        return {**output, "messages": self._as_it_was(messages)}

    def _as_it_was(self, messages: Sequence[BaseMessage]) -> list[BaseMessage]:
        own = {message.id: message for message in self._before}
        added = {message.id for message in self._shown} - set(own)
        return [own.get(message.id, message) for message in messages if message.id not in added]


def with_block(messages: Sequence[BaseMessage], block: str, *, placement: Placement) -> list[BaseMessage]:
    """The messages with the block in the user's last one, or as a system message at the head; the rest is the same."""
    users = [at for at, message in enumerate(messages) if isinstance(message, HumanMessage)]
    if not block:
        return list(messages)
    if placement == "system" or not users:
        return [SystemMessage(block, id=str(uuid4())), *messages]
    message = messages[users[-1]]
    content: Any = f"{block}\n\n{message.content}"
    if not isinstance(message.content, str):
        content = [{"type": "text", "text": block}, *message.content]
    return [*messages[: users[-1]], message.model_copy(update={"content": content}), *messages[users[-1] + 1 :]]


def asked_last(messages: Sequence[BaseMessage]) -> HumanMessage | None:
    """The user's last message."""
    return next((each for each in reversed(messages) if isinstance(each, HumanMessage)), None)


def _task(messages: Sequence[BaseMessage]) -> str:
    """What a worker is to do: what the supervisor wrote into the hand-off, else what the user asked last."""
    last = next((each for each in reversed(messages) if isinstance(each, HumanMessage | AIMessage)), None)
    calls = last.tool_calls if isinstance(last, AIMessage) else []
    told = [value for call in calls[-1:] for value in call["args"].values() if isinstance(value, str)]
    asked = asked_last(messages)
    return "\n".join(filter(str.strip, told)) or ("" if asked is None else text_of(asked.content))


def _calls(messages: Sequence[BaseMessage]) -> Iterator[dict[str, Any]]:
    """The worker's tool calls that succeeded, with what they brought."""
    results = {each.tool_call_id: each for each in messages if isinstance(each, ToolMessage)}
    for message in messages:
        for call in message.tool_calls if isinstance(message, AIMessage) else ():
            result = results.get(call["id"] or "")
            if result is not None and result.status != "error":
                yield {"name": call["name"], "arguments": call["args"], "output": text_of(result.content)}


def _with_id(message: BaseMessage) -> BaseMessage:
    return message if message.id else message.model_copy(update={"id": str(uuid4())})
