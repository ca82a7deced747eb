"""What is spent is added up; at 80 % of a budget it warns, at 100 % nothing more is asked of a model."""

from __future__ import annotations

import pytest
from pydantic import BaseModel

from amb_core.chat import Budget, Price, ScriptedChatModel, StructuredChat, UsageMeter
from amb_core.chat_io import ChatReply, TokenUsage
from amb_core.errors import BudgetSpent, InvalidParameter


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
        meter("analysis", CALL)
    with pytest.raises(BudgetSpent):
        meter.allow()
    assert len(told) == 1


def test_money_is_worked_out_from_the_price_and_never_guessed() -> None:
    meter = UsageMeter(price=Price(prompt=1.0, completion=3.0, cached=0.2))
    meter("structure", CALL)
    assert meter.money == pytest.approx((600 * 1.0 + 400 * 0.2 + 100 * 3.0) / 1e6)
    assert UsageMeter().money is None


def test_what_each_purpose_cost_adds_up_to_the_total() -> None:
    meter = UsageMeter()
    for purpose in ("analysis", "structure", "analysis"):
        meter(purpose, CALL)
    assert meter.by_purpose["analysis"].calls == 2
    assert meter.total == CALL + CALL + CALL


@pytest.mark.parametrize("wrong", [{"budget": Budget(calls=-1)}, {"budget": Budget(money=1.0)}])
def test_a_budget_that_cannot_be_kept_is_refused(wrong: dict[str, Budget]) -> None:
    with pytest.raises(InvalidParameter):
        UsageMeter(**wrong)


def test_no_call_is_made_once_the_budget_is_spent() -> None:
    chat = ScriptedChatModel([ChatReply(text="x", usage=CALL)])
    structured = StructuredChat(chat, meter=UsageMeter(budget=Budget(calls=0)))
    with pytest.raises(BudgetSpent):
        structured.ask(({"role": "user", "content": "?"},), Shape, purpose="test")
    assert chat.requests == []
