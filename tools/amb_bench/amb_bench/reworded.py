"""Pairs of statements by different hands: the same in other words with another value, or something that only looks so.

Written for this bench, half to develop the detector with and half held out; a pair has two short texts of many kinds
(sentences, titled notes, tables, lists, JSON objects).
"""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import Literal

from amb_bench.value_changes import Pair
from amb_core.text import Language

__all__ = ["Half", "reworded_pairs"]

Half = Literal["development", "held-out"]
_FILE = Path(__file__).with_name("reworded_pairs.jsonl")


@lru_cache(maxsize=4)
def reworded_pairs(language: Language, *, half: Half | None = None) -> tuple[Pair, ...]:
    """The pairs of one language, those of one half or all; `kind` is what the pair is about."""
    rows = (json.loads(line) for line in _FILE.read_text(encoding="utf-8").splitlines())
    return tuple(
        Pair(row["a"], row["b"], row["conflict"], row["kind"])
        for row in rows
        if row["language"] == language and half in (None, row["half"])
    )
