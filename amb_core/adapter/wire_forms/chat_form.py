"""OpenAI chat messages, in which AMB works itself: they go through as they are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from amb_core.adapter.origins import origin_of
from amb_core.adapter.wire_forms.wire_form import ChatMessage, Fields, fields_of

__all__ = ["ChatForm"]

_ROLES = frozenset({"system", "developer", "user", "assistant", "tool", "function", "marker"})
_KEYS = ("tool_calls", "tool_call_id", "function_call", "reasoning_content", "refusal", "audio")
_FOREIGN = ("tool_use", "tool_result", "tool-", "tool_call", "toolUse", "function", "input_text", "output_text")


class ChatForm:
    """Messages with a `role`, `tool_calls` of the assistant, and results with the role `tool`."""

    name = "openai-chat"

    def is_own(self, item: Fields) -> bool:
        """Whether the item has a role or a key that no other form has."""
        if origin_of(item) is not None or item.get("role") in ("tool", "marker"):
            return True
        if item.get("role") == "function" and "parts" not in item:
            return True
        return "role" in item and (
            any(item.get(key) is not None for key in _KEYS) or any(kind == "image_url" for kind in _kinds(item))
        )

    def allows(self, item: Fields) -> bool:
        """Whether the item is a message with one of the roles, and tells of tools in no other way than a chat does."""
        if origin_of(item) is not None:
            return True
        if item.get("role") not in _ROLES or "parts" in item or str(item.get("type", "message")) != "message":
            return False
        return self.is_own(item) or not any(kind is None or kind.startswith(_FOREIGN) for kind in _kinds(item))

    def read(self, items: Sequence[Any]) -> list[ChatMessage]:
        """The items themselves."""
        return list(items)

    def write(self, chat: Iterable[Mapping[str, Any]]) -> list[Any]:
        """The messages themselves."""
        return list(chat)


def _kinds(item: Fields) -> list[str | None]:
    """The types of the parts of a message; None for a part without one."""
    content = item.get("content")
    parts = content if isinstance(content, list | tuple) else ()
    named = [fields_of(part).get("type") for part in parts if not isinstance(part, str)]
    return [kind if isinstance(kind, str) else None for kind in named]
