"""The text of a chapter that a talk agreed on, as far as it can be told without a model."""

from __future__ import annotations

from collections.abc import Sequence

from amb_book.desk.extractors import agreed_turns
from amb_book.desk.tasks import Turn
from amb_core.text import estimate_tokens

__all__ = ["last_draft"]

_LEAST_TOKENS = 100
"""What is shorter is talk."""


def last_draft(turns: Sequence[Turn]) -> str:
    """The last long text that the author wrote, took, or was answered; "" where there is none."""
    long = (turn.text.strip() for turn in reversed(agreed_turns(turns)) if estimate_tokens(turn.text) >= _LEAST_TOKENS)
    return next(long, "")
