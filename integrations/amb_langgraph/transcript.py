"""LangChain's messages as the adapter sees them, one OpenAI-style message each, and back."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import is_
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage, ToolMessage

from amb_core.adapter import arguments_in, is_signed, made_from, written_back
from amb_core.adapter.message_facts import private_copy

__all__ = ["ToldMessages", "chat_message", "langchain_messages"]

_ROLES = {"human": "user", "ai": "assistant", "AIMessageChunk": "assistant", "HumanMessageChunk": "user"}


def chat_message(message: BaseMessage) -> dict[str, Any]:
    """A message for the adapter."""
    chat: dict[str, Any] = {"role": _ROLES.get(message.type, message.type), "content": message.content}
    if isinstance(message, ToolMessage):
        failed = message.status == "error"
        chat |= {"role": "tool", "tool_call_id": message.tool_call_id, "name": message.name, "is_error": failed}
    if isinstance(message, AIMessage) and (calls := [*message.tool_calls, *message.invalid_tool_calls]):
        named = [(call["id"], {"name": call["name"], "arguments": call["args"]}) for call in calls]
        chat["tool_calls"] = [{"id": name, "type": "function", "function": function} for name, function in named]
        chat["signed"] = is_signed([message.content, message.additional_kwargs])
    (told,) = made_from(message, chat)
    return told


class ToldMessages:
    """What `tell` makes of the messages of a thread, each once, until one before it is changed or replaced."""

    def __init__(self, tell: Callable[[BaseMessage], Any]) -> None:
        self._tell = tell
        self._known: tuple[list[BaseMessage], list[dict[str, Any]], list[Any]] = ([], [], [])

    def of(self, messages: Sequence[BaseMessage]) -> list[Any]:
        """What was made of each, in order."""
        before, came, told = self._known
        as_before = len(before) <= len(messages) and all(map(is_, before, messages))
        if not as_before or [*map(vars, before)] != came:
            before, came, told = [], [], []
        new = messages[len(before) :]
        told = [*told, *map(self._tell, new)]
        try:
            self._known = ([*before, *new], [*came, *map(_copied, new)], told)
        except TypeError:  # what cannot be compared is told at every call
            self._known = ([], [], [])
        return told


def _copied(message: BaseMessage) -> dict[str, Any]:
    """All that is in a message, but for what its tool keeps for itself."""
    return {name: value if name == "artifact" else private_copy(value) for name, value in vars(message).items()}


def langchain_messages(chat: Iterable[Mapping[str, Any]]) -> list[BaseMessage]:
    """The messages that OpenAI-style ones were made from, with their content as it is now; new ones for what is new."""
    return written_back(chat, changed=_changed, new=_new)


def _changed(message: BaseMessage, told: Sequence[Mapping[str, Any]]) -> BaseMessage:
    changes: dict[str, Any] = {"content": told[0]["content"]}
    if isinstance(message, AIMessage) and message.tool_calls:
        given = arguments_in(told[0])
        changes["tool_calls"] = [{**call, "args": given[str(call["id"])]} for call in message.tool_calls]
        changes["additional_kwargs"] = {k: v for k, v in message.additional_kwargs.items() if k != "tool_calls"}
    return message.model_copy(update=changes)


def _new(told: Mapping[str, Any]) -> BaseMessage:
    return (SystemMessage if told["role"] == "system" else HumanMessage)(content=told["content"])
