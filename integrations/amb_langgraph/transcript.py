"""LangChain's messages as the adapter sees them, one OpenAI-style message each, and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage, ToolMessage

__all__ = ["chat_message", "langchain_message"]

_ROLES = {"human": "user", "ai": "assistant", "AIMessageChunk": "assistant", "HumanMessageChunk": "user"}
_ORIGIN = "langchain"
"""Where an OpenAI-style message keeps the one it was made from."""


def chat_message(message: BaseMessage, *, content: Any) -> dict[str, Any]:
    """A message for the adapter, with the content it is to have."""
    chat = {"role": _ROLES.get(message.type, message.type), "content": content, _ORIGIN: message}
    if isinstance(message, ToolMessage):
        failed = message.status == "error"
        return chat | {"role": "tool", "tool_call_id": message.tool_call_id, "name": message.name, "is_error": failed}
    if isinstance(message, AIMessage) and (calls := [*message.tool_calls, *message.invalid_tool_calls]):
        named = [(call["id"], {"name": call["name"], "arguments": call["args"]}) for call in calls]
        chat["tool_calls"] = [{"id": name, "type": "function", "function": function} for name, function in named]
    return chat


def langchain_message(chat: Mapping[str, Any]) -> BaseMessage:
    """The message an OpenAI-style one was made from, with its content as it is now; a new one for what AMB added."""
    origin, content = chat.get(_ORIGIN), chat.get("content")
    if isinstance(origin, BaseMessage):
        return origin if origin.content == content else origin.model_copy(update={"content": content})
    return (SystemMessage if chat["role"] == "system" else HumanMessage)(content=content)
