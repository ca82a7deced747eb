"""What stays or leaves together in a transcript: a call with its results, a question with its answer.

Turns are told apart by what was said, never by their place: a host may shorten, clear or reorder its transcript.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import sha1
from operator import is_
from typing import Literal

from amb_core.text import estimate_tokens
from amb_core.text.text_spans import known_text

__all__ = ["OVERHEAD", "Key", "Kind", "TranscriptItem", "TranscriptTurns", "Turn", "turns_of"]

OVERHEAD = 4
"""Tokens a chat message costs beside its text."""

Kind = Literal["system", "user", "assistant", "call", "result"]
Key = tuple[str, tuple[str, ...], str, int]
"""Kind, call ids, fingerprint of the text, and how often the same came before it."""


@dataclass(frozen=True, slots=True)
class TranscriptItem:
    """One piece of a transcript: a message, an assistant turn that calls tools, or the result of one call.

    `call_ids` are the ids a `call` item asks for (several when parallel) or the one id a `result` answers. `tokens`
    is what the item costs; None has it estimated from `text`. `beside` of these tokens are not for text but for images.
    `frame` of them are what is left of a call without its arguments. One that is `signed` can leave but cannot be
    shortened. A result that is a `reference` says where memory holds it; a message `of_mate` is another agent's.
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
    of_mate: bool = False
    _mark: list[str] = field(default_factory=list, compare=False, repr=False)
    _keys: dict[int, Key] = field(default_factory=dict, compare=False, repr=False)

    @property
    def mark(self) -> str:
        """What tells items apart: their kind, call ids and text."""
        if not self._mark:
            digest = sha1(known_text(self.text).encode("utf-8", "surrogatepass"), usedforsecurity=False).hexdigest()
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


def turns_of(items: Sequence[TranscriptItem]) -> list[Turn]:
    """The turns of a transcript in the order in which they end; system messages are in none."""
    transcript = TranscriptTurns()
    transcript.follow(items)
    return transcript.turns


class TranscriptTurns:
    """The items of a transcript that grows, with what each is recognised by later, its tokens, and the turns it makes.

    `keys` and `costs` are by place, `turns` in the order in which they end, `turn_of` by the places in it. `places`
    are those of each kind. Not thread-safe.
    """

    def __init__(self) -> None:
        self._clear()

    def _clear(self) -> None:
        self.items: list[TranscriptItem] = []
        self.keys: list[Key] = []
        self.costs: list[int] = []
        self.tokens = 0
        self.turns: list[Turn] = []
        self.turn_of: dict[int, Turn] = {}
        self.places: dict[Kind, list[int]] = {kind: [] for kind in ("system", "user", "assistant", "call", "result")}
        self._seen: dict[str, int] = {}
        self._ends: list[int] = []
        self._asking: dict[str, int] = {}
        self._asked: int | None = None
        self._answer: int | None = None

    def follow(self, items: Sequence[TranscriptItem]) -> int:
        """Become the turns of these items; how many of them were there before."""
        if len(items) < len(self.items) or not all(map(is_, self.items, items)):
            self._clear()
        before = len(self.items)
        for at in range(before, len(items)):
            self._add(at, items[at])
        return before

    def _add(self, at: int, item: TranscriptItem) -> None:
        mark = item.mark
        nth = self._seen[mark] = self._seen.get(mark, -1) + 1
        self.items.append(item)
        self.keys.append(item.key(nth))
        self.costs.append(estimate_tokens(item.text) + OVERHEAD if item.tokens is None else item.tokens)
        self.tokens += self.costs[-1]
        self.places[item.kind].append(at)
        if item.kind == "user":
            self._asked, self._answer = at, None
            self._put(Turn((at,), talk=True))
        elif item.kind == "assistant" and self._asked is not None:
            self._retract_answer()
            self._take(self.turn_of[self._asked])
            self._put(Turn((self._asked, at), talk=True))
            self._answer = at
        elif item.kind != "system":
            if item.kind != "assistant":
                self._retract_answer()
            self._add_work(at, item)

    def _retract_answer(self) -> None:
        """Make work of what looked like the answer: the agent goes on."""
        if self._asked is not None and self._answer is not None:
            self._take(self.turn_of[self._asked])
            self._put(Turn((self._asked,), talk=True))
            self._put(Turn((self._answer,)))
            self._answer = None

    def _add_work(self, at: int, item: TranscriptItem) -> None:
        """A call, a result with its call, one whose call is not there, or what the agent says unasked."""
        call = self._asking.get(item.call_ids[0]) if item.kind == "result" and item.call_ids else None
        if call is not None:
            turn = self.turn_of[call]
            self._take(turn)
            self._put(Turn((*turn.places, at)))
            return
        self._put(Turn((at,)))
        if item.kind == "call":
            self._asking.update(dict.fromkeys(item.call_ids, at))

    def _put(self, turn: Turn) -> None:
        at = bisect(self._ends, turn.places[-1])
        self._ends.insert(at, turn.places[-1])
        self.turns.insert(at, turn)
        self.turn_of.update(dict.fromkeys(turn.places, turn))

    def _take(self, turn: Turn) -> None:
        at = bisect(self._ends, turn.places[-1]) - 1
        del self._ends[at], self.turns[at]
