"""Runs scripted LangChain agents and graphs with a scripted chat model and hands back what the model got."""

from __future__ import annotations

import asyncio
import warnings
from collections.abc import Callable, Sequence
from typing import Any

from langchain.agents import create_agent
from langchain.agents.middleware import ToolRetryMiddleware
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, SystemMessage, convert_to_openai_messages
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.runnables import Runnable
from langchain_core.utils.function_calling import convert_to_openai_tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import MessagesState, StateGraph
from langgraph.prebuilt import ToolNode, tools_condition
from pydantic import PrivateAttr

from amb_contracts.integration import Request, Trace
from amb_contracts.integration_story import Call, Scenario
from amb_core import MemoryBank
from amb_langgraph import AMBMiddleware, attach, detach

__all__ = ["AttachDriver", "GraphDriver", "MiddlewareDriver", "PatientModel", "ScriptedModel", "says", "thread"]

warnings.filterwarnings("ignore", message="create_react_agent has been moved")


class ScriptedModel(BaseChatModel):
    """A chat model that says what it was told to, one reply after another, and keeps what it got."""

    replies: list[AIMessage]
    _requests: list[Request] = PrivateAttr(default_factory=list)

    @classmethod
    def of(cls, *scenarios: Scenario) -> ScriptedModel:
        """A model that says what the scenarios say."""
        return cls(replies=[reply for scenario in scenarios for reply in says(*scenario.turns, answer=scenario.answer)])

    @property
    def requests(self) -> tuple[Request, ...]:
        """What the model got, call by call."""
        return tuple(self._requests)

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def bind_tools(self, tools: Sequence[Any], **options: Any) -> Runnable[Any, AIMessage]:
        return self.bind(tools=[convert_to_openai_tool(tool) for tool in tools])

    def _generate(self, messages: list[BaseMessage], *_: Any, tools: Sequence[Any] = (), **options: Any) -> ChatResult:
        chat = convert_to_openai_messages(messages)
        assert isinstance(chat, list)
        self._requests.append(Request(tuple(chat), tuple(tool["function"]["name"] for tool in tools)))
        reply = self.replies[len(self._requests) - 1].model_copy()
        return ChatResult(generations=[ChatGeneration(message=reply)])


class PatientModel(ScriptedModel):
    """Says its next line to whoever asks: the reply after the last one in the transcript."""

    def _generate(self, messages: list[BaseMessage], *_: Any, **options: Any) -> ChatResult:
        said = sum(isinstance(message, AIMessage) for message in messages)
        return ChatResult(generations=[ChatGeneration(message=self.replies[said].model_copy())])


def says(*turns: Sequence[Call], answer: str) -> list[AIMessage]:
    """A reply for each turn's calls, and then the answer."""
    calls = [[{"name": c.tool, "args": dict(c.arguments), "id": c.call_id} for c in turn] for turn in turns]
    return [*(AIMessage(content="", tool_calls=each) for each in calls), AIMessage(content=answer)]


def thread(name: str = "t") -> Any:
    """The config of one thread."""
    return {"configurable": {"thread_id": name}, "recursion_limit": 200}


def _ask(graph: Any, scenario: Scenario, *, in_async: bool) -> str:
    asked, config = {"messages": [("user", scenario.task)]}, thread(scenario.user)
    state = asyncio.run(graph.ainvoke(asked, config)) if in_async else graph.invoke(asked, config)
    return str(state["messages"][-1].content)


class AttachDriver:
    """`attach` and `detach` on agents made by create_agent; a tool's error is an answer, as the user wants it."""

    def __init__(self, *, in_async: bool) -> None:
        self.in_async = in_async

    def agent(self, model: ScriptedModel, scenario: Scenario, *middleware: Any) -> Any:
        """An agent with a checkpointer."""
        return create_agent(
            model,
            tools=[*scenario.tools],
            system_prompt=scenario.system,
            middleware=[*middleware, ToolRetryMiddleware(max_retries=0)],
            checkpointer=InMemorySaver(),
        )

    def run(self, scenario: Scenario, *, bank: MemoryBank | None) -> Trace:
        model = ScriptedModel.of(scenario)
        agent = self.agent(model, scenario)
        if bank:
            attach(agent, bank, **scenario.options)
        answer = _ask(agent, scenario, in_async=self.in_async)
        return Trace(model.requests, answer)

    def go_on(self, first: Scenario, second: Scenario, *, bank: MemoryBank) -> Trace:
        model = ScriptedModel.of(first, second)
        agent = self.connected(model, first, bank)
        _ask(agent, first, in_async=self.in_async)
        before = len(model.requests)
        return Trace(model.requests[before:], _ask(agent, second, in_async=self.in_async))

    def connected(self, model: ScriptedModel, scenario: Scenario, bank: MemoryBank) -> Any:
        """An agent with a memory."""
        agent = self.agent(model, scenario)
        attach(agent, bank)
        return agent

    def run_after_detaching(self, first: Scenario, second: Scenario, *, bank: MemoryBank | None) -> Trace:
        model = ScriptedModel.of(first, second)
        agent = self.agent(model, first)
        if bank:
            attach(agent, bank)
        _ask(agent, first, in_async=self.in_async)
        before = len(model.requests)
        if bank:
            detach(agent)
        answer = _ask(agent, second, in_async=self.in_async)
        return Trace(model.requests[before:], answer)


class MiddlewareDriver(AttachDriver):
    """New agents with an AMBMiddleware; `options` are its own."""

    def __init__(self, *, in_async: bool, **options: Any) -> None:
        super().__init__(in_async=in_async)
        self.options = options

    def connected(self, model: ScriptedModel, scenario: Scenario, bank: MemoryBank) -> Any:
        return self.agent(model, scenario, AMBMiddleware(bank, **self.options))

    def run(self, scenario: Scenario, *, bank: MemoryBank | None) -> Trace:
        model = ScriptedModel.of(scenario)
        middleware = [AMBMiddleware(bank, **self.options, **scenario.options)] if bank else []
        answer = _ask(self.agent(model, scenario, *middleware), scenario, in_async=self.in_async)
        return Trace(model.requests, answer)


def _as_is(messages: list[BaseMessage]) -> list[BaseMessage]:
    return messages


class GraphDriver:
    """A graph built by hand: one node calls the model, the other the tools."""

    def __init__(self, *, in_async: bool) -> None:
        self.in_async = in_async

    def graph(self, model: ScriptedModel, scenario: Scenario, memory: AMBMiddleware | None, saver: Any) -> Any:
        """The graph, compiled."""
        handled = {"handle_tool_errors": True}
        tools = memory.tool_node(scenario.tools, **handled) if memory else ToolNode([*scenario.tools], **handled)
        shown: Callable[..., list[BaseMessage]] = memory.bounded if memory else _as_is
        bound = model.bind_tools(list(tools.tools_by_name.values()))

        def call_model(state: MessagesState) -> dict[str, Any]:
            return {"messages": [bound.invoke(shown([SystemMessage(scenario.system), *state["messages"]]))]}

        builder = StateGraph(MessagesState)
        builder.add_node("model", call_model)
        builder.add_node("tools", tools)
        builder.set_entry_point("model")
        builder.add_conditional_edges("model", tools_condition)
        builder.add_edge("tools", "model")
        return builder.compile(checkpointer=saver)

    def run(self, scenario: Scenario, *, bank: MemoryBank | None) -> Trace:
        model = ScriptedModel.of(scenario)
        graph = self.graph(model, scenario, AMBMiddleware(bank, **scenario.options) if bank else None, InMemorySaver())
        answer = _ask(graph, scenario, in_async=self.in_async)
        return Trace(model.requests, answer)

    def run_after_detaching(self, first: Scenario, second: Scenario, *, bank: MemoryBank | None) -> Trace:
        """The thread goes on in a graph that was built without memory."""
        model, saver = ScriptedModel.of(first, second), InMemorySaver()
        _ask(self.graph(model, first, AMBMiddleware(bank) if bank else None, saver), first, in_async=self.in_async)
        before = len(model.requests)
        answer = _ask(self.graph(model, first, None, saver), second, in_async=self.in_async)
        return Trace(model.requests[before:], answer)

    def go_on(self, first: Scenario, second: Scenario, *, bank: MemoryBank) -> Trace:
        model = ScriptedModel.of(first, second)
        graph = self.graph(model, first, AMBMiddleware(bank), InMemorySaver())
        _ask(graph, first, in_async=self.in_async)
        before = len(model.requests)
        return Trace(model.requests[before:], _ask(graph, second, in_async=self.in_async))
