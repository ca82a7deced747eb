"""Keeps a growing transcript within a token budget, whatever framework it belongs to.

Above the high-water mark the oldest tool results first lose their content to a reference into memory and are then
dropped together with their calls, until the low-water mark is reached; in between nothing changes, so that a
provider's prefix cache keeps hitting. A call and its results are never separated.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from hashlib import sha1
from typing import Literal, Self

from amb_core.rendering import Language, Reference, head_and_tail, index_line, reference_line
from amb_core.settings import Settings
from amb_core.text import estimate_tokens

__all__ = ["DROP", "KEEP", "Action", "CondensedTranscript", "Condenser", "Limits", "Reference", "TranscriptItem"]

_OVERHEAD = 4
"""Tokens a chat message costs beside its text."""
_OLD_TEXT_TOKENS = 60
"""What is left of an old message that is no tool result, when dropping results was not enough."""
_LEAST_RAW_TOKENS = 60
_LAST_MESSAGES = 4
"""So many of the last messages are never dropped."""

Kind = Literal["system", "user", "assistant", "call", "result"]
Key = tuple[str, tuple[str, ...], str, int]


@dataclass(frozen=True, slots=True)
class TranscriptItem:
    """One piece of a transcript: a message, an assistant turn that calls tools, or the result of one call.

    `call_ids` are the ids a `call` item asks for (several when parallel) or the one id a `result` answers. `tokens`
    is what the item costs; None has it estimated from `text`. `beside` of these tokens are not for text but for images:
    a result that is only shortened keeps them.
    """

    kind: Kind
    text: str
    call_ids: tuple[str, ...] = ()
    tool: str = ""
    tokens: int | None = None
    beside: int = 0


@dataclass(frozen=True, slots=True)
class Action:
    """What to do with one item; `text` is the new content for `replace`, and for `shorten` the new text in it."""

    kind: Literal["keep", "replace", "shorten", "drop"]
    text: str = ""


KEEP, DROP = Action("keep"), Action("drop")


@dataclass(frozen=True, slots=True)
class CondensedTranscript:
    """One action per item; `index` is a message to be put before item `index_at` ("" when nothing was dropped).

    `tokens` is the estimate of what is left, `raw_tokens` that of the items as they came.
    """

    actions: tuple[Action, ...]
    index: str
    index_at: int
    tokens: int
    raw_tokens: int


@dataclass(frozen=True, slots=True)
class Limits:
    """Token figures: condensing starts above `high` and ends at `low`; see Settings for the other two."""

    high: int
    low: int
    keep_last: int
    max_raw_tokens: int

    @classmethod
    def of(cls, settings: Settings) -> Self:
        """The room that the settings leave for the transcript beside the block."""
        high = max(1, int(settings.prompt_budget_tokens * settings.high_water) - settings.block_tokens)
        low = max(1, int(settings.prompt_budget_tokens * settings.low_water) - settings.block_tokens)
        return cls(high, min(low, high), settings.keep_last, settings.max_raw_tokens)


@dataclass(slots=True)
class _Group:
    """An assistant turn that calls tools and the results it got; positions in the transcript."""

    call: int | None
    open_ids: set[str]
    results: list[int] = field(default_factory=list)

    @property
    def positions(self) -> list[int]:
        return self.results if self.call is None else [self.call, *self.results]


@dataclass(slots=True)
class _Decisions:
    """What was decided for good, by item; costs of raw items are kept so that each text is counted once."""

    changed: dict[Key, Action] = field(default_factory=dict)
    dropped: dict[Key, tuple[str, Reference | None]] = field(default_factory=dict)
    costs: dict[Key, int] = field(default_factory=dict)


class Condenser:
    """Decides what a transcript loses; remembers its decisions, so that what was condensed stays byte-identical.

    `reference` names the notes a result went into, or returns None when memory does not hold it; such a result keeps
    its beginning and end. Results of `never_condensed` tools stay whole while they are the newest. Not thread-safe:
    its owner holds a lock.
    """

    def __init__(
        self,
        limits: Limits,
        *,
        reference: Callable[[TranscriptItem], Reference | None],
        language: Language = "en",
        never_condensed: frozenset[str] = frozenset({"deep_retrieval"}),
    ) -> None:
        self._limits = limits
        self._reference = reference
        self._language: Language = language
        self._never_condensed = never_condensed
        self._decisions = _Decisions()

    def condense(self, items: Sequence[TranscriptItem]) -> CondensedTranscript:
        """The actions for a transcript of which earlier calls saw a beginning."""
        run = _Run(items, self._limits, self._reference, self._language, self._never_condensed, self._decisions)
        run.bound_raw(self._limits.max_raw_tokens)
        if run.total > self._limits.high:
            run.refer()
            run.drop()
            run.shorten_messages()
            run.bound_newest()
            run.drop_messages()
            run.bound_reopened()
        return run.outcome()


class _Run:
    """One pass over one transcript."""

    def __init__(
        self,
        items: Sequence[TranscriptItem],
        limits: Limits,
        reference: Callable[[TranscriptItem], Reference | None],
        language: Language,
        never_condensed: frozenset[str],
        decisions: _Decisions,
    ) -> None:
        self.items, self.limits, self.decisions = items, limits, decisions
        self.language: Language = language
        self.reference = reference
        self.keys = _keys(items)
        self.groups = _groups(items)
        newest = self.groups[-1].results if self.groups else []
        self.untouchable = {at for at in newest if items[at].tool in never_condensed}
        results = [at for at, item in enumerate(items) if item.kind == "result"]
        self.protected = {*newest, *(results[-limits.keep_last :] if limits.keep_last else ())}
        self.raw = [self._raw_cost(at) for at in range(len(items))]
        self.costs = [self._cost(at) for at in range(len(items))]
        self.total = sum(self.costs) + self._index_cost()

    # --- the steps, mildest first ------------------------------------------------------------------------------------

    def bound_raw(self, cap: int) -> None:
        """No result stands there with more than `cap` tokens, whatever the budget."""
        for at, item in enumerate(self.items):
            if item.kind == "result" and self.costs[at] > cap + item.beside + _OVERHEAD and at not in self.untouchable:
                self._change(at, Action("shorten", self._shortened(at, cap)))

    def refer(self) -> None:
        """Results outside the newest give way to references, oldest first."""
        for at, item in enumerate(self.items):
            if self.total <= self.limits.low:
                return
            if item.kind == "result" and at not in self.protected and self.keys[at] not in self.decisions.dropped:
                found = self.reference(item)
                text = (
                    self._shortened(at, max(_LEAST_RAW_TOKENS, self.limits.max_raw_tokens // 4))
                    if found is None
                    else reference_line(found, self.language)
                )
                self._replace(at, text)

    def drop(self) -> None:
        """Whole groups of a call and its results go, oldest first; what memory does not hold only if it must."""
        whole = [group for group in self.groups[:-1] if self.protected.isdisjoint(group.results)]
        left = [group for group in whole if self.keys[group.positions[0]] not in self.decisions.dropped]
        for group in left:
            if self.total <= self.limits.low:
                return
            if all(self.reference(self.items[at]) is not None for at in group.results):
                self._drop_group(group)
        for group in left:
            if self.total <= self.limits.high:
                return
            self._drop_group(group)

    def shorten_messages(self) -> None:
        """Old messages lose their middle; system messages and the first and last user message never do."""
        spared = self._spared_users()
        for at, item in enumerate(self.items[:-1]):
            if self.total <= self.limits.low:
                return
            old_text = item.kind in ("user", "assistant") and at not in spared
            if old_text and self.costs[at] > _OLD_TEXT_TOKENS + _OVERHEAD:
                self._replace(at, head_and_tail(item.text, _OLD_TEXT_TOKENS, None, self.language))

    def bound_newest(self) -> None:
        """When even the newest results are too much together, each gets an equal share of what is left."""
        self._share_out([at for at in sorted(self.protected) if at not in self.untouchable])

    def drop_messages(self) -> None:
        """A talk longer than the budget loses its oldest messages, whole turns of both sides; the newest stay."""
        if self.total <= self.limits.high:
            return
        spared = self._spared_users()
        for at, item in enumerate(self.items[:-_LAST_MESSAGES]):
            if self.total <= self.limits.low and item.kind == "assistant":
                break
            here = self.keys[at] not in self.decisions.dropped
            if here and item.kind in ("user", "assistant") and at not in spared:
                self.total -= self.costs[at]
                self._drop(at)
        self.total = sum(self.costs) + self._index_cost()

    def bound_reopened(self) -> None:
        """Last of all, what was reopened a moment ago is shortened, when several of them are too much together."""
        reopened, self.untouchable = sorted(self.untouchable), set()
        self._share_out(reopened)

    def _share_out(self, shrinkable: Sequence[int]) -> None:
        if self.total <= self.limits.high or not shrinkable:
            return
        others = self.total - sum(self.costs[at] for at in shrinkable)
        share = max(_LEAST_RAW_TOKENS, (self.limits.high - others) // len(shrinkable) - _OVERHEAD)
        for at in shrinkable:
            if self.costs[at] > share + _OVERHEAD:
                self._replace(at, self._shortened(at, share))

    def _spared_users(self) -> set[int]:
        users = [at for at, item in enumerate(self.items) if item.kind == "user"]
        return {users[0], users[-1]} if users else set()

    def outcome(self) -> CondensedTranscript:
        """The actions for this transcript."""
        actions = tuple(self._action(at) for at in range(len(self.items)))
        first = next((at for at, action in enumerate(actions) if action is DROP), 0)
        return CondensedTranscript(actions, self._index(), first, self.total, sum(self.raw))

    # --- the parts ---------------------------------------------------------------------------------------------------

    def _action(self, at: int) -> Action:
        if self.keys[at] in self.decisions.dropped:
            return DROP
        return self.decisions.changed.get(self.keys[at], KEEP)

    def _raw_cost(self, at: int) -> int:
        item, key = self.items[at], self.keys[at]
        if item.tokens is not None:
            return item.tokens
        if key not in self.decisions.costs:
            self.decisions.costs[key] = estimate_tokens(item.text) + _OVERHEAD
        return self.decisions.costs[key]

    def _cost(self, at: int) -> int:
        action = self._action(at)
        if action is KEEP:
            return self.raw[at]
        return 0 if action is DROP else self._cost_after(at, action)

    def _cost_after(self, at: int, action: Action) -> int:
        kept = self.items[at].beside if action.kind == "shorten" else 0
        return estimate_tokens(action.text) + _OVERHEAD + kept

    def _replace(self, at: int, text: str) -> None:
        self._change(at, Action("replace", text))

    def _change(self, at: int, action: Action) -> None:
        cost = self._cost_after(at, action)
        if cost < self.costs[at]:
            self.decisions.changed[self.keys[at]] = action
            self.total += cost - self.costs[at]
            self.costs[at] = cost

    def _drop_group(self, group: _Group) -> None:
        for at in group.positions:
            self._drop(at)
        self.total = sum(self.costs) + self._index_cost()

    def _drop(self, at: int) -> None:
        item = self.items[at]
        found = self.reference(item) if item.kind == "result" else None
        self.decisions.dropped[self.keys[at]] = (item.tool if item.kind == "result" else "", found)
        self.decisions.changed.pop(self.keys[at], None)
        self.costs[at] = 0

    def _shortened(self, at: int, cap: int) -> str:
        item = self.items[at]
        return head_and_tail(item.text, cap, self.reference(item), self.language)

    def _index(self) -> str:
        here = [self.decisions.dropped[key] for key in self.keys if key in self.decisions.dropped]
        results = [entry for entry in here if entry[0]]
        return index_line(results, self.language, messages=self._drop_messages()) if here else ""

    def _drop_messages(self) -> int:
        plain = (at for at, item in enumerate(self.items) if item.kind in ("user", "assistant"))
        return sum(self.keys[at] in self.decisions.dropped for at in plain)

    def _index_cost(self) -> int:
        text = self._index()
        return estimate_tokens(text) + _OVERHEAD if text else 0


def _keys(items: Sequence[TranscriptItem]) -> list[Key]:
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
    """Calls with their results, in order; a result whose call is not there stands alone."""
    groups: list[_Group] = []
    for at, item in enumerate(items):
        if item.kind == "call":
            groups.append(_Group(at, set(item.call_ids)))
        elif item.kind == "result":
            asked = next((g for g in reversed(groups) if g.open_ids.intersection(item.call_ids)), None)
            if asked is None:
                asked = _Group(None, set())
                groups.append(asked)
            asked.open_ids.difference_update(item.call_ids)
            asked.results.append(at)
    return groups
