"""How often agents were asked, and what they cost: counted from any thread, kept with the bank."""

from __future__ import annotations

from collections import Counter, defaultdict

from amb_core.call_lock import CallLock
from amb_core.usage import Ledger, TokenUsage, Usage

__all__ = ["AgentCounts"]


class AgentCounts:
    """The figures of one bank; `ledger` holds what chat models cost."""

    def __init__(self) -> None:
        self._lock = CallLock()
        self._calls: Counter[str] = Counter()
        self._retries: Counter[str] = Counter()
        self._fallbacks: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self.ledger = Ledger()

    @property
    def usage(self) -> Usage:
        """The counts so far."""
        with self._lock:
            return Usage(
                agent_calls=dict(sorted(self._calls.items())),
                retries=dict(sorted(self._retries.items())),
                fallbacks={role: reasons.total() for role, reasons in sorted(self._fallbacks.items())},
                fallback_reasons={role: dict(sorted(why.items())) for role, why in sorted(self._fallbacks.items())},
                spent=self.ledger.by_purpose,
            )

    def count_call(self, role: str) -> None:
        """An agent is asked."""
        with self._lock:
            self._calls[role] += 1

    def count_retry(self, role: str) -> None:
        """An agent is asked once more."""
        with self._lock:
            self._retries[role] += 1

    def count_fallback(self, role: str, reason: str) -> None:
        """The local agent did what another failed at."""
        with self._lock:
            self._fallbacks[role][reason] += 1

    def unkept(self, kept: Usage | None) -> Usage | None:
        """The counts so far, when a model was asked or an agent replaced since they were kept; else None.

        Asked at every commit: local agents, which spend nothing, cost two comparisons.
        """
        spent, reasons = (kept.spent, kept.fallback_reasons) if kept is not None else ({}, {})
        with self._lock:
            replaced = reasons != self._fallbacks
        return self.usage if replaced or spent != self.ledger.by_purpose else None

    def restore(self, usage: Usage | None) -> None:
        """Go on counting from what was stored."""
        if usage is None:
            return
        with self._lock:
            self._calls.update(usage.agent_calls)
            self._retries.update(usage.retries)
            for role, reasons in usage.fallback_reasons.items():
                self._fallbacks[role].update(reasons)
        self.ledger.add_all(usage.spent)

    def follow(self, usage: Usage | None, before: Usage | None) -> None:
        """Count what other processes have added to the stored figures since the ones `before`."""
        now, known = usage or Usage(), before or Usage()
        with self._lock:
            self._calls.update(Counter(now.agent_calls) - Counter(known.agent_calls))
            self._retries.update(Counter(now.retries) - Counter(known.retries))
            for role, reasons in now.fallback_reasons.items():
                self._fallbacks[role].update(Counter(reasons) - Counter(known.fallback_reasons.get(role, {})))
        for purpose, spent in now.spent.items():
            self.ledger.add(purpose, spent - known.spent.get(purpose, TokenUsage()))
