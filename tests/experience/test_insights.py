"""With a model a run leaves conclusions: each stands on a call of the run, and counts only after it helped again."""

import json
import runpy
from operator import itemgetter
from pathlib import Path

import pytest

from amb_core.chat import ScriptedChatModel
from amb_core.experience import Experience

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


def test_it_counts_once_a_later_run_used_it():
    experience, (record,) = concluded(SAID)
    run(experience, [ask(), *turn(1, "refund", {"card": "card_7781", "amount": 5}, "{}")], at=DAY)
    assert len(experience.memory.get(record.id, namespace="experience/u1").metadata["helped"]) == 1
    assert "which helped in 1 later run" in run(experience, [ask()], at=2 * DAY)[0]


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
