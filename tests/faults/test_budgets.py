"""Budgets at a real endpoint: one warning at 80 %, no request after 100 %, and the receipt says who did the rest."""

from __future__ import annotations

import runpy
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from amb_bench.doubles.chat_faults import FaultPlan

from amb_chat import Budget, Price, UsageMeter

pytest.importorskip("openai", reason='openai is not installed: pip install "amb[openai]"')
TASK = SimpleNamespace(**runpy.run_path(str(Path(__file__).with_name("long_task.py"))))
PRICE = Price(prompt=2.0, completion=8.0, cached=0.2)
COUNT = 30


def absorbed(bank: Any, language: str, results: Any = None) -> None:
    for result in results or TASK.results(COUNT, language):
        bank.absorb(result)


def told_off(bank: Any) -> set[str]:
    """The reasons for which local agents did what a model was to do."""
    return {reason for why in bank.usage.fallback_reasons.values() for reason in why}


@pytest.mark.sampled(2)
@pytest.mark.slow
@pytest.mark.parametrize("language", TASK.LANGUAGES)
def test_a_task_ends_well_with_exactly_the_calls_it_may_make(language: str) -> None:
    warnings: list[str] = []
    with TASK.serving(FaultPlan()) as server:
        meter = UsageMeter(budget=Budget(calls=10), on_warning=warnings.append)
        with TASK.open_bank(language, TASK.Endpoint(server, meter).agents()) as bank:
            run, worker = TASK.work(bank, language, count=COUNT)
            assert TASK.lost(bank, worker.brought, language) == []
            assert TASK.difference(bank, server) == {}
            assert (run.ended, server.requests, bank.usage.llm_calls) == ("finished", 10, 10)
            assert bank.usage.fallback_reasons["digest"]["BudgetSpent"] >= COUNT - 10
    [warning] = warnings
    assert "80" in warning


@pytest.mark.slow
@pytest.mark.parametrize(
    "limit",
    [
        pytest.param(Budget(tokens=20_000), id="tokens", marks=pytest.mark.slow),
        pytest.param(Budget(money=0.02), id="money"),
    ],
)
def test_the_request_that_reaches_the_limit_is_the_last_one(limit: Budget) -> None:
    warnings: list[str] = []
    with TASK.serving(FaultPlan()) as server:
        meter = UsageMeter(budget=limit, price=PRICE, on_warning=warnings.append)
        with TASK.open_bank("en", TASK.Endpoint(server, meter).agents()) as bank:
            absorbed(bank, "en")
            assert TASK.difference(bank, server) == {}
            assert told_off(bank) == {"BudgetSpent"}
            last = server.exchanges[-1].usage
            spent, at_last = server.reported, PRICE.of(last)
            if limit.tokens is not None:
                assert spent.tokens - last.tokens < limit.tokens <= spent.tokens
            else:
                assert PRICE.of(spent) - at_last < (limit.money or 0) <= PRICE.of(spent)
                assert bank.usage.cost == pytest.approx(PRICE.of(spent))
    assert len(warnings) == 1


def test_without_a_limit_there_is_no_warning_and_without_money_no_call() -> None:
    warnings: list[str] = []
    with TASK.serving(FaultPlan()) as server:
        agents = TASK.Endpoint(server, UsageMeter(on_warning=warnings.append)).agents()
        with TASK.open_bank("en", agents) as bank:
            absorbed(bank, "en", TASK.results(3, "en"))
        assert server.requests >= 3
        assert bank.usage.cost is None
    with TASK.serving(FaultPlan()) as server:
        agents = TASK.Endpoint(server, UsageMeter(budget=Budget(calls=0))).agents()
        with TASK.open_bank("zh", agents) as bank:
            absorbed(bank, "zh", TASK.results(3, "zh"))
            assert bank.usage.llm_calls == server.requests == 0
            assert told_off(bank) == {"BudgetSpent"}
    assert warnings == []


@pytest.mark.slow
def test_what_was_spent_is_kept_with_the_task_and_counts_when_it_goes_on(tmp_path: Path) -> None:
    store = f"sqlite:///{tmp_path / 'task.db'}"
    results = TASK.results(12, "en")
    with TASK.serving(FaultPlan()) as server:
        endpoint = TASK.Endpoint(server, UsageMeter(budget=Budget(calls=4)))
        bank = TASK.open_bank("en", endpoint.agents(), store=store)
        absorbed(bank, "en", results[:8])
        before = bank.usage
        bank.close(keep=True)
        spent = UsageMeter(budget=Budget(calls=4), spent=before.spent)
        with type(bank).resume(store, agents=TASK.Endpoint(server, spent).agents()) as resumed:
            assert resumed.usage.spent == before.spent
            assert resumed.usage.fallback_reasons["digest"] == before.fallback_reasons["digest"]
            absorbed(resumed, "en", results[8:])
            assert (server.requests, resumed.usage.llm_calls) == (4, 4)
            assert TASK.difference(resumed, server) == {}
