"""Notes of what an adapter takes in are made when somebody asks for them, and are the same as if made at once."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from amb_agents import local_agents
from amb_core import ContextAdapter, MemoryBank, Settings, StepResult, ToolResult
from amb_core.models import EntryState
from amb_core.protocols import Agents
from amb_redaction import PatternRedactor

PLACES = ("Skagen", "Lyness", "Oban", "Calder", "Birkdale")
GOAL = "How high are the lighthouses?"


def results(many: int = 50) -> list[ToolResult]:
    """Prose, data, a record that changes, and texts that come twice."""
    found = []
    for n in range(many):
        place, call = PLACES[n % 5], f"c{n}"
        if n % 5 == 0:
            text = (
                f"The lighthouse of {place} was lit in {1850 + n // 10}. It stands {40 + n // 10} metres above the sea."
            )
        elif n % 5 == 1:
            text = json.dumps(
                {"order_id": f"O{n % 10}", "place": place, "status": ("open", "sent", "paid")[n // 10 % 3]}
            )
        elif n % 5 == 2:
            text = "The harbour master keeps the book of the tides. He writes at dawn."
        else:
            text = f"## Keepers of {place}\n\nKeeper {n} is Ada Berg.\n\n灯塔 {n} 高 {n} 米。"
        found.append(ToolResult(tool="read", arguments={"page": n % 20}, output=text, call_id=call))
    return found


def told(bank: MemoryBank) -> tuple[object, ...]:
    """All that is noted, but for times."""
    nodes = [(n.id, n.summary, n.context, n.keywords, n.links, n.sources) for n in bank.nodes]
    conflicts = [(c.id, c.node_ids, c.values) for c in bank.conflicts]
    done = [(d.entry_id, d.state, d.node_ids, d.repeat_of) for d in bank.snapshot().digestions]
    return nodes, conflicts, done


def eagerly(many: int = 50) -> tuple[object, ...]:
    with MemoryBank(GOAL, settings=Settings(digests="eager")) as bank:
        ContextAdapter(bank).absorb(results(many))
        return told(bank)


def states(bank: MemoryBank) -> set[EntryState]:
    """What became of the entries so far; asks for no notes."""
    return {bank._parts.state.tree.digestions[name].state for name in bank._parts.state.tree.digestions}


def talk(many: int) -> list[dict[str, object]]:
    messages: list[dict[str, object]] = [{"role": "user", "content": GOAL}]
    for one in results(many):
        call = {"name": one.tool, "arguments": json.dumps(one.arguments)}
        messages.append({"role": "assistant", "content": None, "tool_calls": [{"id": one.call_id, "function": call}]})
        messages.append({"role": "tool", "tool_call_id": one.call_id, "content": one.output})
    return messages


def test_fifty_results_make_no_note_until_asked_and_then_the_same_as_at_once() -> None:
    with MemoryBank(GOAL) as bank:
        adapter = ContextAdapter(bank)
        assert all(report.pending and not report.node_ids for report in adapter.absorb(results()).reports)
        assert states(bank) == {EntryState.RAW}
        assert told(bank) == eagerly()


def test_requests_that_lose_results_and_steps_that_are_opened_ask_for_no_notes() -> None:
    settings = Settings(prompt_budget_tokens=1_200)
    with MemoryBank(GOAL, settings=settings) as bank:
        adapter = ContextAdapter(bank)
        request: list[dict[str, object]] = []
        for many in range(5, 51, 5):
            request = adapter.next_request(talk(many), tools=adapter.memory_tools())
        sent = "\n".join(str(message["content"]) for message in request)
        assert "no longer shown" in sent
        assert "<memory>" in sent
        assert 'deep_retrieval("step 1")' in sent
        assert "was lit in 1850" in adapter.deep_retrieval("step 1")
        assert bank.recall("What did step 2 bring?").receipts
        assert len(bank._parts.state.graph) == 0


ASKS: dict[str, Callable[[MemoryBank], object]] = {
    "nodes": lambda bank: bank.nodes,
    "conflicts": lambda bank: bank.conflicts,
    "size": lambda bank: bank.size,
    "enhance": lambda bank: bank.host.enhance(),
    "plan": lambda bank: bank.plan(),
    "snapshot": lambda bank: bank.snapshot(),
    "flush": lambda bank: bank.host.flush(),
    "a step": lambda bank: bank.host.begin_step(),
    "the end of a step": lambda bank: bank.host.finish_step(StepResult(text="Done.")),
    "a note": lambda bank: bank.host.deep_retrieval("n1"),
    "the notes of a call": lambda bank: bank.host.nodes_of("c0"),
    "what is absorbed by hand": lambda bank: bank.absorb(ToolResult(tool="look", output="Gulls are loud.")),
}


@pytest.mark.parametrize("asked", ASKS)
def test_whoever_asks_for_notes_gets_those_of_all_that_came_in(asked: str) -> None:
    with MemoryBank(GOAL) as bank:
        ContextAdapter(bank).absorb(results(5))
        ASKS[asked](bank)
        assert {name: d.node_ids for name, d in bank._parts.state.tree.digestions.items() if int(name[1:]) <= 5} == {
            entry_id: node_ids
            for entry_id, _, node_ids, _ in eagerly(5)[2]  # type: ignore[attr-defined]
        }


def test_what_comes_in_while_steps_run_or_a_model_works_is_noted_at_once() -> None:
    with MemoryBank(GOAL) as bank:
        adapter = ContextAdapter(bank)
        bank.host.begin_step()
        assert all(report.node_ids for report in adapter.absorb(results(1)).reports)

    class Own:
        def classify(self, request: object) -> object:
            return local.classification.classify(request)  # type: ignore[arg-type]

    local = local_agents()
    with MemoryBank(GOAL, agents=Agents(**{**vars_of(local), "classification": Own()})) as bank:
        assert all(report.node_ids for report in ContextAdapter(bank).absorb(results(1)).reports)


def vars_of(agents: Agents) -> dict[str, object]:
    return {name: getattr(agents, name) for name in ("structure", "analysis", "integration", "planning")}


_CHILD = """
import os, sys
from amb_core import ContextAdapter, MemoryBank
sys.path.insert(0, sys.argv[2])
from test_notes_when_asked import GOAL, results
adapter = ContextAdapter(MemoryBank(GOAL, store=sys.argv[1]))
adapter.absorb(results())
os.kill(os.getpid(), 9)
"""


@pytest.mark.sampled(2)
@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL on Windows")
@pytest.mark.parametrize("scheme", ["sqlite:///{}/bank.db", "json:///{}/bank"])
def test_a_process_that_is_killed_leaves_the_notes_to_whoever_opens_the_bank(scheme: str, tmp_path: Path) -> None:
    url = scheme.format(tmp_path)
    here = str(Path(__file__).parent)
    killed = subprocess.run([sys.executable, "-c", _CHILD, url, here], env=dict(os.environ), check=False)
    assert killed.returncode == -signal.SIGKILL
    with MemoryBank.resume(url) as bank:
        assert states(bank) == {EntryState.RAW}
        assert told(bank) == eagerly()


def test_closing_makes_no_notes_and_the_next_opening_has_them_when_asked(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/bank.db"
    with MemoryBank(GOAL, store=url) as bank:
        ContextAdapter(bank).absorb(results())
    assert states(bank) == {EntryState.RAW}
    with MemoryBank.resume(url) as again:
        assert again.recall("Which step spoke of order O1?").text
        assert states(again) == {EntryState.RAW}
        assert told(again) == eagerly()


@pytest.mark.parametrize("asked_first", [False, True])
def test_forgetting_leaves_no_byte_of_a_text_and_of_what_repeats_it(asked_first: bool, tmp_path: Path) -> None:
    secret = "The harbour master hides the key under stone Quartz-77. Nobody else knows of stone Quartz-77."
    with MemoryBank(GOAL, store=f"sqlite:///{tmp_path}/bank.db") as bank:
        adapter = ContextAdapter(bank)
        adapter.absorb(results(4))
        for call in ("x1", "x2"):
            adapter.absorb([ToolResult(tool=f"look_{call}", output=secret, call_id=call)])
        if asked_first:
            assert bank.nodes
        bank.forget("e5")
        assert "Quartz-77" not in bank.open("step 1") + str(bank.snapshot())
        assert len(bank.nodes) > 3
    assert [file.name for file in tmp_path.rglob("*") if file.is_file() and b"Quartz-77" in file.read_bytes()] == []


def test_a_redactor_works_before_anything_waits(tmp_path: Path) -> None:
    with MemoryBank(GOAL, store=f"sqlite:///{tmp_path}/b.db", redactor=PatternRedactor()) as bank:
        ContextAdapter(bank).absorb([ToolResult(tool="look", output="Write to ada.berg@example.com today.")])
        assert states(bank) == {EntryState.RAW}
    assert [file.name for file in tmp_path.rglob("*") if file.is_file() and b"ada.berg" in file.read_bytes()] == []


def test_what_a_receipt_without_a_note_stands_for_is_read_as_it_was_shown() -> None:
    with MemoryBank(GOAL) as bank:
        ContextAdapter(bank).absorb(results(10))
        block = bank.recall("What did step 2 bring?")
        shown = [bank.open(receipt) for receipt in block.receipts if receipt.node_id == "e2"]
        assert '"order_id": "O1"' in "\n".join(shown)
        assert states(bank) == {EntryState.RAW}
