"""Local planning: the published contract, and a table of situations with the right next step."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from amb_core.agent_io import NodeView, PlanningAnswer, PlanningRequest, StepOutcome
from amb_core.agents.local_planning import LocalPlanning
from amb_core.models import (
    Attachment,
    AttachmentType,
    CompletedTask,
    Conflict,
    InsightDoc,
    PendingTask,
    TaskStatus,
    TaskType,
)
from amb_core.settings import Settings
from amb_core.testing.agents_planning import PlanningContract

TABLE = json.loads((Path(__file__).parent / "planning_situations.json").read_text(encoding="utf-8"))
CASES = [
    pytest.param(language, situation, id=f"{language}: {situation['name']}")
    for situation in TABLE["situations"]
    for language in ("en", "zh")
]


class TestContract(PlanningContract):
    @pytest.fixture
    def agent(self) -> LocalPlanning:
        return LocalPlanning()


class Situation:
    """One row of the table in one language."""

    def __init__(self, language: str, row: dict[str, Any]) -> None:
        self.words = TABLE[language]
        self.row = row

    def request(self) -> PlanningRequest:
        pending = self.row.get("pending")
        return PlanningRequest(
            insight=InsightDoc(
                doc_id="d",
                task_goal=self.words["goals"][self.row["goal"]],
                completed_tasks=tuple(self.completed(*task) for task in self.row.get("done", ())),
                pending_tasks=(self.task(pending),) if pending else (),
            ),
            new_nodes=self.nodes("new"),
            relevant=self.nodes("relevant"),
            open_conflicts=tuple(self.conflict(*name.split()) for name in self.row.get("conflicts", ())),
            waiting=tuple(
                Attachment(id=name, type=AttachmentType.IMAGE, content=name) for name in self.row.get("waiting", ())
            ),
            outcome=self.outcome(),
        )

    def nodes(self, key: str) -> tuple[NodeView, ...]:
        return tuple(NodeView(**self.words["nodes"][name]) for name in self.row.get(key, ()))

    def conflict(self, name: str, status: str = "open") -> Conflict:
        return Conflict(id=name, status=status, **self.words["conflicts"][name])

    def task(self, name: str) -> PendingTask:
        validates = name.startswith("validate")
        return PendingTask(
            type=TaskType.CROSS_VALIDATE if validates else TaskType.NORMAL,
            description=self.words["steps"][name],
            conflict_id=name.split()[1] if validates else None,
            attachment_ids=tuple(word for word in name.split()[1:] if word in ("a1", "a2")),
            answers_goal="answer" in name,
        )

    def completed(self, name: str, status: str, context: str) -> CompletedTask:
        task = self.task(name)
        return CompletedTask(
            type=task.type, description=task.description, status=status, context=self.words["texts"][context]
        )

    def outcome(self) -> StepOutcome | None:
        told = self.row.get("outcome")
        if told is None:
            return None
        ids = tuple(node.id for node in self.nodes("new"))
        text = self.words["texts"].get(told.get("text"), "")
        return StepOutcome(**{"status": "success", "new_node_ids": ids} | told | {"text": text})


def recorded(answer: PlanningAnswer) -> str | None:
    if answer.completed_status is None:
        return None
    return "gave up" if answer.gave_up else answer.completed_status.value


@pytest.mark.parametrize(("language", "row"), CASES)
def test_the_next_step_is_the_right_one(language: str, row: dict[str, Any]) -> None:
    situation = Situation(language, row)
    answer = LocalPlanning().plan(situation.request())
    expected = situation.task(row["then"]) if row["then"] else None
    assert answer.pending == expected


@pytest.mark.parametrize(("language", "row"), CASES)
def test_the_step_just_done_is_recorded_as_it_went(language: str, row: dict[str, Any]) -> None:
    situation = Situation(language, row)
    answer = LocalPlanning().plan(situation.request())
    status, text = row.get("record", (None, None))
    assert recorded(answer) == status
    assert answer.completed_context == (situation.words["texts"][text] if text else "")


def test_the_table_has_at_least_sixty_situations() -> None:
    assert len(CASES) >= 60


def test_the_language_can_be_set() -> None:
    request = PlanningRequest(insight=InsightDoc(doc_id="d", task_goal="What is the height of the Eiffel Tower?"))
    answer = LocalPlanning(Settings(language="zh")).plan(request)
    assert answer.pending is not None
    assert answer.pending.description.startswith("查明")


def test_a_step_planned_by_somebody_else_is_given_up_when_it_fails() -> None:
    insight = InsightDoc(
        doc_id="d",
        task_goal="What is the height of the Eiffel Tower?",
        pending_tasks=(PendingTask(type=TaskType.NORMAL, description="Ask the archive by phone."),),
    )
    outcome = StepOutcome(status=TaskStatus.FAILURE, text="Nobody answered.")
    answer = LocalPlanning().plan(PlanningRequest(insight=insight, outcome=outcome))
    assert answer.gave_up
    assert answer.pending is not None
    assert answer.pending.description == "Find out about Eiffel Tower: height."


def test_a_long_run_ends_when_every_step_fails() -> None:
    insight = InsightDoc(doc_id="d", task_goal="In which year was Riverton Bridge opened and how much did it cost?")
    outcome, steps = None, 0
    while steps < 50:
        answer = LocalPlanning().plan(PlanningRequest(insight=insight, outcome=outcome))
        done = insight.completed_tasks
        if insight.pending is not None and answer.completed_status is not None:
            record = {"status": answer.completed_status, "context": answer.completed_context, "gave_up": answer.gave_up}
            done = (*done, CompletedTask(type=insight.pending.type, description=insight.pending.description, **record))
        if answer.pending is None:
            break
        insight = insight.model_copy(update={"completed_tasks": done, "pending_tasks": (answer.pending,)})
        outcome, steps = StepOutcome(status=TaskStatus.FAILURE, text="No network."), steps + 1
    assert steps == 6
