"""What stays or leaves together in a transcript: a call with its results, a question with its answer.

Turns are told apart by what was said, never by their place: a host may shorten, clear or reorder its transcript.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha1
from typing import Literal

__all__ = ["Key", "Kind", "TranscriptItem", "Turn", "keys_of", "turns_of"]

Kind = Literal["system", "user", "assistant", "call", "result"]
Key = tuple[str, tuple[str, ...], str, int]
"""Kind, call ids, fingerprint of the text, and how often the same came before it."""


@dataclass(frozen=True, slots=True)
class TranscriptItem:
    """One piece of a transcript: a message, an assistant turn that calls tools, or the result of one call.

    `call_ids` are the ids a `call` item asks for (several when parallel) or the one id a `result` answers. `tokens`
    is what the item costs; None has it estimated from `text`. `beside` of these tokens are not for text but for images.
    `frame` of them are what is left of a call without its arguments. One that is `signed` can leave but cannot be
    shortened. A result that is a `reference` says where memory holds it, and not what it brought.
    """

    kind: Kind
    text: str
    call_ids: tuple[str, ...] = ()
    tool: str = ""
    tokens: int | None = None
    beside: int = 0
    frame: int = 0
    signed: bool = False
    reference: bool = False
    _mark: list[str] = field(default_factory=list, compare=False, repr=False)
    _keys: dict[int, Key] = field(default_factory=dict, compare=False, repr=False)

    @property
    def mark(self) -> str:
        """What tells items apart: their kind, call ids and text."""
        if not self._mark:
            text = self.text.rstrip()  # a host may add or strip line breaks at the end
            digest = sha1(text.encode("utf-8", "surrogatepass"), usedforsecurity=False).hexdigest()
            self._mark.append("\x1e".join((digest, self.kind, *self.call_ids)))
        return self._mark[0]

    @property
    def digest(self) -> str:
        """The fingerprint of the text."""
        return self.mark.partition("\x1e")[0]

    def key(self, nth: int) -> Key:
        """The key of an item before which the same came so many times."""
        if nth not in self._keys:
            self._keys[nth] = (self.kind, self.call_ids, self.digest, nth)
        return self._keys[nth]


@dataclass(frozen=True, slots=True)
class Turn:
    """Items that stay or leave together, by their places: of work (a call, its results) or of talk.

    A turn of talk is what the user said and the answer to it; the work between them is turns of its own.
    """

    places: tuple[int, ...]
    talk: bool = False


def keys_of(items: Sequence[TranscriptItem]) -> list[Key]:
    """What an item is recognised by later: its content and how often the same came before it."""
    seen: dict[str, int] = {}
    keys: list[Key] = []
    for item in items:
        mark = item.mark
        nth = seen[mark] = seen.get(mark, -1) + 1
        keys.append(item.key(nth))
    return keys


def turns_of(items: Sequence[TranscriptItem]) -> list[Turn]:
    """The turns of a transcript in the order in which they end; system messages are in none."""
    talk = list(_talk(items))
    work = _work(items, answers={at for turn in talk for at in turn.places})
    return sorted([*work, *talk], key=lambda turn: turn.places[-1])


def _work(items: Sequence[TranscriptItem], *, answers: Container[int]) -> Iterator[Turn]:
    """Calls with their results, a result whose call is not there, and what the agent said that is none of `answers`."""
    groups: list[list[int]] = []
    asking: dict[str, list[int]] = {}
    for at, item in enumerate(items):
        if item.kind == "result" and item.call_ids and item.call_ids[0] in asking:
            asking[item.call_ids[0]].append(at)
        elif item.kind in ("call", "result") or (item.kind == "assistant" and at not in answers):
            groups.append([at])
            if item.kind == "call":
                asking.update(dict.fromkeys(item.call_ids, groups[-1]))
    return (Turn(tuple(group)) for group in groups)


def _talk(items: Sequence[TranscriptItem]) -> Iterator[Turn]:
    """Each message of the user with the answer to it: the agent's last words before the user speaks again."""
    asked: int | None = None
    answer: int | None = None
    for at, item in enumerate(items):
        if item.kind == "user":
            if asked is not None:
                yield Turn((asked,) if answer is None else (asked, answer), talk=True)
            asked, answer = at, None
        elif item.kind in ("call", "result"):
            answer = None
        elif item.kind == "assistant" and asked is not None:
            answer = at
    if asked is not None:
        yield Turn((asked,) if answer is None else (asked, answer), talk=True)
