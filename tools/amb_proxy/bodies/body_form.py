"""What the gateway needs to know of an API beside its messages, which `ContextAdapter` reads."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from amb_core.adapter import WireFormName
from amb_proxy.event_stream import Event

__all__ = ["Body", "BodyForm", "Call", "Reply", "as_json", "tokens_beside"]

Body = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Call:
    """A call a model made of a tool of the client's or of ours; `arguments` is JSON."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model said and which calls it made; `complete` is false for a stream that broke off."""

    text: str
    calls: tuple[Call, ...] = ()
    complete: bool = True


class BodyForm(Protocol):
    """One API. Its methods never change what they are given."""

    @property
    def name(self) -> WireFormName:
        """The value of ContextAdapter's `form=`."""
        ...

    @property
    def path(self) -> str:
        """How the paths of its requests end."""
        ...

    def bypass(self, body: Body) -> str:
        """Why a request is none that memory can help with; empty where it is one."""
        ...

    def has_tools(self, body: Body) -> bool:
        """Whether the client offers the model tools."""
        ...

    def messages(self, body: Body) -> list[Any]:
        """The transcript in a request."""
        ...

    def with_messages(self, body: Body, messages: Sequence[Any]) -> Body:
        """The request with another transcript."""
        ...

    def beside(self, body: Body) -> str:
        """What a request carries beside its transcript and is paid for: instructions and schemas of tools."""
        ...

    def reply(self, payload: Body) -> Reply:
        """The reply of a request that was not streamed."""
        ...

    def ends(self, event: Event) -> bool:
        """Whether nothing of the reply comes behind this event of a stream."""
        ...

    def streamed(self, events: Sequence[Event]) -> Reply:
        """The reply that a stream brought."""
        ...


def as_json(value: Any) -> str:
    """A value as the JSON that is sent."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def tokens_beside(body: Body, *keys: str) -> str:
    """These members of a request as one text."""
    return "\n".join(value if isinstance(value, str) else as_json(value) for key in keys if (value := body.get(key)))
