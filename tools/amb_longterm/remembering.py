"""What a plain chat asks of long-term memory: to remember what its user says, and to say what is known of him."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Iterable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from amb_core.errors import InvalidParameter, ModelError
from amb_core.protocols import ChatModel
from amb_longterm.longterm_settings import LongTermSettings
from amb_longterm.memory_records import MemoryRecord, MemoryType
from amb_longterm.namespaces import namespace_of
from amb_longterm.routing import Clause, read_by_model, statements
from amb_longterm.user_profile import KnownOfUser, profile_items
from amb_longterm.user_statements import user_statements

__all__ = ["ROOM", "awaited", "home_of", "kept_of", "known_of", "least_room", "most_read", "namespaces_of"]

_log = logging.getLogger("amb.longterm")
_Given = ParamSpec("_Given")
_Result = TypeVar("_Result")
ROOM = 1_500
"""Tokens of what is said of a user, unless somebody names others."""
_LEAST_ROOM = 60
_LEAST_LINE = 12
"""Tokens of a short line: so many records are read as there would be such lines in the room."""
_PROFILE, _FACTS = "user_profile", "domain_facts"


def awaited(call: Callable[_Given, _Result]) -> Callable[_Given, Coroutine[Any, Any, _Result]]:
    """The twin of a method for `await`: it works in a thread, off the event loop."""

    @wraps(call)
    async def twin(*given: _Given.args, **named: _Given.kwargs) -> _Result:
        return await asyncio.to_thread(call, *given, **named)

    return twin


def kept_of(text: str, *, chat: ChatModel | None) -> list[Clause]:
    """What of a user's message is to be kept: what a model reads there, in the user's words, else what words tell."""
    if chat is not None:
        try:
            read = read_by_model(text, chat)
        except ModelError as error:
            _log.warning("a message is remembered by its words, for the model gave no answer: %s", error)
        else:
            rules = [rule for rule in statements(text) if not any(each.text in rule.text for each in read)]
            return [*read, *rules]
    return user_statements(text)


def namespaces_of(user: str, settings: LongTermSettings) -> tuple[str, ...]:
    """The namespaces in which things of a user are kept, the profile's first."""
    scopes = settings.namespaces or (_PROFILE,)
    return tuple(namespace_of(scope, user) for scope in scopes)


def home_of(kind: MemoryType, *, user: str, settings: LongTermSettings) -> str:
    """The namespace for what a user says; one of those there are, whatever they are called."""
    spaces = namespaces_of(user, settings)
    wanted = namespace_of(_PROFILE if kind is MemoryType.USER_PROFILE else _FACTS, user)
    return wanted if wanted in spaces else spaces[0]


def least_room(room: object) -> int:
    """The room itself; InvalidParameter for one in which nothing can be said."""
    if not isinstance(room, int) or isinstance(room, bool) or room < _LEAST_ROOM:
        raise InvalidParameter(f"room is a number of tokens, at least {_LEAST_ROOM}, not {room!r:.40}.")
    return room


def most_read(room: int) -> int:
    """How many records are read for a room."""
    return room // _LEAST_LINE + 1


def known_of(records: Iterable[MemoryRecord], *, many: int, first: Iterable[str] = ()) -> KnownOfUser:
    """What some records say of a user, of whom there are `many`."""
    newest = sorted(records, key=lambda record: -record.updated_at)
    return KnownOfUser(tuple(profile_items(newest)), max(many - len(newest), 0), frozenset(first))
