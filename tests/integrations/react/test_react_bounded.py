"""Thirty tool calls of five thousand characters: bounded requests, nothing lost, both protocols and languages."""

from __future__ import annotations

import json
from functools import cache
from typing import Any, Literal

import pytest

from amb_chat import ScriptedChatModel
from amb_core import ManualClock, MemoryBank, Settings
from amb_core.adapter import TokenCounter
from amb_core.chat_io import ChatReply, ChatRequest, ToolCall
from amb_core.rendering import Language
from amb_react import ReActAgent, ReActRun

pytestmark = pytest.mark.slow

CALLS, CHARS = 30, 5_000
GOAL = {"en": "How high were the waves at each lighthouse?", "zh": "各个灯塔测得的浪高是多少？"}
_PLACES = {
    "en": "Skerry Holm Ness Voe Calder Dunmore Elston Farley Gorton Hexham Ilford Jarrow Kendal Louth Marlow Newton "
    "Otley Penrith Quorn Ripon Selby Thorne Ulverton Varley Wexcombe Yarrow Zeal Arden Brough Corby",
    "zh": "礁石 月牙 白沙 青屿 望潮 石塘 龙湾 鹿角 金沙 南礁 北礁 牛头 花鸟 虎跳 大陈 渔山 蒋口 东极 西嘴 铜山 "
    "黄岐 海坛 湄洲 东山 南澳 涠洲 长岛 灵山 田横 刘公",
}
Where = tuple[Language, Literal["native", "text"]]
WAYS = [
    pytest.param(("en", "native"), id="en-native"),
    pytest.param(("zh", "text"), id="zh-text", marks=pytest.mark.nightly),
    pytest.param(("en", "text"), id="en-text", marks=pytest.mark.nightly),
    pytest.param(("zh", "native"), id="zh-native", marks=pytest.mark.nightly),
]


def fact(number: int, language: Language) -> str:
    place, height = _PLACES[language].split()[number], f"{2 + number * 0.37:.2f}"
    if language == "zh":
        return f"{place}灯塔测得的浪高为{height}米。"
    return f"The waves at the {place} lighthouse were {height} metres high."


@cache
def page(number: int, language: Language) -> str:
    """CHARS characters with the fact in their middle."""
    place, sentences, line = _PLACES[language].split()[number], list[str](), 0
    while sum(map(len, sentences)) < CHARS - len(fact(number, language)):
        shelf, year = (number * 90 + line) * 3 + 11, 1500 + number * 17 + line
        zh = f"{place}的{shelf}号架上放着第{line}位守塔人在{year}年带来的一本潮汐表。\n"
        en = f"Shelf {shelf} of {place} holds the tide table that keeper {line} brought over in {year}.\n"
        sentences.append(zh if language == "zh" else en)
        line += 1
    middle = len(sentences) // 2
    return "".join([*sentences[:middle], f"{fact(number, language)}\n", *sentences[middle:]])[:CHARS]


@cache
def long_run(where: Where) -> tuple[ReActRun, tuple[ChatRequest, ...], MemoryBank]:
    """The run over all pages, done once for all tests that look at it."""
    language, protocol = where

    def fetch(number: int) -> str:
        """Fetch one page of a log book."""
        return page(number, language)

    script: list[str | ChatReply] = []
    for number in range(CALLS):
        arguments = json.dumps({"number": number})
        tagged = f'<think>page {number}</think><tool_call>{{"name": "fetch", "arguments": {arguments}}}</tool_call>'
        called = ChatReply("", (ToolCall("", "fetch", arguments),), "tool_calls")
        script.append(tagged if protocol == "text" else called)
    chat = ScriptedChatModel([*script, "<answer>All read.</answer>", "<answer>2.00 at Skerry [n1]</answer>"])
    bank = MemoryBank(GOAL[language], clock=ManualClock(1e9, step=1), settings=Settings(prompt_budget_tokens=8_000))
    return ReActAgent(bank, chat, [fetch], protocol=protocol).run(), tuple(chat.requests), bank


def shown(request: ChatRequest) -> str:
    return "\n".join(str(message["content"]) for message in request.messages)


@pytest.mark.parametrize("where", WAYS)
class TestThirtyCallsOfFiveThousandCharacters:
    def test_every_request_is_within_the_budget(self, where: Where) -> None:
        _, requests, bank = long_run(where)
        sizes = [sum(map(TokenCounter().message, request.messages)) for request in requests]
        assert len(sizes) == CALLS + 2
        assert max(sizes) <= bank.settings.prompt_budget_tokens

    def test_what_a_call_brought_is_in_the_next_request(self, where: Where) -> None:
        _, requests, _ = long_run(where)
        assert [n for n in range(CALLS) if fact(n, where[0]) not in shown(requests[n + 1])] == []

    def test_raw_outputs_leave_the_prompt(self, where: Where) -> None:
        _, requests, bank = long_run(where)
        raw = [sum(page(n, where[0]) in shown(request) for n in range(CALLS)) for request in requests]
        assert max(raw) <= bank.settings.keep_last + 1
        assert raw[-1] == 0

    def test_memory_holds_every_page_once_as_it_came(self, where: Where) -> None:
        done, _, bank = long_run(where)
        assert [entry.text for entry in bank.snapshot().results] == [page(n, where[0]) for n in range(CALLS)]
        assert (done.termination, done.prediction, list(done.sources)) == ("answered", "2.00 at Skerry [n1]", ["n1"])

    def test_each_request_is_on_record_with_its_block(self, where: Where) -> None:
        _, requests, bank = long_run(where)
        injections = bank.snapshot().injections
        assert len(injections) == len(requests)
        blocks = zip(injections, requests, strict=True)
        assert all(injection.block in str(request.messages[-1]["content"]) for injection, request in blocks)


def test_the_transcript_of_a_run_is_whole() -> None:
    done, _, _ = long_run(("en", "native"))
    results: list[Any] = [message["content"] for message in done.messages if message["role"] == "tool"]
    assert results == [page(number, "en") for number in range(CALLS)]
