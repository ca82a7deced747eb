"""From a framework's own messages to OpenAI-style ones, and back to the very same objects wherever nothing changed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import groupby
from typing import Any, TypeVar

from amb_core.adapter.chat_messages import parts_of
from amb_core.adapter.message_facts import Origin

__all__ = ["arguments_in", "made_from", "origin_of", "parts_written_back", "written_back"]

_Theirs = TypeVar("_Theirs")
_Part = TypeVar("_Part")
_ORIGIN = "made_from"


def made_from(theirs: Any, *told: Mapping[str, Any]) -> list[dict[str, Any]]:
    """OpenAI-style messages, or parts of a message's content, that remember which object of the framework they tell.

    One object may be told in several messages, such as one with three tool results in it. The role `marker` is for what
    is no message at all: it is never shortened, dropped or added to.
    """
    origin = Origin(theirs, tuple(map(_said, told)))
    return [{**one, _ORIGIN: origin} for one in told]


def origin_of(told: Mapping[str, Any]) -> Any:
    """The object that a message or a part was made from; None for one of AMB's own."""
    origin = _origin(told)
    return None if origin is None else origin.theirs


def written_back(
    chat: Iterable[Mapping[str, Any]],
    *,
    changed: Callable[[_Theirs, list[Mapping[str, Any]]], _Theirs],
    new: Callable[[Mapping[str, Any]], _Theirs],
) -> list[_Theirs]:
    """The framework's messages for what the adapter left: those of `made_from`, as they came where nothing changed.

    `changed` makes a new object from one of which some messages have another content, other arguments of their calls
    (see `arguments_in`) or are gone; `new` makes one for a message of AMB's own: the block, or the index of what left.
    """
    written: list[_Theirs] = []
    for _, told in groupby(chat, key=lambda one: id(_origin(one))):
        left = list(told)
        origin = _origin(left[0])
        if origin is None:
            written += map(new, left)
        elif tuple(map(_said, left)) == origin.said:
            written.append(origin.theirs)
        else:
            written.append(changed(origin.theirs, left))
    return written


def arguments_in(told: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of the calls in a message, as they are now, by call id."""
    return {str(call["id"]): call["function"]["arguments"] for call in told.get("tool_calls") or ()}


def parts_written_back(
    content: object, *, text: Callable[[str], _Part], image: Callable[[str], _Part | None]
) -> list[_Part]:
    """A message's content in the framework's own parts, as they came where nothing changed.

    `text` makes a part of a text, `image` one of a data URL; where it makes None, there is none.
    """
    written: list[_Part] = []
    for part in parts_of(content):
        origin = _origin(part) if isinstance(part, Mapping) else None
        if origin is not None and (_said(part),) == origin.said:
            written.append(origin.theirs)
        elif isinstance(part, str) or isinstance(part.get("text"), str):
            written.append(text(part if isinstance(part, str) else part["text"]))
        elif (shown := image(part["image_url"]["url"])) is not None:
            written.append(shown)
    return written


def _said(told: Mapping[str, Any]) -> tuple[Any, ...]:
    return told.get("content"), told.get("text"), told.get("tool_calls")


def _origin(told: Mapping[str, Any]) -> Origin | None:
    origin = told.get(_ORIGIN)
    return origin if isinstance(origin, Origin) else None
