"""The same call or record read again with another value: a newer state, shown as such, never a conflict or a repeat."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from amb_core import ManualClock, MemoryBank, ToolResult

NOW = {"en": "stock: now 5, at step 1: 3", "zh": "stock: 现为 5，第 1 步时为 3"}
GOAL = {"en": "How many screws are in stock?", "zh": "螺丝的库存是多少？"}


@pytest.fixture
def bank() -> Iterator[MemoryBank]:
    with MemoryBank(GOAL["en"], clock=ManualClock(1.0, step=1)) as opened:
        yield opened


def call(tool: str, output: str, **arguments: str) -> ToolResult:
    return ToolResult(tool=tool, output=output, arguments=dict(arguments))


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_record_read_again_says_what_is_now_and_what_was(language: str) -> None:
    with MemoryBank(GOAL[language]) as bank:
        bank.absorb(call("stock", '{"item": "screw", "stock": 3}', item="screw"))
        report = bank.absorb(call("stock", '{"item": "screw", "stock": 5}', item="screw"))
        assert report.repeat_of is None
        assert bank.conflicts == ()
        assert NOW[language] in bank.recall("screw stock").text


def test_both_states_can_be_opened_and_the_older_one_says_as_of_when(bank: MemoryBank) -> None:
    bank.absorb(call("stock", '{"item": "screw", "stock": 3}', item="screw"))
    bank.absorb(call("stock", '{"item": "screw", "stock": 5}', item="screw"))
    assert "step 1 · stock screw · [n1]; stock now 5, since step 2" in bank.recall("screw stock").text
    assert [bank.host.deep_retrieval(node)[0].text[-2] for node in ("n1", "n2")] == ["3", "5"]


def test_a_state_that_comes_back_is_the_newest_again(bank: MemoryBank) -> None:
    for value in (3, 5, 3):
        report = bank.absorb(call("stock", f'{{"item": "screw", "stock": {value}}}', item="screw"))
    assert report.repeat_of == "e1"
    text = bank.recall("screw stock").text
    assert "stock: now 3, at step 2: 5" in text
    assert "step 2 · stock screw · [n2]; stock now 3, since step 3" in text


@pytest.mark.parametrize("values", [("on", "off"), ("a, b, c, d, e, f", "a, b, c, d, e"), ("up", "down")])
def test_no_changed_state_is_taken_for_a_repeat(bank: MemoryBank, values: tuple[str, str]) -> None:
    for value in values:
        report = bank.absorb(call("light", f'{{"state": "{value}"}}', room="hall"))
    assert report.repeat_of is None


def test_a_page_visited_again_is_a_newer_state_of_it(bank: MemoryBank) -> None:
    for height in (80, 84):
        text = f"The Harlow Dam is {height} metres high. It was built by Ada Orr of Leeds for the old town."
        bank.absorb(call("visit", text, url="https://a.example/dam"))
    shown = bank.recall("How high is the Harlow Dam?").text
    assert "84 metres" in shown
    assert "done again at step 2, with another result" in shown
    assert bank.conflicts == ()


def test_a_forgotten_state_is_no_older_state(bank: MemoryBank) -> None:
    bank.absorb(call("stock", '{"item": "screw", "stock": 3}', item="screw"))
    bank.absorb(call("stock", '{"item": "screw", "stock": 5}', item="screw"))
    bank.forget("e1")
    assert "at step 1" not in bank.recall("screw stock").text


def test_what_stands_in_two_records_is_no_newer_state_of_one(bank: MemoryBank) -> None:
    for number, paid in (("EQ1G6C", 533), ("LQ940Q", 2790)):
        payments = [{"payment_id": "credit_card_7", "amount": paid}]
        output = json.dumps({"reservation_id": number, "payment_history": payments, "cabin": "economy", "seats": 2})
        bank.absorb(call("reservation", output, number=number))
    shown = bank.recall("Which amount was paid with credit_card_7?", budget_tokens=600).text
    assert "533" in shown
    assert "2790" in shown
    assert "newer" not in shown
    assert "at step" not in shown.partition("opens a step.")[2]


def _page(address: str, status: str) -> str:
    row = f'  - row "W17" [ref=e6]:\n    - cell "W17" [ref=e7]\n    - cell "{status}" [ref=e8]\n'
    return f"- Page URL: {address}\n```yaml\n- table [ref=e2]:\n{row * 5}```"


@pytest.mark.parametrize(
    ("address", "newer"),
    [("https://www.shop.example/orders/?utm_source=x", True), ("https://shop.example/cart", False)],
)
def test_a_page_that_is_shown_again_by_another_call_is_a_newer_state(
    bank: MemoryBank, address: str, *, newer: bool
) -> None:
    for tool, where, status in (("goto", "https://shop.example/orders", "pending"), ("click", address, "shipped")):
        bank.absorb(call(tool, _page(where, status), ref=tool))
    shown = bank.recall("What is the status of W17 in which step?", budget_tokens=600).text
    assert ("again at step 2, with another result" in shown) is newer
