"""Local planning: the published contract, and a table of situations with the right next step."""

from __future__ import annotations

import pytest

from amb_agents.local_planning import LocalPlanning
from amb_contracts.agents_planning import PlanningContract
from amb_core.agent_io import PlanningAnswer
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
