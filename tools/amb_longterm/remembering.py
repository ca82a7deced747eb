"""What a plain chat asks of long-term memory: to remember what its user says, and to say what is known of him."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Collection, Coroutine, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import wraps
from hashlib import sha256
from typing import Any, ParamSpec, TypeVar

from amb_core.adapter import read_transcript, text_of
from amb_core.errors import InvalidInput, InvalidParameter, ModelError
from amb_core.protocols import ChatModel
from amb_core.rendering import strip_block
from amb_longterm.known_names import Known
from amb_longterm.longterm_settings import LongTermSettings
from amb_longterm.memory_records import MemoryRecord
from amb_longterm.namespaces import namespace_of
from amb_longterm.routing import read_by_model
from amb_longterm.unread_statements import is_read
from amb_longterm.user_profile import KnownOfUser, profile_items
from amb_longterm.user_statements import Clause, statements

__all__ = [
    "ROOM",
    "Heard",
    "awaited",
    "heard_in",
    "home_of",
    "kept_of",
    "known_of",
    "least_room",
    "most_read",
    "namespaces_of",
    "newest_words",
]

_log = logging.getLogger("amb.longterm")
_Given = ParamSpec("_Given")
_Result = TypeVar("_Result")
ROOM = 1_500
"""Tokens of what is said of a user, unless somebody names others."""
_LEAST_ROOM = 60
_LEAST_LINE = 12
"""Tokens of a short line: so many records are read as there would be such lines in the room."""
_PROFILE = "user_profile"
_MARK = 16
"""Characters of the mark of a message."""


@dataclass(frozen=True, slots=True)
class Heard:
    """A message of the user's; `mark` is its own and its predecessor's, "" for one that nothing comes before.

    `before` is what the user said before it, `answered` what the assistant said since then.
    """

    text: str
    mark: str
    before: str = ""
    answered: str = ""


def heard_in(messages: object, *, known: Collection[str] = ()) -> list[Heard]:
    """The user's messages of a talk that are new: those behind the last one whose mark is `known`.

    `messages` are a list in any provider's form, or one text of the user. A talk that begins later than it did, or is
    handed on whole each time, brings each message once; a message alone is always new.
    """
    if isinstance(messages, str):
        return [Heard(messages, "")] if messages.strip() else []
    if not isinstance(messages, Sequence):
        raise InvalidInput(f"messages are a list of a talk, or a text of the user, not {type(messages).__name__}.")
    spoken = [each for each in read_transcript(messages).chat if each.get("role") in ("user", "assistant")]
    found: list[Heard] = []
    before = asked = answered = ""
    for message in spoken:
        text = _said(message)
        if message["role"] == "user" and text:
            mark = sha256(f"{before}\0{text}".encode(errors="replace")).hexdigest()[:_MARK] if before else ""
            if mark and mark in known:
                found.clear()
                found.append(Heard("", mark))  # what stands before it was heard as well
            else:
                found.append(Heard(text, mark, asked, answered))
            asked, answered = text, ""
        elif text:
            answered = text
        before = f"{message['role']}: {text}" if text else before
    return [each for each in found if each.text]


def newest_words(messages: object) -> str:
    """What the user says last; "" where he says nothing."""
    if isinstance(messages, str):
        return strip_block(messages).strip()
    if not isinstance(messages, Sequence):
        raise InvalidInput(f"messages are a list of a talk, or a text of the user, not {type(messages).__name__}.")
    said = (_said(each) for each in reversed(read_transcript(messages).chat) if each.get("role") == "user")
    return next(filter(None, said), "")


def _said(message: Mapping[str, Any]) -> str:
    return strip_block(text_of(message.get("content"))).strip()


def awaited(call: Callable[_Given, _Result]) -> Callable[_Given, Coroutine[Any, Any, _Result]]:
    """The twin of a method for `await`: it works in a thread, off the event loop."""

    @wraps(call)
    async def twin(*given: _Given.args, **named: _Given.kwargs) -> _Result:
        return await asyncio.to_thread(call, *given, **named)

    return twin


def kept_of(text: str, *, chat: ChatModel | None, known: Callable[[], Known] | None = None) -> Sequence[Clause]:
    """What of a user's message is to be kept: what a model reads there, in the user's words, else what words tell."""
    if chat is not None:
        try:
            read = read_by_model(text, chat)
        except ModelError as error:
            _log.warning("a message is remembered by its words, for the model gave no answer: %s", error)
        else:
            told = statements(text, known=known) if is_read(text) else ()
            rules = [rule for rule in told if not any(each.text in rule.text for each in read)]
            return [*read, *rules]
    return statements(text, known=known)


def namespaces_of(user: str, settings: LongTermSettings) -> tuple[str, ...]:
    """The namespaces in which things of a user are kept, the profile's first."""
    scopes = settings.namespaces or (_PROFILE,)
    return tuple(namespace_of(scope, user) for scope in scopes)


def home_of(user: str, settings: LongTermSettings) -> str:
    """The namespace for what a user says: his profile, or the first one where there is none of that name."""
    spaces = namespaces_of(user, settings)
    wanted = namespace_of(_PROFILE, user)
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
