"""Several threads, and the background, against an endpoint that misbehaves: exact receipts, nothing lost."""

from __future__ import annotations

import runpy
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from amb_bench.doubles.chat_faults import Fault, FaultPlan

from amb_chat import Budget, UsageMeter

pytest.importorskip("openai", reason='openai is not installed: pip install "amb[openai]"')
TASK = SimpleNamespace(**runpy.run_path(str(Path(__file__).with_name("long_task.py"))))
SLOW = (Fault.TOO_SLOW, Fault.DRIPPING)
MIXED = tuple(fault for fault in Fault if fault not in (*SLOW, Fault.NO_USAGE))
THREADS = 4


def at_once(bank: Any, results: Any) -> list[Any]:
    with ThreadPoolExecutor(THREADS) as pool:
        return list(pool.map(bank.absorb, results))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("language", "fused", "seed"),
    [
        pytest.param(
            *case, seed, marks=() if (case, rank) == (("zh", True), 0) else (pytest.mark.slow, pytest.mark.nightly)
        )
        for case in product(TASK.LANGUAGES, (True, False))
        for rank, seed in enumerate(TASK.SEEDS)
    ],
)
def test_four_threads_at_once_lose_nothing_and_every_call_is_counted_once(
    language: str, fused: bool, seed: int
) -> None:
    results = TASK.results(16, language)
    with TASK.serving(FaultPlan(0.5, MIXED, seed=seed)) as server:
        endpoint = TASK.Endpoint(server, UsageMeter())
        with TASK.open_bank(language, endpoint.agents(fused=fused)) as bank:
            reports = at_once(bank, results)
            assert TASK.lost(bank, results, language) == []
            assert TASK.difference(bank, server) == {}
            assert sum(report.usage.calls for report in reports) <= bank.usage.llm_calls
            billed = sum((report.usage for report in reports), type(bank.usage.total)())
            before_results = {purpose for purpose in bank.usage.spent if purpose in ("planning",)}
            assert billed.tokens == bank.usage.total.tokens - sum(bank.usage.spent[p].tokens for p in before_results)


@pytest.mark.slow
def test_threads_stop_at_a_budget_with_what_is_under_way() -> None:
    results = TASK.results(16, "en")
    with TASK.serving(FaultPlan()) as server:
        endpoint = TASK.Endpoint(server, UsageMeter(budget=Budget(calls=10)))
        with TASK.open_bank("en", endpoint.agents()) as bank:
            at_once(bank, results)
            assert TASK.lost(bank, results, "en") == []
            assert TASK.difference(bank, server) == {}
            assert 10 <= server.requests < 10 + THREADS


@pytest.mark.slow
@pytest.mark.parametrize("language", ["zh", pytest.param("en", marks=pytest.mark.slow)])
def test_what_is_digested_in_the_background_is_there_at_the_next_recall(language: str) -> None:
    results = TASK.results(12, language)
    with TASK.serving(FaultPlan(0.5, MIXED, seed=TASK.SEEDS[-1])) as server:
        endpoint = TASK.Endpoint(server, UsageMeter())
        with TASK.open_bank(language, endpoint.agents()) as bank:
            for result in results:
                bank.absorb(result, wait=False)
            sentence = TASK.mark(11, language)
            assert sentence in bank.recall(sentence).text
            assert TASK.lost(bank, results, language) == []
            assert TASK.difference(bank, server) == {}


def test_an_endpoint_slower_than_the_deadline_costs_no_result() -> None:
    results = TASK.results(2, "en")
    with TASK.serving(FaultPlan(1.0, (Fault.TOO_SLOW,), slow_seconds=0.6)) as server:
        endpoint = TASK.Endpoint(server, UsageMeter(), timeout=5.0)
        settings = TASK.Settings(agent_deadline=0.2)
        with TASK.open_bank("en", endpoint.agents(), settings=settings) as bank:
            for result in results:
                bank.absorb(result)
            assert TASK.lost(bank, results, "en") == []
            assert bank.usage.fallback_reasons["digest"] == {"OutOfTime": 2}
