"""How many tokens a request may have, how many of them are for memory, and between which marks its transcript stays.

The host is told of words of its user that do not fit, of tools that take most of a request, and in the log of each
request that was prepared.
"""

from __future__ import annotations

import logging
from collections import Counter, deque
from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from math import ceil
from typing import Any, Self

from amb_core.errors import MessageTooLong
from amb_core.rendering import MemoryBlock
from amb_core.settings import Settings

__all__ = ["CUT", "CutMessage", "RequestBudget", "RequestLog", "RequestWarnings", "UsageScale"]

_log = logging.getLogger("amb.adapter")
CUT = "send a message whole"
"""What is counted in `failures` for each message of the user or the system that was cut."""
_MOST_BESIDE = 0.75
"""From this share of a request on, what it carries beside its messages is warned of."""

_REQUEST = 8
"""Tokens a request costs beside its messages, and what counting them one by one may be short by."""
_TAIL = 0.2
"""The share of a request for what is chosen anew at each call, which no provider has cached."""
_LARGEST_BLOCK = 0.4
"""What a block may take of what is left beside tools and instructions."""


@dataclass(frozen=True, slots=True)
class RequestBudget:
    """Token figures of a request: `total` for all messages, of which at most `block` are memory's.

    Tokens are estimated, so what can leave does so above `fill`; what has to stay may take all of `total`.

    A transcript that does not fit whole into `fill` is cut to `low` once it is above `high`. Between two cuts up to
    `tail` tokens are memory's that are chosen anew at each call. The newest `keep_last` results stay, each within
    `max_raw_tokens`, and the newest of `keep_tools`. `taken` tokens of the request are no messages, and not in `total`
    any more. `bound` is what the whole request may have by the provider's own count.
    """

    total: int
    fill: int
    block: int
    high: int
    low: int
    tail: int = 0
    keep_last: int = 2
    max_raw_tokens: int = 32_000
    keep_tools: tuple[str, ...] = ()
    taken: int = 0
    bound: int = 0

    @classmethod
    def of(cls, settings: Settings, *, window_tokens: int | None = None) -> Self:
        """The figures that the settings name, for a model with this window if it is known."""
        total = settings.budget_for(window_tokens)
        fill = max(int(total * settings.high_water), 1)
        block = min(settings.request_block_for(fill), fill // 2)
        high = max(fill - block, 1)
        low = max(min(int(total * settings.low_water_for(total)), high), 1)
        tail = 0 if settings.prefers_cache(total) else int(fill * _TAIL)
        kept = (settings.keep_last, settings.max_raw_tokens, settings.keep_tools)
        return cls(total, fill, block, high, low, tail, *kept, bound=total)

    def times(self, share: float) -> RequestBudget:
        """The same for a request that may have this share of the tokens."""
        if share == 1:
            return self
        names = ("total", "fill", "block", "high", "low", "tail")
        scaled: dict[str, Any] = {name: int(getattr(self, name) * share) for name in names}
        return replace(self, **scaled)

    def less(self, tokens: int, *, exempt: int = 0) -> RequestBudget:
        """The figures of a request of which so many tokens are taken.

        `exempt` tokens, of these and of the messages, are those that the marks leave room for.
        """
        total = max(self.total - tokens - _REQUEST, 1)
        block = max(min(self.block, int(total * _LARGEST_BLOCK)), 1)
        fill = max(min(self.fill - tokens + exempt, total), 1)
        high = max(fill - block, 1)
        low = max(min(int(high * self.low / self.high), high), 1)
        return replace(self, total=total, fill=fill, block=block, high=high, low=low, taken=self.taken + tokens)

    def with_block(self, block: int) -> RequestBudget:
        """The same with another room for memory, which gives up or takes its tokens from nothing else."""
        return replace(self, block=max(block, 1))


@dataclass(frozen=True, slots=True)
class CutMessage:
    """A message of the user or the system of `tokens`, of whose text a request holds a part."""

    key: Hashable
    role: str
    tokens: int


class RequestWarnings:
    """Warns once of each message that is cut, without its words, and once of what takes the room of messages.

    Cut messages are counted in `failures`. Not thread-safe: its owner holds a lock.
    """

    def __init__(self, failures: Counter[str]) -> None:
        self._failures = failures
        self._cut = set[Hashable]()
        self._warned_beside = False

    def tell_cut(self, cut: CutMessage, *, budget: int, strict: bool) -> None:
        """Warn of a message that a request of `budget` tokens holds in part; with `strict` raise MessageTooLong."""
        if strict:
            raise MessageTooLong(cut.role, tokens=cut.tokens, budget=budget)
        if cut.key in self._cut:
            return
        self._cut.add(cut.key)
        self._failures[CUT] += 1
        _log.warning(
            "a %s message of %d tokens does not fit whole in a request that has %d tokens for all messages, so a part "
            "of it is sent; raise prompt_budget_tokens, or shorten or split the message",
            cut.role,
            cut.tokens,
            budget,
        )

    def tell_beside(self, beside: int, *, budget: int) -> None:
        """Warn once where what a request carries beside its messages takes most of it."""
        if beside <= _MOST_BESIDE * budget or self._warned_beside:
            return
        self._warned_beside = True
        _log.warning(
            "tools and instructions take %d of %d tokens of a request; give the agent fewer tools, or set a larger "
            "prompt_budget_tokens",
            beside,
            budget,
        )


class RequestLog:
    """Numbers the requests of one adapter and logs each at level INFO, with figures only and no word of a message."""

    def __init__(self) -> None:
        self._numbers = count(1)

    def tell(
        self,
        before: Sequence[Mapping[str, Any]],
        after: Sequence[Mapping[str, Any]],
        *,
        tokens: tuple[int, int],
        block: MemoryBlock | None,
    ) -> None:
        """Log a request made of messages `before` (OpenAI chat form), of so many tokens before and after."""
        number = next(self._numbers)
        if not _log.isEnabledFor(logging.INFO):
            return
        left = sum(each.get("role") == "tool" for each in before) - sum(each.get("role") == "tool" for each in after)
        said = "no block"
        if block is not None:
            steps = len({receipt.node_id for receipt in block.receipts})
            said = f"block {block.tokens:,} from {_counted(steps, 'step')}"
        _log.info(
            "request %d: %s → %s tokens, %s left, %s",
            number, f"{tokens[0]:,}", f"{tokens[1]:,}", _counted(max(left, 0), "result"), said,
        )  # fmt: skip


def _counted(number: int, word: str) -> str:
    return f"{number:,} {word}" if number == 1 else f"{number:,} {word}s"


# --- what a provider counts -------------------------------------------------------------------------------------------

_NEWEST = 8
"""So many replies are remembered."""
_RATIOS = tuple(1 + step / 20 for step in range(41))
"""How many times the tokens another vocabulary makes: from as many to three times as many."""
_DRIFT = 1.05
"""The next request holds other texts: it is taken for so many times what the last ones tell."""
_LEAST_SHARE = 0.25
"""A request keeps this share of its bound whatever a provider says."""


@dataclass(frozen=True, slots=True)
class _Line:
    """Tokens of a provider by those that were counted; `beside` are those of tools and the like nobody counted."""

    ratio: float = 1.0
    beside: int = 0

    def at(self, counted: int) -> int:
        return ceil(counted * self.ratio) + self.beside


@dataclass(slots=True)
class UsageScale:
    """The newest replies, the line above all of them, and the one that requests are made by until the next cut.

    Neither is ever below what was counted. Not thread-safe: its owner holds a lock.
    """

    _replies: deque[tuple[int, int]] = field(default_factory=lambda: deque(maxlen=_NEWEST))
    _known: _Line = _Line()
    _used: _Line = _Line()

    def learn(self, counted: int, told: int) -> None:
        """Take in that a request of so many counted tokens has `told` by the provider; no tokens are no news."""
        if counted > 0 and told > 0:
            self._replies.append((counted, ceil(told * _DRIFT)))
            self._known = _line_above(self._replies)

    def tokens(self, counted: int) -> int:
        """What the provider is expected to count for a request, by all that is known."""
        return self._known.at(counted)

    def use(self) -> bool:
        """Make requests by what is known now; whether that changes anything."""
        changed = self._used != self._known
        self._used = self._known
        return changed

    def share(self, bound: int) -> float:
        """The share of a bound in the provider's tokens that a request may have in counted ones."""
        return max((bound - self._used.beside) / self._used.ratio / bound, _LEAST_SHARE)


def _line_above(replies: Collection[tuple[int, int]]) -> _Line:
    """The line that no reply is above and that is least above them; of equal ones the steepest."""
    lines = [_Line(ratio, max(0, *(ceil(told - ratio * counted) for counted, told in replies))) for ratio in _RATIOS]
    return min(reversed(lines), key=lambda line: sum(line.at(counted) - told for counted, told in replies))
