"""AMBMiddleware: the memory of a LangChain agent, and the pieces for graphs built by hand."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Unpack

from langchain.agents.middleware import AgentMiddleware, ModelRequest, ModelResponse
from langchain.agents.structured_output import AutoStrategy, ToolStrategy
from langchain_core.messages import BaseMessage, SystemMessage, ToolMessage, convert_to_messages
from langchain_core.runnables import ensure_config
from langchain_core.tools import BaseTool, StructuredTool
from langchain_core.utils.function_calling import convert_to_openai_tool
from langgraph.prebuilt import ToolNode
from langgraph.prebuilt.tool_node import ToolCallRequest
from langgraph.types import Command

from amb_core import ContextAdapter, InvalidParameter, MemoryBank, Scope
from amb_core.adapter import AdapterOptions, BankSource, Caller, Tool, ToolMember, inside_run
from amb_core.adapter.memory_tools import agent_tools
from amb_langgraph.callers import caller_of, note_reply
from amb_langgraph.colleague import Colleague
from amb_langgraph.thread_run import ThreadRun
from amb_users.scoped_adapters import PerScope

__all__ = ["AMBMiddleware", "memory_tools"]


class AMBMiddleware(AgentMiddleware):
    """A memory for `create_agent(model, tools, middleware=[AMBMiddleware(bank)])`, sync and async.

    Each thread of a checkpointed graph is a run of its own, unless `run` names one for all. Where the bank is a
    function of a Scope, such as Banks, each user and thread has a bank of its own. With `small_state` the graph's
    state, and so its checkpoints, hold a reference instead of each long result; the prompts are the same.
    `name` is this middleware's in the agent. The other `options` are ContextAdapter's. Work on memory runs in a thread,
    off the event loop.
    """

    def __init__(
        self,
        bank: BankSource,
        *,
        small_state: bool = False,
        name: str = "AMBMiddleware",
        **options: Unpack[AdapterOptions],
    ) -> None:
        super().__init__()
        self._fixed_run, self._small_state, self._name = options.pop("run", None), small_state, name
        called = (getattr(options.get("team"), "agent", None), options.get("agent"))
        self._names = [str(each) for each in dict.fromkeys(called) if each] or [""]
        self._answers: dict[str, tuple[str, str]] = {}
        member = options.get("team")
        if member is not None:
            options["team"] = ToolMember(member, lambda result: self._answers.get(result.call_id or ""))
        self._member = member
        self._options: AdapterOptions = {**options, "run": self._fixed_run or ""}
        fixed = self._options.pop("scope", None)
        self._runs = PerScope(bank, self._new_run, fixed=fixed)
        if not self._runs.varies:
            own: AdapterOptions = {**self._options, "scope": fixed}
            self._own = ContextAdapter(bank, **own)
        self.tools: Sequence[BaseTool] = [
            self._structured(tool) for tool in agent_tools(str, str, settles=options.get("settles", False))
        ]
        self._offered: Sequence[object] = ()

    @property
    def adapter(self) -> ContextAdapter:
        """The adapter of the one bank; InvalidParameter where each user and thread has one."""
        if self._runs.varies:
            raise InvalidParameter("each user and thread has an adapter here, made when they come; there is no one.")
        return self._own

    @property
    def bank(self) -> MemoryBank:
        """The one bank; InvalidParameter where each user and thread has one."""
        return self.adapter.bank

    def adapter_of(self, scope: Scope) -> ContextAdapter:
        """The adapter of a user and thread, with their bank."""
        return self._runs.of(scope, str(scope.thread or "")).adapter if self._runs.varies else self._own

    @property
    def name(self) -> str:
        """What the agent knows this middleware by."""
        return self._name

    @property
    def failures(self) -> dict[str, int]:
        """How often memory failed, by what it was to do, over all threads; the runs went on without it."""
        own = () if self._runs.varies else (self.adapter,)
        adapters = {id(each): each for each in (*own, *(run.adapter for run in self._runs.made))}
        return dict(sum((Counter(adapter.failures) for adapter in adapters.values()), start=Counter[str]()))

    # --- what create_agent calls --------------------------------------------------------------------------------------

    def wrap_model_call(self, request: ModelRequest[Any], handler: Callable[[Any], ModelResponse[Any]]) -> Any:
        """Give one model call its bounded transcript and the block."""
        bounded, caller = self.bounded_request(request), caller_of(request.messages)
        with self.run_of(caller).adapter.gate.watching(caller.run):
            return self.replied(handler(bounded), caller)

    async def awrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[Any], Awaitable[ModelResponse[Any]]]
    ) -> Any:
        """Give one model call its bounded transcript and the block."""
        bounded, caller = await asyncio.to_thread(self.bounded_request, request), caller_of(request.messages)
        run = await asyncio.to_thread(self.run_of, caller)
        with run.adapter.gate.watching(caller.run):
            return await asyncio.to_thread(self.replied, await handler(bounded), caller)

    def wrap_tool_call(self, request: ToolCallRequest, handler: Callable[[Any], ToolMessage | Command[Any]]) -> Any:
        """Take in what a tool call brings; a search that the team made already is answered from its memory."""
        run, caller = self._met(request.state)
        known = run.known(request.tool_call, request.tool)
        if known is not None:
            return known
        with (
            run.colleague.errand(request.tool_call) as errand,
            inside_run(caller.run),
            run.adapter.gate.watching(caller.run),
        ):
            result = handler(request)
        return run.returned(errand, request.tool_call, request.tool, result)

    async def awrap_tool_call(
        self, request: ToolCallRequest, handler: Callable[[Any], Awaitable[ToolMessage | Command[Any]]]
    ) -> Any:
        """Take in what a tool call brings; a search that the team made already is answered from its memory."""
        run, caller = await asyncio.to_thread(self._met, request.state)
        in_team = self._member is not None
        known = await asyncio.to_thread(run.known, request.tool_call, request.tool) if in_team else None
        if known is not None:
            return known
        with (
            run.colleague.errand(request.tool_call) as errand,
            inside_run(caller.run),
            run.adapter.gate.watching(caller.run),
        ):
            result = await handler(request)
        return await asyncio.to_thread(run.returned, errand, request.tool_call, request.tool, result)

    def bounded_request(self, request: ModelRequest[Any]) -> ModelRequest[Any]:
        """A new request for the same model call; the one given, and the graph's state, are not changed."""
        answers = request.response_format
        strategy = ToolStrategy(answers.schema) if isinstance(answers, AutoStrategy) else answers
        specs = strategy.schema_specs if isinstance(strategy, ToolStrategy) else ()
        system = [request.system_message] if request.system_message else []
        caller, not_taken = caller_of(request.messages), {spec.name for spec in specs}
        tools = [*_definitions(request.tools), *_definitions([spec.schema for spec in specs])]
        messages = self.run_of(caller).request([*system, *request.messages], caller, not_taken=not_taken, tools=tools)
        if messages and isinstance(messages[0], SystemMessage):
            return request.override(system_message=messages[0], messages=messages[1:])
        return request.override(messages=messages)

    def replied(self, reply: Any, caller: Caller) -> Any:
        """Tell the team what the agent's model wrote; `reply` is handed back: a ModelResponse, or a node's update."""
        said = reply.get("messages", ()) if isinstance(reply, dict) else getattr(reply, "result", ())
        run = self.run_of(caller)
        note_reply(run.adapter, caller, said)
        run.colleague.say(said)
        return reply

    # --- graphs built by hand, create_react_agent, langgraph-supervisor -----------------------------------------------

    def bounded(self, messages: Sequence[Any]) -> list[BaseMessage]:
        """What a model node gives its model instead of the state's messages; new results are taken in."""
        given = convert_to_messages(messages)
        caller = caller_of(given)
        return self.run_of(caller).request(given, caller, tools=self._offered)

    def pre_model_hook(self, state: Any) -> dict[str, list[BaseMessage]]:
        """The `pre_model_hook` of create_react_agent and create_supervisor, which add their prompt afterwards."""
        return {"llm_input_messages": self.bounded(state["messages"] if isinstance(state, dict) else state.messages)}

    def tool_node(self, tools: Sequence[BaseTool | Callable[..., Any]], **options: Any) -> ToolNode:
        """A ToolNode of these tools and `deep_retrieval` that takes results in as they come; it gets the `options`.

        Their definitions count towards the bound of what `bounded` and `pre_model_hook` give.
        """
        self._offered = _definitions([*tools, *self.tools])
        return ToolNode(
            [*tools, *self.tools], wrap_tool_call=self.wrap_tool_call, awrap_tool_call=self.awrap_tool_call, **options
        )

    def run_of(self, caller: Caller) -> ThreadRun:
        """The run of the thread this is called in, with the bank of whoever calls."""
        thread = str(ensure_config().get("configurable", {}).get("thread_id") or "")
        return self._runs.of(caller.scope, thread if self._fixed_run is None else self._fixed_run)

    def _met(self, state: Any) -> tuple[ThreadRun, Caller]:
        """The run of a tool call and who it is made for; ScopeMixed when the bank is not theirs."""
        messages = state.get("messages") if isinstance(state, dict) else getattr(state, "messages", None)
        caller = caller_of(messages or ())
        run = self.run_of(caller)
        if messages:
            run.meet(convert_to_messages(messages), caller)
        return run, caller

    def _new_run(self, bank: MemoryBank, name: str, scope: Scope | None) -> ThreadRun:
        own = not self._runs.varies and name == (self._fixed_run or "") and bank is self._own.bank
        options: AdapterOptions = {**self._options, "run": name, "scope": scope}
        adapter = self._own if own else ContextAdapter(bank, **options)
        return ThreadRun(adapter, self._small_state, Colleague(adapter, self._names, self._answers))

    def _structured(self, tool: Tool) -> BaseTool:
        """A tool of ours that works in the memory of whoever calls it."""

        def opened(**given: Any) -> str:
            adapter = self.run_of(caller_of(())).adapter if self._runs.varies else self._own
            return next(each for each in adapter.memory_tools() if each.name == tool.name)(**given)

        return _structured(tool, opened)


def memory_tools(memory: ContextAdapter | MemoryBank) -> list[BaseTool]:
    """The tools to give to an agent beside its own: `deep_retrieval`. An AMBMiddleware brings them by itself."""
    return [_structured(tool, tool.__call__) for tool in ContextAdapter.of(memory).memory_tools()]


def _structured(tool: Tool, opened: Callable[..., str]) -> BaseTool:
    return StructuredTool(name=tool.name, description=tool.description, args_schema=tool.parameters, func=opened)


def _definitions(tools: Sequence[Any]) -> list[Any]:
    """What tools add to a request; one that LangChain cannot describe is told by its name."""
    return [_definition(tool) for tool in tools]


def _definition(tool: Any) -> Any:
    try:
        return convert_to_openai_tool(tool)
    except ValueError:
        return str(getattr(tool, "name", tool))
