"""Pairs of memory records by different hands: one thing in other words, with another value, or another matter.

Written for this bench. The held-out half was written before the judge of sameness and not used to develop it.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Literal

from amb_core.text import Language

__all__ = ["EXPECTED", "Expected", "RecordPair", "paraphrase_pairs"]

Expected = Literal["merged", "conflict", "different"]
EXPECTED: tuple[Expected, ...] = ("merged", "conflict", "different")
_FILE = Path(__file__).with_name("paraphrase_pairs.jsonl")


@dataclass(frozen=True, slots=True)
class RecordPair:
    """A remembered text and a new one, what should become of them, and what kind of pair it is."""

    language: Language
    half: Literal["development", "held-out"]
    expected: Expected
    kind: str
    old: str
    new: str


@lru_cache(maxsize=1)
def paraphrase_pairs() -> tuple[RecordPair, ...]:
    """All pairs, in the order in which they were written."""
    return tuple(RecordPair(**json.loads(row)) for row in _FILE.read_text(encoding="utf-8").splitlines())
