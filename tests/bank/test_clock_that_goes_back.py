"""The times of a bank stay in order when its clock goes back, also from one opening to the next."""

from __future__ import annotations

import pytest

from amb_core import InvalidParameter, ManualClock, MemoryBank, ToolResult

NOON = 1_700_000_000.0
SAID = ("The Oakridge plant stores 18 MWh.", "Norrvolt supplied its 48 containers.", "It was built in 2021.")


def times_of(bank):
    """When each entry and each note came, in the order of their ids."""
    snapshot = bank.snapshot()
    return [entry.timestamp for entry in snapshot.entries], [node.timestamp for node in snapshot.nodes]


def absorb(bank, text):
    bank.absorb(ToolResult(tool="read", output=text))
    block = bank.recall("Oakridge")
    return bank.host.log_injection(block, prompt_tokens=1, raw_tokens=1).timestamp


def test_times_stay_in_order_while_a_bank_is_open():
    clock = ManualClock(NOON)
    with MemoryBank("How large is it?", clock=clock) as bank:
        shown = []
        for text, step in zip(SAID, (3_600, -7_200, 60), strict=True):
            shown.append(absorb(bank, text))
            clock.advance(step)
        assert all(times == sorted(times) for times in (*times_of(bank), shown))
        clock.set(NOON + 9_000)
        assert absorb(bank, "It has two towers.") == NOON + 9_000, "it goes on with the clock once that is ahead"


@pytest.mark.parametrize("store", ["sqlite:///{}/task.db", "json:///{}/task"])
@pytest.mark.parametrize("ending", ["close", "export"])
def test_times_stay_in_order_from_one_opening_to_the_next(store, ending, tmp_path):
    url, again = store.format(tmp_path), store.format(tmp_path) + "-2"
    with MemoryBank("How large is it?", store=url, clock=ManualClock(NOON)) as bank:
        absorb(bank, SAID[0])
        bank.export(tmp_path / "memory.json")
        bank.close(keep=True)
    earlier = ManualClock(NOON - 86_400)
    if ending == "close":
        opened = MemoryBank.resume(url, clock=earlier)
    else:
        opened = MemoryBank.load(tmp_path / "memory.json", store=again, clock=earlier)
    with opened as bank:
        assert absorb(bank, SAID[1]) == NOON
        assert all(times == sorted(times) for times in times_of(bank))


def test_a_clock_that_tells_no_time_is_refused_as_before():
    with pytest.raises(InvalidParameter, match="the clock tells nan"):
        MemoryBank("How large is it?", clock=ManualClock(float("nan")))
