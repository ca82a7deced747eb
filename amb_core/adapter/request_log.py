"""One line of the log for each request that was prepared: how much smaller it is, and what memory put in."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from itertools import count
from typing import Any

from amb_core.rendering import MemoryBlock

__all__ = ["RequestLog"]

_log = logging.getLogger("amb.adapter")


class RequestLog:
    """Numbers the requests of one adapter and logs each at level INFO, with figures only and no word of a message."""

    def __init__(self) -> None:
        self._numbers = count(1)

    def tell(
        self,
        before: Sequence[Mapping[str, Any]],
        after: Sequence[Mapping[str, Any]],
        *,
        tokens: tuple[int, int],
        block: MemoryBlock | None,
    ) -> None:
        """Log a request made of messages `before` (OpenAI chat form), of so many tokens before and after."""
        number = next(self._numbers)
        if not _log.isEnabledFor(logging.INFO):
            return
        left = sum(each.get("role") == "tool" for each in before) - sum(each.get("role") == "tool" for each in after)
        said = "no block"
        if block is not None:
            steps = len({receipt.node_id for receipt in block.receipts})
            said = f"block {block.tokens:,} from {_counted(steps, 'step')}"
        _log.info(
            "request %d: %s → %s tokens, %s left, %s",
            number, f"{tokens[0]:,}", f"{tokens[1]:,}", _counted(max(left, 0), "result"), said,
        )  # fmt: skip


def _counted(number: int, word: str) -> str:
    return f"{number:,} {word}" if number == 1 else f"{number:,} {word}s"
