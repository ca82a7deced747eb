"""A step costs what is new in the talk, and a message that its host changed is read anew."""

from __future__ import annotations

from typing import Any

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
