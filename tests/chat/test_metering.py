"""What is spent is added up; at 80 % of a budget it warns, at 100 % nothing more is asked of a model."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import BaseModel

from amb_chat import Budget, Price, ScriptedChatModel, StructuredChat, UsageMeter, metered
from amb_core.chat_io import ChatReply, ChatRequest, TokenUsage
from amb_core.errors import BudgetSpent, InvalidParameter, PriceUnknown
from amb_core.usage import Ledger, accounting


class Shape(BaseModel):
    yes: bool


CALL = TokenUsage(prompt_tokens=1_000, completion_tokens=100, cached_tokens=400, calls=1)


@pytest.mark.parametrize(
    "budget", [Budget(tokens=11_000), Budget(calls=10), Budget(money=0.0098)], ids=["tokens", "calls", "money"]
)
def test_a_budget_warns_once_and_then_ends(budget: Budget) -> None:
    told: list[str] = []
    meter = UsageMeter(budget=budget, price=Price(1.0, 3.0, cached=0.2), on_warning=told.append)
    for number in range(10):
        meter.allow()
        assert bool(told) == (number >= 8)
        meter("analysis", meter.priced(CALL, model="any"))
    with pytest.raises(BudgetSpent):
        meter.allow()
    assert len(told) == 1


UNPRICED = {"analysis": TokenUsage(calls=1, unpriced_calls=1)}


@pytest.mark.parametrize("wrong", [{"budget": Budget(calls=-1)}, {"budget": Budget(money=1.0), "spent": UNPRICED}])
def test_a_budget_that_cannot_be_kept_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(InvalidParameter):
        UsageMeter(**wrong)


def test_a_budget_in_money_is_refused_for_a_model_without_a_price_and_says_how_to_give_one() -> None:
    chat = ScriptedChatModel(["x"], model="my-model")
    with pytest.raises(PriceUnknown, match=r"'my-model'.*UsageMeter\(price=.*AMB_PRICES"):
        metered(chat, meter=UsageMeter(budget=Budget(money=1.0)))
    assert metered(chat, meter=UsageMeter(budget=Budget(money=1.0), price={"my-model": Price(1, 1)}))


def test_what_was_spent_before_counts_against_the_budget() -> None:
    before = UsageMeter(price=Price(1.0, 3.0))
    before("react", before.priced(CALL, model="any"))
    after = UsageMeter(budget=Budget(money=0.0013), spent=before.by_purpose)
    assert after.money == before.money
    with pytest.raises(BudgetSpent):
        after.allow()


def test_a_call_is_billed_once_however_many_meters_it_passes() -> None:
    outer, inner, ledger = UsageMeter(), UsageMeter(), Ledger()
    chat = metered(metered(ScriptedChatModel(["x"]), meter=inner), meter=outer)
    with accounting(ledger):
        chat.complete(ChatRequest(messages=(), purpose="react"))
    assert [meter.total.calls for meter in (inner, outer)] == [1, 1]
    assert ledger.total.calls == 1


def test_no_call_is_made_once_the_budget_is_spent() -> None:
    chat = ScriptedChatModel([ChatReply(text="x", usage=CALL)])
    structured = StructuredChat(chat, meter=UsageMeter(budget=Budget(calls=0)))
    with pytest.raises(BudgetSpent):
        structured.ask(({"role": "user", "content": "?"},), Shape, purpose="test")
    assert chat.requests == []
