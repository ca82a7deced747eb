"""What stands between one smolagents agent and its memory while it is attached."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

from smolagents import MultiStepAgent
from smolagents.agents import ToolOutput
from smolagents.memory import ActionStep, MemoryStep, PlanningStep
from smolagents.models import ChatMessage, get_tool_json_schema
from smolagents.utils import AgentMaxStepsError

from amb_core import ContextAdapter, ToolResult
from amb_core.adapter import Placement, TokenCounter, attachment_part, text_of
from amb_core.adapter.message_lists import condensed, placed, without_blocks
from amb_core.adapter.tool_calls import items_of
from amb_core.condensing import TranscriptItem
from amb_smolagents.results import result_of, results_of
from amb_smolagents.transcript import chat_of, messages_of

__all__ = ["Attachment"]

_log = logging.getLogger("amb.smolagents")
_FRAMING = 0.03
"""Share of a request for "Observation:" and the like, and for what an endpoint adds."""
_Value = TypeVar("_Value")


class Attachment:
    """Takes the place of some of an agent's methods; `originals` are theirs, and closing `undo` puts them back.

    The agent's own transcript stays as it is; only the copies that steps keep of their prompts are dropped.
    """

    def __init__(
        self, agent: MultiStepAgent, adapter: ContextAdapter, *, placement: Placement, count: TokenCounter
    ) -> None:
        self.agent, self.adapter = agent, adapter
        self.originals: dict[str, Callable[..., Any]] = {}
        self.undo = ExitStack()
        self._placement: Placement = placement
        self._count = count
        self._run: tuple[MemoryStep | None, int] = (None, 0)
        self._current: list[ToolResult] = []
        self._found: dict[int, tuple[MemoryStep, list[ToolResult]]] = {}

    # --- in the place of the agent's methods --------------------------------------------------------------------------

    def write_memory_to_messages(self, summary_mode: bool = False) -> list[ChatMessage]:
        """The messages for the next model call: old results condensed, the block behind them.

        After a run, when only a summary is asked for, there is no block.
        """
        messages: list[ChatMessage] = self.originals["write_memory_to_messages"](summary_mode=summary_mode)
        return self._safely("write the messages", partial(self._condensed, messages, summary_mode), messages)

    def _generate_planning_step(self, task: str, is_first_step: bool, step: int) -> Iterator[Any]:
        """A plan; the first one, for which smolagents writes no messages, gets the block with the task."""
        block = self.adapter.block() if is_first_step else None
        if block is not None:
            tokens = self._count.text(task)
            self.adapter.log(block, prompt_tokens=tokens + block.tokens, raw_tokens=tokens)
            task = f"{task}\n\n{block.text}"
        plan: Iterator[Any] = self.originals["_generate_planning_step"](task, is_first_step=is_first_step, step=step)
        return plan

    def process_tool_calls(self, chat_message: ChatMessage, memory_step: ActionStep) -> Iterator[Any]:
        """The tool calls of a ToolCallingAgent; each result is caught before smolagents joins parallel ones."""
        for output in self.originals["process_tool_calls"](chat_message, memory_step):
            if isinstance(output, ToolOutput) and not output.is_final_answer:
                call = output.tool_call
                self._catch(partial(result_of, call.name, call.arguments, output.observation, output.id))
            yield output

    def send_tools(self, tools: Mapping[str, Any]) -> None:
        """The tools of a CodeAgent go to Python as functions that say here what they return."""
        self.originals["send_tools"]({n: t if n == "final_answer" else self._watched(n, t) for n, t in tools.items()})

    def on_step(self, step: MemoryStep) -> None:
        """The end of a step: what it brought is memory, and it forgets the messages it was asked with."""
        if isinstance(step, PlanningStep):
            step.model_input_messages = []
        elif isinstance(step, ActionStep):
            step.model_input_messages = None
            asked = [call.id for call in getattr(step.model_output_message, "tool_calls", None) or ()]
            order = {call_id: at for at, call_id in enumerate(asked)}
            found = sorted(self._current, key=lambda result: order.get(result.call_id, -1))
            self._found[id(step)], self._current = (step, found), []
            self._safely("take in a step", partial(self._take_in, step), None)

    # --- inside ------------------------------------------------------------------------------------------------------

    def _condensed(self, messages: list[ChatMessage], summary_mode: bool) -> list[ChatMessage]:
        steps = [self.agent.memory.system_prompt, *self.agent.memory.steps]
        self._found = {id(step): self._found[id(step)] for step in steps if id(step) in self._found}
        for step in steps:
            if isinstance(step, ActionStep):  # what came before we did, or was refused before
                self._take_in(step)
        if len(steps) > 1 and steps[1] is not self._run[0]:
            self._run = (steps[1], self._run[1] + 1)
        chat: list[dict[str, Any]] = []
        if [message for step in steps for message in step.to_messages(summary_mode=summary_mode)] == messages:
            for step in steps:
                chat += chat_of(step, step.to_messages(), found=self._results(step), summary_mode=summary_mode)
        else:  # an agent that writes them in a way of its own
            chat += chat_of(None, messages, found=(), summary_mode=summary_mode)
        last = steps[-1]
        over = isinstance(last, ActionStep) and (last.is_final_answer or isinstance(last.error, AgentMaxStepsError))
        plain = without_blocks(chat)
        items, spared = self._items(plain)
        outcome = self.adapter.condense_items(items)
        request = condensed(plain, outcome, strict_roles=False)
        block = None if over else self.adapter.block()
        if block is not None:
            images = [part for part in map(attachment_part, self.adapter.waiting_files()) if part is not None]
            request = placed(request, block.text, images=images, placement=self._placement, merge=False)
            shown, raw = outcome.tokens + spared, outcome.raw_tokens + spared
            self.adapter.log(block, prompt_tokens=shown + block.tokens, raw_tokens=raw)
        return messages_of(request)

    def _items(self, chat: list[dict[str, Any]]) -> tuple[list[TranscriptItem], int]:
        """The transcript, and the tokens of its head that do not count: those the water marks leave room for.

        The head is the system prompt with its tools, and the tools once more as schemas if they are sent so.
        """
        tools = getattr(self.agent, "tools_and_managed_agents", ())
        items = items_of(chat, count=self._count)
        head = sum(item.tokens or 0 for item in items if item.kind == "system")
        head += self._count.text(text_of([get_tool_json_schema(tool) for tool in tools]))
        settings = self.adapter.bank.settings
        room = int(settings.prompt_budget_tokens * (1 - settings.high_water - _FRAMING))
        counted = max(0, head - max(0, room))
        # The mark keeps what was decided about a call from being applied to the same call in a run that begins anew.
        mark = () if self._run[1] < 2 else (f"run {self._run[1]}",)
        kept = [
            replace(item, tokens=0 if item.kind == "system" else item.tokens, call_ids=(*item.call_ids, *mark))
            for item in items
        ]
        return [replace(kept[0], tokens=(kept[0].tokens or 0) + counted), *kept[1:]], head - counted

    def _results(self, step: MemoryStep) -> list[ToolResult]:
        return self._found.get(id(step), (step, []))[1]

    def _take_in(self, step: ActionStep) -> None:
        self.adapter.absorb(results_of(step, self._results(step)))

    def _watched(self, name: str, tool: Callable[..., Any]) -> Callable[..., Any]:
        def call(*given: Any, **named: Any) -> Any:
            returned = tool(*given, **named)
            if returned is not None:
                arguments = dict(zip(getattr(tool, "inputs", ()), given, strict=False)) | named
                self._catch(partial(result_of, name, arguments, returned))
                self._safely("take in a result", partial(self.adapter.absorb, self._current[-1:]), None)
            return returned

        return call

    def _catch(self, result: Callable[[], ToolResult]) -> None:
        self._safely("catch a result", lambda: self._current.append(result()), None)

    def _safely(self, what: str, action: Callable[[], _Value], otherwise: _Value) -> _Value:
        """Whatever goes wrong here, the run goes on, unless settings are strict."""
        try:
            return action()
        except Exception as error:
            if self.adapter.bank.settings.strict:
                raise
            _log.warning("could not %s (%s); the run goes on without it", what, type(error).__name__)
            return otherwise
