"""Decides what a growing transcript loses, so that a request keeps its bound and costs little.

A transcript is a window: system messages and the first user message stay, and the oldest turns leave. One rule says
when. Up to `soft` nothing leaves, because a provider bills what did not change at a tenth. Above it the window is cut
to `low`, but only where that is paid back soon; above `fill` it is cut in any case. What cannot leave and is still too
much is shortened, the largest first. A call and its results are never separated.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from hashlib import sha1
from typing import Literal

from amb_core.adapter.request_limits import RequestLimits
from amb_core.rendering import Language, Reference, index_line
from amb_core.text import estimate_tokens

__all__ = [
    "DROP",
    "KEEP",
    "Action",
    "CondensedTranscript",
    "Condenser",
    "Key",
    "TranscriptItem",
    "keys_of",
]

_OVERHEAD = 4
"""Tokens a chat message costs beside its text."""
_SHORT_TALK = 0.1
"""The share of the budget that old words of the user may have."""
_PAID_BACK = 0.5
"""A cut has to be paid back within so many times the calls that were made so far."""
_READ_ANEW = 0.1
"""What stays and has to be read anew may be so much of what leaves: a cut waits for a moment when that is little."""
_CACHED = 0.1
"""What a provider bills for a token that it read before, in the same place."""
_SHORT = 64
"""A message of the user up to this size stays when what stands around it leaves: it is in no memory."""
_LEAST = (64, 20)
"""To what a message may be shortened, and to what when that is not enough."""
_RESULTS_FIRST = 16
"""Down to one part in so many of a request, all else is shortened before what the user says is."""
_INDEX = 60

Kind = Literal["system", "user", "assistant", "call", "result"]
Key = tuple[str, tuple[str, ...], str, int]


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


@dataclass(frozen=True, slots=True)
class Action:
    """What to do with one item; `shorten` leaves it `tokens` in all."""

    kind: Literal["keep", "shorten", "drop"]
    tokens: int = 0


KEEP, DROP = Action("keep"), Action("drop")


@dataclass(frozen=True, slots=True)
class CondensedTranscript:
    """One action per item; `index` says what left ("" for nothing) and belongs before item `index_at`.

    `tokens` is the estimate of what is left, `raw_tokens` that of the items as they came. `cut` says that something
    left just now, so that nothing behind `index_at` stands where it stood in the request before.
    """

    actions: tuple[Action, ...]
    index: str
    index_at: int
    tokens: int
    raw_tokens: int
    cut: bool = False


@dataclass(slots=True)
class _Group:
    """An assistant turn that calls tools and the results it got, or one other item; positions in the transcript."""

    positions: list[int]
    open_ids: set[str] = field(default_factory=set)


@dataclass(slots=True)
class _Decisions:
    """What was decided for good, by item, and which items a request has shown."""

    shortened: dict[Key, Action] = field(default_factory=dict)
    dropped: dict[Key, tuple[str, Reference | None]] = field(default_factory=dict)
    shown: set[Key] = field(default_factory=set)


class Condenser:
    """Decides what a transcript loses; remembers its decisions, so that what was condensed stays byte-identical.

    `reference` names the notes a result went into, or returns None when memory does not hold it. Not thread-safe: its
    owner holds a lock.
    """

    def __init__(
        self,
        limits: RequestLimits,
        *,
        reference: Callable[[TranscriptItem], Reference | None],
        language: Language = "en",
    ) -> None:
        self._limits = limits
        self._reference = reference
        self._language: Language = language
        self._decisions = _Decisions()

    def condense(
        self, items: Sequence[TranscriptItem], *, limits: RequestLimits | None = None, standing: int = 0
    ) -> CondensedTranscript:
        """The actions for a transcript of which earlier calls saw a beginning.

        `standing` are the tokens that memory has in it; all of that is gone after a cut.
        """
        passed = _Pass(items, limits or self._limits, self._reference, self._language, self._decisions, standing)
        cut = (passed.is_over() or passed.pays_back()) and passed.cut()
        cut = passed.fit() or cut
        passed.remember()
        return passed.outcome(cut)


class _Pass:
    """One pass over one transcript."""

    def __init__(
        self,
        items: Sequence[TranscriptItem],
        limits: RequestLimits,
        reference: Callable[[TranscriptItem], Reference | None],
        language: Language,
        decisions: _Decisions,
        standing: int,
    ) -> None:
        self.items, self.limits, self.decisions, self.standing = items, limits, decisions, standing
        self.language: Language = language
        self.reference = reference
        self.keys = keys_of(items)
        self.groups = _groups(items)
        users = [at for at, item in enumerate(items) if item.kind == "user"]
        self.pinned = {at for at, item in enumerate(items) if item.kind == "system"} | set(users[:1])
        said = [at for at, item in enumerate(items) if item.kind == "assistant"]
        self.protected = self._newest() | {*users[-1:], *said[-1:], *range(len(items))[-1:]}
        self.raw = [_raw_cost(item) for item in items]
        self.actions = [self._known(at) for at in range(len(items))]
        self.costs = [_cost(raw, action) for raw, action in zip(self.raw, self.actions, strict=True)]
        self.index = self._index()

    def _newest(self) -> set[int]:
        """The newest results with all of their turns."""
        results = [at for at, item in enumerate(self.items) if item.kind == "result"]
        kept = set(results[-max(self.limits.keep_last, 1) :])
        return {at for group in self.groups if kept.intersection(group.positions) for at in group.positions}

    def _known(self, at: int) -> Action:
        item, key = self.items[at], self.keys[at]
        if key in self.decisions.dropped and at not in self.protected:
            return DROP
        if item.kind == "result" and self.raw[at] - item.beside > self.limits.max_raw_tokens + _OVERHEAD:
            capped = Action("shorten", self.limits.max_raw_tokens + item.beside + _OVERHEAD)
            return min(capped, self.decisions.shortened.get(key, capped), key=lambda action: action.tokens)
        return self.decisions.shortened.get(key, KEEP)

    # --- the steps ---------------------------------------------------------------------------------------------------

    @property
    def total(self) -> int:
        """What the transcript costs as it is, the index with it."""
        return sum(self.costs) + (estimate_tokens(self.index) + _OVERHEAD if self.index else 0)

    @property
    def room(self) -> int:
        """What memory takes, or may take, of the request."""
        return max(self.standing, self.limits.block)

    def is_over(self) -> bool:
        """Whether there is more than a request is to be filled with."""
        return self.total + self.room > self.limits.fill

    def pays_back(self) -> bool:
        """Whether a cut now is worth it: it costs less than it saves within half as many calls as were made so far.

        It costs what the provider must read anew, and saves at each call what leaves, cached tokens counting a tenth.
        """
        now = self.total + self.standing
        if now <= self.limits.soft:
            return False
        leaving = {at for group in self._leaving() for at in group}
        stays = [at for at in range(len(self.items)) if at not in leaving]
        after = sum(self.costs[at] for at in stays) + self.limits.block
        read_anew = sum(
            self.costs[at] for at in stays if at not in self.pinned and self.keys[at] in self.decisions.shown
        )
        calls = sum(item.kind in ("call", "assistant") for item in self.items)
        price = (1 - _CACHED) * read_anew + self.limits.block
        saved = now - after
        return read_anew <= _READ_ANEW * saved and price <= _PAID_BACK * calls * _CACHED * saved

    def cut(self) -> bool:
        """The oldest turns leave; whether any did."""
        leaving = self._leaving()
        for positions in leaving:
            self._drop(positions)
        self.index = self._index()
        return bool(leaving)

    def _leaving(self) -> list[list[int]]:
        """The turns that leave at a cut, oldest first, until what stays is at the low mark."""
        spoken = self._short_talk()
        target = min(self.limits.low, self.limits.fill - self.limits.block)
        left, leaving = sum(self.costs) + _INDEX, list[list[int]]()
        for group in self.groups:
            here = [at for at in group.positions if self.actions[at] is not DROP]
            if left <= target:
                break
            if here and self.pinned.isdisjoint(here) and self.protected.isdisjoint(here) and spoken.isdisjoint(here):
                left -= sum(self.costs[at] for at in here)
                leaving.append(here)
        return leaving

    def _short_talk(self) -> set[int]:
        """Short messages of the user, the newest first, up to their share of the request."""
        left, short = int(self.limits.budget * _SHORT_TALK), set[int]()
        for at in range(len(self.items) - 1, -1, -1):
            if self.items[at].kind == "user" and self.costs[at] <= _SHORT and self.actions[at] is not DROP:
                left -= self.costs[at]
                if left < 0:
                    break
                short.add(at)
        return short

    def fit(self) -> bool:
        """Shorten what stays until the request keeps its bound, and drop whole turns when that is not enough.

        Returns whether that was needed: then the block has no room either. What the user says is shortened only where
        results that are short already leave no room for it, and system messages last of all.
        """
        if self.total + self.room <= self.limits.budget:
            return False
        self.standing = 0
        if self._level(max(self.limits.budget // _RESULTS_FIRST, _LEAST[0]), spared=("system", "user")):
            return True
        while not (any(map(self._level, _LEAST)) or not self._drop_costliest()):
            self.index = self._index()
        if self.total + self.room > self.limits.budget:
            self._level(_LEAST[-1], spared=())
        return True

    def _level(self, least: int, spared: Sequence[Kind] = ("system",)) -> bool:
        """Shorten the largest to one size, of at least `least`, so that all is within the bound; whether it is."""
        over = self.total + self.room - self.limits.budget
        if over <= 0:
            return True
        shrinkable = [at for at in range(len(self.items)) if self._can_shrink(at, least, spared)]
        frames = {at: self.items[at].frame for at in shrinkable}
        size = level_of([self.costs[at] - frames[at] for at in shrinkable], over, least=least)
        if size is None and spared:
            return False
        for at in shrinkable:
            tokens = frames[at] + (size or least)
            if self.costs[at] > tokens:
                self.actions[at] = Action("shorten", tokens)
                self.costs[at] = tokens
        return size is not None

    def _can_shrink(self, at: int, least: int, spared: Sequence[Kind] = ("system",)) -> bool:
        kept = self.actions[at] is not DROP and self.costs[at] > least + self.items[at].frame
        return kept and not self.items[at].signed and self.items[at].kind not in spared

    def _drop_costliest(self) -> bool:
        """Drop the turn that is largest even when all in it that can be shortened is; whether there was one."""
        sizes: dict[int, int] = {}
        for number, group in enumerate(self.groups):
            here = [at for at in group.positions if self.actions[at] is not DROP]
            if here and self.pinned.isdisjoint(here) and self.items[here[0]].kind != "user":
                sizes[number] = sum(
                    min(self.costs[at], _LEAST[-1] + self.items[at].frame)
                    if self._can_shrink(at, 0)
                    else self.costs[at]
                    for at in here
                )
        if not sizes:
            return False
        self._drop(self.groups[max(sizes, key=sizes.__getitem__)].positions)
        return True

    # --- the parts ---------------------------------------------------------------------------------------------------

    def _drop(self, positions: Iterable[int]) -> None:
        for at in positions:
            item = self.items[at]
            found = self.reference(item) if item.kind == "result" else None
            if item.kind == "result" and not item.text.strip():
                found = Reference(())  # nothing to keep, so nothing is lost
            self.decisions.dropped[self.keys[at]] = (item.tool if item.kind == "result" else "", found)
            self.actions[at], self.costs[at] = DROP, 0

    def _index(self) -> str:
        gone = [at for at, action in enumerate(self.actions) if action is DROP]
        results = [self.decisions.dropped[self.keys[at]] for at in gone if self.items[at].kind == "result"]
        messages = sum(self.items[at].kind in ("user", "assistant") for at in gone)
        return index_line(results, self.language, messages=messages) if gone else ""

    def remember(self) -> None:
        """Keep what was decided for the calls to come; in a small budget only what left."""
        if self.limits.is_steady:
            shortened = {key: act for key, act in zip(self.keys, self.actions, strict=True) if act.kind == "shorten"}
            self.decisions.shortened.update(shortened)
        self.decisions.shown.update(self.keys)
        for key, action in zip(self.keys, self.actions, strict=True):
            if action is not DROP:
                self.decisions.dropped.pop(key, None)

    def outcome(self, cut: bool) -> CondensedTranscript:
        """The actions for this transcript."""
        users = [at for at, item in enumerate(self.items) if item.kind == "user"]
        others = (at for at, item in enumerate(self.items) if item.kind != "system")
        first = users[0] + 1 if users else next(others, len(self.items))
        return CondensedTranscript(tuple(self.actions), self.index, first, self.total, sum(self.raw), cut)


def level_of(costs: Sequence[int], over: int, *, least: int) -> int | None:
    """The size that all larger ones are to be shortened to, to save `over`; None when `least` does not save as much."""
    left = sorted(costs, reverse=True)
    for count, _ in enumerate(left, 1):
        floor = max(left[count], least) if count < len(left) else least
        if sum(left[:count]) - count * floor >= over:
            return max((sum(left[:count]) - over) // count, least)
    return None


def _raw_cost(item: TranscriptItem) -> int:
    return estimate_tokens(item.text) + _OVERHEAD if item.tokens is None else item.tokens


def _cost(raw: int, action: Action) -> int:
    return 0 if action is DROP else raw if action is KEEP else min(raw, action.tokens)


def keys_of(items: Sequence[TranscriptItem]) -> list[Key]:
    """What an item is recognised by later: its content and how often the same came before it."""
    seen: Counter[tuple[str, tuple[str, ...], str]] = Counter()
    keys: list[Key] = []
    for item in items:
        digest = sha1(item.text.encode("utf-8", "surrogatepass"), usedforsecurity=False).hexdigest()
        identity = (item.kind, item.call_ids, digest)
        keys.append((*identity, seen[identity]))
        seen[identity] += 1
    return keys


def _groups(items: Sequence[TranscriptItem]) -> list[_Group]:
    """Calls with their results, in order, and every other item alone, as a result is whose call is not there."""
    groups: list[_Group] = []
    for at, item in enumerate(items):
        asked = None
        if item.kind == "result":
            asked = next((g for g in reversed(groups) if g.open_ids.intersection(item.call_ids)), None)
        if asked is None:
            groups.append(_Group([at], set(item.call_ids) if item.kind == "call" else set()))
        else:
            asked.open_ids.difference_update(item.call_ids)
            asked.positions.append(at)
    return groups
