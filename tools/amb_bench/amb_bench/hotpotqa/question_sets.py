"""Two sets of multi-hop questions in English and Chinese, written for these benches."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from amb_tools.hotpotqa import HotpotQuestion, Passages, read_questions

__all__ = ["fresh", "written"]


@lru_cache(maxsize=1)
def written() -> tuple[tuple[HotpotQuestion, ...], Passages]:
    """50 questions, 30 in English and 20 in Chinese, that the reading of answers was worked on with."""
    return read_questions(Path(__file__).with_name("written.jsonl"))


@lru_cache(maxsize=1)
def fresh() -> tuple[tuple[HotpotQuestion, ...], Passages]:
    """20 more, 12 in English and 8 in Chinese, written after that work; nothing was changed for them."""
    return read_questions(Path(__file__).with_name("fresh.jsonl"))
