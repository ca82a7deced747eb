"""Runs scripted smolagents agents with a model that says what it is told to, and hands back what the model got."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, ClassVar

from smolagents import CodeAgent, MultiStepAgent, ToolCallingAgent, tool
from smolagents.models import (
    ChatMessage,
    ChatMessageStreamDelta,
    ChatMessageToolCall,
    ChatMessageToolCallFunction,
    ChatMessageToolCallStreamDelta,
    MessageRole,
    Model,
    tool_role_conversions,
)

from amb_contracts.integration import Request, Trace
from amb_contracts.integration_story import Call, Scenario, keeper_tools, task
from amb_core import MemoryBank
from amb_core.adapter import text_of
from amb_smolagents import attach, detach

__all__ = ["SmolagentsDriver", "agent_for", "code", "said", "scenario", "text", "wire"]


class ScriptedModel(Model):
    """Gives the replies in order; `seen` is what it got each time, `tools` the names it was offered."""

    def __init__(self, replies: Sequence[Sequence[Call] | str], **options: Any) -> None:
        super().__init__(model_id="scripted", **options)
        self.replies = list(replies)
        self.seen: list[list[ChatMessage]] = []
        self.tools: list[tuple[str, ...]] = []

    def generate(
        self, messages: list[ChatMessage], tools_to_call_from: Sequence[Any] | None = None, **options: Any
    ) -> ChatMessage:
        self.seen.append(list(messages))
        offered = [tool.name for tool in tools_to_call_from or ()]
        prompt = text(messages[0])
        self.tools.append(tuple(offered or re.findall(r"^def (\w+)\(", prompt, re.MULTILINE)))
        reply = self.replies[len(self.seen) - 1]
        if isinstance(reply, str):
            return ChatMessage(role=MessageRole.ASSISTANT, content=reply)
        calls = [
            ChatMessageToolCall(
                function=ChatMessageToolCallFunction(name=c.tool, arguments=json.dumps(dict(c.arguments))),
                id=c.call_id,
                type="function",
            )
            for c in reply
        ]
        return ChatMessage(role=MessageRole.ASSISTANT, content=None, tool_calls=calls)

    def generate_stream(self, messages: list[ChatMessage], **options: Any) -> Iterator[ChatMessageStreamDelta]:
        reply = self.generate(messages, **options)
        yield ChatMessageStreamDelta(content=reply.content or "")
        for at, call in enumerate(reply.tool_calls or ()):
            delta = ChatMessageToolCallStreamDelta(index=at, id=call.id, type="function", function=call.function)
            yield ChatMessageStreamDelta(tool_calls=[delta])


def text(message: ChatMessage) -> str:
    """A message's text."""
    return text_of(message.content)


def wire(messages: Sequence[ChatMessage]) -> list[dict[str, Any]]:
    """Messages as an endpoint gets them: two roles, and two in a row of one role made one."""
    model = Model()
    prepared: list[dict[str, Any]] = model._prepare_completion_kwargs(list(messages))["messages"]
    return prepared


def scenario(*turns: Sequence[Call], **options: Any) -> Scenario:
    """A scenario with the keeper's tools."""
    return Scenario(task(), tuple(map(tuple, turns)), keeper_tools(**options))


def said(scenarios: Sequence[Scenario], *, as_code: bool) -> list[Sequence[Call] | str]:
    """What the model says: tool calls, or code that makes them and prints what they return."""
    replies: list[Sequence[Call] | str] = []
    for one in scenarios:
        if as_code:
            replies += [code(*(f"print({c.tool}(**{dict(c.arguments)!r}))" for c in turn)) for turn in one.turns]
            replies.append(code(f"final_answer({one.answer!r})"))
        else:
            final = Call("final_answer", {"answer": one.answer}, "call-final")
            replies += [*one.turns, [final]]
    return replies


def code(*lines: str) -> str:
    """A CodeAgent's reply."""
    return "Thought: I go on.\n<code>\n" + "\n".join(lines) + "\n</code>"


def agent_for(
    *scenarios: Scenario, kind: Callable[..., MultiStepAgent] = ToolCallingAgent, **options: Any
) -> tuple[MultiStepAgent, ScriptedModel]:
    """An agent with the first scenario's tools and a model that does the scenarios one after another."""
    model = ScriptedModel(options.pop("replies", None) or said(scenarios, as_code=kind is CodeAgent))
    tools = [tool(function) for function in scenarios[0].tools]
    arguments = {"max_steps": 99, "verbosity_level": 0, "instructions": scenarios[0].system} | options
    return kind(tools=tools, model=model, **arguments), model


def requests_of(model: ScriptedModel) -> tuple[Request, ...]:
    """What the model got, as the adapter's messages: smolagents writes a transcript as text of two roles."""
    return tuple(
        Request(
            tuple({"role": str(tool_role_conversions.get(m.role, m.role).value), "content": text(m)} for m in messages),
            tools,
        )
        for messages, tools in zip(model.seen, model.tools, strict=True)
    )


class SmolagentsDriver:
    """Agents of one kind, connected by `attach`."""

    joins_users = True
    steady: ClassVar = {"always": (20_000, 10)}  # its own prompt has some 3,000 tokens

    def __init__(self, kind: Callable[..., MultiStepAgent] = ToolCallingAgent) -> None:
        self.kind = kind

    def run(self, scenario: Scenario, *, bank: MemoryBank | None) -> Trace:
        agent, model = agent_for(scenario, kind=self.kind)
        if bank:
            attach(agent, bank, **scenario.options)
        answer = agent.run(scenario.task)
        return Trace(requests_of(model), str(answer))

    def run_after_detaching(self, first: Scenario, second: Scenario, *, bank: MemoryBank | None) -> Trace:
        agent, model = agent_for(first, second, kind=self.kind)
        if bank:
            attach(agent, bank)
        agent.run(first.task)
        before = len(model.seen)
        if bank:
            detach(agent)
        answer = agent.run(second.task, reset=False)
        return Trace(requests_of(model)[before:], str(answer))

    def go_on(self, first: Scenario, second: Scenario, *, bank: MemoryBank) -> Trace:
        agent, model = agent_for(first, second, kind=self.kind)
        attach(agent, bank)
        agent.run(first.task)
        before = len(model.seen)
        answer = agent.run(second.task, reset=False)
        return Trace(requests_of(model)[before:], str(answer))
