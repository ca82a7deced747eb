"""Decides what a growing transcript loses, so that a request keeps its bound and begins as the one before.

What fits is sent whole. Where it does not, the transcript is cut once: system messages, the first question and the
newest turns stay, then short talk, then whole turns from the newest on, as many as the low mark holds. After that
nothing is decided anew until the transcript has grown to the high mark. What must stay and is too large is shortened in
place, once. A turn is in a request whole or not at all.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from itertools import islice
from typing import Literal

from amb_core.adapter.request_budget import RequestBudget
from amb_core.adapter.transcript_turns import OVERHEAD, Key, Kind, TranscriptItem, TranscriptTurns, Turn
from amb_core.rendering import Language, Reference, index_line
from amb_core.text import estimate_tokens

__all__ = ["DROP", "KEEP", "Action", "TranscriptTrimmer", "TrimmedTranscript", "level_of"]

_INDEX = 60
"""Tokens kept for the line that says what left."""
_NEWEST = 2
"""So many of the newest turns of work stay."""
_PROTECTED = 2
"""Tools that are to stay may have one part in so many of what a cut leaves, or nothing else would."""
_TALK = 0.15
"""The share of the low mark for talk that is older than the work which stays."""
_ROUND = 32
"""Sizes that texts are shortened to are rounded to so many tokens, so that a slightly other request has the same."""
_WORTH = 8
"""A turn that does not fit is shortened into what room is left where that is at least one part in so many."""
_LEAST = (64, 20)
"""To what a message may be shortened, and to what when that is not enough."""
_SLACK, _SMALL_BLOCK = 16, 10
"""What has to stay and is shortened leaves one part in so many for what comes, and a block that is as small whole."""
_LEAST_BLOCK = 4
"""What has to stay leaves a block one part in so many of its room."""
_OLD = 3
"""So many questions of the user after a result, it is shortened at a cut like what does not fit, and talk stays."""
_RESULTS_FIRST = 16
"""Down to one part in so many of a request, all else is shortened before what the user says is."""


@dataclass(frozen=True, slots=True)
class Action:
    """What to do with one item; `shorten` leaves it `tokens` in all."""

    kind: Literal["keep", "shorten", "drop"]
    tokens: int = 0


KEEP, DROP = Action("keep"), Action("drop")


@dataclass(frozen=True, slots=True)
class TrimmedTranscript:
    """What is sent of a transcript: by its place, in order, what to do with each item that stays.

    `index` says what left ("" for nothing) and belongs before item `index_at`. `keys` are those of all `size` items.
    `tokens` is the estimate of what is left, `raw_tokens` that of the items as they came. `cut` says that what stays
    was decided just now, so that what stands behind `index_at` is not as it was in the request before.
    """

    kept: Mapping[int, Action]
    size: int
    keys: Sequence[Key]
    index: str
    index_at: int
    tokens: int
    raw_tokens: int
    cut: bool = False

    @property
    def actions(self) -> tuple[Action, ...]:
        """One action per item."""
        return tuple(self.kept.get(at, DROP) for at in range(self.size))


@dataclass(slots=True)
class _Decisions:
    """What was decided until the next cut, by item."""

    shortened: dict[Key, Action] = field(default_factory=dict)
    dropped: set[Key] = field(default_factory=set)


class TranscriptTrimmer:
    """Remembers its decisions, so that what stays is byte-identical until the next cut.

    `reference` names what memory has of a result, or returns None when it does not hold it. Not thread-safe: its owner
    holds a lock.
    """

    def __init__(
        self, *, reference: Callable[[TranscriptItem], Reference | None], language: Callable[[], Language]
    ) -> None:
        self._reference, self._language = reference, language
        self._turns = TranscriptTurns()
        self._decisions = _Decisions()
        self._gone: dict[int, None] = {}
        self._live: list[int] = []
        self._references: dict[Key, Reference | None] = {}
        self._left: tuple[Collection[int], str] = ((), "")

    def forget_references(self) -> None:
        """Look anew at what memory has of results: some of it was forgotten, or its host took it back."""
        self._references.clear()
        self._left = ((), "")

    def trim(
        self,
        items: Sequence[TranscriptItem],
        budget: RequestBudget,
        *,
        standing: int = 0,
        reserved: int = 0,
        asked: int = 0,
        answered: Container[Key] = (),
    ) -> TrimmedTranscript:
        """The actions for a transcript of which earlier calls saw a beginning.

        `standing` are the tokens that memory has in it; all of that is gone after a cut. `reserved` are those of a
        block that every request gets, `asked` those that new words of the user, which are not `answered`, need where
        something has left.
        """
        before = self._turns.follow(items)
        if not before:
            self._gone, self._live, self._left = {}, [], ((), "")
        self._live += range(before, len(items))
        passed = _Pass(self._turns, budget, self._decisions, self._live, self._gone, self._index)
        cut = False
        if self._turns.tokens + standing + reserved <= budget.fill:
            passed.look_at_all()
            passed.restore()
        elif passed.is_above(standing + reserved, asked if passed.is_asked(answered) else 0):
            passed.look_at_all()
            cut = passed.cut() or standing > 0  # what memory said gives way before what stays does
        passed.fit(reserved if cut else standing + reserved)
        passed.remember()
        self._gone, self._live = passed.all_gone(), list(passed.kept)
        return passed.outcome(cut)

    def _index(self, gone: Collection[int]) -> str:
        """The line that says what left; made anew only where something else did."""
        if gone is self._left[0] or gone == self._left[0]:
            return self._left[1]
        items, keys = self._turns.items, self._turns.keys
        results: list[tuple[str, Reference | None]] = []
        messages = 0
        for at in sorted(gone):
            item = items[at]
            if item.kind != "result":
                messages += item.kind in ("user", "assistant")
                continue
            if keys[at] not in self._references or self._references[keys[at]] is None:
                nothing = Reference(()) if not item.text.strip() else None  # nothing to keep, so nothing is lost
                self._references[keys[at]] = nothing or self._reference(item)
            results.append((item.tool, self._references[keys[at]]))
        line = index_line(results, self._language(), messages=messages) if results or messages else ""
        if all(reference is not None for _, reference in results):
            self._left = (gone, line)
        return line


class _Pass:
    """One pass over what was sent of a transcript the last time, and what is new; over all of it where that changes.

    `actions` and `costs` are those of the items looked at; of the others it is known that they are `gone`.
    """

    def __init__(
        self,
        turns: TranscriptTurns,
        budget: RequestBudget,
        decisions: _Decisions,
        live: Iterable[int],
        gone: dict[int, None],
        index: Callable[[Collection[int]], str],
    ) -> None:
        self.turns, self.budget, self.decisions, self._told = turns, budget, decisions, index
        self.items, self.keys, self.raw = turns.items, turns.keys, turns.costs
        self.pinned, self.newest = self._pinned(), self._newest()
        self.gone, self.left, here = self._left_before(live, gone)
        self.actions = {at: self._form(at) for at in here}
        self.costs = {at: _cost(self.raw[at], action) for at, action in self.actions.items()}
        self.index = self._index()

    def _pinned(self) -> set[int]:
        """System messages, and the first question with its answer."""
        places, turn_of = self.turns.places, self.turns.turn_of
        return {*places["system"], *(at for asked in places["user"][:1] for at in turn_of[asked].places)}

    def _newest(self) -> set[int]:
        """The newest turns of work, the newest words of the user and of the agent, and the last item."""
        places, turn_of = self.turns.places, self.turns.turn_of
        work = islice((turn for turn in reversed(self.turns.turns) if not turn.talk), _NEWEST)
        ends = (*places["result"][-max(self.budget.keep_last, 1) :], *places["user"][-1:], *places["assistant"][-1:])
        found = {at for turn in (*work, *map(turn_of.__getitem__, ends)) for at in turn.places}
        return found | set(range(len(self.items))[-1:]) | self._protected()

    def _protected(self) -> set[int]:
        """The newest turns of the tools that are to stay, as many as half of what a cut leaves has room for."""
        found, room, largest = set[int](), self.budget.low // _PROTECTED, self.budget.max_raw_tokens
        for turn in reversed(self.turns.turns) if self.budget.keep_tools else ():
            tools = {self.items[at].tool for at in turn.places if self.items[at].kind == "result"}
            if any(fnmatchcase(tool, name) for tool in tools for name in self.budget.keep_tools):
                room -= sum(min(self.raw[at], largest) for at in turn.places)
                if room < 0:
                    break
                found.update(turn.places)
        return found

    def _left_before(
        self, live: Iterable[int], gone: dict[int, None]
    ) -> tuple[dict[int, None], dict[int, None], list[int]]:
        """What left at an earlier cut, what of it is new here, and what did not leave.

        Every turn of which anything left has, for the rest may have been edited since; but for what stays now.
        """
        stays, dropped, turn_of = self.pinned | self.newest, self.decisions.dropped, self.turns.turn_of
        back = stays & gone.keys()
        left: dict[int, None] = {}
        for at in live:
            turn = turn_of.get(at)
            if turn is None or at in left or not stays.isdisjoint(turn.places):
                continue
            if any(self.keys[other] in dropped for other in turn.places):
                left.update(dict.fromkeys(turn.places))
        if not (back or left):
            return gone, left, list(live)
        here = [at for at in (*live, *back) if at not in left]
        return {at: None for at in (*gone, *left) if at not in back}, left, sorted(here)

    def look_at_all(self) -> None:
        """Look at what is gone as well."""
        if self.gone:
            known, self.gone = self.actions, {}
            self.actions = {at: known.get(at, DROP) for at in range(len(self.items))}
            self.costs = {at: _cost(self.raw[at], action) for at, action in self.actions.items()}

    def _form(self, at: int) -> Action:
        """How an item stands in the request where it stays."""
        item, known = self.items[at], self.decisions.shortened.get(self.keys[at], KEEP)
        if item.kind == "result" and self.raw[at] - item.beside > self.budget.max_raw_tokens + OVERHEAD:
            capped = Action("shorten", self.budget.max_raw_tokens + item.beside + OVERHEAD)
            return capped if known is KEEP else min(capped, known, key=lambda action: action.tokens)
        return known

    # --- the steps ---------------------------------------------------------------------------------------------------

    @property
    def total(self) -> int:
        """What the transcript costs as it is, the index with it."""
        return sum(self.costs.values()) + (estimate_tokens(self.index) + OVERHEAD if self.index else 0)

    def is_asked(self, answered: Container[Key]) -> bool:
        """Whether the user has just said something, to which memory has said nothing yet."""
        return bool(self.items) and self.items[-1].kind == "user" and self.keys[-1] not in answered

    def is_above(self, standing: int, asked: int) -> bool:
        """Whether the transcript has grown over the high mark; one that was never cut, over all there is.

        Where what has to stay is above the low mark already, it may grow into the room of the block, or it would be cut
        again soon.
        """
        budget = self.budget
        stays = sum(self.costs[at] for at in self.pinned | self.newest)
        high = budget.high if stays <= budget.low else budget.fill - budget.block // _LEAST_BLOCK
        lacks = bool(self.index) or any(action.kind == "shorten" for action in self.actions.values())
        if self.total + standing + (asked if lacks and standing else 0) > budget.fill:
            return True
        return bool(self.index and self.total > high)

    def restore(self) -> None:
        """Send everything, for it fits."""
        self.decisions.dropped.difference_update(self.keys)
        for at in range(len(self.items)):
            self._put(at, self._form(at) if self.raw[at] > self.budget.max_raw_tokens else KEEP)
        self.index = self._index()

    def cut(self) -> bool:
        """Choose anew what stays, and in which form; whether anything is not as it was."""
        budget, before = self.budget, dict(self.actions)
        kept = self.pinned | self.newest
        for at in range(len(self.items)):
            self._put(at, self._form(at))
        for at in self._old_results(kept):
            self._shorten(at, 2 * budget.low // _WORTH)
        room = budget.low - _INDEX - sum(self.costs[at] for at in kept)
        talk = min(int(budget.low * _TALK), room)
        older = [turn for turn in reversed(self.turns.turns) if kept.isdisjoint(turn.places)]
        for turn in older:
            cost = self._cost_of(turn)
            if turn.talk and cost <= talk:
                kept.update(turn.places)
                talk, room = talk - cost, room - cost
        for turn in older:
            if kept.isdisjoint(turn.places):
                cost = self._cost_of(turn)
                if cost > room >= budget.low // _WORTH:
                    cost = self._shorten_turn(turn, room)
                if cost <= room:
                    kept.update(turn.places)
                    room -= cost
        leaving = [turn for turn in older if kept.isdisjoint(turn.places)]
        for turn in leaving:
            for at in turn.places:
                self._put(at, DROP)
        self.index = self._index()
        self._make_slack()
        return self.actions != before

    def _old_results(self, kept: Iterable[int]) -> list[int]:
        """The results among what stays that the talk has gone on from."""
        asked = self.turns.places["user"][-_OLD:]
        return [at for at in kept if self.items[at].kind == "result" and at < asked[0]] if len(asked) == _OLD else []

    def _make_slack(self) -> None:
        """Shorten what has to stay and does not fit to less than would do, so that it keeps its form for some calls."""
        fill, block = self.budget.fill, self.budget.block
        room = fill - min(block, max(block // _LEAST_BLOCK, fill // _SMALL_BLOCK))
        if self.total > room:
            self._level_older_first(room - fill // _SLACK, max(room // _RESULTS_FIRST, _LEAST[0]))

    def _shorten_turn(self, turn: Turn, room: int) -> int:
        """Shorten what is large in a turn to fit in a room; its cost then."""
        able = [at for at in turn.places if self._can_shrink(at, _LEAST[0], ("system", "user"))]
        over = self._cost_of(turn) - room
        size = level_of([self.costs[at] - self.items[at].frame for at in able], over, least=room // (2 * _WORTH))
        if size is None:
            return self._cost_of(turn)
        for at in able:
            self._shorten(at, size)
        return self._cost_of(turn)

    def fit(self, standing: int) -> None:
        """Shorten what stays until the request keeps its bound, and drop whole turns when that is not enough.

        What the user says is shortened only where results that are short already leave no room for it, and system
        messages last of all.
        """
        block = self.budget.block // _LEAST_BLOCK if self.index and not standing else 0
        room = self.budget.total - standing - block
        least = max(room // _RESULTS_FIRST, _LEAST[0])
        if self.total <= room or self._level_older_first(room, least):
            return
        while not (self._shorten_users(room, least) or not self._drop_costliest()):
            self.index = self._index()
        if self.total > room:
            self._level(room, _LEAST[-1], ())

    def _shorten_users(self, room: int, least: int) -> bool:
        """Shorten what the user says, after all else was shortened to `least`; whether all is within the room.

        Nothing is shortened that would not help.
        """
        costs = [self.costs[at] - self.items[at].frame for at in self._able(_LEAST[-1], ("system",))]
        over = self.total - room
        if over <= 0 or level_of(costs, over, least=_LEAST[-1]) is None:
            return over <= 0
        for at in self._able(least, ("system", "user")):
            self._shorten(at, least)
        return any(self._level(room, size, ("system",)) for size in _LEAST)

    def _level_older_first(self, room: int, least: int) -> bool:
        """Shorten the largest results, calls and answers; those of the newest turn only where the others do not do."""
        exempt: tuple[Kind, ...] = ("system", "user")
        newest = next((turn for turn in reversed(self.turns.turns) if not turn.talk), None)
        spared = () if newest is None else newest.places
        return self._level(room, room // _WORTH, exempt, spared=spared) or self._level(room, least, exempt)

    def _level(self, room: int, least: int, exempt: Sequence[Kind], *, spared: Container[int] = ()) -> bool:
        """Shorten the largest to one size, of at least `least`, so that all is within the room; whether it is."""
        over = self.total - room
        if over <= 0:
            return True
        able = [at for at in self._able(least, exempt) if at not in spared]
        size = level_of([self.costs[at] - self.items[at].frame for at in able], over, least=least)
        if size is None and exempt:
            return False
        for at in able:
            self._shorten(at, size or least)
        return size is not None

    def _able(self, least: int, exempt: Sequence[Kind]) -> list[int]:
        """What can be shortened to so many tokens."""
        return [at for at in self.actions if self._can_shrink(at, least, exempt)]

    def _shorten(self, at: int, size: int) -> None:
        tokens = self.items[at].frame + (size if size <= 2 * _ROUND else size // _ROUND * _ROUND)
        if self.costs[at] > tokens:
            self._put(at, Action("shorten", tokens))

    def _can_shrink(self, at: int, least: int, exempt: Sequence[Kind] = ("system",)) -> bool:
        kept = self.actions[at] is not DROP and self.costs[at] > least + self.items[at].frame
        return kept and not self.items[at].signed and self.items[at].kind not in exempt

    def _drop_costliest(self) -> bool:
        """Drop the turn that is largest even when all in it that can be shortened is; whether there was one."""
        sizes: dict[Turn, int] = {}
        for turn in self.turns.turns:
            here = [at for at in turn.places if self.actions.get(at, DROP) is not DROP]
            if here and self.pinned.isdisjoint(here) and self.items[here[0]].kind != "user":
                sizes[turn] = sum(
                    min(self.costs[at], _LEAST[-1] + self.items[at].frame)
                    if self._can_shrink(at, 0)
                    else self.costs[at]
                    for at in here
                )
        if not sizes:
            return False
        for at in max(sizes, key=sizes.__getitem__).places:
            self._put(at, DROP)
        return True

    # --- the parts ---------------------------------------------------------------------------------------------------

    def _put(self, at: int, action: Action) -> None:
        self.actions[at], self.costs[at] = action, _cost(self.raw[at], action)

    def _cost_of(self, turn: Turn) -> int:
        return sum(self.costs[at] for at in turn.places)

    @property
    def kept(self) -> dict[int, Action]:
        """What stays, by its place in order."""
        return {at: action for at, action in self.actions.items() if action is not DROP}

    def all_gone(self) -> dict[int, None]:
        """The places of what is not sent."""
        dropped = [at for at, action in self.actions.items() if action is DROP]
        return {**self.gone, **dict.fromkeys(dropped)} if dropped else self.gone

    def _index(self) -> str:
        gone = self.all_gone()
        return self._told(gone) if gone else ""

    def remember(self) -> None:
        """Keep what was decided for the calls to come."""
        known = self.decisions
        known.dropped.update(self.keys[at] for at in self.left)
        for at, action in self.actions.items():
            if action is DROP:
                known.dropped.add(self.keys[at])
            else:
                known.dropped.discard(self.keys[at])
            if action.kind == "shorten":
                known.shortened[self.keys[at]] = action

    def outcome(self, cut: bool) -> TrimmedTranscript:
        """The actions for this transcript."""
        users = self.turns.places["user"]
        others = (at for at, item in enumerate(self.items) if item.kind != "system")
        first = users[0] + 1 if users else next(others, len(self.items))
        sent, size = self.kept, len(self.items)
        return TrimmedTranscript(sent, size, self.keys, self.index, first, self.total, self.turns.tokens, cut)


def level_of(costs: Sequence[int], over: int, *, least: int) -> int | None:
    """The size that all larger ones are to be shortened to, to save `over`; None when `least` does not save as much."""
    left = sorted(costs, reverse=True)
    largest = 0
    for count, cost in enumerate(left, 1):
        largest += cost
        floor = max(left[count], least) if count < len(left) else least
        if largest - count * floor >= over:
            return max((largest - over) // count, least)
    return None


def _cost(raw: int, action: Action) -> int:
    return 0 if action is DROP else raw if action is KEEP else min(raw, action.tokens)
