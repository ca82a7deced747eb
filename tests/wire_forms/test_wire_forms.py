"""What one wire form or another does in cases of its own: shapes, marks, errors, and lists that are of no form."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from amb_core import ContextAdapter, ManualClock, MemoryBank, Settings, remember
from amb_core.adapter.chat_messages import tool_results_of
from amb_core.adapter.wire_forms import detect_form, read_transcript
from amb_core.errors import InvalidInput, InvalidParameter, WireFormUnknown
from amb_core.rendering import has_block

Items = list[dict[str, Any]]
LONG = "".join(f"Line {n}: 第 {n} 行，橡树湖有 {n * 7} 扇窗户。\n" for n in range(200))


@pytest.fixture
def bank() -> Iterator[MemoryBank]:
    settings = Settings(block_tokens=300, prompt_budget_tokens=2_400, max_raw_tokens=200, strict=True)
    with MemoryBank("Which town has a reactor?", settings=settings, clock=ManualClock(1e9, step=1)) as opened:
        yield opened


def _anthropic(result: Any, **block: Any) -> Items:
    return [
        {"role": "user", "content": "Which town?"},
        {"role": "assistant", "content": [{"type": "tool_use", "id": "t1", "name": "look", "input": {"at": 1}}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": result, **block}]},
    ]


def _gemini(response: dict[str, Any], **keys: Any) -> Items:
    return [
        {"role": "user", "parts": [{"text": "Which town?"}]},
        {"role": "model", "parts": [{"function_call": {"name": "look", "args": {"at": 1}}}]},
        {"role": "user", "parts": [{"function_response": {"name": "look", "response": response, **keys}}]},
    ]


def _read(items: Items) -> list[Any]:
    return tool_results_of(read_transcript(items).with_answers, calls={}, run="", agent=None)


def test_a_shortened_result_keeps_its_shape_its_failure_and_its_cache_mark(bank: MemoryBank) -> None:
    mark = {"cache_control": {"type": "ephemeral", "ttl": "1h"}}
    items = _anthropic([{"type": "text", "text": LONG}], is_error=True, **mark)
    result = ContextAdapter(bank).condense(items)[2]["content"][0]
    assert {key: result[key] for key in ("tool_use_id", "is_error", "cache_control")} == {
        "tool_use_id": "t1", "is_error": True, **mark
    }  # fmt: skip
    assert [block["type"] for block in result["content"]] == ["text"]
    assert len(result["content"][0]["text"]) < len(LONG) / 4


def test_a_shortened_response_keeps_the_key_of_its_text(bank: MemoryBank) -> None:
    shown = ContextAdapter(bank).condense(_gemini({"result": LONG}))[2]["parts"][0]["function_response"]
    assert shown["name"] == "look"
    assert list(shown["response"]) == ["result"]
    assert len(shown["response"]["result"]) < len(LONG) / 4


@pytest.mark.parametrize("kind", ["function_call_output", "custom_tool_call_output", "shell_call_output"])
def test_a_shortened_output_keeps_the_shape_of_its_type(bank: MemoryBank, kind: str) -> None:
    ended = {"type": "exit", "exit_code": 0}
    shell = [{"stdout": LONG, "stderr": "", "outcome": ended}]
    call = {"type": kind.removesuffix("_output"), "call_id": "c1", "name": "look", "arguments": "{}"}
    items: Items = [{"role": "user", "content": "?"}, call]
    items.append({"type": kind, "call_id": "c1", "output": shell if kind.startswith("shell") else LONG})
    output = ContextAdapter(bank).condense(items)[2]["output"]
    if kind.startswith("shell"):
        assert output[0]["outcome"] == ended
        output = output[0]["stdout"]
    assert 0 < len(output) < len(LONG) / 4


def test_results_without_ids_answer_the_calls_of_their_function_in_order() -> None:
    calls = [{"functionCall": {"name": "look", "args": {"at": at}}} for at in (1, 2, 2)]
    answers = [{"functionResponse": {"name": "look", "response": {"output": f"Town {n}"}}} for n in range(3)]
    items = [{"role": "user", "parts": [{"text": "?"}]}, {"role": "model", "parts": calls}]
    results = _read([*items, {"role": "user", "parts": answers}])
    assert [(one.arguments["at"], one.output) for one in results] == [(1, "Town 0"), (2, "Town 1"), (2, "Town 2")]
    assert len({one.call_id for one in results}) == 3


def test_what_the_provider_answered_itself_is_taken_in_without_what_only_it_can_read() -> None:
    found = [{"type": "web_search_result", "title": "橡树湖", "url": "https://a.b", "encrypted_content": "zzz"}]
    use = {"type": "server_tool_use", "id": "s1", "name": "web_search", "input": {"query": "Oakmere"}}
    said = [use, {"type": "web_search_tool_result", "tool_use_id": "s1", "content": found}]
    (result,) = _read([{"role": "user", "content": "?"}, {"role": "assistant", "content": said}])
    assert (result.tool, result.arguments) == ("web_search", {"query": "Oakmere"})
    assert "橡树湖" in result.output
    assert "zzz" not in result.output


def test_the_named_form_says_how_a_plain_question_is_written(bank: MemoryBank) -> None:
    items = [{"role": "user", "content": "橡树湖在哪里？"}]
    (only,) = ContextAdapter(bank, form="anthropic").enhance_prompt(items)
    assert only["content"][0] == {"type": "text", "text": "橡树湖在哪里？"}
    assert has_block(only["content"][1]["text"])
    assert [one["role"] for one in ContextAdapter(bank, sharing=True).enhance_prompt(items)] == ["user", "user"]


def test_a_block_joined_to_a_message_is_replaced_the_next_time(bank: MemoryBank) -> None:
    adapter = ContextAdapter(bank)
    once = adapter.enhance_prompt(_anthropic("Oakmere."))
    assert adapter.enhance_prompt(once) == once


def test_a_picture_of_the_user_stays_beside_the_block(bank: MemoryBank) -> None:
    source = {"type": "base64", "media_type": "image/png", "data": "iVBO"}
    items = [{"role": "user", "content": [{"type": "image", "source": source}]}]
    adapter = ContextAdapter(bank, form="anthropic")
    once = adapter.enhance_prompt(items)
    assert adapter.enhance_prompt(once) == once
    assert once[0]["content"][0] is items[0]["content"][0]


@pytest.mark.parametrize("form", ["anthropic", "gemini"])
def test_no_system_message_is_made_where_the_form_has_none(bank: MemoryBank, form: str) -> None:
    items = _anthropic("Oakmere.") if form == "anthropic" else _gemini({"output": "Oakmere."})
    with pytest.raises(InvalidParameter, match="user_prefix"):
        ContextAdapter(bank, placement="system").enhance_prompt(items)


@pytest.mark.parametrize("items", [
    [{"type": "user", "message": {"role": "user", "content": "?"}}],
    [{"from": "human", "value": "?"}],
    [{"role": "user", "content": [{"text": "?"}]}, {"role": "user", "content": [{"toolResult": {"toolUseId": "1"}}]}],
    [{"role": "user", "content": "?"}, {"role": "model", "content": "!"}],
    [{"role": "assistant", "content": [{"type": "tool-call", "toolCallId": "1", "toolName": "look", "input": {}}]}],
    ["?"],
])  # fmt: skip
def test_a_form_that_is_not_known_is_refused_before_anything_is_taken_in(bank: MemoryBank, items: Items) -> None:
    adapter = ContextAdapter(bank)
    for work in (adapter.intercept_context, adapter.prepare, adapter.condense, adapter.enhance_prompt):
        with pytest.raises(WireFormUnknown, match="openai-chat, anthropic, gemini, langchain, openai-responses"):
            work(items)
    assert bank.size.nodes == 0


def test_forms_are_not_mixed(bank: MemoryBank) -> None:
    answer = {"role": "tool", "tool_call_id": "c1", "content": "Oakmere."}
    for items in ([*_anthropic("a"), answer], [*_gemini({}), answer], [*_gemini({}), *_anthropic("a")]):
        with pytest.raises(WireFormUnknown, match="one form"):
            ContextAdapter(bank).prepare(items)
    with pytest.raises(InvalidInput, match="is not of the form gemini"):
        ContextAdapter(bank, form="gemini").prepare([answer])
    with pytest.raises(InvalidParameter, match="form is one of"):
        detect_form([], form="mail")


def test_messages_with_a_providers_blocks_beside_tool_calls_are_chat_messages() -> None:
    used = {"type": "tool_use", "id": "c1", "name": "look", "input": {}}
    call = {"id": "c1", "type": "function", "function": {"name": "look", "arguments": "{}"}}
    cached = {"type": "text", "text": "Be brief.", "cache_control": {"type": "ephemeral"}}
    items = [{"role": "system", "content": [cached]}, {"role": "assistant", "content": [used], "tool_calls": [call]}]
    assert detect_form([*items, {"role": "tool", "tool_call_id": "c1", "content": "x"}]).name == "openai-chat"


@pytest.mark.parametrize("told", ["Be brief.", [{"type": "input_text", "text": "Be brief."}]])
def test_words_of_the_developer_stand_in_a_list_of_responses_as_well(told: Any) -> None:
    call = {"type": "function_call", "call_id": "c1", "name": "look", "arguments": "{}"}
    items = [{"type": "message", "role": "developer", "content": told}, {"role": "developer", "content": told}, call]
    assert detect_form(items).name == "openai-responses"
    assert detect_form(items[:2], form="openai-responses").name == "openai-responses"


def test_a_step_function_may_speak_any_form(bank: MemoryBank) -> None:
    seen: list[Any] = []

    @remember(bank)
    def step(messages: Items) -> str:
        seen.extend(messages)
        return "橡树湖。"

    step(_gemini({"output": "The reactor of Oakmere was shut down in 1987."}))
    assert detect_form(seen).name == "gemini"
    assert bank.size.nodes > 0
