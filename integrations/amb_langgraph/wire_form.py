"""LangChain's messages as a wire form: transcripts, and the state of a graph under `remember`, may hold them.

Nothing of LangChain is loaded before there is such a message.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

__all__ = ["LangChainForm"]

_TYPES = frozenset(("human", "ai", "tool", "system", "function", "chat", "remove"))


class LangChainForm:
    """Messages such as `HumanMessage` and `ToolMessage`; a WireForm."""

    name = "langchain"

    def is_own(self, item: Mapping[str, Any]) -> bool:
        """Whether the item has what all of LangChain's messages have and those of no other form."""
        kind = str(item.get("type", "")).removesuffix("MessageChunk").lower()
        return kind in _TYPES and "response_metadata" in item and "additional_kwargs" in item

    def allows(self, item: Mapping[str, Any]) -> bool:
        """Only messages of LangChain may stand beside one."""
        return self.is_own(item)

    def read(self, items: Sequence[Any]) -> list[dict[str, Any]]:
        """The items as OpenAI-style messages."""
        from amb_langgraph.transcript import chat_message

        return [chat_message(item) for item in items]

    def write(self, chat: Iterable[Mapping[str, Any]]) -> list[Any]:
        """The items for what is left of the messages, and HumanMessages for new ones."""
        from amb_langgraph.transcript import langchain_messages

        return langchain_messages(chat)
