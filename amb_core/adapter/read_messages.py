"""The messages of a transcript, each read once: what was made of one is kept until the host changes it.

A host gives the whole transcript at every call. An item is taken for the one that was read before where it is equal to
a copy that nobody else has, so one that was changed in place, shortened or replaced is read anew.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from operator import is_
from typing import Any

from amb_core.adapter.chat_messages import NewMessage, checked, strip_blocks
from amb_core.adapter.message_facts import Origin, ReadMessage, private_copy
from amb_core.adapter.wire_forms import ANSWERED_INSIDE, CHAT, WireForm, detect_form, forms_of, goes_on

__all__ = ["ReadMessages", "ReadTranscript"]

_ORIGIN = "made_from"


@dataclass(frozen=True, slots=True)
class ReadTranscript:
    """A transcript as OpenAI-style messages without blocks of ours; `spoken` are these with answers inside of them.

    `write` gives the list in the form it came in, for what was made of `plain`.
    """

    plain: list[NewMessage]
    spoken: list[NewMessage]
    write: Callable[[Iterable[Mapping[str, Any]]], list[Any]]


class ReadMessages:
    """Reads the transcripts of one adapter. Not thread-safe: its owner holds a lock."""

    def __init__(self) -> None:
        self._chat, self._wire = _Chat(), _Wire(CHAT)

    def read(self, messages: Iterable[Any], *, form: str | None) -> ReadTranscript:
        """A transcript in any form; WireFormUnknown or InvalidInput for what is none."""
        items = list(messages)
        wire, self._wire = self._wire, _Wire(CHAT)  # where reading is stopped half-way, all is read anew
        goes_on = wire.goes_on_in(items, form)
        read = None if goes_on or form not in (None, CHAT.name) else self._chat.read(items)
        if read is None:
            wire = wire if goes_on else _Wire(detect_form(items, form=form), named=form)
            read, self._wire = wire.read(items), wire
        return read


def _is_equal(given: Any, came: Any) -> bool:
    try:
        return bool(given == came)
    except (TypeError, ValueError):  # an array, say, is neither equal nor not
        return False


# --- messages of an OpenAI chat ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Read:
    """One message of a chat: as it came, without AMB's blocks (None where nothing is left), and what form it can be."""

    came: NewMessage
    plain: ReadMessage | None
    forms: tuple[frozenset[str], bool, bool]


@dataclass(slots=True)
class _Known:
    """The messages of a chat that were read last, as they came and in the order of `plain`.

    `places` says by `id` of what is left of a message, or of what it was made from, where it stood. `signs` are what
    tells a chat from other forms, over all of them.
    """

    read: list[_Read] = field(default_factory=list)
    came: list[NewMessage] = field(default_factory=list)
    plain: list[NewMessage] = field(default_factory=list)
    spoken: list[NewMessage] = field(default_factory=list)
    places: dict[int, int] = field(default_factory=dict)
    signs: tuple[bool, bool, bool, bool] = (False, False, True, True)

    def add(self, one: _Read) -> None:
        self.read.append(one)
        self.came.append(one.came)
        origin, (own, allowed, is_text) = one.came.get(_ORIGIN), one.forms
        is_read, is_own, all_text, all_chat = self.signs
        self.signs = (
            is_read or _ORIGIN in one.came,
            is_own or CHAT.name in own,
            all_text and is_text,
            all_chat and allowed and own <= {CHAT.name},
        )
        if one.plain is not None:
            self.places[id(one.plain)] = len(self.came) - 1
            if origin is not None:
                self.places[id(origin)] = len(self.came) - 1
            self.plain.append(one.plain)
            self.spoken += [one.plain, *_answers_in(one.plain)]

    @property
    def is_chat(self) -> bool:
        """Whether `detect_form` finds a list of such messages to be an OpenAI chat."""
        is_read, is_own, all_text, all_chat = self.signs
        return (is_read and is_own) or (is_own and all_text) or all_chat


class _Chat:
    """A talk in plain messages of an OpenAI chat."""

    def __init__(self) -> None:
        self._known = _Known()

    def read(self, items: Sequence[Any]) -> ReadTranscript | None:
        """The transcript; None for a list that is no chat, or not of plain messages."""
        plain_dicts = {*map(type, items)} <= {dict}
        given = items if plain_dicts else [item if type(item) is dict else _dumped(item) for item in items]
        known = self._known
        if not _is_equal(given[: len(known.came)], known.came):
            known = _Known()
        for at in range(len(known.came), len(items)):
            one = self._read(items[at], given[at], self._known.read[at] if at < len(self._known.read) else None)
            if one is None:
                return None
            known.add(one)
        if not known.is_chat:
            return None
        self._known = known
        plain = [*known.plain]
        spoken = plain if len(known.spoken) == len(plain) else [*known.spoken]

        def write(chat: Iterable[Mapping[str, Any]]) -> list[Any]:
            return [_handed_out(message, known, given) for message in chat]

        return ReadTranscript(plain, spoken, write)

    @staticmethod
    def _read(item: Any, given: Any, before: _Read | None) -> _Read | None:
        if before is not None and _is_equal(given, before.came):
            return before
        if given is None or not isinstance(given.get("role"), str):
            return None
        try:
            came = private_copy(given)
        except TypeError:
            return None
        stripped = strip_blocks([came])
        return _Read(came, ReadMessage(stripped[0]) if stripped else None, forms_of(item))


def _dumped(item: Any) -> Any:
    dump = None if isinstance(item, Mapping) else getattr(item, "model_dump", None)
    return None if dump is None else dump(exclude_none=True)


def _answers_in(plain: ReadMessage) -> list[ReadMessage]:
    return [ReadMessage(answer) for answer in strip_blocks(checked(plain.get(ANSWERED_INSIDE, ())))]


def _handed_out(message: Mapping[str, Any], known: _Known, given: Sequence[NewMessage]) -> NewMessage:
    """A copy of a message; of one that was read, with what the host put in it, but for AMB's blocks."""
    at = known.places.get(id(message))
    if at is not None:
        if message.get("content") is known.came[at].get("content"):
            return dict(given[at])
        return {**given[at], "content": private_copy(message["content"])}
    origin = message.get(_ORIGIN)
    if type(origin) is Origin and id(origin) in known.places:
        return {**message, _ORIGIN: given[known.places[id(origin)]][_ORIGIN]}
    return dict(message)


# --- items of any other form ------------------------------------------------------------------------------------------


class _Wire:
    """A talk in one wire form, read on where it has grown."""

    def __init__(self, form: WireForm, *, named: str | None = None) -> None:
        begin = getattr(form, "begin", None)
        self._form, self._named, self._begin = form, named, begin
        self._go_on: Callable[[Sequence[Any]], list[Any] | None] = form.read if begin is None else begin()
        self._items: list[Any] = []
        self._came: list[Any] = []
        self._plain: list[NewMessage] = []
        self._spoken: list[NewMessage] = []

    def goes_on_in(self, items: Sequence[Any], form: str | None) -> bool:
        """Whether a list begins as this one, and goes on in its form."""
        read = len(self._came)
        if self._begin is None or not read or form != self._named:
            return False
        return _is_equal(list(items[:read]), self._came) and goes_on(items[read:], self._form)

    def read(self, items: Sequence[Any]) -> ReadTranscript:
        """The transcript, which goes on behind what was read."""
        new = items[len(self._came) :]
        chat = self._go_on(new)
        if chat is None:  # something joins what was read
            self.__init__(self._form, named=self._named)  # type: ignore[misc]
            return self.read(items)
        for message in strip_blocks(checked(chat)):
            plain = ReadMessage(message)
            self._plain.append(plain)
            self._spoken += [plain, *_answers_in(plain)]
        self._items += new
        try:
            self._came += [private_copy(item) for item in new]
        except TypeError:  # what cannot be compared is read at every call
            self._begin = None
        read, form, plain_now = [*self._items], self._form, [*self._plain]
        spoken = plain_now if len(self._spoken) == len(plain_now) else [*self._spoken]

        def write(chat: Iterable[Mapping[str, Any]]) -> list[Any]:
            written = form.write(chat)
            if all(map(is_, read, items)):
                return written
            now = dict(zip(map(id, read), items, strict=True))
            return [now.get(id(one), one) for one in written]

        return ReadTranscript(plain_now, spoken, write)
