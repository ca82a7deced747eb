"""A message that nobody changes, with what was worked out of it: each is worked out once, however long a talk grows."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from operator import is_
from typing import Any, Generic, TypeVar

__all__ = ["FEW", "Grown", "Origin", "ReadMessage", "fact", "private_copy"]

_Fact = TypeVar("_Fact")
_PLAIN = (str, int, float, bytes, type(None))
FEW = 8
"""So many messages may be the newest by themselves, beside a long talk that is given as well: each is read anew."""
_DEPTH = 40
"""What is nested deeper is no message but an attack on the stack."""


@dataclass(frozen=True, slots=True, eq=False)
class Origin:
    """What OpenAI-style messages (or a part of one) were made from, and what they said then.

    All are equal, so that messages are by what they say.
    """

    theirs: Any
    said: tuple[Any, ...]

    def __eq__(self, other: object) -> bool:
        return type(other) is Origin

    __hash__ = object.__hash__


class ReadMessage(dict[str, Any]):
    """A message as it was read; a changed one is made as a dictionary of its own."""

    __slots__ = ("facts",)

    def __init__(self, message: Mapping[str, Any]) -> None:
        super().__init__(message)
        self.facts: dict[Hashable, Any] = {}


def fact(message: Mapping[str, Any], name: Hashable, work: Callable[[Any], _Fact]) -> _Fact:
    """What `work` makes of a message, made once of one that was read; whoever gets it must not change it."""
    if type(message) is not ReadMessage:
        return work(message)
    if name not in message.facts:
        message.facts[name] = work(message)
    known: _Fact = message.facts[name]
    return known


def private_copy(value: Any, depth: int = _DEPTH) -> Any:
    """JSON-like data, or an SDK's object, that shares nothing which can be changed; TypeError for anything else.

    Only what a message was made from is not copied.
    """
    if isinstance(value, _PLAIN) or type(value) is Origin:
        return value
    if depth and isinstance(value, dict):
        return {key: private_copy(item, depth - 1) for key, item in value.items()}
    if depth and type(value) in (list, tuple):
        return type(value)([private_copy(item, depth - 1) for item in value])
    if hasattr(type(value), "model_fields"):
        return value.model_copy(deep=True)
    raise TypeError(f"{type(value).__name__} is no plain data")


class Grown(Generic[_Fact]):
    """What is made of each message of a transcript, in order, going on where the last one has grown.

    `begin` gives what makes it of one message after the other; it may remember those before. Not thread-safe.
    """

    def __init__(self, begin: Callable[[], Callable[[Any], _Fact]]) -> None:
        self._begin, self._make = begin, begin()
        self._messages: list[Any] = []
        self._made: list[_Fact] = []
        self.before = 0
        """Of how many messages it was known before the last call."""

    def known_of(self, messages: Sequence[Any]) -> list[_Fact] | None:
        """What was made of each where these are the messages of the last call; else None."""
        old = self._messages
        return self._made if len(messages) == len(old) and all(map(is_, old, messages)) else None

    def of(self, messages: Sequence[Any]) -> list[_Fact]:
        """What was made of each; whoever gets the list must not change it."""
        old = self._messages
        if not old or len(messages) < len(old) or not all(map(is_, old, messages)):
            old, self._make, self._made = [], self._begin(), []
        self.before = len(old)
        self._messages = []  # where making it is stopped half-way, all is made anew
        self._made += map(self._make, messages[len(old) :])
        self._messages = [*messages]
        return self._made
