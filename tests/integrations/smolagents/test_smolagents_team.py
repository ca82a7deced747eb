"""A manager and the agents it manages, each with a bank of its own and one they share."""

from __future__ import annotations

import runpy
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from amb_contracts.integration_story import Call, fact, page, task
from amb_core import MemoryBank

pytest.importorskip("smolagents", reason="smolagents is not installed: make test-frameworks")
from smolagents import CodeAgent, ToolCallingAgent

from amb_smolagents import attach, detach

pytestmark = pytest.mark.smolagents
scripted = SimpleNamespace(**runpy.run_path(str(Path(__file__).with_name("smolagents_driver.py"))))
BOTH = pytest.mark.parametrize("kind", [ToolCallingAgent, CodeAgent])


@pytest.fixture
def banks() -> Iterator[tuple[MemoryBank, MemoryBank, MemoryBank]]:
    with MemoryBank(task()) as lead, MemoryBank(task()) as reader, MemoryBank(task()) as shared:
        yield lead, reader, shared


def team(kind: Any, **options: Any) -> tuple[Any, Any, Any, Any]:
    """A manager that fetches page 1, has its reader read page 0, and answers; with both models."""
    fetching = [Call("fetch", {"number": 0}, "call-r0")]
    reader, reader_model = scripted.agent_for(
        scripted.scenario(fetching), kind=kind, name="reader", description="Reads log books.", **options
    )
    turns = [Call("fetch", {"number": 1}, "call-m1")], [Call("reader", {"task": "Read page 0."}, "call-m2")]
    lead, lead_model = scripted.agent_for(scripted.scenario(*turns), kind=kind, managed_agents=[reader])
    return lead, lead_model, reader, reader_model


@pytest.mark.parametrize(("inject", "named"), [("always", "[s"), ("missing", "team step ")])
@BOTH
def test_what_one_agent_finds_is_in_the_next_prompt_of_the_other(
    banks: Any, kind: Any, inject: Any, named: str
) -> None:
    own, readers, shared = banks
    lead, lead_model, _, reader_model = team(kind)
    attach(lead, own, shared=shared, managed={"reader": readers}, inject=inject)
    lead.run(task())
    assert fact(1) in scripted.text(reader_model.seen[0][-1])
    assert fact(0) in scripted.text(lead_model.seen[-1][-1])
    agents = [entry.metadata.get("agent") for entry in shared.snapshot().results if entry.metadata["tool"] == "fetch"]
    assert agents == [None, "reader"]
    assert not own.snapshot().results
    assert not readers.snapshot().results
    assert named in scripted.text(lead_model.seen[-1][-1])


@BOTH
def test_what_is_not_shared_stays_with_the_agent_that_found_it(banks: Any, kind: Any) -> None:
    own, readers, shared = banks
    lead, lead_model, _, reader_model = team(kind)
    attach(lead, own, shared=shared, managed={"reader": readers}, share=lambda result: result.tool == "reader")
    lead.run(task())
    assert [entry.text for entry in readers.snapshot().results] == [page(0)]
    assert page(1) in [entry.text for entry in own.snapshot().results]
    assert [entry.metadata["tool"] for entry in shared.snapshot().results] == ["reader"]
    assert fact(1) not in "".join(map(scripted.text, reader_model.seen[-1]))
    assert fact(0) not in "".join(map(scripted.text, lead_model.seen[-1]))


def test_a_summary_of_a_managed_agents_work_has_no_block_and_is_bounded(banks: Any) -> None:
    own, readers, shared = banks
    lead, _, _, _ = team(ToolCallingAgent, provide_run_summary=True)
    attach(lead, own, shared=shared, managed={"reader": readers})
    lead.run(task())
    report = next(entry.text for entry in shared.snapshot().results if entry.metadata["tool"] == "reader")
    assert "summary_of_work" in report
    assert "memory>" not in report
    assert len(readers.snapshot().injections) == 2


def test_detaching_the_manager_detaches_those_that_were_attached_with_it(banks: Any) -> None:
    own, readers, shared = banks
    lead, _, reader, _ = team(ToolCallingAgent)
    attach(lead, own, shared=shared, managed={"reader": readers})
    detach(reader)
    attach(reader, readers)
    detach(lead)
    assert "deep_retrieval" not in lead.tools
    assert "deep_retrieval" in reader.tools
    detach(reader)
    attach(lead, own, managed={"reader": readers})
    detach(lead)
    assert "deep_retrieval" not in reader.tools
