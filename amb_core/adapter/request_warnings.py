"""Says what of a request the host should know: words of its user that do not fit, and tools that take most of it."""

from __future__ import annotations

import logging
from collections import Counter

from amb_core.adapter.condenser import Key
from amb_core.adapter.request_maker import CutMessage
from amb_core.errors import MessageTooLong

__all__ = ["CUT", "RequestWarnings"]

_log = logging.getLogger("amb.adapter")
CUT = "send a message whole"
"""What is counted in `failures` for each message of the user or the system that was cut."""
_MOST_BESIDE = 0.75
"""From this share of a request on, what it carries beside its messages is warned of."""


class RequestWarnings:
    """Warns once of each message that is cut, without its words, and once of what takes the room of messages.

    Cut messages are counted in `failures`. Not thread-safe: its owner holds a lock.
    """

    def __init__(self, failures: Counter[str]) -> None:
        self._failures = failures
        self._cut = set[Key]()
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
