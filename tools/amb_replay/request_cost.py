"""What requests cost: tokens that are new, tokens that the provider still holds from the request before, money.

A prompt cache is counted as the providers describe theirs: what is equal from the first token on to the agent's own
previous request is read from the cache, everything behind it is paid in full. Fees for writing to a cache and its
expiry are left out, for every arm alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from amb_chat import Price, price_of
from amb_core.errors import InvalidParameter

__all__ = ["CACHED_SHARE", "PromptCache", "RequestCost", "price_named", "price_told"]

CACHED_SHARE = 0.1
"""What a cached token costs of a new one where no price is given; most providers ask a tenth."""


@dataclass(frozen=True, slots=True)
class RequestCost:
    """One request: its tokens, and how many of them a prompt cache still holds."""

    tokens: int
    cached: float

    def billed(self, share: float = CACHED_SHARE) -> float:
        """Tokens as billed when a cached one costs this share of a new one."""
        return self.tokens - self.cached + share * self.cached


class PromptCache:
    """Compares each request of an arm with the one before."""

    def __init__(self) -> None:
        self._before: Sequence[str] = ()

    def take(self, sent: Sequence[str], sizes: Sequence[int], *, beside: int = 0) -> RequestCost:
        """The cost of a request: its messages as sent with their tokens, and `beside` tokens of tool schemas."""
        cached = float(beside if self._before else 0)
        for was, now, size in zip(self._before, sent, sizes, strict=False):
            if was != now:
                cached += size * _equal_share(was, now)
                break
            cached += size
        self._before = sent
        return RequestCost(sum(sizes) + beside, cached)


def _equal_share(was: str, now: str) -> float:
    """The share of a text that begins as another one does."""
    low, high = 0, min(len(was), len(now))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if was[:middle] == now[:middle] else (low, middle - 1)
    return low / len(now) if now else 0.0


def price_named(model: str) -> Price:
    """The price of a model; InvalidParameter, with what to write instead, when AMB does not know it."""
    found = price_of(model)
    if found is None:
        raise InvalidParameter(
            f"the price of {model[:80]!r} is not known; give it as --prices IN,CACHED,OUT in money per million "
            "tokens, or name a file of prices in AMB_PRICES (docs/models.md)"
        )
    return found


def price_told(text: str) -> Price:
    """A price from `IN,CACHED,OUT`, money per million tokens; InvalidParameter for anything else."""
    try:
        prompt, cached, completion = map(float, text.split(","))
        return Price(prompt, completion, cached=cached)
    except ValueError:
        raise InvalidParameter(
            f"{text[:80]!r} is no price: write three numbers as IN,CACHED,OUT, such as 1.25,0.125,10"
        ) from None
