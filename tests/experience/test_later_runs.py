"""What an agent did for a user is offered in later runs: with its date, for that user alone, and not once stale."""

import runpy
from operator import itemgetter
from pathlib import Path

import pytest

from amb_core import ContextAdapter, MemoryBank, StepResult, ToolResult
from amb_core.errors import InvalidInput, InvalidParameter
from amb_core.scope import Scope
from amb_experience import Experience
from amb_longterm import LongTermMemory, promote
from amb_longterm.user_data import delete_user

DAY, GOAL, ORDER, REFUND, ask, run, turn = itemgetter("DAY", "GOAL", "ORDER", "REFUND", "ask", "run", "turn")(
    runpy.run_path(str(Path(__file__).with_name("order_runs.py")))
)


def test_a_value_that_this_run_has_read_anew_takes_the_place_of_the_old_one():
    experience = Experience()
    run(experience)
    anew = [ask(), *turn(1, "get_order", {"order": "OR-5521"}, ORDER.replace("118", "97")), *REFUND[3:4]]
    told = run(experience, anew, at=DAY)
    assert '"total": 118' in told[0]
    assert '"total": 118' not in told[1]


def test_a_line_with_a_redacted_value_stays_when_it_is_read_again():
    experience = Experience()
    record = '{"id": "U-71", "mail": "ana@example.com", "card": "card_7781"}'
    seen = [ask(), *turn(1, "get_user", {"id": "U-71"}, record), *turn(2, "refund", {"card": "card_7781"}, "ok")]
    run(experience, seen)
    first, second, _ = run(experience, seen, at=DAY)
    assert "[e-mail]" in first
    assert second == first


def test_an_unlike_run_is_not_told():
    experience = Experience()
    run(experience)
    assert run(experience, [ask("Which trains leave Oslo at noon?")], goal="Which trains leave Oslo at noon?") == [""]


def test_the_same_call_brings_back_a_run_with_another_goal():
    experience = Experience()
    run(experience)
    other = "Is there anything left to do?"
    told = run(experience, [ask(other), *turn(1, "find", {"card": "card_7781"}, "{}")], goal=other)
    assert "get_order" in told[1]


@pytest.mark.parametrize(("user", "agent"), [("u2", None), ("u1", "clerk")])
def test_another_user_or_agent_is_told_nothing(user, agent):
    experience = Experience()
    run(experience)
    assert run(experience, user=user, agent=agent) == ["", "", ""]


def test_where_nobody_is_named_nothing_is_kept_or_told():
    experience = Experience()
    run(experience, user=None)
    assert experience.memory.namespaces() == []
    assert run(experience, user=None) == ["", "", ""]
    with pytest.raises(InvalidParameter, match="scope"):
        experience.keep(MemoryBank(GOAL))


def test_secrets_and_addresses_are_redacted():
    experience = Experience()
    run(experience, [ask(), *turn(1, "get_user", {"id": "U-71"}, '{"id": "U-71", "mail": "ana@example.com"}')])
    assert "ana@example.com" not in str(experience.memory.records("experience/u1"))


def test_what_the_bank_forgets_is_forgotten_here():
    experience = Experience()
    bank = MemoryBank(GOAL)
    adapter = ContextAdapter(bank, scope=Scope(user="u1"), experience=experience)
    adapter.next_request(REFUND)
    experience.keep(bank)
    bank.forget("e1")
    kept = str(experience.memory.records("experience/u1"))
    assert "OR-5521" not in kept.replace(GOAL, "")
    assert "refund" in kept


def test_the_deletion_of_a_user_leaves_no_byte(tmp_path):
    url = f"sqlite:///{tmp_path}/experience.db"
    with Experience(url) as experience:
        run(experience, agent="clerk")
        run(experience, user="u2")
    assert delete_user(url, user="u1").experience == 3
    left = b"".join(file.read_bytes() for file in tmp_path.rglob("*") if file.is_file())
    assert left.count(b"card_7781") > 0
    delete_user(url, user="u2")
    assert b"card_7781" not in b"".join(file.read_bytes() for file in tmp_path.rglob("*") if file.is_file())


def test_a_run_that_is_kept_twice_is_there_once():
    experience = Experience()
    bank = MemoryBank(GOAL)
    ContextAdapter(bank, scope=Scope(user="u1"), experience=experience).next_request(REFUND)
    experience.keep(bank)
    before = experience.memory.records("experience/u1")
    bank.close()
    assert [each.id for each in experience.memory.records("experience/u1")] == [each.id for each in before]


def test_promote_keeps_what_a_run_did():
    experience, memory = Experience(), LongTermMemory()
    bank = MemoryBank("What is the total of order OR-5521?")
    bank.host.assign(Scope(user="u1"))
    bank.absorb(ToolResult(tool="get_order", arguments={"order": "OR-5521"}, output=ORDER, agent="clerk"))
    bank.host.finish_step(StepResult(text="118", answer="118"))
    promote(bank, memory, namespace="domain_facts/u1", experience=experience)
    assert experience.memory.namespaces() == ["experience/clerk/u1"]
    with pytest.raises(InvalidInput, match="snapshot"):
        promote(bank.snapshot(), memory, namespace="domain_facts/u1", experience=experience)


def test_a_deleted_task_leaves_no_experience():
    experience = Experience()
    bank = MemoryBank(GOAL)
    ContextAdapter(bank, scope=Scope(user="u1"), experience=experience).next_request(REFUND)
    bank.delete()
    assert experience.memory.namespaces() == []


def test_only_so_many_runs_are_kept():
    experience = Experience(most_runs=2)
    for number in range(4):
        run(experience, at=number * DAY)
    kept = {record.metadata["run"] for record in experience.memory.records("experience/u1")}
    assert len(kept) == 2


def test_a_run_is_told_no_more_than_its_budget():
    experience = Experience(budget_tokens=60)
    run(experience)
    assert len(run(experience)[0].split("\n")) == 4
