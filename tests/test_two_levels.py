"""An agent of a team: its own bank and the shared one in one block, each note kept once and named by its bank."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from amb_core import (
    ContextAdapter,
    ManualClock,
    MemoryBank,
    Settings,
    StepResult,
    ToolResult,
)
from amb_core.text import estimate_tokens

QUAY, MILL, SECRET = (
    "The quay of Lyness is 80 metres long.",
    "The mill of Orphir has two stones.",
    "The password of the quay master is gull.",
)


def result(text: str, call: str, tool: str = "read") -> ToolResult:
    return ToolResult(tool=tool, output=text, source=call, call_id=call)


def bank(goal: str = "How long is the quay?") -> MemoryBank:
    settings = Settings(prompt_budget_tokens=8_000)
    return MemoryBank(goal, settings=settings, clock=ManualClock(1_700_000_000, step=1))


@pytest.fixture
def team():
    with bank("What does the harbour need?") as shared, bank() as one, bank("Who mills?") as two:
        kept = {"share": lambda found: found.tool != "diary", "shared": shared}
        yield shared, ContextAdapter(one, agent="ada", **kept), ContextAdapter(two, agent="bea", **kept)


def test_what_one_agent_finds_is_in_the_next_prompt_of_the_other(team):
    shared, ada, bea = team
    ada.absorb([result(QUAY, "c1")])
    block = bea.block(query="How long is the quay?")
    assert "[s1]" in block.text
    assert "80 metres" in block.text
    assert [entry.metadata["agent"] for entry in shared.snapshot().entries] == ["ada"]


def test_what_is_not_shared_is_seen_by_its_own_agent_only(team):
    shared, ada, bea = team
    ada.absorb([result(SECRET, "c1", tool="diary"), result(QUAY, "c2")])
    assert "[p1]" in ada.block(query="password of the quay master").text
    assert "gull" not in bea.block(query="password of the quay master").text
    assert [len(one.nodes) for one in (shared, ada.bank, bea.bank)] == [1, 1, 0]


@pytest.mark.parametrize("as_step", [False, True])
def test_what_one_agent_kept_to_itself_does_not_reach_the_team_by_a_mate_who_is_handed_its_history(team, as_step):
    shared, ada, bea = team
    secret = result(SECRET, "c1", tool="diary")
    ada.intercept_context(StepResult(tool_results=(secret,)) if as_step else secret)
    everything = ContextAdapter(bea.bank, agent="bea", shared=shared)
    everything.absorb([secret, result(QUAY, "c2")])
    assert "gull" not in shared.recall("password of the quay master").text
    assert [len(one.nodes) for one in (shared, ada.bank, bea.bank)] == [1, 1, 1]


def test_what_a_mate_finds_in_the_same_place_itself_is_its_own_finding(team):
    shared, ada, bea = team
    ada.absorb([result(SECRET, "c1", tool="diary")])
    everything = ContextAdapter(bea.bank, agent="bea", shared=shared)
    everything.absorb([result(SECRET, "c2", tool="diary")])
    assert len(shared.nodes) == 1


@pytest.mark.slow
def test_both_levels_compete_for_one_budget(team):
    _, ada, _ = team
    many = [
        result(f"Shed {n} of the quay holds {n}7 crates of nails.", f"c{n}", ("read", "diary")[n % 2])
        for n in range(60)
    ]
    ada.absorb(many)
    block = ada.block(query="crates of nails in the sheds of the quay")
    letters = {receipt.node_id[0] for receipt in block.receipts}
    assert letters == {"p", "s"}
    assert estimate_tokens(block.text) <= ada.bank.settings.block_tokens


def test_deep_retrieval_opens_a_note_by_the_letter_of_its_bank(team):
    _, ada, bea = team
    ada.absorb([result(SECRET, "c1", tool="diary"), result(QUAY, "c2")])
    assert "gull" in ada.deep_retrieval("p1")
    assert "80 metres" in ada.deep_retrieval("[s1]")
    assert "80 metres" in bea.deep_retrieval("s1")
    answer = bea.deep_retrieval("n1")
    assert "p1" in answer
    assert "s1" in answer
    assert "gull" not in bea.deep_retrieval("p1")


def test_old_results_give_way_to_references_with_the_letter(team):
    _, ada, _ = team
    messages = [{"role": "user", "content": "go"}]
    for n in range(8):
        call = {"id": f"c{n}", "type": "function", "function": {"name": "read", "arguments": "{}"}}
        text = f"Shed {n} holds {n}7 crates of nails. " * 150
        messages += [
            {"role": "assistant", "content": "", "tool_calls": [call]},
            {"role": "tool", "tool_call_id": f"c{n}", "name": "read", "content": text},
        ]
        ada.intercept_context(messages)
    shown = "\n".join(str(message["content"]) for message in ada.condense(messages))
    assert "team step 1" in shown
    assert "(step 1" not in shown


@pytest.mark.slow
def test_agents_of_a_team_may_work_at_the_same_time(team):
    shared, ada, bea = team

    def work(adapter: ContextAdapter, name: str) -> None:
        for n in range(20):
            adapter.absorb([result(f"Pier {n} of {name} is {n}7 metres long.", f"{name}{n}")])
            adapter.block(query=f"pier {n}")

    with ThreadPoolExecutor(2) as pool:
        for done in [pool.submit(work, ada, "Lyness"), pool.submit(work, bea, "Orphir")]:
            done.result(timeout=60)
    assert len(shared.nodes) == 40
    assert ada.failures == bea.failures == {}
