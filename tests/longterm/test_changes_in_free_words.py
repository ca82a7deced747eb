"""What was told anew in free words comes before what it takes the place of, among everything else of the same user.

Each set of pairs was written before the code was run on it, and developed on afterwards: the floors are no blind figures
(decision 0108 has those).
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import amb_bench
from amb_core import ManualClock
from amb_longterm import LongTermMemory

ROWS = [
    json.loads(line)
    for line in (Path(amb_bench.__file__).parent / "change_pairs.jsonl").read_text(encoding="utf-8").splitlines()
]
SPACE = "user_profile/u1"


def _pairs(name, language):
    return [row for row in ROWS if row["set"] == name and row["language"] == language]


def _told(name, language):
    """A memory of all old statements, some others, and then all new ones."""
    clock = ManualClock(1_900_000_000.0)
    memory, others = LongTermMemory(clock=clock), [row["old"] for row in _pairs("other", language)]
    half, pairs = len(others) // 2, _pairs(name, language)
    for text in (*others[:half], *(p["old"] for p in pairs), *others[half:], *(p["new"] for p in pairs)):
        memory.write(text, namespace=SPACE, metadata={"type": "user-profile"})
        clock.advance(3_600)
    return memory


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("name", "least", "most_alone"), [("first", 30, 0), ("second", 21, 0), ("third", 28, 0), ("fourth", 25, 1)]
)
def test_the_newer_statement_stands_before_the_older_and_the_older_never_alone(name, least, most_alone):
    before, alone = 0, []
    for language in ("en", "zh"):
        memory = _told(name, language)
        for pair in _pairs(name, language):
            hits = [hit.content for hit in memory.search(pair["asked"], namespace=SPACE, top_k=5)]
            old, new = (hits.index(pair[key]) if pair[key] in hits else 99 for key in ("old", "new"))
            before += new < old
            alone += [pair["asked"]] * (old < 99 <= new)
    assert before >= least
    assert len(alone) <= most_alone, alone


@pytest.mark.parametrize("language", ["en", "zh"])
def test_in_a_profile_the_newer_statement_always_stands_before_the_older(language):
    memory = _told("first", language)
    known = memory.profile("u1", room=4_000)
    for pair in _pairs("first", language):
        assert known.index(pair["new"]) < known.index(pair["old"])


def test_what_did_not_change_is_still_found_first():
    memory = _told("first", "en")
    for asked, text in (
        ("When is my birthday?", "My birthday is on 4 May."),
        ("What is my favourite colour?", "My favourite colour is dark green."),
        ("What size are my shoes?", "I wear size 43 shoes."),
        ("What instrument does my sister play?", "My sister Ada plays the cello."),
        ("What did I study?", "I studied history in Lund."),
        ("What do I collect?", "I collect old maps."),
        ("What is my best friend called?", "My best friend is called Samir."),
    ):
        assert memory.search(asked, namespace=SPACE, top_k=1)[0].content == text
