"""A call that brings nothing back is part of what a run did: kept as every other, and gone when it is forgotten."""

import runpy
from operator import itemgetter
from pathlib import Path

from amb_core import ContextAdapter, MemoryBank
from amb_core.scope import Scope
from amb_experience import Experience

DAY, GOAL, ORDER, ask, run, turn = itemgetter("DAY", "GOAL", "ORDER", "ask", "run", "turn")(
    runpy.run_path(str(Path(__file__).with_name("order_runs.py")))
)
READ = turn(1, "get_order", {"order": "OR-5521"}, ORDER)
SENT = turn(2, "send_letter", {"to": "desk_17", "text": "Ask ana@example.com first."}, "")


def kept(experience, namespace="experience/u1"):
    return [each.content for each in experience.memory.records(namespace, filters={"kind": "step"})]


def ended(experience, messages, **options):
    """A bank in which an agent did something, not closed yet."""
    bank = MemoryBank(GOAL)
    ContextAdapter(bank, scope=Scope(user="u1"), experience=experience, **options).next_request(messages)
    return bank


def test_it_is_told_to_a_later_run_after_the_call_before_it():
    experience = Experience()
    run(experience, [ask(), *READ, *SENT])
    lines = run(experience, [ask()], at=DAY)[0].split("\n")
    assert "get_order" in lines[2]
    assert 'send_letter {"to": "desk_17"' in lines[3]


def test_it_is_redacted():
    experience = Experience()
    run(experience, [ask(), *READ, *SENT])
    assert "[e-mail]" in kept(experience)[1]
    assert "ana@example.com" not in str(experience.memory.records("experience/u1"))


def test_it_goes_when_it_is_forgotten_and_does_not_come_back():
    experience = Experience()
    bank = ended(experience, [ask(), *READ, *SENT])
    experience.keep(bank)
    assert len(kept(experience)) == 2
    bank.forget("e2")
    bank.close()
    assert [each.split(" ")[0] for each in kept(experience)] == ["get_order"]


def test_it_is_there_once_however_often_a_run_is_kept():
    experience = Experience()
    bank = ended(experience, [ask(), *READ, *SENT])
    experience.keep(bank)
    bank.close()
    assert len(kept(experience)) == 2


def test_it_is_kept_with_nothing_before_it():
    experience = Experience()
    ended(experience, [ask(), *SENT, *READ]).close()
    assert [each.split(" ")[0] for each in kept(experience)] == ["send_letter", "get_order"]


def test_what_is_shared_with_a_team_is_not_kept():
    experience = Experience()
    shared = {"shared": MemoryBank(GOAL), "share": lambda result: result.tool == "send_letter"}
    ended(experience, [ask(), *READ, *SENT], **shared).close()
    assert [each.split(" ")[0] for each in kept(experience)] == ["get_order"]


def test_another_user_is_not_told_of_it():
    experience = Experience()
    run(experience, [ask(), *READ, *SENT])
    assert run(experience, [ask()], user="u2", at=DAY) == [""]
