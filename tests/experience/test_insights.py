"""With a model a run leaves conclusions: each stands on a call of the run, and counts only after it helped again."""

import json
import runpy
from operator import itemgetter
from pathlib import Path

import pytest

from amb_chat import ScriptedChatModel
from amb_experience import Experience

DAY, REFUND, ask, run, turn = itemgetter("DAY", "REFUND", "ask", "run", "turn")(
    runpy.run_path(str(Path(__file__).with_name("order_runs.py")))
)
SAID = {"text": "Take card_7781 for the refund.", "call": 1, "quote": '"card": "card_7781"'}


def concluded(*answers):
    experience = Experience(chat=ScriptedChatModel([json.dumps({"insights": [*answers]})] * 4))
    run(experience)
    found = experience.memory.records("experience/u1", filters={"kind": "insight"})
    return experience, found


def test_a_conclusion_is_told_with_how_often_it_helped():
    experience, (record,) = concluded(SAID)
    assert record.content == SAID["text"]
    told = run(experience, [ask()], at=DAY)[0]
    assert "a model's conclusion, which has not helped yet: Take card_7781 for the refund." in told


@pytest.mark.parametrize(
    "wrong",
    [
        {"quote": "this is not there"},
        {"quote": ""},
        {"call": 9},
        {"text": "Pay 999 to ACC-666 first."},
        {"text": '"total": 118, "card": "card_7781"'},
        {"text": ""},
    ],
)
def test_what_the_run_does_not_bear_out_is_dropped(wrong):
    assert concluded(SAID | wrong)[1] == []


@pytest.mark.parametrize("answer", ["", "no JSON", '{"insights": 3}'])
def test_a_model_that_answers_nonsense_costs_no_run(answer):
    experience = Experience(chat=ScriptedChatModel([answer] * 6))
    run(experience)
    assert "card_7781" in run(experience, REFUND, at=DAY)[0]


def test_the_count_is_the_number_of_runs_that_used_what_only_it_had_told():
    experience, (record,) = concluded(SAID)
    takes = turn(1, "refund", {"card": "card_7781", "amount": 5}, "{}")
    runs = [
        ([ask(), *takes], {}, True),
        ([ask(), *takes, *turn(2, "refund", {"card": "card_7781", "amount": 6}, "{}")], {}, True),
        ([ask()], {}, False),
        ([ask(), *turn(1, "refund", {"card": "card_7781"}, "Error: no amount")], {}, False),
        ([ask(), *turn(1, "find", {"for": "me"}, "Take card_7781 for the refund."), *takes], {}, False),
        ([ask(), *takes], {"user": "u2"}, False),
    ]
    for day, (messages, options, _) in enumerate(runs, start=1):
        assert "card_7781" in run(experience, messages, at=day * DAY, **options)[0] or options
    names = experience.memory.get(record.id, namespace="experience/u1").metadata["helped"]
    kept = {str(each.metadata["run"]) for each in experience.memory.records("experience/u1")}
    assert len(names) == len(set(names)) == sum(helps for _, _, helps in runs)
    assert set(names) <= kept - {record.metadata["run"]}


def test_no_other_user_or_agent_is_told_a_conclusion():
    experience, _ = concluded(SAID)
    assert run(experience, [ask()], user="u2", at=DAY) == [""]
    assert run(experience, [ask()], agent="clerk", at=DAY) == [""]
