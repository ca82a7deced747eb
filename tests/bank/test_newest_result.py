"""What the last result says is in the block of the next model call."""

from __future__ import annotations

import pytest

from amb_core import ManualClock, MemoryBank, Settings, ToolResult


def _bank(goal: str, **options: int) -> MemoryBank:
    return MemoryBank(goal, clock=ManualClock(1e9, step=1), settings=Settings(**options))


def _absorb(bank: MemoryBank, text: str) -> None:
    bank.absorb(ToolResult(tool="read", output=text, source=f"s{bank.size.entries}"))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("goal", "fact"),
    [
        ("How many berths has each harbour?", "The harbour of {} has {} berths."),
        ("每个港口有多少个泊位？", "{}港口有{}个泊位。"),
    ],
)
def test_it_comes_before_older_ones_that_match_as_well(goal: str, fact: str) -> None:
    bank = _bank(goal, block_tokens=250)
    for number in range(40):
        said = fact.format(f"Q{number}", 100 + number)
        _absorb(bank, said)
        assert said in bank.host.enhance().text


def test_it_is_there_when_nothing_matches() -> None:
    bank = _bank("Prepare the briefing.")
    for number in range(8):
        _absorb(bank, f"Lot {number} went to bidder {number * 17 + 3}.")
    block = bank.host.enhance()
    assert "bidder 122" in block.text
    assert len(block.receipts) > 1


def test_recall_for_a_query_stays_with_the_query() -> None:
    bank = _bank("Prepare the briefing.")
    _absorb(bank, "Lot 1 went to bidder 20.")
    assert not bank.recall("granite quarry").receipts


def test_a_block_is_made_anew_when_something_was_taken_in_and_only_then() -> None:
    bank = _bank("Who bought lot 3?")
    _absorb(bank, "Lot 3 went to bidder 17.")
    first = bank.host.enhance()
    assert bank.host.enhance() is first
    _absorb(bank, "Lot 3 was sold again, to bidder 40.")
    assert "bidder 40" in bank.host.enhance().text
    assert bank.host.enhance(budget_tokens=90) is not bank.host.enhance(query="bidder 17")
