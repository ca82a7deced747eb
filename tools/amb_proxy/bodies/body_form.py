"""What the gateway needs to know of an API beside its messages, which `ContextAdapter` reads."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from amb_core.adapter import Tool, WireFormName
from amb_proxy.event_stream import Event, as_bytes, as_json

__all__ = [
    "Body",
    "BodyForm",
    "Held",
    "InsideCall",
    "Reply",
    "ReplyGatherer",
    "StreamEditor",
    "ToolUse",
    "as_bytes",
    "as_json",
    "held_beside",
    "mapping",
    "mappings",
    "names_a_tool",
    "place_of",
    "text_of",
]

Body = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ToolUse:
    """A call a model made of a tool of the client's or of ours; `arguments` is JSON."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model said and which calls it made; `complete` is false for a stream that broke off."""

    text: str
    calls: tuple[ToolUse, ...] = ()
    complete: bool = True


@dataclass(frozen=True, slots=True)
class InsideCall:
    """A call that the client was not shown, beside those it was: a payload's own part of it, and its result."""

    call: Body
    at: int
    output: str


Held = Callable[[str], Sequence[InsideCall]]
"""The calls that were hidden beside the call with this id."""


class ReplyGatherer(Protocol):
    """Puts the reply of one stream together, in time and memory proportional to what came."""

    def add(self, event: Event) -> None:
        """Take the next event."""
        ...

    def whole(self) -> Body | None:
        """The payload as it would have come without a stream; None for a stream that broke off."""
        ...


class StreamEditor(Protocol):
    """Takes the calls of one tool out of the events of a stream, over several replies that the client sees as one."""

    @property
    def again(self) -> bool:
        """Whether this reply asked for that tool alone, so that another one follows."""
        ...

    def feed(self, event: Event) -> Event | None:
        """The event as the client may see it; None for one it may not."""
        ...

    def next_reply(self) -> None:
        """Another reply goes on where this one ended."""
        ...


class BodyForm(Protocol):
    """One API. Its methods never change what they are given; what is odd in an event, they take for not there."""

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

    def tools(self, body: Body) -> list[str]:
        """The names of the tools that a request offers."""
        ...

    def reply(self, payload: Body) -> Reply:
        """The reply of a request that was not streamed."""
        ...

    def prompt_tokens(self, payload: Body) -> int:
        """The tokens of the request by a reply, or by an event of a stream, cached ones too; 0 where none are told."""
        ...

    def ends(self, event: Event) -> bool:
        """Whether nothing of the reply comes behind this event of a stream."""
        ...

    def gatherer(self) -> ReplyGatherer:
        """What puts the reply of a stream together."""
        ...

    def with_tool(self, body: Body, tool: Tool) -> Body:
        """The request with one tool more; the very same where the client leaves the model no choice or has that one."""
        ...

    def followed_up(self, body: Body, payload: Body, outputs: Mapping[str, str]) -> Body:
        """The next request, in which the reply's calls have these results, by call id."""
        ...

    def inside(self, payload: Body, outputs: Mapping[str, str]) -> list[InsideCall]:
        """The reply's calls that have these results, as they stand in it."""
        ...

    def without(self, payload: Body, ids: Container[str]) -> Body:
        """A reply without some of its calls."""
        ...

    def restored(self, messages: Sequence[Any], held: Held) -> list[Any]:
        """The transcript with the calls, and their results, that the client was not shown."""
        ...

    def editor(self, tool: str) -> StreamEditor:
        """What takes the calls of a tool out of a stream."""
        ...


def mapping(value: object) -> Mapping[str, Any]:
    """An object of a provider's JSON; an empty one where it is something else."""
    return value if isinstance(value, Mapping) else {}


def mappings(value: object) -> list[Mapping[str, Any]]:
    """The objects in a list of a provider's JSON; none where it is no list."""
    return [one for one in value if isinstance(one, Mapping)] if isinstance(value, list) else []


def text_of(value: object) -> str:
    """A text of a provider's JSON; empty where it is something else."""
    return value if isinstance(value, str) else ""


def place_of(value: object, otherwise: int = 0) -> int:
    """The index of a part in a provider's JSON."""
    return value if isinstance(value, int) else otherwise


def held_beside(ids: Iterable[str], held: Held) -> Sequence[InsideCall]:
    """What was hidden beside the first of these calls that has such."""
    return next((found for one in ids if (found := held(one))), ())


def names_a_tool(choice: object) -> bool:
    """Whether a request's `tool_choice` leaves the model none: no tool at all, or a certain one."""
    kind = choice.get("type") if isinstance(choice, Mapping) else choice
    return kind is not None and kind not in ("auto", "required", "any")
