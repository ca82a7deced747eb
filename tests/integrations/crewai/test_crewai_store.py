"""A bank in the place of CrewAI's own memory."""

from __future__ import annotations

import runpy
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from amb_contracts.integration_story import Call, Scenario, fact, keeper_tools, page, task
from amb_core import InvalidParameter, MemoryBank, UnknownId

pytest.importorskip("crewai", reason="CrewAI is not installed: make test-frameworks")
from crewai import Agent

from amb_crewai import AMBMemory

pytestmark = [pytest.mark.crewai, pytest.mark.filterwarnings("ignore::DeprecationWarning")]
scripted = SimpleNamespace(**runpy.run_path(str(Path(__file__).with_name("crewai_driver.py"))))


@pytest.fixture
def bank() -> Iterator[MemoryBank]:
    with MemoryBank(task()) as opened:
        yield opened


def _answering(*calls: Call, answer: str) -> tuple[Agent, Scenario]:
    scenario = Scenario(task(), tuple((call,) for call in calls), keeper_tools(), answer=answer)
    return scripted.agent_for(scenario, scripted.model_for(scenario)), scenario


def _seen(request: object) -> str:
    return "\n".join(str(message["content"]) for message in request.messages)  # type: ignore[attr-defined]


def test_a_crew_recalls_from_the_bank_and_keeps_each_result_in_it(bank: MemoryBank) -> None:
    bank.read(page(0), source="log")
    agent, scenario = _answering(answer=fact(1))
    scripted.crew_of(agent, scenario, memory=AMBMemory(bank)).kickoff()
    (request,) = agent.llm.requests
    assert fact(0) in _seen(request)
    assert {"search_memory", "save_to_memory"} <= set(request.tools)
    assert [entry.text for entry in bank.snapshot().results] == [page(0), fact(1)]
    assert bank.snapshot().results[1].metadata["source"] == "keeper"


def test_no_model_and_no_embedding_service_is_called_for_it(bank: MemoryBank) -> None:
    agent, scenario = _answering(answer=fact(1))
    kept = AMBMemory(bank)
    scripted.crew_of(agent, scenario, memory=kept).kickoff()
    assert len(agent.llm.requests) == 1
    assert kept._llm_instance is None
    assert kept._embedder_instance is None


def test_its_tools_search_and_save_in_the_bank(bank: MemoryBank) -> None:
    calls = [
        Call("save_to_memory", {"contents": [fact(3)]}, "call-s"),
        Call("search_memory", {"queries": ["Dunmore lighthouse"]}, "call-q"),
    ]
    agent, scenario = _answering(*calls, answer="Done.")
    scripted.crew_of(agent, scenario, memory=AMBMemory(bank)).kickoff()
    assert "Saved to memory" in _seen(agent.llm.requests[1])
    assert fact(3) in str(agent.llm.requests[2].messages[-1]["content"])


def test_matches_come_best_first_with_a_score_and_a_reason(bank: MemoryBank) -> None:
    kept = AMBMemory(bank)
    kept.remember_many([fact(number) for number in range(4)])
    matches = kept.recall("How high were the waves at Ness?", limit=2)
    assert len(matches) == 2
    assert fact(2) in matches[0].record.content
    assert matches[0].score >= matches[1].score
    assert matches[0].match_reasons
    assert kept.recall("  ") == []


def test_what_it_holds_is_listed_newest_first_and_forgotten_by_id(bank: MemoryBank) -> None:
    kept = AMBMemory(bank)
    kept.remember_many([fact(0), fact(1)])
    records = kept.list_records()
    assert [record.content for record in records] == [fact(1), fact(0)]
    assert kept.forget(record_ids=[records[0].id]) == 1
    assert [record.content for record in kept.list_records()] == [fact(0)]
    assert kept.tree() == "/ (1 records)"
    with pytest.raises(UnknownId):
        kept.forget(record_ids=["e99"])


def test_what_a_bank_does_not_do_is_refused_with_what_to_do_instead(bank: MemoryBank) -> None:
    kept = AMBMemory(bank)
    for refused in (kept.forget, kept.reset, kept.reset_all, lambda: kept.update("e1", content="x")):
        with pytest.raises(InvalidParameter, match="a bank"):
            refused()


def test_a_read_only_memory_keeps_nothing(bank: MemoryBank) -> None:
    agent, scenario = _answering(answer=fact(1))
    kept = AMBMemory(bank, read_only=True)
    scripted.crew_of(agent, scenario, memory=kept).kickoff()
    assert kept.remember(fact(1)) is None
    assert "save_to_memory" not in agent.llm.requests[0].tools
    assert not bank.snapshot().results
