"""The writes bench: what it counts agrees with the receipts, and a repeat costs nothing; no data set is needed."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from amb_bench.benches import BenchOptions
from amb_bench.doubles.local_chat import LocalChatModel
from amb_bench.writes_amb import AmbRun, Cost, Write, bank_with, goal_met, prepared, run_writes
from amb_bench.writes_bench import tables
from amb_bench.writes_conflicts import found_conflicts
from amb_bench.writes_endpoint import CountingEndpoint, answered_by
from amb_bench.writes_figures import by_role, cost_row, peer_row, planning_row
from amb_bench.writes_peer_answers import PeerAnswers
from amb_bench.writes_peers import PEERS, PeerRun, run_peer
from amb_bench.writes_texts import Output, Planted

from amb_agents.prompted import llm_agents
from amb_chat import OpenAIChatModel
from amb_chat.retries import RetryPolicy
from amb_core.errors import InvalidParameter

pytest.importorskip("openai", reason="the endpoint is asked with the package openai")

HARBOUR = (
    "Karsholm Harbour\nKarsholm Harbour was opened in 1931. Its northern pier is 420 metres long and made of granite."
)
MILL = (
    "Oakberg Mill\nOakberg Mill is a water mill in the valley of Oakberg. It was built by Anna Bergson and grinds rye."
)
CHINESE = "海州港是位于东海岸的港口，于1931年启用。海州港的北码头长420米，由花岗岩建成，每年接待三百艘船。"
TEXTS = (Output(HARBOUR, "a", "northern pier of granite"), Output(CHINESE, "b", "北码头长420米"))


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


@pytest.mark.parametrize(
    ("tokens", "calls", "prompt", "met"),
    [(100, 1, 1_750, True), (100, 1, 1_751, False), (1_000, 1, 4_000, True), (1_000, 2, 10, False), (9, 0, 0, True)],
)
def test_the_goal_is_one_call_and_two_and_a_half_times_the_input_and_1500(
    tokens: int, calls: int, prompt: int, met: bool
) -> None:
    assert goal_met(Write(tokens, Cost(calls=calls, prompt=prompt), True)) is met


# --- texts -----------------------------------------------------------------------------------------------------------


def test_planted_contradictions_are_found_with_and_without_a_model(endpoint: CountingEndpoint) -> None:
    longer = HARBOUR.replace("420", "380")
    pairs = [Planted(Output(HARBOUR, "a", ""), Output(f"{longer}\n\n{MILL}", "b", ""), "number")]
    for agents in (None, llm_agents(chat_at(endpoint)), llm_agents(chat_at(endpoint), fused=False)):
        assert found_conflicts(pairs, "hotpotqa", agents).found == 1


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


# --- the tables ------------------------------------------------------------------------------------------------------


def test_rows_have_a_value_for_every_column(endpoint: CountingEndpoint) -> None:
    run = run_at(endpoint, fused=True)
    assert len(cost_row("AMB", [run])) == len(peer_row("mem0", PeerRun(problem="gone"))) == 10
    assert planning_row("AMB", [run])[2] == 1.0
    assert {str(row[0]) for row in by_role("AMB", [run])} == {"AMB: digest", "AMB: planning"}


def test_an_unknown_part_is_refused_with_those_there_are() -> None:
    with pytest.raises(InvalidParameter, match="conflicts"):
        list(tables(BenchOptions(only=("everything",))))
