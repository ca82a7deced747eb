"""What a wire form promises, and how messages that are dicts or objects of an SDK are read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

__all__ = ["ANSWERED_INSIDE", "ChatMessage", "Fields", "WireForm", "fields_of"]

Fields = Mapping[str, Any]
ChatMessage = dict[str, Any]
ANSWERED_INSIDE = "answered_inside"
"""Key of an OpenAI-style message: calls with their results that stand inside the one message it was made from."""


class WireForm(Protocol):
    """One way in which providers write a transcript: a list of messages or items, dicts or objects of an SDK.

    `read` gives OpenAI-style messages that remember what they were made from. `write` gives the list that these stand
    for now: what did not change as the very same objects, what is new in this form. Neither changes its input.
    """

    @property
    def name(self) -> str:
        """What people call the form: the value of `form=`."""
        ...

    def is_own(self, item: Fields) -> bool:
        """Whether an item can be of this form alone."""
        ...

    def allows(self, item: Fields) -> bool:
        """Whether an item may stand in a list of this form."""
        ...

    def read(self, items: Sequence[Any]) -> list[ChatMessage]:
        """The items as OpenAI-style messages."""
        ...

    def write(self, chat: Iterable[Mapping[str, Any]]) -> list[Any]:
        """The items for what is left of the messages of `read`, and for new ones."""
        ...


def fields_of(item: Any) -> Fields:
    """What an item has in it, one level deep; empty for what is neither a mapping nor an object of an SDK."""
    if isinstance(item, Mapping):
        return item
    names = getattr(type(item), "model_fields", None)
    if names is None:
        return item.model_dump(exclude_none=True) if hasattr(item, "model_dump") else {}
    named = {name: getattr(item, name) for name in (*names, *(getattr(item, "model_extra", None) or ()))}
    return {name: value for name, value in named.items() if value is not None}
