from dataclasses import replace

import pytest

from amb_agents import local_agents
from amb_core import BankClosed, InvalidInput, MemoryBank, Settings, StoreError, StoreLocked
from amb_core.memory.bank_opener import parse_task
from amb_core.models import EntryState
from amb_core.stores import InMemoryStore


class Full(InMemoryStore):
    """A store that takes `room` writes and no more."""

    def __init__(self, room):
        super().__init__()
        self.room = room

    def put(self, records, *, keep_history=False):
        self.room -= 1
        if self.room < 0:
            raise StoreError("the disk is full")
        super().put(records, keep_history=keep_history)


class Undigesting(InMemoryStore):
    """A store that takes no digested entry until it works."""

    works = False

    def put(self, records, *, keep_history=False):
        if not self.works and any(record.data.get("state") == "done" for record in records):
            raise ValueError("secret")
        super().put(records, keep_history=keep_history)


class Unplanned:
    """A planning agent that is interrupted."""

    def plan(self, request):
        raise KeyboardInterrupt


@pytest.fixture
def url(tmp_path):
    return f"sqlite:///{tmp_path / 'bank.db'}"


def test_two_banks_on_one_file_both_see_all(url, result):
    first = MemoryBank("Goal", store=url)
    second = MemoryBank.resume(url)
    for bank, text in ((first, "Alpha is a red gadget."), (second, "Beta is a blue gadget."), (first, "Gamma rests.")):
        bank.absorb(result(text, text[0]))

    assert first.snapshot() == second.snapshot()
    assert "Gamma" in second.recall("Which one rests?").text
    second.close(keep=True)
    first.close(keep=True)
    with MemoryBank.resume(url) as same:
        assert [entry.text[:5] for entry in same.snapshot().entries] == ["Alpha", "Beta ", "Gamma"]


def test_a_second_bank_on_a_store_that_says_nothing_of_others_is_told_to_resume_again(result):
    store = InMemoryStore()
    first = MemoryBank("Goal", store=store)
    second = MemoryBank.resume(store)
    second.absorb(result("Beta is a blue gadget.", "b"))

    with pytest.raises(StoreLocked, match="resume it again"):
        first.absorb(result("Alpha is a red gadget.", "a"))


def test_an_entry_that_cannot_be_digested_keeps_no_bank_from_opening(result, caplog):
    store = Undigesting()
    with pytest.raises(ValueError, match="secret"):
        MemoryBank("Goal", store=store).absorb(result("Alpha is a red gadget."))

    broken = MemoryBank.resume(store)
    assert broken.snapshot().digestions[0].state is EntryState.FAILED
    assert "e1 could not be digested (ValueError)" in caplog.text
    assert "secret" not in caplog.text
    store.works = True
    assert [node.summary for node in MemoryBank.resume(store).nodes] == ["Alpha is a red gadget."]


def test_a_task_that_fails_to_begin_leaves_its_store_empty():
    store = InMemoryStore()
    agents = replace(local_agents(Settings()), planning=Unplanned())
    with pytest.raises(KeyboardInterrupt):
        MemoryBank("Context: Alpha is a red gadget. Question: What is Alpha?", store=store, agents=agents)

    assert MemoryBank("Again", store=store).insight.task_goal == "Again"


@pytest.mark.parametrize("room", [0, 1, 2, 3])
def test_a_full_store_keeps_nothing_of_a_task_that_failed_to_begin(room):
    store = Full(room)
    with pytest.raises(StoreError):
        MemoryBank("Context: Alpha is a red gadget. Question: What is Alpha?", store=store)
    store.room = 99

    assert MemoryBank("Again", store=store).nodes == ()


@pytest.mark.parametrize(
    "use",
    [
        lambda bank: bank.host.node("n1"),
        lambda bank: bank.host.passages("n1"),
        lambda bank: bank.host.nodes_of("c1"),
        lambda bank: bank.host.flush(),
        lambda bank: bank.host.abandon_step(),
    ],
)
def test_a_closed_bank_says_so(bank, result, use):
    bank.absorb(result("Alpha is a red gadget.", call_id="c1"))
    bank.close()

    with pytest.raises(BankClosed):
        use(bank)
    assert bank.closed
    assert bank.snapshot().nodes
    assert bank.insight.task_goal
    assert bank.usage is not None


@pytest.mark.parametrize(
    ("text", "question", "context"),
    [
        ("What is A?", "What is A?", ""),
        ("Context: A is 1. Question: What is A?", "What is A?", "A is 1."),
        ("CONTEXT : A is 1.\nquestion：What is A?", "What is A?", "A is 1."),
        ("Question: What is A?\nContext: A is 1.", "What is A?", "A is 1."),
        ("背景：甲是一。 问题：甲是什么？", "甲是什么？", "甲是一。"),
        ("上下文：甲是一。问题：甲是什么？", "甲是什么？", "甲是一。"),
        ("问题: 甲是什么？\n上下文: 甲是一。", "甲是什么？", "甲是一。"),
        ("Context: 问题：old. Question: What is A?", "What is A?", "问题：old."),
        ("Context: Question: old. 问题：甲是什么？", "甲是什么？", "Question: old."),
        ("Context: A subquestion: none", "Context: A subquestion: none", ""),
        ("Question: What is A?", "Question: What is A?", ""),
        ("The question: what? Context: none", "The question: what? Context: none", ""),
        ("Context: A is 1. Question:", "Context: A is 1. Question:", ""),
    ],
)
def test_a_goal_may_bring_its_context_before_or_after_the_question(text, question, context):
    assert parse_task(text) == (question, context)


def test_the_design_documents_form_is_answered_with_the_two_lines_to_write():
    with pytest.raises(InvalidInput) as refused:
        MemoryBank(Settings()).run("How high is the dam?")

    lines = [line.strip().partition("  #")[0] for line in str(refused.value).splitlines()[-2:]]
    assert lines == ["bank = MemoryBank(user_input)", "run = ReActAgent(bank, open_chat(), tools).run()"]
