"""What stands between one smolagents agent and its memory while it is attached."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from typing import Any

from smolagents import MultiStepAgent
from smolagents.agents import ToolOutput, populate_template
from smolagents.memory import ActionStep, MemoryStep, PlanningStep, TaskStep
from smolagents.models import ChatMessage, MessageRole, get_tool_json_schema
from smolagents.utils import AgentMaxStepsError

from amb_core import ContextAdapter, ToolResult
from amb_core.adapter import AdapterOptions, BankSource, Caller, begin_goal, inside_run, text_of
from amb_core.adapter.memory_tools import DEEP_RETRIEVAL
from amb_core.contributor import Entry
from amb_longterm.longterm_tools import DESCRIPTIONS
from amb_smolagents.managed_agents import request_in
from amb_smolagents.results import result_of, results_of
from amb_smolagents.transcript import chat_of, for_mates, messages_of

__all__ = ["Attachment", "attachment_of"]

_FRAMING = 0.03
"""Share of a request for "Observation:" and the like, and for what an endpoint adds."""
_NO_TEXT = frozenset({"image", "audio"})
_OWN = frozenset({DEEP_RETRIEVAL, *DESCRIPTIONS})
"""AMB's own tools: they search memories of which each agent has its own, and which change."""
_CODE = "python_interpreter"
"""The tool that smolagents says all code is for."""


class Attachment:
    """Takes the place of some of an agent's methods; `originals` are theirs, and closing `undo` puts them back.

    The agent's own transcript stays as it is; only the copies that steps keep of their prompts are dropped. The agent
    is one conversation, however often it runs; each run after the first has its task for a goal.
    `name` is what the agent is called in its team; one that `leads` was given it together with those it manages.
    """

    def __init__(self, agent: MultiStepAgent, bank: BankSource, options: AdapterOptions, *, name: str) -> None:
        self._share = options.get("share")
        self._code_knows_private = False
        own: AdapterOptions = {"follows_talk": False, **options}  # its transcripts tell results as a user would
        if self._share is not None:
            own["share"] = self.shares
        self.agent, self.adapter, self.name = agent, ContextAdapter(bank, **own), name
        self.originals: dict[str, Callable[..., Any]] = {}
        self.undo = ExitStack()
        self.leads = False
        self._first: MemoryStep | None = None
        self._task: MemoryStep | None = None
        self._current: list[ToolResult] = []
        self._found: dict[int, tuple[MemoryStep, list[ToolResult]]] = {}

    def shares(self, result: ToolResult) -> bool:
        """Whether team-mates may know of a result.

        Python keeps what its code was told: from the first private result on, all that code prints may be of it.
        """
        if self._share is None:
            return True
        shared = self.adapter.attempt("ask what is shared", partial(self._share, result))
        return bool(shared) and not (self._code_knows_private and result.tool == _CODE)

    # --- in the place of the agent's methods --------------------------------------------------------------------------

    def write_memory_to_messages(self, summary_mode: bool = False) -> list[ChatMessage]:
        """The messages for the next model call: old results condensed, the block behind them.

        After a run, when only a summary is asked for, there is no block.
        """
        messages: list[ChatMessage] = self.originals["write_memory_to_messages"](summary_mode=summary_mode)
        written = self.adapter.attempt("write the messages", partial(self._request, summary_mode, messages))
        if written is None and summary_mode and self._share is not None:  # a manager may be shown them
            return [message for message in messages if message.role != MessageRole.TOOL_RESPONSE]
        return written or messages

    def _generate_planning_step(self, task: str, is_first_step: bool, step: int) -> Iterator[Any]:
        """A plan; the task of the first one, for which smolagents writes no messages, has with it what memory says."""
        if is_first_step:
            told = self.adapter.attempt("plan with memory", partial(self._told_with, task))
            task = task if told is None else told
        plan: Iterator[Any] = self.originals["_generate_planning_step"](task, is_first_step=is_first_step, step=step)
        return plan

    def process_tool_calls(self, chat_message: ChatMessage, memory_step: ActionStep) -> Iterator[Any]:
        """The tool calls of a ToolCallingAgent; each result is caught before smolagents joins parallel ones."""
        for output in self.originals["process_tool_calls"](chat_message, memory_step):
            if isinstance(output, ToolOutput) and not output.is_final_answer:
                call = output.tool_call
                self._catch(partial(result_of, call.name, call.arguments, output.observation, output.id))
            yield output

    def execute_tool_call(self, tool_name: str, arguments: Any) -> Any:
        """One call of a ToolCallingAgent; a search that the team's memory answers is not made."""
        self._ask_mate(tool_name, arguments)
        tool = self.agent.tools.get(tool_name)
        wordless = tool is None or tool.output_type in _NO_TEXT
        found = None if wordless else self._known(tool_name, arguments)
        with inside_run(self.agent):
            return self.originals["execute_tool_call"](tool_name, arguments) if found is None else found

    def send_tools(self, tools: Mapping[str, Any]) -> None:
        """The tools of a CodeAgent go to Python as functions that say here what they return."""
        self.originals["send_tools"]({n: t if n == "final_answer" else self._watched(n, t) for n, t in tools.items()})

    def on_step(self, step: MemoryStep) -> None:
        """The end of a step: what it brought is memory, and it forgets the messages it was asked with."""
        if isinstance(step, PlanningStep):
            step.model_input_messages = []
            self._say(step.plan)
        elif isinstance(step, ActionStep):
            step.model_input_messages = None
            self._say(step.model_output)
            if step.is_final_answer:
                end = partial(self._answered, step.action_output)
                self.adapter.attempt("note the answer", end)
            asked = [call.id for call in getattr(step.model_output_message, "tool_calls", None) or ()]
            order = {call_id: at for at, call_id in enumerate(asked)}
            found = sorted(self._current, key=lambda result: order.get(result.call_id, -1))
            self._found[id(step)], self._current = (step, found), []
            self.adapter.attempt("take in a step", partial(self._take_in, step))

    # --- inside ------------------------------------------------------------------------------------------------------

    def _request(self, summary_mode: bool, messages: list[ChatMessage]) -> list[ChatMessage]:
        steps = [self.agent.memory.system_prompt, *self.agent.memory.steps]
        caller = self._caller()
        self.adapter.meet([one for step in steps for one in self._told(step)], caller)
        self._begin_goal()
        self._follow(steps)
        chat: list[dict[str, Any]] = []
        if [message for step in steps for message in step.to_messages(summary_mode=summary_mode)] == messages:
            for step in steps:
                chat += self._told(step, summary_mode=summary_mode)
        else:  # an agent that writes them in a way of its own
            chat += chat_of(None, messages, found=(), summary_mode=summary_mode)
        schemas, spared = self._head(chat)
        last = steps[-1]
        over = isinstance(last, ActionStep) and (last.is_final_answer or isinstance(last.error, AgentMaxStepsError))
        bound = self.adapter.condense if over else partial(self.adapter.prepare, caller=caller)
        if over and summary_mode and (self.adapter.team or self.adapter.shared):
            chat = for_mates(chat, self.adapter, shares=self.shares)
        return messages_of(bound(chat, reserved_tokens=schemas, spared_tokens=spared))

    def _told_with(self, task: str) -> str:
        """A task that a prompt of smolagents' own will hold, with what memory says of it."""
        asked = [{"role": "user", "content": task}]
        self.adapter.meet(asked, self._caller())
        self._begin_goal()
        template = self.agent.prompt_templates["planning"]["initial_plan"]
        names = {"tools": self.agent.tools, "managed_agents": self.agent.managed_agents}
        around = self.adapter.count.text(populate_template(template, variables={"task": "", **names}))
        prepared = self.adapter.prepare(
            asked, reserved_tokens=around, spared_tokens=around, caller=self._caller(), aside=True
        )
        return "\n\n".join(text_of(message["content"]) for message in prepared)

    def _caller(self) -> Caller:
        """The agent itself, whose runs are one conversation; the gate knows whose tool call a managed one works in."""
        return Caller(run=self.agent)

    def _answered(self, output: object) -> None:
        self.adapter.gate.answered(str(output), self.agent)

    def _begin_goal(self) -> None:
        """The task of a new run is the goal; that of the first one only where the bank was given none."""
        task = next((step for step in reversed(self.agent.memory.steps) if isinstance(step, TaskStep)), None)
        if task is not None and task is not self._task:
            begin_goal(self.adapter, task.task, anew=self._task is not None)
            self._task = task

    def _told(self, step: MemoryStep, *, summary_mode: bool = False) -> Iterator[dict[str, Any]]:
        return chat_of(step, step.to_messages(), found=self._results(step), summary_mode=summary_mode)

    def _follow(self, steps: Sequence[MemoryStep]) -> None:
        """Take in what came before we did, or was refused before; a run that begins anew is judged anew."""
        self._found = {id(step): self._found[id(step)] for step in steps if id(step) in self._found}
        for step in steps:
            if isinstance(step, ActionStep):
                self._take_in(step)
        if len(steps) > 1 and steps[1] is not self._first:
            self._first = steps[1]
            self.adapter.begin_transcript()

    def _head(self, chat: Sequence[dict[str, Any]]) -> tuple[int, int]:
        """The tokens of the tools' schemas, and how many of these and the system prompt the water marks leave room for.

        The tools are in the system prompt, and once more as schemas if they are sent so.
        """
        count, settings = self.adapter.count, self.adapter.bank.settings
        system = sum(count.message(message) for message in chat if message["role"] == "system")
        tools = getattr(self.agent, "tools_and_managed_agents", ())
        schemas = count.text(text_of([get_tool_json_schema(tool) for tool in tools]))
        room = int(settings.prompt_budget_tokens * (1 - settings.high_water - _FRAMING))
        return schemas, min(system + schemas, max(0, room))

    def _results(self, step: MemoryStep) -> list[ToolResult]:
        return self._found.get(id(step), (step, []))[1]

    def _take_in(self, step: ActionStep) -> None:
        self.adapter.absorb(results_of(step, self._results(step)))

    def _watched(self, name: str, tool: Callable[..., Any]) -> Callable[..., Any]:
        def call(*given: Any, **named: Any) -> Any:
            arguments = dict(zip(getattr(tool, "inputs", ()), given, strict=False)) | named
            self._ask_mate(name, arguments)
            # Code may do more with another object than print it.
            found = self._known(name, arguments) if getattr(tool, "output_type", "") == "string" else None
            with inside_run(self.agent):
                returned = tool(*given, **named) if found is None else found
            if returned is not None:
                self._catch(partial(result_of, name, arguments, returned))
                told = self._current[-1:]
                private = name == DEEP_RETRIEVAL or not all(map(self.shares, told))
                self._code_knows_private = self._code_knows_private or private
                self.adapter.attempt("take in a result", partial(self.adapter.absorb, told))
            return returned

        return call

    def _known(self, tool: str, arguments: Any) -> str | None:
        """What the team's memory answers for a call; nothing for what a managed agent is asked."""
        if tool in _OWN or tool in self.agent.managed_agents or not isinstance(arguments, Mapping):
            return None
        return self.adapter.known(tool, arguments)

    def _ask_mate(self, name: str, arguments: Any) -> None:
        """A managed agent that has a memory hears what it is asked."""
        mate = attachment_of(self.agent.managed_agents.get(name))
        if mate is not None:
            mate.adapter.on_entry(Entry("agent", request_in(arguments), sender=self.name))

    def _say(self, text: object) -> None:
        if isinstance(text, str):
            self.adapter.on_entry(Entry("agent", text))

    def _catch(self, result: Callable[[], ToolResult]) -> None:
        self.adapter.attempt("catch a result", lambda: self._current.append(result()))


def attachment_of(agent: Any) -> Attachment | None:
    """What is attached to an agent; None for nothing."""
    owner = getattr(getattr(agent, "__dict__", {}).get("write_memory_to_messages"), "__self__", None)
    return owner if isinstance(owner, Attachment) else None
