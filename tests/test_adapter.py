"""ContextAdapter on OpenAI-style messages, with a real bank and local agents."""

from __future__ import annotations

import base64
import json
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from amb_core import ManualClock, MemoryBank, Settings, StepResult, ToolResult
from amb_core.adapter import ContextAdapter, TokenCounter, text_of
from amb_core.errors import BankClosed, InvalidInput, InvalidParameter
from amb_core.rendering import has_block, strip_block

TOWNS = ("Oakmere", "Birkdale", "Calder", "Dunmore", "Elston", "Farley", "Gorton", "Hexham", "Ilford", "Jarrow")
Messages = list[dict[str, Any]]


@pytest.fixture
def bank() -> Iterator[MemoryBank]:
    settings = Settings(block_tokens=400, prompt_budget_tokens=3_000, max_raw_tokens=300)
    with MemoryBank("Which town has a reactor?", settings=settings, clock=ManualClock(1e9, step=1)) as opened:
        yield opened


def _start() -> Messages:
    return [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Which town has a reactor?"}]


def _call(number: int, tool: str = "visit", **arguments: object) -> dict[str, Any]:
    function = {"name": tool, "arguments": json.dumps(arguments or {"town": TOWNS[number % 10]})}
    return {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": f"c{number}", "type": "function", "function": function}],
    }


def _result(number: int, text: str | None = None, *, houses: int = 30) -> dict[str, Any]:
    town = TOWNS[number % 10]
    filler = " ".join(f"House {n} of {town} has {n * 7 + number} windows." for n in range(houses))
    return {"role": "tool", "tool_call_id": f"c{number}", "content": text or f"{town} report {number}. {filler}"}


def _turns(count: int) -> Messages:
    return [message for number in range(count) for message in (_call(number), _result(number))]


# --- what goes into the prompt ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("options", "at"), [
    ({"placement": "user_prefix"}, 1), ({"placement": "system"}, 0), ({"merge_with_last_user": True}, 1)
])  # fmt: skip
def test_the_block_joins_a_message_where_it_is_told_to(bank: MemoryBank, options: dict[str, Any], at: int) -> None:
    enhanced = ContextAdapter(bank, **options).enhance_prompt(_start())
    assert [message["role"] for message in enhanced] == ["system", "user"]
    assert [has_block(message["content"]) for message in enhanced] == [at == 0, at == 1]
    assert strip_block(enhanced[at]["content"]) == _start()[at]["content"]


@pytest.mark.parametrize(
    "options", [{}, {"placement": "user_prefix"}, {"placement": "system"}, {"merge_with_last_user": True}]
)
def test_a_block_from_before_is_replaced_not_repeated(bank: MemoryBank, options: dict[str, Any]) -> None:
    adapter = ContextAdapter(bank, **options)
    once = adapter.enhance_prompt(_start())
    twice = adapter.enhance_prompt(once)
    assert [strip_block(str(m["content"])) for m in twice] == [strip_block(str(m["content"])) for m in once]
    assert sum(has_block(str(message["content"])) for message in twice) == 1


def test_multi_part_content_is_kept_part_by_part(bank: MemoryBank) -> None:
    picture = {"type": "image_url", "image_url": {"url": "https://example.com/a.png"}}
    messages = [{"role": "user", "content": [{"type": "text", "text": "What is this?"}, picture]}]
    merged = ContextAdapter(bank, merge_with_last_user=True)
    [enhanced] = merged.enhance_prompt(messages)
    assert enhanced["content"][:2] == messages[0]["content"]
    assert has_block(enhanced["content"][2]["text"])
    assert merged.enhance_prompt([enhanced]) == [enhanced]


def test_waiting_images_travel_as_data_urls(bank: MemoryBank, tmp_path: Path) -> None:
    picture = tmp_path / "photo.png"
    picture.write_bytes(
        base64.b64decode(
            "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
        )
    )
    bank.attach(picture)
    adapter = ContextAdapter(bank)
    enhanced = adapter.enhance_prompt(_start())
    parts = enhanced[-1]["content"]
    assert has_block(parts[0]["text"])
    assert parts[1]["image_url"]["url"].startswith("data:image/png;base64,")
    assert adapter.enhance_prompt(enhanced) == enhanced


@pytest.mark.parametrize("messages", [["text"], [{"content": "no role"}], [None]])
def test_what_is_no_message_is_refused(bank: MemoryBank, messages: list[Any]) -> None:
    with pytest.raises(InvalidInput, match="message 0"):
        ContextAdapter(bank).enhance_prompt(messages)


def test_an_unknown_placement_is_refused(bank: MemoryBank) -> None:
    with pytest.raises(InvalidParameter, match="placement"):
        ContextAdapter(bank, placement="middle")  # type: ignore[arg-type]


# --- what comes out of tools -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("content", "expected"), [
    ([{"type": "text", "text": "Oakmere has a mill."}, {"type": "image_url", "image_url": {"url": "data:x"}}],
     "Oakmere has a mill.\n[image]"),
    ({"town": "Oakmere", "mills": 3}, '{"mills": 3, "town": "Oakmere"}'),
    ([{"town": "橡树湖"}], '[{"town": "橡树湖"}]'),
    (None, ""), (42, "42"), (b"abc", "[3 bytes]"),
])  # fmt: skip
def test_any_content_is_rendered_to_text(content: object, expected: str) -> None:
    assert text_of(content) == expected


@pytest.mark.parametrize("arguments", ["", "{not json", "[1, 2]", "null", '{"a": 1}'])
def test_broken_arguments_lose_no_result(bank: MemoryBank, arguments: str) -> None:
    call = _call(1)
    call["tool_calls"][0]["function"]["arguments"] = arguments
    assert len(ContextAdapter(bank).intercept_context([call, _result(1)]).reports) == 1


def test_legacy_function_messages_are_understood(bank: MemoryBank) -> None:
    turn = [
        {"role": "assistant", "content": None, "function_call": {"name": "visit", "arguments": '{"town": "Calder"}'}},
        {"role": "function", "name": "visit", "content": "Calder has a reactor."},
    ]
    [report] = ContextAdapter(bank).intercept_context(turn).reports
    assert bank.host.deep_retrieval(f"step {report.entry_ids[0][1:]}")[0].metadata["arguments"] == {"town": "Calder"}


def test_tool_results_and_steps_are_turns_too(bank: MemoryBank) -> None:
    adapter = ContextAdapter(bank)
    result = ToolResult(tool="visit", output="Calder has a reactor.", call_id="x1")
    assert len(adapter.intercept_context(result).reports) == 1
    assert adapter.intercept_context([result]).skipped == 1
    insight = adapter.intercept_context(StepResult(text="Read a report.", tool_results=(result,))).insight
    assert len(insight.completed_tasks) == 1


@pytest.mark.parametrize("turn", ["text", 3, None])
def test_a_turn_of_another_kind_is_refused(bank: MemoryBank, turn: Any) -> None:
    with pytest.raises(InvalidInput, match="a turn is"):
        ContextAdapter(bank).intercept_context(turn)


# --- the transcript stays bounded ------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("merge", [False, True])
def test_thirty_calls_stay_within_the_prompt_budget_with_every_pair_whole(bank: MemoryBank, merge: bool) -> None:
    adapter, messages, count = ContextAdapter(bank, merge_with_last_user=merge), _start(), TokenCounter()
    for number in range(30):
        messages += [_call(number), _result(number)]
        adapter.intercept_context(messages)
        prompt = adapter.prepare(messages)
        assert sum(map(count.message, prompt)) <= bank.settings.prompt_budget_tokens
        asked = [call["id"] for message in prompt for call in message.get("tool_calls", ())]
        assert asked == [message["tool_call_id"] for message in prompt if message["role"] == "tool"]
        assert prompt[0] == messages[0]
    assert any("no longer shown" in text_of(message["content"]) for message in prompt)
    users = sum(message["role"] == "user" for message in prompt)
    assert users == 1 if merge else users in (3, 4)  # the task, what left, what memory says of it, and now


@pytest.mark.slow
def test_what_was_injected_is_logged_with_both_sizes(bank: MemoryBank) -> None:
    adapter, messages = ContextAdapter(bank), [*_start(), *_turns(20)]
    adapter.intercept_context(messages)
    adapter.prepare(messages)
    [injection] = bank.snapshot().injections
    assert injection.raw_tokens > 2 * injection.prompt_tokens > 0
    assert has_block(injection.block)


# --- the tool for the agent ------------------------------------------------------------------------------------------


def test_an_unknown_id_is_answered_with_ids_that_look_alike(bank: MemoryBank) -> None:
    adapter = ContextAdapter(bank)
    [report] = adapter.intercept_context([_call(1), _result(1, "Calder has a reactor.")]).reports
    answer = adapter.deep_retrieval("n999")
    assert answer.startswith("Error: there is no node with the id 'n999'.")
    note, *_ = bank.host.notes_of(int(report.entry_ids[0][1:]))
    assert note in answer
    assert adapter.deep_retrieval(note, page=-1).startswith("Error:")


# --- when memory fails -----------------------------------------------------------------------------------------------


def test_a_turn_goes_on_when_memory_fails(bank: MemoryBank, caplog: pytest.LogCaptureFixture) -> None:
    adapter, messages = ContextAdapter(bank), [*_start(), *_turns(12)]
    bank.close()
    with caplog.at_level(logging.WARNING, logger="amb"):
        assert adapter.intercept_context(messages).failed == 12
        prompt = adapter.prepare(messages)
    assert sum(map(TokenCounter().message, prompt)) <= bank.settings.prompt_budget_tokens
    assert prompt[:2] == messages[:2]
    assert adapter.failures["absorb"] == 12
    assert "Oakmere" not in caplog.text
    assert "BankClosed" in caplog.text


def test_strict_settings_raise_instead() -> None:
    bank = MemoryBank("Which town has a reactor?", settings=Settings(strict=True))
    adapter = ContextAdapter(bank)
    bank.close()
    with pytest.raises(BankClosed):
        adapter.intercept_context([_call(1), _result(1)])
    with pytest.raises(BankClosed):
        adapter.enhance_prompt(_start())


def test_an_exact_token_counter_decides_when_to_condense(bank: MemoryBank) -> None:
    messages = [*_start(), *_turns(6)]
    cheap = ContextAdapter(bank, count_tokens=lambda text: 1)

    assert cheap.condense(messages) == messages
    assert ContextAdapter(bank, count_tokens=lambda text: 10 * len(text)).condense(messages) != messages


def test_own_blocks_and_deep_retrieval_are_never_taken_in(bank: MemoryBank) -> None:
    adapter = ContextAdapter(bank)
    block = adapter.enhance_prompt(_start())[-1]["content"]
    turn = [
        _call(1),
        _result(1, f"Found: {block}"),
        _call(2, "deep_retrieval", node_id="n1"),
        _result(2, "n1: old text"),
    ]
    [report] = adapter.intercept_context(turn).reports
    assert [view.text for view in bank.deep_retrieval(f"step {report.entry_ids[0][1:]}")] == ["Found: "]
    [report] = adapter.intercept_context([_call(3), _result(3, block)]).reports
    assert [view.text for view in bank.deep_retrieval(f"step {report.entry_ids[0][1:]}")] == [""]
