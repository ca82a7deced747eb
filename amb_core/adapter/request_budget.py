"""How many tokens a request may have, how many of them are for memory, and between which marks its transcript stays."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

from amb_core.settings import Settings

__all__ = ["RequestBudget"]

_REQUEST = 8
"""Tokens a request costs beside its messages, and what counting them one by one may be short by."""
_TAIL = 0.1
"""The share of a request for what is chosen anew at each call, which no provider has cached."""
_LARGEST_BLOCK = 0.4
"""What a block may take of what is left beside tools and instructions."""


@dataclass(frozen=True, slots=True)
class RequestBudget:
    """Token figures of a request: `total` for all messages, of which at most `block` are memory's.

    A transcript that does not fit whole is cut to `low` once it is above `high`. Between two cuts up to `tail` tokens
    are memory's that are chosen anew at each call. The newest `keep_last` results stay, each within `max_raw_tokens`.
    `taken` tokens of the request are no messages, and not in `total` any more.
    """

    total: int
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
        block = min(settings.request_block_for(total), total // 2)
        high = max(int(total * settings.high_water) - block, 1)
        low = max(min(int(total * settings.low_water), high), 1)
        tail = 0 if settings.prefers_cache(total) else int(total * _TAIL)
        return cls(total, block, high, low, tail, settings.keep_last, settings.max_raw_tokens)

    def less(self, tokens: int, *, exempt: int = 0) -> RequestBudget:
        """The figures of a request of which so many tokens are taken.

        `exempt` tokens, of these and of the messages, are those that the marks leave room for.
        """
        total = max(self.total - tokens - _REQUEST, 1)
        block = max(min(self.block, int(total * _LARGEST_BLOCK)), 1)
        high = max(min(self.high - tokens + exempt, total - block), 1)
        low = max(min(int(high * self.low / self.high), high), 1)
        return replace(self, total=total, block=block, high=high, low=low, taken=self.taken + tokens)

    def with_block(self, block: int) -> RequestBudget:
        """The same with another room for memory, which gives up or takes its tokens from nothing else."""
        return replace(self, block=max(block, 1))
