import pytest

from amb_core import MemoryBank, StepResult, ToolResult

FACT = "The N-280 cell reaches 6,000 full cycles at 25 °C and was certified in May 2021."


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("工厂每天产水8万吨。", "工厂每天产水5万吨。"),
        ("项目已经完工。", "项目没有完工。"),
        ("张伟负责验收。", "李强负责验收。"),
        ("会议在五月二日举行。", "会议在五月三日举行。"),
    ],
)
def test_a_changed_chinese_value_is_never_a_repeat(bank, result, first, second):
    bank.absorb(result(first, "a"))

    assert bank.absorb(result(second, "b")).repeat_of is None


def test_a_repeat_can_be_forgotten_and_then_learnt_anew(bank, result):
    first = bank.absorb(result(FACT, "a"))
    bank.forget(first.entry_ids[0])

    assert bank.absorb(result(FACT, "b")).repeat_of is None


def test_a_repeat_that_settles_a_dispute_is_reported_under_its_own_id():
    lead = "The register was checked on site. "
    with MemoryBank("What is the capacity of Harbour Point?") as bank:
        read = lead + "The Harbour Point battery has a usable capacity of 10 MWh."
        first = bank.absorb(ToolResult(tool="read", output=read, source="register"))
        for number in (10, 11):
            bank.host.begin_step()
            said = f"The Harbour Point battery has a usable capacity of {number} MWh."
            seen = ToolResult(tool="look", output=said, source=f"look-{number}")
            bank.host.finish_step(StepResult(tool_results=(seen,)))
        again = bank.absorb(ToolResult(tool="read", output=read, source="register"))
        assert again.resolved
        assert again.entry_ids != first.entry_ids


@pytest.mark.parametrize(
    "changed",
    [
        FACT.replace("6,000", "6,001"),
        FACT.replace("May 2021", "May 2022"),
        FACT.replace("N-280", "N-281"),
        FACT.replace("reaches", "never reaches"),
        FACT.replace("°C", "°F"),
        FACT.replace("was certified", "was not certified"),
    ],
)
def test_another_number_date_name_negation_or_unit_is_never_a_repeat(bank, result, changed):
    bank.absorb(result(FACT, "a"))

    assert bank.absorb(result(changed, "b")).repeat_of is None
