"""What calls to chat models cost, by purpose, against a budget."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from amb_core.chat_io import TokenUsage
from amb_core.errors import BudgetSpent, InvalidParameter

__all__ = ["Budget", "Price", "UsageMeter"]

_log = logging.getLogger("amb.chat")
_WARN_AT = 0.8


@dataclass(frozen=True, slots=True)
class Price:
    """Money per million tokens, in whatever currency the budget is in; `cached` is None where it costs the same."""

    prompt: float
    completion: float
    cached: float | None = None

    def of(self, usage: TokenUsage) -> float:
        """What that usage costs."""
        cached = self.prompt if self.cached is None else self.cached
        fresh = usage.prompt_tokens - usage.cached_tokens
        return (fresh * self.prompt + usage.cached_tokens * cached + usage.completion_tokens * self.completion) / 1e6


@dataclass(frozen=True, slots=True)
class Budget:
    """What a task may spend on model calls; None is no limit. A limit in money needs the price of the model."""

    tokens: int | None = None
    calls: int | None = None
    money: float | None = None


class UsageMeter:
    """Adds up what is spent, by purpose; thread-safe.

    At 80 % of a limit it warns, once; at 100 % `allow` raises BudgetSpent, so that local agents do the rest. A call
    that is under way when the limit is reached is counted in full. `on_warning` is called with a line for the user.
    """

    def __init__(
        self,
        *,
        budget: Budget | None = None,
        price: Price | None = None,
        on_warning: Callable[[str], object] | None = None,
    ) -> None:
        self._budget = budget or Budget()
        self._price = price
        self._on_warning = on_warning or _log.warning
        self._warned = False
        self._lock = threading.Lock()
        self._by_purpose: dict[str, TokenUsage] = {}
        limits = (self._budget.tokens, self._budget.calls, self._budget.money)
        if any(limit is not None and limit < 0 for limit in limits):
            raise InvalidParameter("a budget cannot be below 0; leave out what is not to be limited")
        if self._budget.money is not None and price is None:
            raise InvalidParameter("a budget in money needs the model's price: UsageMeter(price=Price(...))")

    def priced(self, usage: TokenUsage, *, model: str) -> TokenUsage:
        """The usage with what it cost; its calls count as unpriced when the model's price is not known."""
        if self._price is None:
            return replace(usage, unpriced_calls=usage.calls)
        return replace(usage, money=self._price.of(usage))

    def __call__(self, purpose: str, usage: TokenUsage) -> None:
        """Add what a call cost."""
        with self._lock:
            self._by_purpose[purpose] = self._by_purpose.get(purpose, TokenUsage()) + usage
            share = self._share()
            warn, self._warned = share >= _WARN_AT and not self._warned, self._warned or share >= _WARN_AT
        if warn:
            self._on_warning(f"{share:.0%} of the budget for model calls is spent; at 100 % local agents take over")

    @property
    def by_purpose(self) -> Mapping[str, TokenUsage]:
        """What was spent for each purpose, in the order of their first calls."""
        with self._lock:
            return dict(self._by_purpose)

    @property
    def total(self) -> TokenUsage:
        """What was spent in all."""
        return sum(self.by_purpose.values(), TokenUsage())

    @property
    def money(self) -> float | None:
        """What was spent in money; None when the price is not known: nothing is guessed."""
        return None if self._price is None else self._price.of(self.total)

    def allow(self) -> None:
        """Raise BudgetSpent when nothing is left for another call."""
        with self._lock:
            if self._share() >= 1:
                raise BudgetSpent("the budget for model calls is spent; local agents do the rest of the task")

    def _share(self) -> float:
        """The largest share of a limit that is spent (hold the lock)."""
        total = sum(self._by_purpose.values(), TokenUsage())
        spent = (
            total.prompt_tokens + total.completion_tokens,
            total.calls,
            self._price.of(total) if self._price else 0,
        )
        limits = (self._budget.tokens, self._budget.calls, self._budget.money)
        return max(
            (s / limit if limit else 1.0 for s, limit in zip(spent, limits, strict=True) if limit is not None),
            default=0.0,
        )
