"""Local planning: the published contract, and a table of situations with the right next step."""

from __future__ import annotations

import pytest

from amb_agents.local_planning import LocalPlanning
from amb_contracts.agents_planning import PlanningContract
from amb_core.agent_io import PlanningAnswer, PlanningRequest, StepOutcome
from amb_core.models import (
    CompletedTask,
    InsightDoc,
    PendingTask,
    TaskStatus,
    TaskType,
)
from amb_core.settings import Settings
from amb_core.text import Language

from .planning_requests import request_of, step_of
from .planning_situations import SITUATIONS, Situation
from .planning_words import WORDS

CASES = [
    pytest.param(language, situation, id=f"{language}: {situation.name}")
    for situation in SITUATIONS
    for language in ("en", "zh")
]


class TestContract(PlanningContract):
    @pytest.fixture
    def agent(self) -> LocalPlanning:
        return LocalPlanning()


def recorded(answer: PlanningAnswer) -> str | None:
    if answer.completed_status is None:
        return None
    return "gave up" if answer.gave_up else answer.completed_status.value


@pytest.mark.parametrize(("language", "situation"), CASES)
def test_the_next_step_is_the_right_one_and_the_last_is_recorded(language: Language, situation: Situation) -> None:
    answer = LocalPlanning().plan(request_of(situation, language=language))
    assert answer.pending == (step_of(situation.then, language=language) if situation.then else None)
    status, text = situation.record
    assert recorded(answer) == (status or None)
    assert answer.completed_context == (WORDS[language].texts[text] if text else "")


def test_the_table_has_at_least_sixty_situations() -> None:
    assert len(SITUATIONS) >= 60
    assert len({situation.name for situation in SITUATIONS}) == len(SITUATIONS)


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
    assert answer.pending.description == "Find out: What is the height of the Eiffel Tower?"


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
