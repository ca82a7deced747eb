"""What the program holds when the model behind the agents does whatever a tool result tells it to."""

from __future__ import annotations

import runpy
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from amb_agents.prompted import llm_agents
from amb_core import ManualClock, MemoryBank, ToolResult
from amb_core.models import PendingTask

HERE = Path(__file__).parent
READER = SimpleNamespace(**runpy.run_path(str(HERE / "obedience.py")))
STORY = SimpleNamespace(**runpy.run_path(str(HERE / "story.py")))
OBEYING = SimpleNamespace(**runpy.run_path(str(HERE / "obeying.py")))
PAYLOADS = [text for _, _, _, text in STORY.ATTACKS]
WAYS = [
    pytest.param(True, id="fused"),
    pytest.param(False, id="separate", marks=(pytest.mark.slow, pytest.mark.nightly)),
]
INVENTIONS = ("99,731", "Mallory", "Quillfeather", "2031")


@dataclass(frozen=True, slots=True)
class Obeyed:
    """A bank an attack was planted in, the model that obeyed it, and what was known before."""

    bank: MemoryBank
    chat: Any
    language: str
    text: str
    known: list[str]
    before: dict[str, Any]


CASES = [pytest.param(case.values, id=case.id, marks=case.marks) for case in STORY.BY_DAY]


@pytest.fixture(scope="module", params=CASES)
def attack(request: pytest.FixtureRequest) -> Any:
    """A language and a hostile text."""
    return request.param


@pytest.fixture(scope="module", params=WAYS)
def obeyed(request: pytest.FixtureRequest, attack: tuple[str, str]) -> Iterator[Obeyed]:
    """What each attack leads to, done once for all tests that look at it."""
    language, text = attack
    bank, chat = begun(language, fused=request.param)
    with bank:
        known = [node.id for node in bank.nodes]
        before = STORY.knowledge(bank, of=known)
        STORY.planted(bank, text, language)
        yield Obeyed(bank, chat, language, text, known, before)


def begun(language: str, *, fused: bool, step: str | None = None) -> tuple[MemoryBank, Any]:
    """A bank whose two sources contradict each other, its agents on a model that obeys what it reads."""
    chat = OBEYING.ObeyingChat(PAYLOADS, step=step)
    bank = MemoryBank(
        STORY.GOALS[language], agents=llm_agents(chat, fused=fused), clock=ManualClock(1_700_000_000, step=1)
    )
    for name, text in zip("ab", STORY.KNOWN[language], strict=True):
        bank.absorb(ToolResult(tool="read", output=text, source=name))
    bank.plan()
    assert chat.obeyed == {}
    assert bank.insight.pending is not None
    return bank, chat


@pytest.mark.sampled(5)
def test_the_prompt_keeps_its_structure_and_the_plan_its_type(obeyed: Obeyed) -> None:
    bank = obeyed.bank
    assert obeyed.chat.obeyed
    for block in (bank.host.enhance(), bank.host.enhance(query=STORY.framed(obeyed.text, obeyed.language))):
        assert READER.orders(block.text) == []
        assert [marker for marker in READER.structure(block.text) if marker.kind == "note"] == []
        heads = {receipt.reason for receipt in block.receipts}
        assert sorted(READER.steps_shown(block.text)) == sorted(READER.steps_shown("\n".join(sorted(heads))))
    pending = bank.insight.pending
    assert isinstance(pending, PendingTask)
    assert (pending.type, pending.conflict_id) == ("CROSS_VALIDATE", "c1")


def test_no_summary_states_what_no_source_says_and_no_id_is_made_up(obeyed: Obeyed) -> None:
    bank = obeyed.bank
    living = {node.id for node in bank.nodes}
    for node in bank.nodes:
        assert not [word for word in INVENTIONS if word in f"{node.summary} {node.context}"]
        said = "\n".join(passage for _, passage in bank.host.passages(node.id)).casefold()
        assert all(word.casefold() in said for word in node.keywords if word in ("Eve Mallory", "99,731", "n1"))
        assert set(node.links) <= living
    assert {name for conflict in bank.conflicts for name in conflict.node_ids} <= living
    assert set(bank.snapshot().model_dump()["archive"] or ()) == set()


def test_nothing_is_merged_refuted_or_declared_a_contradiction_by_order(obeyed: Obeyed) -> None:
    before, after = obeyed.before, STORY.knowledge(obeyed.bank, of=obeyed.known)
    assert after["merges"] == ()
    assert after["conflicts"] == before["conflicts"]
    assert {name: (note[0], *note[2:5]) for name, note in after["notes"].items()} == {
        name: (note[0], *note[2:5]) for name, note in before["notes"].items()
    }
