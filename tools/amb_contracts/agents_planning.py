"""The contract of `PlanningAgent`: subclass it and provide the fixture `agent`."""

from __future__ import annotations

import pytest

from amb_contracts.agents import ODD_TEXTS
from amb_core.agent_io import PlanningRequest, StepOutcome
from amb_core.attachments import Attachment, AttachmentType
from amb_core.models import Conflict, ConflictStatus, InsightDoc, PendingTask, TaskStatus, TaskType
from amb_core.protocols import PlanningAgent

__all__ = ["PlanningContract"]

GOALS = ("How long is the Riverton Bridge?", "长江大桥全长多少米？")
CONFLICT = Conflict(
    id="c7",
    node_ids=("n1", "n2"),
    description="Two lengths of one bridge.",
    subject="Riverton Bridge length",
    values=("1,204 m", "1,250 m"),
)
PHOTO = Attachment(id="a3", type=AttachmentType.IMAGE, content="photo.png")
SEARCH = PendingTask(type=TaskType.NORMAL, description="Find out how long the Riverton Bridge is.")
CHECK = PendingTask(type=TaskType.CROSS_VALIDATE, description="Check the length.", conflict_id="c7")


def insight(goal: str, pending: PendingTask | None = None) -> InsightDoc:
    """An Insight Doc with at most one pending step."""
    return InsightDoc(doc_id="d", task_goal=goal, pending_tasks=(pending,) if pending else ())


@pytest.mark.parametrize("goal", GOALS)
class PlanningContract:
    """What every planning agent promises, one sentence a test."""

    def test_a_new_task_gets_a_step(self, agent: PlanningAgent, goal: str) -> None:
        answer = agent.plan(PlanningRequest(insight=insight(goal)))
        assert answer.pending is not None
        assert answer.pending.type is TaskType.NORMAL
        assert answer.pending.description.strip()

    def test_an_open_conflict_is_verified_first(self, agent: PlanningAgent, goal: str) -> None:
        request = PlanningRequest(insight=insight(goal), open_conflicts=(CONFLICT,), waiting=(PHOTO,))
        pending = agent.plan(request).pending
        assert pending is not None
        assert (pending.type, pending.conflict_id) == (TaskType.CROSS_VALIDATE, "c7")

    def test_the_verification_names_what_is_disputed(self, agent: PlanningAgent, goal: str) -> None:
        pending = agent.plan(PlanningRequest(insight=insight(goal), open_conflicts=(CONFLICT,))).pending
        assert pending is not None
        assert all(value in pending.description for value in CONFLICT.values)

    def test_an_unresolved_conflict_is_not_planned_again(self, agent: PlanningAgent, goal: str) -> None:
        settled = CONFLICT.model_copy(update={"status": ConflictStatus.UNRESOLVED})
        pending = agent.plan(PlanningRequest(insight=insight(goal), open_conflicts=(settled,))).pending
        assert pending is None or pending.type is TaskType.NORMAL

    def test_a_waiting_attachment_comes_next(self, agent: PlanningAgent, goal: str) -> None:
        pending = agent.plan(PlanningRequest(insight=insight(goal), waiting=(PHOTO,))).pending
        assert pending is not None
        assert (pending.type, pending.attachment_ids) == (TaskType.NORMAL, ("a3",))

    def test_nothing_is_recorded_when_nothing_was_done(self, agent: PlanningAgent, goal: str) -> None:
        answer = agent.plan(PlanningRequest(insight=insight(goal, SEARCH)))
        assert (answer.completed_status, answer.completed_context, answer.gave_up) == (None, "", False)

    def test_a_failed_step_is_recorded_as_failed(self, agent: PlanningAgent, goal: str) -> None:
        outcome = StepOutcome(status=TaskStatus.FAILURE, text="The network is down.")
        answer = agent.plan(PlanningRequest(insight=insight(goal, SEARCH), outcome=outcome))
        assert answer.completed_status is TaskStatus.FAILURE
        assert answer.completed_context.strip()

    def test_the_answer_ends_the_task(self, agent: PlanningAgent, goal: str) -> None:
        outcome = StepOutcome(status=TaskStatus.SUCCESS, text="1,204 m [n1].", answered=True)
        answer = agent.plan(PlanningRequest(insight=insight(goal, SEARCH), outcome=outcome))
        assert answer.pending is None
        assert answer.completed_status is TaskStatus.SUCCESS

    def test_a_settled_verification_is_recorded_and_left(self, agent: PlanningAgent, goal: str) -> None:
        outcome = StepOutcome(status=TaskStatus.SUCCESS, decided=True, text="1,204 m holds.")
        answer = agent.plan(PlanningRequest(insight=insight(goal, CHECK), outcome=outcome))
        assert answer.completed_status is TaskStatus.SUCCESS
        assert answer.pending is None or answer.pending.type is TaskType.NORMAL

    def test_a_verification_without_conclusion_is_given_up_with_a_reason(self, agent: PlanningAgent, goal: str) -> None:
        settled = CONFLICT.model_copy(update={"status": ConflictStatus.UNRESOLVED})
        outcome = StepOutcome(status=TaskStatus.SUCCESS, decided=False)
        request = PlanningRequest(insight=insight(goal, CHECK), open_conflicts=(settled,), outcome=outcome)
        answer = agent.plan(request)
        assert (answer.completed_status, answer.gave_up) == (TaskStatus.FAILURE, True)
        assert answer.completed_context.strip()

    @pytest.mark.parametrize("text", ODD_TEXTS)
    def test_any_goal_and_outcome_can_be_planned(self, agent: PlanningAgent, goal: str, text: str) -> None:
        outcome = StepOutcome(status=TaskStatus.SUCCESS, text=text)
        answer = agent.plan(PlanningRequest(insight=insight(f"{goal} {text}", SEARCH), outcome=outcome))
        assert answer.completed_status is not None
