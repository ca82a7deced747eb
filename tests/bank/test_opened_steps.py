"""`deep_retrieval` opens a step, some of its lines, or a record in it, and says what to pass where it cannot."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from amb_core import ContextAdapter, MemoryBank, ToolResult
from amb_core.errors import InvalidParameter, UnknownId

FLIGHTS = json.dumps({"flights": [{"id": f"HAT{i}", "price": 100 + i} for i in range(40)]})
CODE = "\n".join(f"{i}\tvalue_{i} = {i}" for i in range(1, 60))


@pytest.fixture
def bank() -> Iterator[MemoryBank]:
    with MemoryBank("Find a flight.") as bank:
        bank.absorb(ToolResult(tool="search", arguments={"to": "LAX"}, output=FLIGHTS, call_id="a"))
        bank.absorb(ToolResult(tool="bash", arguments={"command": "cat -n conf.py"}, output=CODE, call_id="b"))
        yield bank


@pytest.mark.parametrize("asked", ["step 2", "2", "[step 2]", "第2步", "Step 2", "e2", "第二步", "步骤 2"])
def test_a_step_is_opened_by_its_number_in_the_language_of_who_asks(asked: str, bank: MemoryBank) -> None:
    shown = ContextAdapter(bank).deep_retrieval(asked)
    assert shown.startswith(f"{'第 2 步' if '步' in asked else 'step 2'} · bash cat -n conf.py")
    assert "value_40 = 40" in shown


@pytest.mark.parametrize("asked", ["step 2 lines 4-6", "step 2: lines 6-4", "第2步 第4到6行", "2 lines 4 to 6"])
def test_lines_of_a_step_are_opened(asked: str, bank: MemoryBank) -> None:
    shown = ContextAdapter(bank).deep_retrieval(asked).split("\n")
    assert shown[-3:] == ["  4\tvalue_4 = 4", "  5\tvalue_5 = 5", "  6\tvalue_6 = 6"]


def test_a_record_is_opened_by_its_path(bank: MemoryBank) -> None:
    assert ContextAdapter(bank).deep_retrieval("step 1 flights[2]").endswith('{"id": "HAT2", "price": 102}')


@pytest.mark.parametrize(
    ("asked", "said"), [("step 2 line 500", "the lines are 1 to 59"), ("step 1 hotels[1]", "step 1 flights")]
)
def test_a_place_that_is_not_there_gets_an_answer_that_says_what_to_pass(
    asked: str, said: str, bank: MemoryBank
) -> None:
    with pytest.raises(InvalidParameter, match=said):
        bank.open(asked)


def test_numbers_stay_when_an_earlier_step_is_forgotten(bank: MemoryBank) -> None:
    bank.forget("e1")
    assert bank.host.deep_retrieval("step 2")[0].text == CODE
    with pytest.raises(UnknownId):
        bank.host.deep_retrieval("step 1")
