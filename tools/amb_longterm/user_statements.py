"""What a user's messages say of himself, word for word, and which messages of a talk were heard before."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from amb_core.adapter import read_transcript, text_of
from amb_core.errors import InvalidInput
from amb_core.rendering import strip_block
from amb_core.text import index_tokens
from amb_core.text.everyday_topics import topics_of
from amb_longterm.memory_cues import hears
from amb_longterm.memory_records import MemoryType
from amb_longterm.routing import Clause, kept_clauses

__all__ = ["Heard", "heard_in", "newest_words", "user_statements"]

_LEAST_TERMS = 2
_MARK = 16
"""Characters of the mark of a message."""


@dataclass(frozen=True, slots=True)
class Heard:
    """A message of the user's; `mark` is its own and its predecessor's, "" for one that nothing comes before."""

    text: str
    mark: str


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
    before = ""
    for message in spoken:
        text = _said(message)
        if message["role"] == "user" and text:
            mark = sha256(f"{before}\0{text}".encode(errors="replace")).hexdigest()[:_MARK] if before else ""
            if mark and mark in known:
                found.clear()
                found.append(Heard("", mark))  # what stands before it was heard as well
            else:
                found.append(Heard(text, mark))
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


def user_statements(message: str) -> list[Clause]:
    """The clauses of a message that the user states of himself and his own, or wishes for good; no question or request.

    Beside what routing listens for these are plain statements in the first person or about an everyday matter, and
    those that go on from one of them ("She plays drums now").
    """
    kept: list[Clause] = []
    goes_on = False
    for clause, found in kept_clauses(message):
        if found is None and ((goes_on and _goes_on(clause)) or _is_of_user(clause)):
            found = Clause(clause, MemoryType.USER_PROFILE, "tells of himself")
        goes_on = found is not None
        if found is not None:
            kept.append(found)
    return kept


def _is_of_user(clause: str) -> bool:
    """Whether a clause is a plain statement, in the first person or about an everyday matter."""
    if not _is_statement(clause):
        return False
    if hears("no own change", clause) and not hears("first person", clause):
        return False
    return hears("first person", clause) is not None or bool(topics_of(index_tokens(clause)))


def _goes_on(clause: str) -> bool:
    return _is_statement(clause) and hears("third person", clause) is not None


def _is_statement(clause: str) -> bool:
    against = ("question", "request", "small talk", "supposed", "reported", "do not keep", "of the talk")
    return not any(hears(name, clause) for name in against) and len(index_tokens(clause)) >= _LEAST_TERMS


def _said(message: Mapping[str, Any]) -> str:
    return strip_block(text_of(message.get("content"))).strip()
