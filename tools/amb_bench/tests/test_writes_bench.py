"""The writes bench: what it counts agrees with the receipts, and a repeat costs nothing; no data set is needed."""

from __future__ import annotations

import json
import os
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from amb_bench.benches import BenchOptions
from amb_bench.datasets import Passage, Sample
from amb_bench.doubles.local_chat import LocalChatModel
from amb_bench.writes_amb import AmbRun, Cost, Write, bank_with, goal_met, prepared, run_writes
from amb_bench.writes_bench import tables
from amb_bench.writes_conflicts import found_conflicts
from amb_bench.writes_endpoint import CountingEndpoint, answered_by, passed_on
from amb_bench.writes_figures import by_role, cost_row, peer_row, planning_row, prefixes
from amb_bench.writes_peer_answers import PeerAnswers
from amb_bench.writes_peers import PEERS, PeerRun, run_peer
from amb_bench.writes_texts import Output, Planted, early_notes, outputs, planted, sample_of
from amb_bench.writes_tokens import TokenCounter, token_counter

from amb_agents.prompted import llm_agents
from amb_chat import OpenAIChatModel, ScriptedChatModel
from amb_chat.retries import RetryPolicy
from amb_core.chat_io import ChatRequest
from amb_core.errors import InvalidParameter, ModelUnavailable

pytest.importorskip("openai", reason="the endpoint is asked with the package openai")

HARBOUR = (
    "Karsholm Harbour\nKarsholm Harbour was opened in 1931. Its northern pier is 420 metres long and made of granite."
)
MILL = (
    "Oakberg Mill\nOakberg Mill is a water mill in the valley of Oakberg. It was built by Anna Bergson and grinds rye."
)
CHINESE = "海州港是位于东海岸的港口，于1931年启用。海州港的北码头长420米，由花岗岩建成，每年接待三百艘船。"
TEXTS = (Output(HARBOUR, "a", "northern pier of granite"), Output(CHINESE, "b", "北码头长420米"))
SAMPLE = Sample("made up", tuple(Passage(str(at), f"{HARBOUR} {at}", "made up") for at in range(30)), ())


@pytest.fixture
def endpoint() -> Iterator[CountingEndpoint]:
    with CountingEndpoint(answered_by(LocalChatModel())) as opened:
        yield opened


def chat_at(endpoint: CountingEndpoint) -> OpenAIChatModel:
    retries = RetryPolicy(attempts=2, first_wait=0.01)
    return OpenAIChatModel("local", base_url=endpoint.url, api_key="none", retries=retries)


def run_at(endpoint: CountingEndpoint, *, fused: bool | None, wait: bool = True) -> AmbRun:
    agents = None if fused is None else llm_agents(chat_at(endpoint), fused=fused)
    with prepared("hotpotqa", [Output(MILL, "m", "")], at_least=1) as file, bank_with(file, agents) as bank:
        return run_writes(bank, TEXTS, endpoint, wait=wait)


def asked(endpoint: CountingEndpoint, path: str, body: Mapping[str, Any]) -> dict[str, Any]:
    request = urllib.request.Request(f"{endpoint.url}{path}", json.dumps(body).encode())
    with urllib.request.urlopen(request, timeout=10) as response:
        answer: dict[str, Any] = json.load(response)
    return answer


# --- what a write costs ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("fused", "wait"), [(True, True), (True, False), (False, True)])
def test_receipts_agree_with_what_the_server_counted(endpoint: CountingEndpoint, fused: bool, wait: bool) -> None:
    run = run_at(endpoint, fused=fused, wait=wait)
    assert run.exact
    assert run.billed
    assert run.usage.calls == len(endpoint.exchanges) > 0


@pytest.mark.parametrize("fused", [True, False, None])
def test_a_repeat_costs_nothing_and_a_novel_text_is_found_at_once(
    endpoint: CountingEndpoint, fused: bool | None
) -> None:
    run = run_at(endpoint, fused=fused)
    assert [cost.calls for cost in run.repeats] == [0, 0]
    assert all(write.searchable for write in run.writes)


def test_a_fused_digest_is_one_call_and_separate_roles_are_several(endpoint: CountingEndpoint) -> None:
    assert [write.cost.calls for write in run_at(endpoint, fused=True).writes] == [1, 1]
    assert sum(write.cost.calls for write in run_at(endpoint, fused=False).writes) > 2


def test_without_a_model_nothing_is_asked(endpoint: CountingEndpoint) -> None:
    assert run_at(endpoint, fused=None).exact
    assert not endpoint.exchanges


def test_receipts_count_requests_that_failed() -> None:
    failing = ScriptedChatModel(lambda request: ModelUnavailable("gone"))
    with CountingEndpoint(answered_by(failing)) as endpoint:
        run = run_at(endpoint, fused=True)
    assert run.exact
    assert run.usage.calls == 0
    assert run.usage.failed_calls == len(endpoint.exchanges) > 0


def test_planning_is_counted_apart_from_the_write(endpoint: CountingEndpoint) -> None:
    run = run_at(endpoint, fused=True)
    assert run.roles["planning"].calls == sum(cost.calls for cost in run.plans) > 0


@pytest.mark.parametrize(
    ("tokens", "calls", "prompt", "met"),
    [(100, 1, 1_750, True), (100, 1, 1_751, False), (1_000, 1, 4_000, True), (1_000, 2, 10, False), (9, 0, 0, True)],
)
def test_the_goal_is_one_call_and_two_and_a_half_times_the_input_and_1500(
    tokens: int, calls: int, prompt: int, met: bool
) -> None:
    assert goal_met(Write(tokens, Cost(calls=calls, prompt=prompt), True)) is met


# --- the endpoint ----------------------------------------------------------------------------------------------------


def test_tokens_of_messages_schema_and_tools_are_counted() -> None:
    counter = TokenCounter("words", lambda text: len(text.split()))
    body = {
        "messages": [{"role": "user", "content": "one two three"}],
        "tools": [{"type": "function"}],
        "response_format": {"type": "json_schema", "json_schema": {"name": "x"}},
    }
    assert counter.schema(body) == 2
    assert counter.prompt(body) == 3 + 3 + 3 + 2


def test_the_counter_says_what_it_counts_by() -> None:
    assert token_counter().name in ("tiktoken o200k", "AMB's estimate of o200k")
    assert 2 <= token_counter().count("two words") <= 3


def test_embeddings_are_vectors_of_the_wanted_length_and_no_chat(endpoint: CountingEndpoint) -> None:
    answer = asked(endpoint, "/embeddings", {"input": ["a harbour", "一座港口"], "dimensions": 64})
    assert [len(row["embedding"]) for row in answer["data"]] == [64, 64]
    assert [one.embedding for one in endpoint.exchanges] == [True]


def test_what_it_does_not_know_is_refused(endpoint: CountingEndpoint) -> None:
    with pytest.raises(urllib.error.HTTPError, match="404"):
        asked(endpoint, "/images", {})


def test_requests_can_be_passed_on_and_count_as_the_other_endpoint_counts(endpoint: CountingEndpoint) -> None:
    with CountingEndpoint(passed_on(endpoint.url, api_key="k")) as passing:
        run = run_at(passing, fused=True)
    assert run.exact
    assert [one.prompt_tokens for one in passing.exchanges] == [one.prompt_tokens for one in endpoint.exchanges]


def test_a_refusal_of_the_other_endpoint_comes_back_as_it_is() -> None:
    with CountingEndpoint(passed_on("http://127.0.0.1:9/v1")) as passing:
        run = run_at(passing, fused=True)
    assert run.exact
    assert {one.status for one in passing.exchanges} == {500}


# --- texts -----------------------------------------------------------------------------------------------------------


def test_outputs_have_the_size_asked_for_and_share_no_passage() -> None:
    first, second = outputs(SAMPLE, name="hotpotqa", size=120, count=2)
    assert first.probe in first.text
    assert not set(first.text.split("\n\n")[:-1]) & set(second.text.split("\n\n")[:-1])
    assert len(early_notes(SAMPLE, name="hotpotqa", count=3)) == 3


def test_planted_contradictions_are_found_with_and_without_a_model(endpoint: CountingEndpoint) -> None:
    longer = HARBOUR.replace("420", "380")
    pairs = [Planted(Output(HARBOUR, "a", ""), Output(f"{longer}\n\n{MILL}", "b", ""), "number")]
    for agents in (None, llm_agents(chat_at(endpoint)), llm_agents(chat_at(endpoint), fused=False)):
        assert found_conflicts(pairs, "hotpotqa", agents).found == 1


@pytest.mark.skipif("AMB_DATA" not in os.environ, reason="needs the data sets (AMB_DATA)")
@pytest.mark.parametrize("name", ["hotpotqa", "cmrc"])
def test_planted_pairs_come_from_different_passages(name: str) -> None:
    found = planted(sample_of(name, folder=None), name=name, count=5)
    assert len({pair.first.text for pair in found}) == len(found) == 5


# --- peers -----------------------------------------------------------------------------------------------------------


def test_a_peer_that_is_not_installed_gives_a_row_that_says_so(
    endpoint: CountingEndpoint, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("AMB_BENCH_PYTHON_A_MEM", str(tmp_path / "no python"))
    run = run_peer("A-MEM", TEXTS, endpoint, tell=PeerAnswers().tell)
    assert "pip install a-mem" in str(peer_row("A-MEM", run)[-1])


@pytest.mark.nightly
@pytest.mark.parametrize("name", PEERS)
def test_a_peer_is_measured_or_its_row_says_why_not(name: str) -> None:
    answers = PeerAnswers()
    with CountingEndpoint(answered_by(answers)) as endpoint:
        run = run_peer(name, TEXTS[:1], endpoint, tell=answers.tell, timeout=60)
    assert run.problem or len(run.writes) == 1


def test_what_a_peer_asks_only_in_the_end_is_shared_among_its_writes() -> None:
    write = Write(100, Cost(calls=1, prompt=50), False)
    row = peer_row("mem0", PeerRun(writes=[write, write], repeats=[], late=Cost(calls=2, prompt=100)))
    assert row[2:4] == (2.0, 100.0)


def test_peers_get_answers_that_fit_their_schema() -> None:
    answers = PeerAnswers()
    fact = answers.tell(HARBOUR)
    person = {"type": "object", "properties": {"name": {"type": "string"}, "age": {"type": "integer"}}}
    schema = {
        "type": "object",
        "properties": {"people": {"type": "array", "items": {"$ref": "#/$defs/P"}}, "kind": {"enum": ["a", "b"]}},
        "$defs": {"P": person},
    }
    found = json.loads(answers.complete(ChatRequest(messages=(), schema=schema)).text)
    assert found["kind"] == "a"
    assert all(set(one) == {"name", "age"} and one["age"] == 0 for one in found["people"])
    told = json.loads(answers.complete(ChatRequest(messages=())).text)
    assert fact in [one["text"] for one in told["memory"]]


def test_peers_that_call_tools_get_a_call_for_each_fact() -> None:
    answers = PeerAnswers()
    answers.tell(HARBOUR)
    memory = {"type": "object", "properties": {"content": {"type": "string"}}}
    tools = tuple(
        {"type": "function", "function": {"name": name, "parameters": memory}} for name in ("PatchDoc", "Memory")
    )
    calls = answers.complete(ChatRequest(messages=(), tools=tools)).tool_calls
    assert {call.name for call in calls} == {"Memory"}
    assert all(json.loads(call.arguments)["content"] for call in calls)


# --- the tables ------------------------------------------------------------------------------------------------------


def test_rows_have_a_value_for_every_column(endpoint: CountingEndpoint) -> None:
    run = run_at(endpoint, fused=True)
    assert len(cost_row("AMB", [run])) == len(peer_row("mem0", PeerRun(problem="gone"))) == 10
    assert planning_row("AMB", [run])[2] == 1.0
    assert {str(row[0]) for row in by_role("AMB", [run])} == {"AMB: digest", "AMB: planning"}


def test_the_static_part_of_a_prompt_is_what_all_requests_of_a_role_begin_with(endpoint: CountingEndpoint) -> None:
    run_at(endpoint, fused=True)
    rows = {str(row[0]): row for row in prefixes(endpoint.exchanges, endpoint.counter).rows}
    assert 0 < float(rows["digest, en"][5]) < 1
    assert float(rows["digest, en"][2]) > 300


def test_an_unknown_part_is_refused_with_those_there_are() -> None:
    with pytest.raises(InvalidParameter, match="conflicts"):
        list(tables(BenchOptions(only=("everything",))))


def test_a_model_without_an_endpoint_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LLM_BASE_URL", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(InvalidParameter, match="--base-url"):
        list(tables(BenchOptions(model="some-model", only=("amb",))))


def test_published_figures_are_named_as_such() -> None:
    [table] = tables(BenchOptions(only=("published",)))
    assert "published" in table.title
