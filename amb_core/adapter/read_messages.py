"""The messages of a transcript, each read once: what was made of one is kept until the host changes it.

A host gives the whole transcript at every call. A message is taken for the one that was read before where it is equal
to a copy that nobody else has, so one that was changed in place, shortened or replaced is read anew.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from amb_core.adapter.chat_messages import checked, strip_blocks
from amb_core.adapter.message_facts import ReadMessage, private_copy
from amb_core.adapter.wire_forms import (
    ANSWERED_INSIDE,
    CHAT,
    WireTranscript,
    could_be_chat,
    forms_of,
    read_transcript,
)

__all__ = ["ReadMessages", "ReadTranscript"]


@dataclass(frozen=True, slots=True)
class ReadTranscript:
    """A transcript as OpenAI-style messages without blocks of ours; `spoken` are these with answers inside of them."""

    plain: list[dict[str, Any]]
    spoken: list[dict[str, Any]]
    wire: WireTranscript | None = None
    hosts: Mapping[int, dict[str, Any]] = field(default_factory=dict)
    """By the `id` of a message that was read before, what the host gave for it."""

    def write(self, chat: Iterable[Mapping[str, Any]]) -> list[Any]:
        """The list in the form it came in, for what was made of `plain`."""
        return self.handed_out(chat) if self.wire is None else self.wire.write(chat)

    def handed_out(self, chat: Iterable[Mapping[str, Any]]) -> list[Any]:
        """OpenAI-style messages made of `plain`; of those that were read, copies with what the host put in them."""
        return [dict(self.hosts.get(id(message), message)) for message in chat]


@dataclass(frozen=True, slots=True)
class _Read:
    """One message of a chat: as it came, without AMB's blocks (None where nothing is left), and what form it can be."""

    came: dict[str, Any]
    plain: ReadMessage | None
    forms: tuple[frozenset[str], bool, bool]


@dataclass(slots=True)
class ReadMessages:
    """Reads the transcripts of one adapter. Not thread-safe: its owner holds a lock."""

    _known: list[_Read] = field(default_factory=list)

    def read(self, messages: Iterable[Any], *, form: str | None) -> ReadTranscript:
        """A transcript in any form; WireFormUnknown or InvalidInput for what is none."""
        items = list(messages)
        found = self._chat(items)
        if found is not None and could_be_chat([one.forms for one, _ in found], form=form):
            self._known = [one for one, _ in found]
            plain: list[dict[str, Any]] = [one.plain for one, _ in found if one.plain is not None]
            hosts = {id(one.plain): _as_given(one.plain, one.came, given) for one, given in found if one.plain}
            spoken = WireTranscript(CHAT, plain).with_answers if any(ANSWERED_INSIDE in one for one in plain) else plain
            return ReadTranscript(plain, spoken, hosts=hosts)
        wire = read_transcript(items, form=form)
        plain = strip_blocks(checked(wire.chat))
        return ReadTranscript(plain, checked(wire.with_answers), wire)

    def _chat(self, items: Sequence[Any]) -> list[tuple[_Read, dict[str, Any]]] | None:
        """What was made of each message, and what is in it; None where one is no plain message of a chat."""
        found: list[tuple[_Read, dict[str, Any]]] = []
        before = self._known
        for at, item in enumerate(items):
            given = item if type(item) is dict else item.model_dump(exclude_none=True) if _is_dumped(item) else None
            if given is not None and at < len(before) and _is_equal(given, before[at].came):
                found.append((before[at], given))
                continue
            if given is None or not isinstance(given.get("role"), str):
                return None
            try:
                came = private_copy(given)
            except TypeError:
                return None
            stripped = strip_blocks([came])
            found.append((_Read(came, ReadMessage(stripped[0]) if stripped else None, forms_of(item)), given))
        return found


def _is_dumped(item: Any) -> bool:
    return hasattr(item, "model_dump") and not isinstance(item, Mapping)


def _is_equal(given: dict[str, Any], came: dict[str, Any]) -> bool:
    try:
        return given == came
    except (TypeError, ValueError):  # an array, say, is neither equal nor not
        return False


def _as_given(plain: dict[str, Any], came: dict[str, Any], given: dict[str, Any]) -> dict[str, Any]:
    """What the host gave for a message, without AMB's blocks."""
    if plain.get("content") is came.get("content"):
        return given
    return {**given, "content": private_copy(plain["content"])}
