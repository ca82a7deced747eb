"""A listener is told what happens, by kind and id; it can neither stop the bank nor read a text in an event."""

import pytest

from amb_core import BankClosed, BankEvent, EventKind, MemoryBank, StepResult


@pytest.fixture
def told(bank):
    """The events of the bank, as they come in."""
    events: list[BankEvent] = []
    bank.host.subscribe(events.append)
    return events


def kinds(events):
    return [event.kind for event in events]


def test_the_life_of_a_conflict_is_told(bank, told, dispute):
    bank.absorb(dispute[0])
    bank.absorb(dispute[1])
    bank.plan()
    bank.absorb(dispute[2])
    bank.host.undo_merge("m1")

    about = [(event.kind, event.ids[0]) for event in told if event.ids and event.ids[0] in ("c1", "m1")]
    assert about == [
        (EventKind.CONFLICT_FOUND, "c1"),
        (EventKind.PLANNED, "c1"),
        (EventKind.CONFLICT_VERIFYING, "c1"),
        (EventKind.CONFLICT_RESOLVED, "c1"),
        (EventKind.NODES_MERGED, "m1"),
        (EventKind.CONFLICT_VERIFYING, "c1"),
        (EventKind.MERGE_UNDONE, "m1"),
    ]


def test_a_conflict_that_is_given_up_a_step_and_an_injection_are_told(bank, told, dispute):
    bank.absorb(dispute[0])
    bank.absorb(dispute[1])
    bank.plan()
    for _ in range(2):
        bank.host.finish_step(StepResult(text=""))
    bank.host.log_injection(bank.host.enhance(), prompt_tokens=10, raw_tokens=20)

    assert EventKind.CONFLICT_UNRESOLVED in kinds(told)
    assert (told[-1].kind, set(told[-1].ids)) == (EventKind.INJECTED, {"n1", "n2"})


def test_forgetting_is_told_without_a_word_of_what_was_forgotten(bank, told, result):
    bank.absorb(result("The safe opens with 4711.", "a"))
    bank.forget("e1")

    assert BankEvent(kind=EventKind.ENTRY_FORGOTTEN, ids=("e1",)) in told
    assert "4711" not in str(told)


def test_a_listener_that_raises_harms_nobody(bank, told, result):
    def broken(event):
        raise RuntimeError("full")

    bank.host.subscribe(broken)
    report = bank.absorb(result("The quay is 80 metres long.", "a"))

    assert report.node_ids == ("n1",)
    assert len(told) == 3


def test_nothing_is_told_after_the_subscription_ended(bank, result):
    events: list[BankEvent] = []
    stop = bank.host.subscribe(events.append)
    stop()
    stop()
    bank.absorb(result("The quay is 80 metres long.", "a"))

    assert events == []


def test_a_closed_bank_takes_no_listener():
    bank = MemoryBank("quay?")
    bank.close()
    with pytest.raises(BankClosed):
        bank.host.subscribe(print)
