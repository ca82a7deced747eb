"""Two Pydantic AI agents, one delegating to the other, each with a bank of its own and one they share."""

from __future__ import annotations

import runpy
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from amb_contracts.integration_story import Call, Scenario, fact, keeper_tools, page, task
from amb_core import MemoryBank, Settings, ToolResult
from amb_core.contributor import Contributor, RecallContext

pytest.importorskip("pydantic_ai", reason="Pydantic AI is not installed: make test-frameworks")
from pydantic_ai import Agent, RunContext, __version__

from amb_pydantic_ai import AMBCapability, attach

pytestmark = pytest.mark.pydantic_ai
scripted = SimpleNamespace(**runpy.run_path(str(Path(__file__).with_name("pydantic_ai_driver.py"))))
REQUEST_ONLY = tuple(map(int, __version__.split(".")[:2])) >= (2, 54)


@pytest.fixture
def banks() -> Iterator[tuple[MemoryBank, MemoryBank, MemoryBank]]:
    shared, one, two = (MemoryBank(task(), settings=Settings(inject="always")) for _ in range(3))
    with shared, one, two:
        yield shared, one, two


def _fetched(result: ToolResult) -> bool:
    return result.tool == "fetch"


def _member(*turns: tuple[Call, ...], answer: str) -> tuple[Agent[Any, Any], Any]:
    scenario = Scenario(task(), turns, keeper_tools(), answer=answer)
    script = scripted.Script(scenario)
    return scripted.agent_for(scenario, scripted.model_of(script)), script


async def test_what_a_delegate_shares_is_in_the_next_request_of_the_one_who_asked(banks: Any) -> None:
    shared, one, two = banks
    found = (Call("fetch", {"number": 0}, "call-0"), Call("reading", {"number": 3}, "call-r"))
    delegate, helping = _member(found, answer="The delegate is done.")
    chief, leading = _member((Call("ask", {"what": task()}, "call-ask"),), answer="Led.")

    @chief.tool
    async def ask(ctx: RunContext[Any], what: str) -> str:
        return str((await delegate.run(what, usage=ctx.usage)).output)

    attach(delegate, two, agent="delegate", shared=shared, share=_fetched)
    attach(chief, one, agent="chief", shared=shared, share=_fetched)
    result = await chief.run(task())
    assert result.output == "Led."
    block = leading.requests[1].messages[-1]["content"]
    assert fact(0) in block
    assert "[s" in block
    assert "[p" in helping.requests[1].messages[-1]["content"]
    assert page(0) not in str(leading.requests)
    assert [(entry.text, entry.metadata["agent"]) for entry in shared.snapshot().results] == [(page(0), "delegate")]
    assert [entry.metadata["tool"] for entry in two.snapshot().results] == ["reading"]
    assert [entry.text for entry in one.snapshot().results] == ["The delegate is done."]


class Mate(Contributor):
    """A part in a team whose memory knows one page."""

    team, agent, most_tokens = None, "ann", 0

    def cached_result(self, tool: str, arguments: Any) -> str | None:
        return "The team read page 3 already." if arguments == {"number": 3} else None

    def block(self, context: RecallContext, room: int) -> str:
        return ""


@pytest.mark.skipif(not REQUEST_ONLY, reason="needs 2.54")
async def test_a_search_that_the_team_made_is_answered_from_its_memory() -> None:
    turns = (_fetch(3), _fetch(4))
    scenario = Scenario(task(), turns, keeper_tools(), answer="Read.")
    script, bank = scripted.Script(scenario), MemoryBank(task())
    agent = scripted.agent_for(scenario, scripted.model_of(script), capabilities=[AMBCapability(bank, team=Mate())])
    await agent.run(task())
    assert "The team read page 3 already." in str(script.requests[1].messages)
    assert fact(3) not in str(script.requests)
    assert [entry.text for entry in bank.snapshot().results] == [page(4)], "an answer of the team is not taken in"


def _fetch(number: int) -> tuple[Call, ...]:
    return (Call("fetch", {"number": number}, f"call-{number}"),)
