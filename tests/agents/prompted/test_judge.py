"""A model that judges statements keeps the contract, whether it is able, careless or hostile."""

from __future__ import annotations

import json
import math
import re
from typing import Any

import pytest

from amb_chat import ScriptedChatModel
from amb_contracts.judge import PAIRS, JudgeContract
from amb_core.agent_io import JudgeRequest, Statement
from amb_core.chat_io import ChatReply, ChatRequest
from amb_readers import PromptedJudge


def answered(request: ChatRequest, relation: str, **said: Any) -> str:
    """The same answer about every earlier statement, with the statements as quotes."""
    asked = json.loads(request.messages[-1]["content"])
    later = asked["later"]["text"][:300]
    verdict = {"about_earlier": "its weight", "about_later": "its weight", "only_one": True, "relation": relation}
    quoted = [{"quote_earlier": one["text"][:300], "quote_later": later} for one in asked["earlier"]]
    return json.dumps({"verdicts": [{"n": n, **verdict, **quote, **said} for n, quote in enumerate(quoted, 1)]})


def always(relation: str, **said: Any) -> PromptedJudge:
    return PromptedJudge(ScriptedChatModel(lambda request: answered(request, relation, **said)))


@pytest.mark.sampled(5)
@pytest.mark.parametrize("relation", ["same", "changed", "conflict", "neither"])
class TestOneThatSaysTheSameOfAll(JudgeContract):
    @pytest.fixture
    def judge(self, relation: str) -> PromptedJudge:
        return always(relation)


@pytest.mark.sampled(5)
class TestOneThatMakesUpItsQuotes(JudgeContract):
    @pytest.fixture
    def judge(self) -> PromptedJudge:
        return always("changed", quote_earlier="the moon", quote_later="green cheese")


@pytest.mark.sampled(5)
class TestOneThatAnswersNonsense(JudgeContract):
    @pytest.fixture
    def judge(self) -> PromptedJudge:
        return PromptedJudge(ScriptedChatModel(lambda _: '{"verdicts": [{"n": 99}], "more": "x"}'))


def relation_of(judge: PromptedJudge, earlier: str, later: str) -> str:
    asked = JudgeRequest(earlier=(Statement(text=earlier),), later=Statement(text=later))
    return judge.judge(asked).verdicts[0].relation


@pytest.mark.parametrize("at", [0, 4])
def test_a_change_with_true_quotes_of_an_attribute_with_one_value_stands(at: int) -> None:
    assert relation_of(always("changed"), *PAIRS[at]) == "changed"
    assert relation_of(always("changed", only_one=False), *PAIRS[at]) == "neither"
    assert relation_of(always("changed", about_later="its length"), *PAIRS[at]) == "neither"


def test_a_judge_sees_the_day_on_which_each_statement_was_told_where_that_is_known() -> None:
    chat = ScriptedChatModel(['{"verdicts": []}'])
    told = Statement(text="Next Monday I fly to Oslo.", at=1_709_251_200.0)
    PromptedJudge(chat).judge(JudgeRequest(earlier=(told,), later=Statement(text="I fly to Rome next Monday.")))
    asked = json.loads(chat.requests[0].messages[-1]["content"])
    assert asked["earlier"] == [{"n": 1, "text": told.text, "date": "2024-03-01"}]
    assert asked["later"] == {"text": "I fly to Rome next Monday."}


def likely(text: str, *, relation: float) -> ChatReply:
    """A reply with a token for each word or mark; those of a relation have that probability, all others 1."""
    tokens = re.findall(r"\w+|\W", text)
    values = ("same", "changed", "conflict", "neither")
    return ChatReply(
        text=text, logprobs=tuple((each, math.log(relation) if each in values else 0.0) for each in tokens)
    )


@pytest.mark.parametrize(("probability", "relation"), [(0.9, "changed"), (0.3, "neither")])
def test_a_verdict_says_how_probable_it_was_and_one_less_probable_than_not_is_none(
    probability: float, relation: str
) -> None:
    chat = ScriptedChatModel(lambda request: likely(answered(request, "changed"), relation=probability))
    asked = JudgeRequest(earlier=(Statement(text=PAIRS[0][0]),) * 2, later=Statement(text=PAIRS[0][1]))
    verdicts = PromptedJudge(chat).judge(asked).verdicts
    assert [verdict.relation for verdict in verdicts] == [relation] * 2
    assert [verdict.probability for verdict in verdicts] == pytest.approx([probability] * 2)
    assert chat.requests[0].logprobs
