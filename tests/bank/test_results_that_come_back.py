"""Results that swap, come back or go in a circle: every call ends, and the newest state is the one shown as newest."""

from __future__ import annotations

import json
import random
import re
import signal
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from amb_core import MemoryBank, ToolResult

SHIFTS = {
    "en": (
        "Ovens:\n- oven 12 baking since 5:10\n- oven 30 waiting for dough",
        "Ovens:\n- oven 12 cleaned at 6:20\n- oven 30 baking since 6:25",
        "Ovens:\n- oven 12 broken\n- oven 30 idle",
    ),
    "zh": (
        "12 号炉 5:10 起在烤，30 号炉等待面团。",
        "12 号炉 6:20 已清洗，30 号炉在烤。",
        "12 号炉坏了，30 号炉空着。",
    ),
    "json": tuple(
        json.dumps([{"oven_id": 12, "state": a}, {"oven_id": 30, "state": b}])
        for a, b in (("baking", "waiting"), ("clean", "baking"), ("broken", "idle"))
    ),
    "one record": tuple(json.dumps({"oven_id": 12, "state": state}) for state in ("baking", "clean", "broken")),
}
ASKED = "state of oven 12 号炉的状态"
IN_CIRCLES = {
    "two calls swap": "nA sB nB sA",
    "they swap again": "nA sB nB sA nA sB",
    "one call comes back": "nA nB nA nB nA",
    "three in a ring": "nA sB wC nB sC wA nC sA wB",
    "one text goes round": "nA sA wA nB sB nA wB",
}


@contextmanager
def ends() -> Iterator[None]:
    """Fail where what stands under it does not end within ten seconds."""

    def stop(*_: object) -> None:
        raise TimeoutError("no end within 10 s")

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(10)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def bank_of(calls: list[tuple[str, str]], *, goal: str = "Which ovens are free?") -> MemoryBank:
    bank = MemoryBank(goal)
    for number, (shop, text) in enumerate(calls):
        bank.absorb(ToolResult(tool="ovens", arguments={"shop": shop}, output=text, call_id=f"c{number}"))
    return bank


def read(circle: str, texts: tuple[str, ...]) -> list[tuple[str, str]]:
    return [(step[0], texts["ABC".index(step[1])]) for step in circle.split()]


def ask_everything(bank: MemoryBank) -> None:
    with ends():
        bank.recall(ASKED, budget_tokens=600)
        bank.recall("What did step 1 show?", budget_tokens=300)
        bank.host.enhance(query=ASKED)
        for node in bank.nodes:
            bank.open(node.id)
        bank.plan()


@pytest.mark.parametrize("texts", SHIFTS.values(), ids=SHIFTS)
@pytest.mark.parametrize("circle", IN_CIRCLES.values(), ids=IN_CIRCLES)
def test_every_call_ends(circle: str, texts: tuple[str, ...]) -> None:
    with bank_of(read(circle, texts)) as bank:
        ask_everything(bank)


NOTHING = {
    "an error of the tool": ("429 Too Many Requests", True),
    "a status line": ("HTTP 429 Too Many Requests", False),
    "a traceback": ('Traceback (most recent call last):\n  File "a.py", line 1\nTimeoutError', False),
    "an error by name": ("ConnectionError: the host did not answer", False),
    "an error object": ('{"error": {"code": 429, "message": "slow down"}}', False),
    "中文错误": ("错误：请求超时", False),
    "null": ("null", False),
    "an empty list": ("[]", False),
    "a placeholder": ("[Old tool result content cleared]", False),
}


@pytest.mark.parametrize(("text", "is_error"), NOTHING.values(), ids=NOTHING)
def test_a_call_that_failed_or_brought_nothing_outdates_nothing(text: str, is_error: bool) -> None:
    bank = MemoryBank("What does order 4711 cost?")
    for number, (output, failed) in enumerate([("Order 4711 costs 125 EUR and is sent.", False), (text, is_error)]):
        bank.absorb(
            ToolResult(tool="order", arguments={"id": 4711}, output=output, call_id=f"c{number}", is_error=failed)
        )
    for question in ("What does order 4711 cost?", "What did step 1 show?"):
        block = bank.recall(question, budget_tokens=400).text
        assert "125 EUR" in block
        assert not re.search(r"newer: n|done again at step 2|now .*, at step 1", block)
    bank.absorb(ToolResult(tool="order", arguments={"id": 4711}, output="Order 4711 costs 130 EUR and is sent."))
    assert re.search(r"newer|130 EUR", bank.open("n1"))


STATES = {
    "text": "Report:\n- pump P-7 is {}\n- pump P-8 is idle",
    "nested": '{{"site": {{"name": "Dock", "pump": {{"pump_id": "P-7", "status": {{"state": "{}"}}}}}}}}',
    "table": "| pump_id | state |\n|---|---|\n| P-7 | {} |\n| P-8 | idle |",
}


@pytest.mark.sampled(6)
@pytest.mark.parametrize("budget", [120, 600])
@pytest.mark.parametrize("form", STATES.values(), ids=STATES)
@pytest.mark.parametrize("seed", range(6))
def test_a_block_shows_the_newest_state_first_and_never_an_older_one_alone(seed: int, form: str, budget: int) -> None:
    rng = random.Random(seed)
    last = ""
    calls = [("n", last := rng.choice(["running hot", "stopped cold", "awaiting parts"])) for _ in range(seed + 2)]
    with bank_of([(shop, form.format(state)) for shop, state in calls], goal="What is the state of pump P-7?") as bank:
        for block in (bank.recall("state of pump P-7", budget_tokens=budget), bank.host.enhance(budget_tokens=budget)):
            heads = re.findall(r"^\[n\d+\].*", block.text, re.MULTILINE)
            assert last in block.text.partition("<memory>")[2]
            assert not heads or "newer: n" not in heads[0], block.text
