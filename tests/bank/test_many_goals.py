"""A bank that is asked hundreds of questions keeps every one of them, and no step writes the earlier ones again."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from amb_core import MemoryBank, StepResult, ToolResult
from amb_core.protocols import Record
from amb_core.stores import InMemoryStore, open_store

MANY = 300


class CountingStore(InMemoryStore):
    """A store in memory that counts the bytes it is given to write."""

    written = 0

    def put(self, records: Sequence[Record]) -> None:
        self.written += sum(len(json.dumps(record.data)) for record in records)
        super().put(records)


def _question(number: int) -> str:
    return f"What does the keeper of lighthouse {number:03} write about the storm?"


def _ask(bank: MemoryBank, number: int) -> None:
    bank.host.change_goal(_question(number))
    bank.plan()


def test_a_step_writes_no_more_after_three_hundred_goals() -> None:
    store = CountingStore()
    bank = MemoryBank(_question(0), store=store)
    costs = []
    for number in range(1, MANY + 1):
        before = store.written
        _ask(bank, number)
        costs.append(store.written - before)
    assert max(costs[-20:]) <= max(costs[10:30]) + 20, "the numbers in them may have a digit more"
    assert [doc.task_goal for doc in bank.insight.earlier] == [_question(number) for number in range(MANY)]


def test_all_goals_are_there_after_a_restart_and_in_an_export(tmp_path: Path) -> None:
    store = f"sqlite:///{tmp_path}/bank.db"
    asked = [_question(number) for number in range(MANY + 1)]
    with MemoryBank(asked[0], store=store) as bank:
        for number in range(1, MANY + 1):
            bank.host.change_goal(asked[number])
        bank.export(tmp_path / "bank.json")
    with MemoryBank.resume(store) as again, MemoryBank.load(tmp_path / "bank.json") as loaded:
        for each in (again, loaded):
            assert [*(doc.task_goal for doc in each.insight.earlier), each.insight.task_goal] == asked
            assert each.snapshot().goals == tuple(asked)
            assert each.host.change_goal("And what of the fog?").earlier[-1].task_goal == asked[-1]


def test_a_store_of_before_with_goals_inside_the_document_goes_on(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/bank.db"
    asked = [_question(number) for number in range(6)]
    with MemoryBank(asked[4], store=url) as bank:
        bank.absorb(ToolResult(tool="read", output="The storm of 1911 put out the lamp.", call_id="c1"))
        bank.plan()
        closed = [{**bank.insight.model_dump(mode="json"), "task_goal": goal} for goal in asked[:4]]
    store = open_store(url)
    document = store.get("task/insight", "-")
    assert document is not None
    store.put([replace(document, data={**document.data, "earlier": closed})])
    store.close()
    for _ in range(2):
        with MemoryBank.resume(url) as bank:
            assert [doc.task_goal for doc in bank.insight.earlier] == asked[:4]
    with MemoryBank.resume(url) as bank:
        _ask(bank, 5)
        bank.export(tmp_path / "bank.json")
    with MemoryBank.resume(url) as bank, MemoryBank.load(tmp_path / "bank.json") as loaded:
        assert bank.snapshot().goals == loaded.snapshot().goals == tuple(asked)
        assert [doc.pending for doc in bank.insight.earlier] == [doc.pending for doc in loaded.insight.earlier]


def test_what_is_forgotten_is_gone_from_the_earlier_documents_too(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/bank.db"
    with MemoryBank("What is in the log?", store=url) as bank:
        said = "Keeper Abelard of Calder drank forty bottles."
        bank.host.begin_step()
        result = ToolResult(tool="read", output=said, call_id="c1")
        bank.host.finish_step(StepResult(answer=said, tool_results=(result,)))
    with MemoryBank.resume(url) as bank:
        bank.host.change_goal("Who lit the lamp in the winter of 1911?")
        assert "Abelard" in str(bank.insight.earlier)
        bank.forget(bank.snapshot().entries[0].entry_id)
        assert "Abelard" not in str(bank.insight)
    assert all(b"Abelard" not in file.read_bytes() for file in tmp_path.rglob("*") if file.is_file())
