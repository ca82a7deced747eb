"""What memory costs: counted once, kept with the bank, told by role and by result."""

import time

import pytest
from amb_bench.doubles.local_chat import LocalChatModel

from amb_agents import local_agents
from amb_agents.prompted import llm_agents
from amb_core import MemoryBank, Settings
from amb_core.protocols import Agents
from amb_core.usage import TokenUsage, spent

TEXTS = {
    "en": ("The quay of Lyness is 80 metres long.", "The mill of Orphir has two stones."),
    "zh": ("莱内斯码头长80米。", "奥菲尔磨坊有两块磨石。"),
}


@pytest.fixture(params=["en", "zh"])
def texts(request):
    return TEXTS[request.param]


def asking():
    return llm_agents(LocalChatModel())


def test_the_bills_of_all_results_add_up_to_what_the_bank_spent_on_them(texts, result):
    with MemoryBank("How long is it?", agents=asking()) as bank:
        reports = [bank.absorb(result(text)) for text in (*texts, texts[0])]
        bills = bank.snapshot().bills
        assert [bill.entry_id for bill in bills] == ["e1", "e2"]
        assert [bill.total for bill in bills] == [report.usage for report in reports[:2]]
        assert reports[2].usage == TokenUsage()
        assert sum((bill.total for bill in bills), TokenUsage()) == bank.usage.spent["digest"]


def test_a_resumed_task_goes_on_counting(tmp_path, texts, result):
    store = f"sqlite:///{tmp_path / 'task.db'}"
    with MemoryBank("How long is it?", agents=asking(), store=store) as bank:
        bank.absorb(result(texts[0]))
        before = bank.usage
        bank.close(keep=True)
    with MemoryBank.resume(store, agents=asking()) as bank:
        assert bank.usage.spent["digest"] == before.spent["digest"]
        bank.absorb(result(texts[1]))
        assert bank.usage.spent["digest"].calls == 2
        assert bank.usage.agent_calls["digest"] == 2


def test_calls_of_an_agent_at_work_on_the_task_are_counted_once(tmp_path, texts, result):
    store = f"sqlite:///{tmp_path / 'task.db'}"
    with MemoryBank("How long is it?", agents=asking(), store=store) as bank:
        with bank.host.metered():
            spent("react", TokenUsage(prompt_tokens=100, completion_tokens=5, calls=1))
            bank.absorb(result(texts[0]))
        assert bank.usage.spent["react"].tokens == 105
        assert bank.usage.spent["digest"].calls == 1
        bank.close(keep=True)
    with MemoryBank.resume(store) as bank:
        assert bank.usage.spent["react"].tokens == 105


def test_what_was_spent_on_a_forgotten_entry_stays_spent(texts, result):
    with MemoryBank("How long is it?", agents=asking()) as bank:
        bank.absorb(result(texts[0]))
        bank.forget("e1")
        assert bank.usage.spent["digest"].calls == 1
        assert [bill.entry_id for bill in bank.snapshot().bills] == ["e1"]


def test_local_agents_spend_nothing(texts, result):
    with MemoryBank("How long is it?") as bank:
        report = bank.absorb(result(texts[0]))
        assert (report.llm_calls, bank.usage.spent, bank.usage.cost) == (0, {}, 0)
        assert bank.snapshot().bills == ()


class Sleeping:
    """A structure agent that takes its time."""

    def structure(self, request):
        time.sleep(5)
        raise AssertionError("nobody waits for this")


def test_an_agent_over_its_deadline_is_replaced_by_its_twin(texts, result):
    local = local_agents()
    agents = Agents(local.classification, Sleeping(), local.analysis, local.integration, local.planning)
    with MemoryBank("How long is it?", agents=agents, settings=Settings(agent_deadline=0.05)) as bank:
        bank.absorb(result(texts[0]))
        assert bank.usage.fallback_reasons == {"structure": {"OutOfTime": 1}}


def test_a_listener_may_recall_while_the_background_is_busy(texts, result):
    with MemoryBank("How long is it?") as bank:
        seen = []
        bank.host.subscribe(lambda event: seen.append(bank.recall("quay").text))
        for text in texts:
            bank.absorb(result(text), wait=False)
        bank.host.flush()
        assert len(seen) > 2
