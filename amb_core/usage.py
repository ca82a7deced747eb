"""What model calls cost, what a bank has done and spent, and who pays.

A call is made deep inside an agent that knows nothing of banks and tool results. What is to be billed for it is
therefore a context variable: whatever is spent inside `accounting(ledger)` is written into that ledger. A thread that
works for somebody has to run in a copy of the caller's context.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, fields, replace

from amb_core.frozen import Frozen

__all__ = ["Bill", "Ledger", "TokenUsage", "Usage", "accounting", "spent", "total_of"]


@dataclass(frozen=True, slots=True)
class TokenUsage:
    """Tokens of model calls as the endpoint counted them; `cached_tokens` are the part of the prompt it had cached.

    `calls` are requests that were answered, `failed_calls` those that were not (retries included). `estimated` says
    that an endpoint gave no figures, or such as cannot be, and AMB's own estimate stands in for them;
    `unbelieved_calls` are those whose figures could not be.
    """

    prompt_tokens: int = 0
    completion_tokens: int = 0
    cached_tokens: int = 0
    calls: int = 0
    failed_calls: int = 0
    estimated: bool = False
    money: float = 0.0
    unpriced_calls: int = 0
    unbelieved_calls: int = 0

    @property
    def cost(self) -> float | None:
        """What it cost; None when the price of a call is not known: nothing is guessed."""
        return None if self.unpriced_calls else self.money

    @property
    def tokens(self) -> int:
        """Tokens of prompts and answers together."""
        return self.prompt_tokens + self.completion_tokens

    def __add__(self, other: TokenUsage) -> TokenUsage:
        return replace(self._plus(other, 1), estimated=self.estimated or other.estimated)

    def __sub__(self, other: TokenUsage) -> TokenUsage:
        """What was spent after `other`, an earlier state of the same figures."""
        return replace(self._plus(other, -1), estimated=self.estimated)

    def _plus(self, other: TokenUsage, times: int) -> TokenUsage:
        return TokenUsage(*(getattr(self, each.name) + times * getattr(other, each.name) for each in fields(self)))


def total_of(by_purpose: Mapping[str, TokenUsage]) -> TokenUsage:
    """The sum over all purposes."""
    return sum(by_purpose.values(), TokenUsage())


class Bill(Frozen):
    """What taking in one entry cost in model calls, by purpose."""

    entry_id: str
    spent: dict[str, TokenUsage] = {}

    @property
    def total(self) -> TokenUsage:
        """What it cost in all."""
        return total_of(self.spent)


class Usage(Frozen):
    """What a bank has done and spent so far: calls per role, second tries, steps a local twin did, and model calls.

    `fallbacks` counts by role, `fallback_reasons` by role and reason (the name of an error, or what was mended).
    `spent` are the model calls by purpose: the roles, `digest` (three of them in one call), and whatever was called
    inside `bank.host.metered()`, such as `react` and `visit`. Local agents spend nothing.
    """

    agent_calls: dict[str, int] = {}
    retries: dict[str, int] = {}
    fallbacks: dict[str, int] = {}
    fallback_reasons: dict[str, dict[str, int]] = {}
    spent: dict[str, TokenUsage] = {}

    @property
    def total(self) -> TokenUsage:
        """All model calls together."""
        return total_of(self.spent)

    @property
    def llm_calls(self) -> int:
        """Requests to chat models that were answered."""
        return self.total.calls

    @property
    def failed_calls(self) -> int:
        """Requests that were not answered, or not with anything of use; with `llm_calls` all that were sent."""
        return self.total.failed_calls

    @property
    def cost(self) -> float | None:
        """What the calls cost in money; None when the price of one is not known."""
        return self.total.cost


# --- who pays ---------------------------------------------------------------------------------------------------------


class Ledger:
    """Adds up model calls by purpose; thread-safe, without a lock that a stopped call could leave behind."""

    def __init__(self, by_purpose: Mapping[str, TokenUsage] | None = None) -> None:
        self._added: list[tuple[str, TokenUsage]] = []
        self._sums = (0, dict(by_purpose or {}))
        """How many of those added are in the sums, and the sums."""

    def add(self, purpose: str, usage: TokenUsage) -> None:
        """Write down what was spent."""
        self._added.append((purpose, usage))

    def add_all(self, by_purpose: Mapping[str, TokenUsage]) -> None:
        """Write down what was spent elsewhere, purpose by purpose."""
        for purpose, usage in by_purpose.items():
            self.add(purpose, usage)

    @property
    def by_purpose(self) -> dict[str, TokenUsage]:
        """What was spent for each purpose, in the order of their first calls."""
        many, sums = self._sums
        if news := self._added[many:]:
            sums = dict(sums)
            for purpose, usage in news:
                sums[purpose] = sums.get(purpose, TokenUsage()) + usage
            self._sums = (many + len(news), sums)
        return dict(sums)

    @property
    def total(self) -> TokenUsage:
        """What was spent in all."""
        return total_of(self.by_purpose)


_ledgers: ContextVar[tuple[Ledger, ...]] = ContextVar("amb_ledgers", default=())


@contextmanager
def accounting(ledger: Ledger) -> Iterator[Ledger]:
    """Have everything that is spent inside written into the ledger too; ledgers nest, and each of them counts."""
    token = _ledgers.set((*_ledgers.get(), ledger))
    try:
        yield ledger
    finally:
        _ledgers.reset(token)


def spent(purpose: str, usage: TokenUsage) -> None:
    """Say what a model call cost; agents that call a model on their own say it here to be counted."""
    for ledger in dict.fromkeys(_ledgers.get()):
        ledger.add(purpose, usage)
