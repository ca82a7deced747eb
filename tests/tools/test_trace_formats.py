"""Each format is read from files that its own product wrote; versions.md beside them names the versions."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from amb_core import ContextAdapter, MemoryBank
from amb_replay.formats import EXPERIMENTAL, FORMATS, read_traces
from amb_replay.trace import Trace

FILES = Path(__file__).with_name("replay_files")
QUESTION = "How long are the quays of Lyness and Kirkwall?"

WRITTEN = {
    "openai_chat.json": "openai-chat",
    "openai_chat_requests.jsonl": "openai-chat",
    "openai_responses.json": "openai-responses",
    "openai_responses_requests.jsonl": "openai-responses",
    "openai_agents.json": "openai-responses",
    "anthropic.json": "anthropic-messages",
    "anthropic_requests.jsonl": "anthropic-messages",
    "claude_code.jsonl": "claude-code",
    "claude_code_helper.jsonl": "claude-code",
    "codex.jsonl": "codex",
    "swe_agent_calls.traj": "swe-agent",
    "swe_agent_text.traj": "swe-agent",
    "mini_swe_agent.traj.json": "swe-agent",
    "openhands": "openhands",
    "openhands_0.json": "openhands",
    "genai_otlp.jsonl": "gen-ai-spans",
    "genai_console.json": "gen-ai-spans",
    "genai_events_otlp.jsonl": "gen-ai-spans",
    "openllmetry_otlp.jsonl": "gen-ai-spans",
    "openllmetry_console.json": "gen-ai-spans",
    "openinference_otlp.jsonl": "openinference",
    "openinference_console.json": "openinference",
    "langsmith.jsonl": "langsmith",
    "langfuse_otlp.jsonl": "langfuse",
}
ELSEWHERE = {"pi", "opencode", "openhands-output", "atif", "tau-bench", "autogen", "ag2", "langgraph"}
"""What test_agent_logs.py reads."""
ONE_CALL_A_TURN = {"swe_agent_calls.traj", "swe_agent_text.traj"}
WITHOUT_REASONING = ONE_CALL_A_TURN | {
    "claude_code_helper.jsonl",
    "genai_otlp.jsonl",
    "genai_console.json",
    "genai_events_otlp.jsonl",
}
WITHOUT_REASONING |= {"openinference_otlp.jsonl", "openinference_console.json", "langfuse_otlp.jsonl"}
WITH_TOOLS = {name for name, known in WRITTEN.items() if known.startswith(("openai-chat", "anthropic", "lang"))}
WITH_TOOLS |= {
    "openai_responses_requests.jsonl",
    *(name for name in WRITTEN if name.endswith(("otlp.jsonl", "console.json"))),
}


def read(name: str) -> Trace:
    (trace,) = read_traces(FILES / name)
    return trace


def results_of(trace: Trace) -> list[str]:
    return [message["content"] for message in trace.messages if message["role"] == "tool"]


each_file: Callable[..., Any] = pytest.mark.parametrize("name", WRITTEN)


@each_file
def test_a_file_is_told_by_its_content(name: str) -> None:
    assert read(name).format == WRITTEN[name]


@each_file
def test_every_result_stands_behind_its_call(name: str) -> None:
    messages = list(read(name).messages)
    while messages:
        message = messages.pop(0)
        for call in message.get("tool_calls", ()):
            result = messages.pop(0)
            assert (result["role"], result["tool_call_id"]) == ("tool", call["id"])


@each_file
def test_results_come_with_their_text(name: str) -> None:
    told = "\n".join(results_of(read(name)))
    assert "Lyness: 80 metres" in told
    assert "Kirkwall: 87 metres" in told


@each_file
def test_the_question_is_the_first_user_message(name: str) -> None:
    first = next(message["content"] for message in read(name).messages if message["role"] == "user")
    assert first == ("Read both pages." if "helper" in name else QUESTION) or first.startswith(
        "Please solve this issue"
    )


@each_file
def test_every_trace_can_be_taken_into_memory(name: str) -> None:
    trace = read(name)
    with MemoryBank(QUESTION) as bank:
        adapter = ContextAdapter(bank, run=trace.id)
        taken = adapter.intercept_context(list(trace.messages))
        assert len(taken.reports) == len(results_of(trace))
        assert adapter.prepare(list(trace.messages))


def test_a_folder_gives_the_traces_of_all_its_files_with_ids_that_differ() -> None:
    traces = list(read_traces(FILES))
    assert {trace.format for trace in traces} == set(WRITTEN.values()) == {known.name for known in FORMATS} - ELSEWHERE
    assert len({trace.id for trace in traces}) == len(traces) == len(WRITTEN)


def test_a_helper_of_claude_code_is_a_trace_of_its_own_named_after_its_session() -> None:
    assert read("claude_code_helper.jsonl").id.startswith(f"{read('claude_code.jsonl').id}/")


def test_what_no_product_wrote_is_called_experimental() -> None:
    assert set(EXPERIMENTAL) == {
        "langfuse",
        *(ELSEWHERE - {"pi", "tau-bench"}),
    }  # these two were tried on published files
