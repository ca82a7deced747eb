from dataclasses import replace

import pytest

from amb_agents import LocalAnalysis, local_agents
from amb_core import MemoryBank, Settings, TaskType, run_task


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


def test_an_explicit_setting_verifies_without_a_loop(dispute):
    with MemoryBank("What is the capacity of the battery?", settings=Settings(disputes="verify")) as bank:
        assert read_both(bank, dispute).conflict_id == "c1"


def test_where_another_analysis_agent_judges_disputes_are_verified(dispute, judged):
    with MemoryBank("What is the capacity of the battery?", agents=judged) as bank:
        assert bank.host.verifies
        assert read_both(bank, dispute).conflict_id == "c1"


def test_an_explicit_show_wins_over_agent_and_loop(dispute, judged):
    with MemoryBank("What is it?", agents=judged, settings=Settings(disputes="show")) as bank:
        bank.host.begin_step()
        bank.host.abandon_step()

        assert not bank.host.verifies
        assert read_both(bank, dispute).type is TaskType.NORMAL


def test_an_outer_loop_that_begins_a_step_has_open_disputes_verified(dispute):
    with MemoryBank("What is the capacity of the battery?") as bank:
        read_both(bank, dispute)

        assert bank.host.begin_step().pending.conflict_id == "c1"
        assert bank.host.verifies


def test_run_task_verifies_a_dispute_that_was_open_before_it_began(dispute):
    seen = []
    with MemoryBank("What is the capacity of the battery?") as bank:
        read_both(bank, dispute)
        run_task(bank, lambda prompt: seen.append(prompt.pending.type) or "I do not know.", max_rounds=1)

    assert seen == [TaskType.CROSS_VALIDATE]


@pytest.mark.parametrize("disputes", ["show", "verify"])
def test_disputes_can_be_set_in_the_environment(disputes, monkeypatch):
    monkeypatch.setenv("AMB_DISPUTES", disputes)

    assert Settings().disputes == disputes
