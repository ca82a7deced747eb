"""What cannot be an option of an adapter is refused when it is made, with what it takes."""

from __future__ import annotations

from typing import Any

import pytest

from amb_core import ContextAdapter, InvalidInput, InvalidParameter, MemoryBank, Settings


@pytest.mark.parametrize("memory", ["Which town has a reactor?", 7, None, lambda scope: "a bank"])
def test_what_is_no_memory_is_refused(memory: Any) -> None:
    with pytest.raises(InvalidParameter, match="memory is a MemoryBank, or a function of a Scope"):
        ContextAdapter(memory)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"count_tokens": 3}, "count_tokens is a function that counts a text, or .* name, not int"),
        ({"inject": "now"}, "inject takes auto, missing, always or never, not 'now'"),
        ({"placement": "top"}, "placement takes tail, user_prefix or system, not 'top'"),
        ({"reserved_tokens": "many"}, "reserved_tokens must be a whole number of at least 0, not str"),
        ({"reserved_tokens": -1}, "reserved_tokens must be at least 0, not -1"),
        ({"scope": "ann"}, r"ContextAdapter\(scope=…\) takes a Scope, not str"),
        ({"shared": "team"}, r"ContextAdapter\(shared=…\) takes a MemoryBank, not str"),
        ({"form": "openai"}, "form takes openai-chat, openai-responses, anthropic, gemini, langchain, not 'openai'"),
        ({"run": 5}, r"ContextAdapter\(run=…\) takes a str, not int"),
        ({"request": {"inject": "never"}}, r"ContextAdapter\(request=…\) takes a RequestOptions, not dict"),
    ],
)
def test_what_an_option_does_not_take_is_refused(options: dict[str, Any], said: str) -> None:
    with pytest.raises(InvalidInput, match=said):
        ContextAdapter(MemoryBank("Which town has a reactor?"), **options)


def test_inject_takes_what_the_setting_takes() -> None:
    bank = MemoryBank("Which town has a reactor?", settings=Settings(inject="never"))
    assert ContextAdapter(bank).inject == "never"
    assert ContextAdapter(bank, inject="auto").inject is None


TALK = [{"role": "user", "content": "Which town has a reactor?"}]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"query": 5}, "query takes a str, not int"),
        ({"query": ["Calder"]}, "query takes a str, not list"),
        ({"reserved_tokens": "many"}, "reserved_tokens must be a whole number"),
        ({"window_tokens": "x"}, "window_tokens must be a whole number"),
        ({"window_tokens": 0}, "window_tokens must be at least 1"),
        ({"inject": "allways"}, "inject takes auto, missing, always or never, not 'allways'"),
    ],
)
def test_what_a_request_does_not_take_is_refused_before_anything_is_kept(options: dict[str, Any], said: str) -> None:
    bank = MemoryBank("Which town has a reactor?", settings=Settings(prompt_budget_tokens=3_000))
    adapter = ContextAdapter(bank)
    for request in (adapter.next_request, adapter.prepare):
        with pytest.raises(InvalidParameter, match=said):
            request(TALK, **options)
    assert (bank.size.messages, adapter.failures) == (0, {})


def test_tokens_are_rounded_up_and_what_counts_none_is_refused_at_the_first_request() -> None:
    bank = MemoryBank("Which town has a reactor?", settings=Settings(prompt_budget_tokens=3_000))
    by_float = ContextAdapter(bank, count_tokens=lambda text: len(text) / 3, inject="always")
    by_whole = ContextAdapter(bank, count_tokens=lambda text: -(-len(text) // 3), inject="always")
    assert "<memory>" in str(by_float.next_request(TALK))
    assert by_float.failures == {}
    assert by_float.tokens_of(TALK) == by_whole.tokens_of(TALK)
    for wrong in ("3", None, -1, float("nan"), float("inf"), [3]):
        with pytest.raises(InvalidParameter, match="count_tokens returns how many tokens a text has"):
            ContextAdapter(bank, count_tokens=lambda text, wrong=wrong: wrong).next_request(TALK)


def test_a_run_over_a_closed_bank_goes_on_and_the_log_says_what_to_do(caplog: pytest.LogCaptureFixture) -> None:
    bank = MemoryBank("Which town has a reactor?")
    bank.close()
    assert ContextAdapter(bank).next_request(TALK) == TALK
    assert "this bank is closed; begin a new one, or resume it from its store" in caplog.text


@pytest.mark.parametrize("given", [{}, {"id": "n1"}, {"node_id": None}, {"node_id": " "}, {"step": 1, "node": "n1"}])
def test_a_tool_that_is_not_told_what_to_open_names_its_argument(given: dict[str, Any]) -> None:
    tools = ContextAdapter(MemoryBank("Which town has a reactor?"), settles=True).memory_tools()
    opened, settled = (tool(**given) for tool in tools)
    assert opened.startswith("Error: say as `node_id` what is to be opened.")
    assert "`id`" in settled or given == {"id": "n1"}
