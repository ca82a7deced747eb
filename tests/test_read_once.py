"""A step costs what is new in the talk, and a message that its host changed is read anew."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from amb_bench.call_counts import calls_of

from amb_core import ContextAdapter, MemoryBank, Settings

TREES = "oak elm ash fir yew bay fig".split()


def _turn(n: int) -> list[dict[str, Any]]:
    call = {"id": f"c{n}", "type": "function", "function": {"name": "read", "arguments": f'{{"leaf": {n}}}'}}
    found = f"Leaf {n}: " + " ".join(TREES[n * k % 7] for k in range(9))
    return [
        {"role": "assistant", "content": f"I read leaf {n} now.", "tool_calls": [call]},
        {"role": "tool", "tool_call_id": f"c{n}", "content": found},
    ]


def test_what_was_counted_once_is_not_counted_again_until_it_is_changed() -> None:
    counted: list[str] = []

    def count(text: str) -> int:
        counted.append(text)
        return len(text) // 3 + 1

    settings = Settings(prompt_budget_tokens=100_000)
    adapter = ContextAdapter(MemoryBank("Read the leaves.", settings=settings), count_tokens=count)
    talk: list[dict[str, Any]] = [{"role": "user", "content": "Read the leaves."}]
    for n in range(60):
        talk += _turn(n)
    adapter.next_request(talk)
    counted.clear()
    talk += _turn(60)
    adapter.next_request([dict(message) for message in talk])
    assert talk[-1]["content"] in counted
    assert not {message["content"] for message in talk[1:-2]} & set(counted)
    talk[4]["content"] = "Leaf 1: none."
    request = adapter.next_request(talk)
    assert "Leaf 1: none." in counted
    assert [one["content"] for one in request if one.get("tool_call_id") == "c1"] == ["Leaf 1: none."]


def test_a_request_is_the_hosts_and_changes_nothing_that_was_read() -> None:
    adapter = ContextAdapter(MemoryBank("Read the leaves."))
    talk: list[dict[str, Any]] = [{"role": "user", "content": [{"type": "text", "text": "Read the leaves."}]}]
    talk += _turn(0)
    request = adapter.next_request(talk)
    request[0]["content"][0]["text"] = "Read nothing."
    request[1]["role"] = "user"
    assert talk[1]["role"] == "assistant"
    again = adapter.next_request(talk)
    assert again[0]["content"] == [{"type": "text", "text": "Read nothing."}]
    assert again[1] == talk[1]


def _asked(n: int, form: str) -> dict[str, Any]:
    said = f"What is leaf {n}, beside leaf {n * 7 % 40}?"
    return {"role": "user", "parts": [{"text": said}]} if form == "gemini" else {"role": "user", "content": said}


def _done(n: int, form: str) -> list[dict[str, Any]]:
    """A call, its result and the answer, as a provider writes them."""
    found, answer = f"Leaf {n}: {' '.join(TREES[n * k % 7] for k in range(9))} {n * 31 % 997}", f"It is oak number {n}."
    if form == "openai-chat":
        return [*_turn(n), {"role": "assistant", "content": answer}]
    if form == "anthropic":
        used = {"type": "tool_use", "id": f"c{n}", "name": "read", "input": {"leaf": n}}
        result = {"type": "tool_result", "tool_use_id": f"c{n}", "content": found}
        said = {"role": "assistant", "content": [{"type": "text", "text": answer}]}
        return [{"role": "assistant", "content": [used]}, {"role": "user", "content": [result]}, said]
    if form == "openai-responses":
        call = {"type": "function_call", "call_id": f"c{n}", "name": "read", "arguments": json.dumps({"leaf": n})}
        result = {"type": "function_call_output", "call_id": f"c{n}", "output": found}
        parts = [{"type": "output_text", "text": answer, "annotations": []}]
        return [call, result, {"type": "message", "role": "assistant", "content": parts}]
    asks = {"functionCall": {"id": f"c{n}", "name": "read", "args": {"leaf": n}}}
    brings = {"functionResponse": {"id": f"c{n}", "name": "read", "response": {"output": found}}}
    roles = (("model", asks), ("user", brings), ("model", {"text": answer}))
    return [{"role": role, "parts": [part]} for role, part in roles]


FORMS = ("openai-chat", "anthropic", "openai-responses", "gemini")
BY_DAY = (("openai-chat", False), ("anthropic", True))
"""The form, and whether each call gets equal messages instead of the same objects."""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("form", "anew"),
    [
        pytest.param(form, anew, marks=() if (form, anew) in BY_DAY else pytest.mark.nightly)
        for form in FORMS
        for anew in (False, True)
    ],
)
def test_a_step_of_a_long_talk_costs_what_one_of_a_shorter_talk_does(form: str, anew: bool) -> None:
    """Calls of functions are counted. What a request holds is bounded, so that only the talk grows."""
    adapter = ContextAdapter(MemoryBank("Read the leaves.", settings=Settings(prompt_budget_tokens=8_000)))
    talk: list[dict[str, Any]] = []
    costs: dict[int, list[int]] = {250: [], 750: []}
    for n in range(761):
        talk += [_asked(n, form)]
        long = max(long for long in (0, *costs) if long <= n)
        if long and n < long + 11:
            given = copy.deepcopy(talk) if anew else talk
            costs[long].append(calls_of(lambda given=given: adapter.next_request(given)))  # type: ignore[misc]
        talk += _done(n, form)
    shorter, longer = (sorted(costs[long])[5] for long in costs)
    assert longer < 1.25 * shorter


@pytest.mark.parametrize("form", FORMS[1:])
def test_a_talk_in_any_form_is_read_on_and_what_its_host_changed_is_read_anew(form: str) -> None:
    adapter, other = (ContextAdapter(MemoryBank("Read the leaves.")) for _ in range(2))
    talk: list[dict[str, Any]] = [_asked(0, form)]
    for n in range(12):
        talk += [*_done(n, form), _asked(n + 1, form)]
        adapter.next_request(talk)
    again = copy.deepcopy(talk)
    request = adapter.next_request(again)
    assert all(any(one is item for item in again) for one in request)  # the host's own of this call, and no older ones
    text = json.dumps(talk[2]).replace("Leaf 0", "Elder 0")
    talk[2].clear()
    talk[2].update(json.loads(text))
    assert "Elder 0" in json.dumps(adapter.next_request(talk))
    assert "Leaf 0:" not in json.dumps(adapter.next_request(talk))
    assert other.next_request(talk)[2] == talk[2]
