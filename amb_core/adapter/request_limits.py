"""How many tokens a request may have, how many of them are for memory, and when a transcript in it is cut."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

from amb_core.settings import Settings

__all__ = ["Limits"]

_REQUEST = 8
"""Tokens a request costs beside its messages, and what counting them one by one may be short by."""
_STEADY_FROM = 16_000
"""From this budget on a transcript is left as it is for many calls; a smaller one is filled anew at every call."""
_SOFT = 0.5
"""The share of the budget a transcript may have before a cut is considered."""


@dataclass(frozen=True, slots=True)
class Limits:
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

    def in_batches(self) -> Limits:
        """The same, but what is cut in a small budget is cut to half of it: for a block that is anew at every turn."""
        return replace(self, low=min(self.low, max(self.budget // 2 - self.block, 1)))

    def beside(self, tokens: int, *, spared: int = 0) -> Limits:
        """The limits of a request of which so many tokens are taken; the block gets a quarter of what is left.

        `spared` tokens, of these and of the messages, are those that the marks leave room for.
        """
        left = max(self.budget - tokens - _REQUEST, 1)
        fill = min(max(self.fill - tokens + spared, 1), left)
        soft = min(self.soft + max(spared - tokens, 0), max(fill, self.soft))
        block = max(min(self.block, left // 4), 1)
        return replace(self, budget=left, fill=fill, soft=soft, block=block, taken=self.taken + tokens)
