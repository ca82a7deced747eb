"""The items of a request as the adapter sees them, OpenAI-style, and back; none is changed in place.

An agent's transcript is a list of Responses API items, whatever model it talks to.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from amb_core.adapter.wire_forms import WireTranscript, wire_forms

__all__ = ["ChatMessages", "Item", "chat_messages", "history_is_elsewhere", "items_of", "news_in"]

Item = Any
ChatMessages = list[dict[str, Any]]
_FORM = wire_forms()["openai-responses"]
_HANDOFF = "transfer_to_"


def chat_messages(items: Iterable[Item]) -> ChatMessages:
    """One OpenAI-style message for each thing that stays whole, made from a list of items."""
    return _FORM.read(list(items))


def items_of(chat: Iterable[Mapping[str, Any]]) -> list[Item]:
    """The items that the messages were made from, with their content as it is now."""
    return _FORM.write(chat)


def news_in(chat: Iterable[dict[str, Any]]) -> ChatMessages:
    """The messages in which memory looks for tool results: what the provider answered among them, handovers not."""
    messages: ChatMessages = []
    handovers: set[str] = set()
    for message in WireTranscript(_FORM, list(chat)).with_answers:
        handovers |= {call["id"] for call in _calls(message) if call["function"]["name"].startswith(_HANDOFF)}
        if message.get("tool_call_id") not in handovers:
            messages.append(message)
    return messages


def history_is_elsewhere(chat: Sequence[dict[str, Any]]) -> bool:
    """Whether these are only the newest results of a talk that the server keeps."""
    asked = {call["id"] for message in chat for call in _calls(message)}
    answered = {message["tool_call_id"] for message in chat if "tool_call_id" in message}
    return not answered <= asked and all(message["role"] != "user" for message in chat)


def _calls(message: dict[str, Any]) -> Any:
    return message.get("tool_calls", ())
