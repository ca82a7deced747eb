"""Who pays for a model call: whatever is spent inside `accounting(ledger)` is written into that ledger.

A call is made deep inside an agent that knows nothing of banks and tool results. What is to be billed for it is
therefore a context variable; a thread that works for somebody has to run in a copy of the caller's context.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar

from amb_core.usage import TokenUsage, total_of

__all__ = ["Ledger", "accounting", "spent"]


class Ledger:
    """Adds up model calls by purpose; thread-safe."""

    def __init__(self, by_purpose: Mapping[str, TokenUsage] | None = None) -> None:
        self._lock = threading.Lock()
        self._by_purpose = dict(by_purpose or {})

    def add(self, purpose: str, usage: TokenUsage) -> None:
        """Write down what was spent."""
        with self._lock:
            self._by_purpose[purpose] = self._by_purpose.get(purpose, TokenUsage()) + usage

    def add_all(self, by_purpose: Mapping[str, TokenUsage]) -> None:
        """Write down what was spent elsewhere, purpose by purpose."""
        for purpose, usage in by_purpose.items():
            self.add(purpose, usage)

    @property
    def by_purpose(self) -> dict[str, TokenUsage]:
        """What was spent for each purpose, in the order of their first calls."""
        with self._lock:
            return dict(self._by_purpose)

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
