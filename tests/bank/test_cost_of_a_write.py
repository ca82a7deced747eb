"""What a write costs does not grow with what is in memory; calls of functions are counted, not seconds."""

from __future__ import annotations

import random

import pytest
from amb_bench.call_counts import calls_of

from amb_core import Attachment, MemoryBank, ToolResult

FEW, MANY = 10, 150
WRITES = 5


def about(number: int) -> str:
    """A sentence about something that no other sentence is about."""
    chance = random.Random(number)
    names = ["".join(chance.choices("bcdfgklmnprstvz", k=1) + chance.choices("aeiou", k=1)) * 2 for _ in range(4)]
    return f"The {names[0]} of {names[1].title()}{names[2]} {names[3].title()} weighs {number} kilograms."


@pytest.fixture(params=["plain", "with a file"])
def absorb(request, tmp_path):
    """Takes one more result in."""
    picture = tmp_path / "picture.png"
    picture.write_bytes(b"\x89PNG\r\n\x1a\n" + b"0" * 50)
    shown = (Attachment(id="x", type="image", content=str(picture)),) if request.param != "plain" else ()

    def one(bank, number):
        bank.absorb(ToolResult(tool="scales", output=about(number), call_id=f"c{number}", attachments=shown))

    return one


def some_writes(bank, absorb, *, first):
    """Calls of functions in a few writes, as many again of the same text, and a step planned after them."""

    def work():
        for number in range(first, first + WRITES):
            absorb(bank, number)
            absorb(bank, number)

    return calls_of(work)


@pytest.mark.sampled(3)
@pytest.mark.slow
@pytest.mark.parametrize("store", ["memory://", "sqlite:///{}/task.db"])
def test_a_write_into_a_full_bank_costs_what_it_costs_in_an_empty_one(store, absorb, tmp_path):
    with MemoryBank("What do they weigh?", store=store.format(tmp_path)) as bank:
        for number in range(FEW):
            absorb(bank, number)
        few = some_writes(bank, absorb, first=FEW)
        for number in range(FEW + WRITES, MANY):
            absorb(bank, number)
        assert some_writes(bank, absorb, first=MANY) < 1.3 * few
