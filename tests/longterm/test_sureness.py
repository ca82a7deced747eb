"""A hit says whether it holds what is asked for at all; a guess, by which nothing is left out."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path

import pytest

import amb_bench
from amb_longterm import LongTermMemory

SPACE = "user_profile/u1"
ROWS = [
    json.loads(line)
    for line in (Path(amb_bench.__file__).parent / "change_pairs.jsonl").read_text(encoding="utf-8").splitlines()
]
HELD_OUT = ("third", "fourth")
"""Sets that the weights were not fitted on."""


def _sure(memory, asked):
    return max(hit.score if hit.sure else -1.0 + hit.score for hit in memory.search(asked, namespace=SPACE, top_k=5))


@pytest.mark.parametrize("language", ["en", "zh"])
def test_questions_with_an_answer_are_told_from_those_without(language):
    rows = [row for row in ROWS if row["language"] == language]
    pairs = [row for row in rows if row["set"] in HELD_OUT]
    known, unknown = [], []
    for kept in (pairs[::2], pairs[1::2]):
        with LongTermMemory() as memory:
            for row in [row for row in rows if row["set"] == "other"] + kept:
                memory.write(row["old"], namespace=SPACE, metadata={"type": "user-profile"})
            for row in pairs:
                (known if row in kept else unknown).append(_sure(memory, row["asked"]))
    right = [(yes > no) + 0.5 * (yes == no) for yes, no in product(known, unknown)]
    assert sum(right) / len(right) >= 0.75
    assert sum(value > 0 for value in unknown) <= 0.25 * len(unknown)


def test_nothing_is_left_out_where_memory_is_unsure(plain):
    for text in ("I live in Porto.", "My dentist is Dr Weiss."):
        plain.write(text, namespace=SPACE, metadata={"type": "user-profile"})
    sure, unsure = (plain.search(asked, namespace=SPACE) for asked in ("Where do I live?", "What is Bob's IBAN?"))
    assert sure[0].sure
    assert len(unsure) == 2
    assert not any(hit.sure for hit in unsure)
