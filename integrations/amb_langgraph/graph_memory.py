"""A bank behind the runs of one agent, on LangChain's messages; a thread of the graph is a run of its own."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Container, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from langchain_core.messages import BaseMessage, ToolMessage
from langchain_core.runnables import ensure_config
from langgraph.types import Command

from amb_core import ContextAdapter, MemoryBank
from amb_core.adapter import text_of
from amb_core.condensing import TranscriptItem
from amb_langgraph.transcript import chat_message, langchain_message

__all__ = ["GraphMemory"]

_RUNS = 128
"""So many threads are remembered beside what the bank holds of them."""
_KEPT = {"amb": "kept in memory"}
"""What marks a tool message whose content is a reference."""


@dataclass(slots=True)
class _Run:
    """One thread of the graph: which calls were taken in as they came, and contents the state does not hold."""

    adapter: ContextAdapter
    taken: set[str] = field(default_factory=set)
    contents: dict[tuple[str, str], Any] = field(default_factory=dict)


class GraphMemory:
    """See AMBMiddleware for the arguments. Thread-safe."""

    def __init__(self, bank: MemoryBank, *, run: str | None, small_state: bool, **options: Any) -> None:
        self._new_adapter = partial(ContextAdapter, bank, **options)
        self.adapter = self._new_adapter(run=run or "")
        self._fixed_run, self._small_state = run, small_state
        self._runs: dict[str, _Run] = {}
        self._gone: Counter[str] = Counter()
        self._lock = threading.Lock()

    @property
    def failures(self) -> dict[str, int]:
        """How often memory failed since the start, over all runs."""
        with self._lock:
            adapters = {id(found): found for found in (self.adapter, *(run.adapter for run in self._runs.values()))}
        return dict(sum((Counter(adapter.failures) for adapter in adapters.values()), start=self._gone))

    def request(self, messages: Sequence[BaseMessage], *, not_taken: Container[str | None] = ()) -> list[BaseMessage]:
        """The messages of the next model call: what is new was taken in, old results are condensed, the block is there.

        Messages of the tools in `not_taken` are no knowledge.
        """
        run = self._run()
        chat = [chat_message(message, content=run.contents.get(_place(message))) for message in messages]
        known = [_is_known(message, run) or message.name in not_taken for message in messages]
        run.adapter.intercept_context([each for each, old in zip(chat, known, strict=True) if not old])
        return [langchain_message(each) for each in run.adapter.prepare(chat)]

    def take_in(self, call: Any, tool: Any, result: Any) -> Any:
        """Take in what a tool call brought; returns it, with a small state after its content gave way to a reference.

        `result` is a ToolMessage, a Command, or a list of these.
        """
        if isinstance(result, list):
            return [self.take_in(call, tool, part) for part in result]
        if isinstance(result, Command) and isinstance(result.update, dict):
            update = {key: self._listed(call, tool, value) for key, value in result.update.items()}
            return replace(result, update=update) if self._small_state else result
        if not isinstance(result, ToolMessage) or result.tool_call_id != call["id"]:
            return result
        run = self._run()
        run.taken.add(result.tool_call_id)
        if _hands_over(result, tool) or result.content == "null":  # what a tool that returned nothing looks like
            return result
        asked = {"id": call["id"], "function": {"name": call["name"], "arguments": call["args"]}}
        became = run.adapter.intercept_context(
            [{"role": "assistant", "tool_calls": [asked]}, {**chat_message(result), "name": call["name"]}]
        )
        return result if became.failed or not self._small_state else _referring(result, call["name"], run)

    def _listed(self, call: Any, tool: Any, value: Any) -> Any:
        return [self.take_in(call, tool, part) for part in value] if isinstance(value, list) else value

    def _run(self) -> _Run:
        """The run this is called in."""
        thread = ensure_config().get("configurable", {}).get("thread_id")
        name = str(thread or "") if self._fixed_run is None else self._fixed_run
        with self._lock:
            run = self._runs.pop(name, None)
            if run is None:
                own = name == (self._fixed_run or "")
                run = _Run(self.adapter if own else self._new_adapter(run=name))
            self._runs[name] = run
            if len(self._runs) > _RUNS:
                oldest = self._runs.pop(next(iter(self._runs)))
                self._gone.update({} if oldest.adapter is self.adapter else oldest.adapter.failures)
            return run


def _place(message: BaseMessage) -> tuple[str, str]:
    return getattr(message, "tool_call_id", ""), text_of(message.content)


def _is_known(message: BaseMessage, run: _Run) -> bool:
    """Whether a message brings nothing new: taken in as it came, kept small, or a transfer to another agent."""
    if not isinstance(message, ToolMessage):
        return False
    kept = _KEPT.items() <= message.response_metadata.items()
    return kept or message.tool_call_id in run.taken or message.content == "null" or _hands_over(message, None)


def _hands_over(message: ToolMessage, tool: Any) -> bool:
    """Whether this only says that another agent goes on, as langgraph-supervisor and -swarm mark it."""
    marks = {*message.response_metadata, *(getattr(tool, "metadata", None) or ())}
    return not marks.isdisjoint({"__handoff_destination", "__is_handoff_back"})


def _referring(message: ToolMessage, tool: str, run: _Run) -> ToolMessage:
    """The message with a reference for its content; as it is when it is short or more than text."""
    parts = message.content if isinstance(message.content, list) else []
    if any(isinstance(part, dict) and part.get("type") != "text" for part in parts):
        return message
    text = text_of(message.content)
    line = run.adapter.short_form(TranscriptItem("result", text, (message.tool_call_id,), tool))
    if line == text:
        return message
    metadata = {**message.response_metadata, **_KEPT}
    small = message.model_copy(update={"content": line, "response_metadata": metadata})
    run.contents[_place(small)] = message.content
    return small
