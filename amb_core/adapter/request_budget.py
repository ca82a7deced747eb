"""How many tokens a request may have, how many of them are for memory, and between which marks its transcript stays.

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

__all__ = ["CUT", "CutMessage", "RequestBudget", "RequestWarnings"]

_log = logging.getLogger("amb.adapter")
CUT = "send a message whole"
"""What is counted in `failures` for each message of the user or the system that was cut."""
_MOST_BESIDE = 0.75
"""From this share of a request on, what it carries beside its messages is warned of."""

_REQUEST = 8
"""Tokens a request costs beside its messages, and what counting them one by one may be short by."""
_TAIL = 0.1
"""The share of a request for what is chosen anew at each call, which no provider has cached."""
_LARGEST_BLOCK = 0.4
"""What a block may take of what is left beside tools and instructions."""


@dataclass(frozen=True, slots=True)
class RequestBudget:
    """Token figures of a request: `total` for all messages, of which at most `block` are memory's.

    Tokens are estimated, so what can leave does so above `fill`; what has to stay may take all of `total`.

    A transcript that does not fit whole into `fill` is cut to `low` once it is above `high`. Between two cuts up to
    `tail` tokens are memory's that are chosen anew at each call. The newest `keep_last` results stay, each within
    `max_raw_tokens`. `taken` tokens of the request are no messages, and not in `total` any more.
    """

    total: int
    fill: int
    block: int
    high: int
    low: int
    tail: int = 0
    keep_last: int = 2
    max_raw_tokens: int = 32_000
    taken: int = 0

    @classmethod
    def of(cls, settings: Settings, *, window_tokens: int | None = None) -> Self:
        """The figures that the settings name, for a model with this window if it is known."""
        total = settings.budget_for(window_tokens)
        fill = max(int(total * settings.high_water), 1)
        block = min(settings.request_block_for(fill), fill // 2)
        high = max(fill - block, 1)
        low = max(min(int(total * settings.low_water_for(total)), high), 1)
        tail = 0 if settings.prefers_cache(total) else int(fill * _TAIL)
        return cls(total, fill, block, high, low, tail, settings.keep_last, settings.max_raw_tokens)

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
