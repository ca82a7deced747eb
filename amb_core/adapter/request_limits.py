"""How many tokens a request may have, how many of them are for memory, and when a transcript in it is cut.

The host is told of words of its user that do not fit, and of tools that take most of a request.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Hashable
from dataclasses import dataclass, replace
from typing import Self

from amb_core.errors import MessageTooLong
from amb_core.settings import Settings

__all__ = ["CUT", "CutMessage", "RequestLimits", "RequestWarnings"]

_REQUEST = 8
"""Tokens a request costs beside its messages, and what counting them one by one may be short by."""
_STEADY_FROM = 16_000
"""From this budget on a transcript is left as it is for many calls; a smaller one is filled anew at every call."""
_SOFT = 0.5
"""The share of the budget a transcript may have before a cut is considered."""
_log = logging.getLogger("amb.adapter")
CUT = "send a message whole"
"""What is counted in `failures` for each message of the user or the system that was cut."""
_MOST_BESIDE = 0.75
"""From this share of a request on, what it carries beside its messages is warned of."""


@dataclass(frozen=True, slots=True)
class RequestLimits:
    """Token figures of a request: `budget` in all, of which `block` are for memory.

    A transcript above `soft` is cut when that pays, one above `fill` always; what is cut goes down to `low`. The newest
    `keep_last` results stay, each within `max_raw_tokens`. `taken` tokens of the request are no messages, and are not
    in the budget any more.
    """

    budget: int
    block: int
    fill: int
    soft: int
    low: int
    keep_last: int = 2
    max_raw_tokens: int = 32_000
    taken: int = 0

    @classmethod
    def of(cls, settings: Settings, *, window_tokens: int | None = None) -> Self:
        """The limits that the settings name, for a model with this window if it is known."""
        budget = settings.budget_for(window_tokens)
        fill = max(1, int(budget * settings.high_water))
        block = min(settings.block_for(budget), budget // 2)
        limits = cls(budget, block, fill, fill, fill, settings.keep_last, settings.max_raw_tokens)
        if budget < _STEADY_FROM:
            return limits
        return replace(limits, soft=min(int(budget * _SOFT), fill), low=min(int(budget * settings.low_water), fill))

    @property
    def is_steady(self) -> bool:
        """Whether a transcript stays as it is between cuts, and what memory says with it."""
        return self.soft < self.fill

    def in_batches(self) -> RequestLimits:
        """Limits by which a small budget is cut to its half at once: for a block that is made anew at every turn."""
        return replace(self, low=min(self.low, max(self.budget // 2 - self.block, 1)))

    def beside(self, tokens: int, *, spared: int = 0) -> RequestLimits:
        """The limits of a request of which so many tokens are taken; the block gets a quarter of what is left.

        `spared` tokens, of these and of the messages, are those that the marks leave room for.
        """
        left = max(self.budget - tokens - _REQUEST, 1)
        fill = min(max(self.fill - tokens + spared, 1), left)
        soft = min(self.soft + max(spared - tokens, 0), max(fill, self.soft))
        block = max(min(self.block, left // 4), 1)
        return replace(self, budget=left, fill=fill, soft=soft, block=block, taken=self.taken + tokens)


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
