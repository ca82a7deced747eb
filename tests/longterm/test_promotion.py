"""A finished task leaves its verified notes for good, and nothing that is disputed or was never checked."""

import pytest

from amb_core import ManualClock, MemoryBank, Settings, StepResult, ToolResult
from amb_core.errors import InvalidInput
from amb_longterm import promote

FACTS = "domain_facts/u1"


def result(output, source):
    return ToolResult(tool="search", output=output, source=source)


@pytest.fixture
def finished():
    """A task in which a contradiction was settled, and something was said once."""
    with MemoryBank(
        "What is the capacity of the Norra battery?",
        clock=ManualClock(1_700_000_000, step=1),
        settings=Settings(disputes="verify"),
    ) as bank:
        bank.absorb(result("The Norra battery stores 12 MWh.", "flyer"))
        bank.absorb(result("The Norra battery stores 18 MWh.", "data sheet"))
        bank.plan()
        told = "Correction: the Norra battery stores 18 MWh, not 12 MWh. The Norra battery stores 18 MWh."
        bank.host.finish_step(StepResult(text="Checked.", tool_results=(result(told, "operator"),)))
        bank.absorb(result("Lake Mjosa is 453 metres deep.", "atlas"))
        while bank.plan().pending is not None:
            bank.host.finish_step(StepResult(text="18 MWh.", answer="18 MWh"))
        yield bank


def test_a_settled_contradiction_is_promoted_with_its_provenance(finished, plain):
    promotion = promote(finished, plain, namespace=FACTS)

    (record,) = plain.records(FACTS)
    assert "18 MWh" in record.content
    assert record.metadata["type"] == "domain-facts"
    assert record.provenance[0].task == "What is the capacity of the Norra battery?"
    assert record.provenance[0].entries
    assert record.provenance[0].documents == ("data sheet", "operator")
    assert [left.reason for left in promotion.left] == ["unverified"]


def test_promoting_twice_adds_nothing(finished, plain):
    promote(finished, plain, namespace=FACTS)
    again = promote(finished, plain, namespace=FACTS)

    assert {written.status for written in again.written.values()} == {"skipped"}


def test_what_two_sources_say_alike_is_promoted(plain):
    with MemoryBank("How deep is Lake Mjosa?") as bank:
        bank.absorb(result("Lake Mjosa is 453 metres deep.", "atlas"))
        bank.absorb(result("Lake Mjosa is 453 metres deep.", "encyclopedia"))
        while bank.plan().pending is not None:
            bank.host.finish_step(StepResult(text="453 metres.", answer="453 metres"))
        promote(bank, plain, namespace=FACTS)

    assert "453" in plain.records(FACTS)[0].content


@pytest.mark.parametrize("pages", [("?x=1", "?x=2"), ("?page=1", "#2"), ("a", "b")])
def test_one_site_that_says_it_twice_is_not_enough(plain, pages):
    with MemoryBank("How deep is Lake Mjosa?") as bank:
        for page in pages:
            bank.absorb(result("Lake Mjosa is 453 metres deep.", f"https://lakes.org/mjosa/{page}"))
        while bank.plan().pending is not None:
            bank.host.finish_step(StepResult(text="453 metres.", answer="453 metres"))
        promotion = promote(bank, plain, namespace=FACTS)

    assert plain.records(FACTS) == []
    assert [left.reason for left in promotion.left] == ["unverified"]


def test_what_a_person_confirms_is_promoted_with_the_name_and_the_documents(finished, plain):
    (left,) = promote(finished, plain, namespace=FACTS).left
    promote(finished, plain, namespace=FACTS, nodes=(left.node_id,), confirmed_by="Ana")

    record = next(record for record in plain.records(FACTS) if "453" in record.content)
    assert (record.provenance[0].confirmed_by, record.provenance[0].documents) == ("Ana", ("atlas",))


@pytest.mark.parametrize("given", [{"nodes": ("n1",)}, {"confirmed_by": "Ana"}])
def test_a_confirmation_names_the_notes_and_the_person(finished, plain, given):
    with pytest.raises(InvalidInput, match="confirmed_by"):
        promote(finished, plain, namespace=FACTS, **given)


def test_a_disputed_note_stays_behind(plain):
    with MemoryBank("What is the capacity of the Norra battery?") as bank:
        bank.absorb(result("The Norra battery stores 12 MWh.", "flyer"))
        bank.absorb(result("The Norra battery stores 18 MWh.", "data sheet"))
        while bank.plan().pending is not None:
            bank.host.finish_step(StepResult(text="Nothing found.", answer="unknown"))
        promotion = promote(bank, plain, namespace=FACTS)

    assert plain.records(FACTS) == []
    assert {left.reason for left in promotion.left} == {"disputed"}


def test_a_task_that_goes_on_is_not_promoted(plain):
    with MemoryBank("How deep is Lake Mjosa?") as bank:
        bank.plan()
        with pytest.raises(InvalidInput, match="not finished"):
            promote(bank, plain, namespace=FACTS)
