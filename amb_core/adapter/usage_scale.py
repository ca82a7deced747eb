"""How many tokens a provider counts where an adapter counted some, learned from the `usage` of its replies."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection
from dataclasses import dataclass, field
from math import ceil

__all__ = ["UsageScale"]

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
