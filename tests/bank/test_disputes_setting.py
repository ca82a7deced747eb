from dataclasses import replace

import pytest

from amb_agents import LocalAnalysis, local_agents
from amb_core import MemoryBank, TaskType, run_task


class ModelAnalysis(LocalAnalysis):
    """Another analysis agent than the bank's own: somebody who judges."""


@pytest.fixture
def judged():
    """The agents of a bank whose analysis is not AMB's local one."""
    return replace(local_agents(), analysis=ModelAnalysis())


def read_both(bank, dispute):
    bank.absorb(dispute[0])
    bank.absorb(dispute[1])
    return bank.plan().pending


def test_a_plain_bank_shows_a_dispute_and_plans_no_check_of_it(dispute):
    with MemoryBank("What is the capacity of the battery?") as bank:
        pending = read_both(bank, dispute)

        assert not bank.host.verifies
        assert [conflict.status for conflict in bank.conflicts] == ["open"]
        assert pending.type is TaskType.NORMAL


def test_where_another_analysis_agent_judges_disputes_are_verified(dispute, judged):
    with MemoryBank("What is the capacity of the battery?", agents=judged) as bank:
        assert bank.host.verifies
        assert read_both(bank, dispute).conflict_id == "c1"


def test_run_task_verifies_a_dispute_that_was_open_before_it_began(dispute):
    seen = []
    with MemoryBank("What is the capacity of the battery?") as bank:
        read_both(bank, dispute)
        run_task(bank, lambda prompt: seen.append(prompt.pending.type) or "I do not know.", max_rounds=1)

    assert seen == [TaskType.CROSS_VALIDATE]
