"""One thread of a graph: its messages on their way to the model, its tool results on their way to memory."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from langchain_core.messages import BaseMessage, ToolMessage
from langgraph.types import Command

from amb_core import ContextAdapter, MemoryBank
from amb_core.adapter import Caller, TranscriptItem, text_of
from amb_langgraph.colleague import Colleague, Errand, is_handover
from amb_langgraph.transcript import ToldMessages, chat_message, langchain_messages

__all__ = ["ThreadRun"]

_KEPT = {"amb": "kept in memory"}
"""What marks a tool message whose content is a reference."""
_NOTHING = "null"
"""What LangChain makes of a tool that returned None."""


@dataclass(frozen=True, slots=True)
class ThreadRun:
    """A run of its own in memory; `taken` are the calls taken in as they came, `contents` what the state lacks."""

    adapter: ContextAdapter
    small_state: bool
    colleague: Colleague
    taken: set[str] = field(default_factory=set)
    contents: dict[tuple[str, str], Any] = field(default_factory=dict)
    _read: ToldMessages = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_read", ToldMessages(self._seen))

    @property
    def bank(self) -> MemoryBank:
        """The bank that the run works with."""
        return self.adapter.bank

    def meet(self, messages: Sequence[BaseMessage], caller: Caller) -> list[tuple[dict[str, Any], bool]]:
        """The messages as the adapter sees them, and whether each brings anything; ScopeMixed when the bank is not the
        caller's.
        """
        seen = [*map(self._seen, messages)] if self.small_state else self._read.of(messages)
        self.adapter.meet([told for told, _ in seen], caller)
        return seen

    def request(
        self,
        messages: Sequence[BaseMessage],
        caller: Caller,
        *,
        not_taken: Collection[str | None] = (),
        tools: Sequence[object] = (),
    ) -> list[Any]:
        """The messages of the next model call: what is new was taken in, old results are condensed, the block is there.

        Messages of the tools in `not_taken` are no knowledge; `tools` are the definitions that go with the call. Raises
        ScopeMixed before any of it.
        """
        seen = self.meet(messages, caller)
        self.colleague.listen(messages)
        pairs = zip(seen, messages, strict=True) if not_taken else ()
        left_out = {id(told) for (told, _), each in pairs if each.name in not_taken}
        self.adapter.intercept_context([told for told, brings in seen if brings and id(told) not in left_out])
        beside = self.adapter.count.request([], tools=tools)
        chat = [told for told, _ in seen]
        made = self.adapter.prepare(chat, reserved_tokens=beside, caller=caller, tools=tools or None)
        return langchain_messages(made)

    def known(self, call: Any, tool: Any) -> ToolMessage | None:
        """What the team's memory answers for a call; None to make it."""
        if is_handover(marks=getattr(tool, "metadata", None) or ()):
            return None
        found = self.adapter.known(call["name"], call["args"])
        if found is None:
            return None
        self.taken.add(call["id"])
        return ToolMessage(found, name=call["name"], tool_call_id=call["id"], response_metadata=dict(_KEPT))

    def returned(self, errand: Errand, call: Any, tool: Any, result: Any) -> Any:
        """Take in what a call brought, and what agents of the team said that worked inside it; see `take_in`."""
        self.colleague.hear_back(errand, result)
        return self.take_in(call, tool, result)

    def take_in(self, call: Any, tool: Any, result: Any) -> Any:
        """Take in what a call brought (a ToolMessage, a Command or a list of these) and return it.

        With a small state, the content of a long result has given way to a reference.
        """
        if isinstance(result, list):
            return [self.take_in(call, tool, part) for part in result]
        if isinstance(result, Command) and isinstance(result.update, dict):
            lists = {key: value for key, value in result.update.items() if isinstance(value, list)}
            small = {key: self.take_in(call, tool, value) for key, value in lists.items()}
            return replace(result, update=result.update | small) if self.small_state else result
        if not isinstance(result, ToolMessage) or result.tool_call_id != call["id"]:
            return result
        self.taken.add(result.tool_call_id)
        if result.content == _NOTHING or is_handover(result, marks=getattr(tool, "metadata", None) or ()):
            return result
        asked = {"id": call["id"], "function": {"name": call["name"], "arguments": call["args"]}}
        answer = {**chat_message(result), "name": call["name"]}
        became = self.adapter.intercept_context([{"role": "assistant", "tool_calls": [asked]}, answer])
        return self._referring(result, call["name"]) if self.small_state and not became.failed else result

    def _seen(self, message: BaseMessage) -> tuple[dict[str, Any], bool]:
        return self._told(message), not self._is_known(message)

    def _told(self, message: BaseMessage) -> dict[str, Any]:
        """The message with the content that a small state lacks; after a restart it stays a reference, and says so."""
        content = self.contents.get(_place(message))
        if content is not None:
            return chat_message(message.model_copy(update={"content": content}))
        marked = _KEPT.items() <= message.response_metadata.items()
        return chat_message(message) | ({"reference": True} if marked else {})

    def _is_known(self, message: BaseMessage) -> bool:
        """Whether a message brings nothing new: taken in as it came, a reference, or only a change of agents."""
        marks = message.response_metadata
        taken = isinstance(message, ToolMessage) and message.tool_call_id in self.taken
        return taken or message.content == _NOTHING or _KEPT.items() <= marks.items() or is_handover(message)

    def _referring(self, message: ToolMessage, tool: str) -> ToolMessage:
        """The message with a reference for its content; as it is when it is short or more than text."""
        parts = message.content if isinstance(message.content, list) else []
        text = text_of(message.content)
        line = self.adapter.short_form(TranscriptItem("result", text, (message.tool_call_id,), tool), for_team=True)
        if line == text or any(isinstance(part, dict) and part.get("type") != "text" for part in parts):
            return message
        small = message.model_copy(
            update={"content": line, "response_metadata": {**message.response_metadata, **_KEPT}}
        )
        self.contents[_place(small)] = message.content
        return small


def _place(message: BaseMessage) -> tuple[str, str]:
    return getattr(message, "tool_call_id", ""), text_of(message.content)
