"""A dispute that is known stands in `<task>`, in every kind of request, until the sources settle it."""

from __future__ import annotations

from typing import Any, Literal

import pytest

from amb_core import ContextAdapter, MemoryBank, Settings

TEXTS = {
    "en": ("Describe the tower.", "The Oakmere Tower is {} metres high.", "sources disagree about “Oakmere Tower"),
    "zh": ("介绍这座山峰。", "珠穆朗玛峰海拔 {} 米。", "来源说法不一：“珠穆朗玛峰海拔"),
}


def turn(messages: list[Any], number: int, text: str) -> None:
    call = {"name": "visit", "arguments": f'{{"url": "http://s{number}.org/x"}}'}
    messages.append({"role": "assistant", "tool_calls": [{"id": f"c{number}", "type": "function", "function": call}]})
    messages.append({"role": "tool", "tool_call_id": f"c{number}", "content": text})


@pytest.mark.parametrize("inject", ["missing", "always"])
@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_known_dispute_is_marked_in_the_task(language: str, inject: Literal["missing", "always"]) -> None:
    goal, said, mark = TEXTS[language]
    bank = MemoryBank(goal, settings=Settings(prompt_budget_tokens=1_500, inject=inject))
    adapter, messages = ContextAdapter(bank), [{"role": "user", "content": goal}]
    for number, text in enumerate((said.format(8848), said.format(8849))):
        turn(messages, number, text)
    for number in range(2, 12):
        turn(messages, number, f"Page {number}: " + f"The weather in valley {number} was calm. " * 20)
    assert mark.casefold() not in requested(adapter, messages) or inject == "always"  # nobody has looked for any
    assert len(bank.conflicts) == 1
    turn(messages, 12, "Page 12: nothing.")
    assert requested(adapter, messages).count(mark.casefold()) == 1
    messages.append({"role": "user", "content": "What is known of it by now? 现在知道些什么？"})
    told = requested(adapter, messages)
    assert told.count(mark.casefold()) == 1
    assert told.index("<task>") < told.index(mark.casefold())


def requested(adapter: ContextAdapter, messages: list[Any]) -> str:
    return "\n".join(str(each.get("content")) for each in adapter.next_request(messages)).casefold()


def test_a_settled_dispute_is_marked_no_more() -> None:
    goal, said, mark = TEXTS["en"]
    bank = MemoryBank(goal, settings=Settings(prompt_budget_tokens=1_500, inject="always", disputes="verify"))
    adapter, messages = ContextAdapter(bank), [{"role": "user", "content": goal}]
    for number, height in enumerate((86, 92)):
        turn(messages, number, said.format(height))
    assert mark.casefold() in requested(adapter, messages)
    for number in (2, 3):
        turn(messages, number, f"Survey {number}: the record says so. " + said.format(86))
        requested(adapter, messages)
    assert [one.status for one in bank.conflicts] == ["resolved"]
    assert mark.casefold() not in requested(adapter, messages)
