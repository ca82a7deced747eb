"""Results that swap, come back or go in a circle: every call ends, and the newest state is the one shown as newest."""

from __future__ import annotations

import json
import random
import re
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from amb_core import ContextAdapter, MemoryBank, Settings, ToolResult

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


def test_a_request_ends_while_two_calls_swap() -> None:
    early, late = SHIFTS["en"][:2]
    talk: list[dict[str, object]] = [{"role": "user", "content": "Which ovens are free? " + "Look closely. " * 400}]
    adapter = ContextAdapter(
        MemoryBank("Which ovens are free?", settings=Settings(prompt_budget_tokens=900, block_tokens=300))
    )
    with ends():
        for number, (shop, text) in enumerate(read("nA sB nB sA nA sB", (early, late))):
            call = {"name": "ovens", "arguments": json.dumps({"shop": shop})}
            asked = {"id": f"c{number}", "type": "function", "function": call}
            talk.append({"role": "assistant", "content": None, "tool_calls": [asked]})
            talk.append({"role": "tool", "tool_call_id": f"c{number}", "content": text})
            assert adapter.next_request(talk)


@pytest.mark.parametrize("seed", range(12))
def test_the_newest_state_is_shown_as_newest(seed: int) -> None:
    """By its own call a note is older exactly when that call brought another text last."""
    rng = random.Random(seed)
    texts = list(SHIFTS.values())[seed % 2]
    calls = [(rng.choice("nsw"), rng.choice(texts)) for _ in range(rng.randint(3, 14))]
    last = dict(calls)
    with bank_of(calls) as bank:
        ask_everything(bank)
        for node in bank.nodes:
            shop, text = calls[int(node.sources[0].entry_id[1:]) - 1]
            head = bank.open(node.id).partition("\n")[0]
            is_older = "newer: n" in head or "更新的见 n" in head
            assert is_older == (text != last[shop]), (calls, head)


@pytest.mark.parametrize("language", ["one record", "json"])
def test_a_record_that_came_back_is_as_new_as_its_last_time(language: str) -> None:
    texts = SHIFTS[language]
    bank = MemoryBank("Which ovens are free?")
    for number, (tool, text) in enumerate([("look", texts[0]), ("set", texts[1]), ("look again", texts[0])]):
        bank.absorb(ToolResult(tool=tool, arguments={"n": tool}, output=text, call_id=f"c{number}"))
    heads = [bank.open(node.id).partition("\n")[0] for node in bank.nodes]
    assert "state: now baking, at step 2: clean" in heads[0]
    assert "newer: n1" in heads[1]


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


def test_many_polls_of_one_record_cost_little_more_each() -> None:
    """The newest state is looked up, and not walked to."""
    calls = [("n", json.dumps({"oven_id": 12, "at": number, "state": "baking"})) for number in range(40)]
    with bank_of(calls) as bank, ends():
        bank.recall(ASKED, budget_tokens=600)
        head = bank.open(bank.nodes[0].id).partition("\n")[0]
        assert f"newer: {bank.nodes[-1].id}" in head


STATES = {
    "text": "Report:\n- pump P-7 is {}\n- pump P-8 is idle",
    "nested": '{{"site": {{"name": "Dock", "pump": {{"pump_id": "P-7", "status": {{"state": "{}"}}}}}}}}',
    "table": "| pump_id | state |\n|---|---|\n| P-7 | {} |\n| P-8 | idle |",
}


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


@pytest.mark.parametrize("texts", SHIFTS.values(), ids=SHIFTS)
def test_what_one_call_took_back_is_news_when_another_call_brings_it(texts: tuple[str, ...]) -> None:
    """A first result that is word for word an older state of another call is the newest state all the same."""
    with bank_of(read("nB nA nC sA", texts)) as bank:
        newest = bank.nodes[-1]
        assert newest.sources[0].entry_id == "e4"
        assert "newer: n" not in bank.open(newest.id).partition("\n")[0]


BLANKS = {
    "a line more": lambda text: text + "\n\n",
    "a line before": lambda text: "\n" + text,
    "stripped": str.strip,
    "two signs for a line break": lambda text: text.replace("\n", "\r\n"),
    "no blanks at line ends": lambda text: text.replace(" \n", "\n"),
    "a byte order mark": lambda text: "\ufeff" + text,
}


@pytest.mark.parametrize("blanks", list(BLANKS.values()), ids=list(BLANKS))
def test_old_results_with_other_blanks_are_the_same_results(blanks: Callable[[str], str]) -> None:
    bank = MemoryBank("Read the logs", settings=Settings(prompt_budget_tokens=2_000))
    adapter = ContextAdapter(bank)
    old: list[dict[str, object]] = []
    for number in range(8):
        function = {"name": "read", "arguments": json.dumps({"log": number})}
        call = {"role": "assistant", "content": None, "tool_calls": [{"id": f"c{number}", "function": function}]}
        text = "".join(f"  crate {number}{line} is at pier {line} \n" for line in range(40))
        adapter.next_request([{"role": "user", "content": "Read."}, *old, call, _answer(number, text)])
        old = [{**one, "content": blanks(str(one["content"]))} if one["role"] == "tool" else one for one in old]
        old += [call, _answer(number, text)]
    assert bank.size.entries == 8


def _answer(number: int, text: str) -> dict[str, object]:
    return {"role": "tool", "tool_call_id": f"c{number}", "content": text}
