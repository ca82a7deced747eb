"""Whole tasks against an endpoint that misbehaves: nothing is lost, the task goes on, the receipts add up."""

from __future__ import annotations

import runpy
from itertools import product
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from amb_bench.doubles.chat_faults import Fault, FaultPlan
from amb_bench.doubles.chat_server import ChatServer

from amb_chat import UsageMeter
from amb_core import MemoryBank

pytest.importorskip("openai", reason='openai is not installed: pip install "amb[openai]"')
TASK = SimpleNamespace(**runpy.run_path(str(Path(__file__).with_name("long_task.py"))))
SLOW = (Fault.TOO_SLOW, Fault.DRIPPING)
MIXED = tuple(fault for fault in Fault if fault not in (*SLOW, Fault.NO_USAGE))
"""All that cost no time to speak of, and whose tokens the server tells."""
BY_DAY = {("en", True, 1.0)}
"""Language, fused digest or not, and rate: what is not left for the night."""
BY_DAY_ALONE = {(0, 0, 0)}
"""By day every eighth fault is met alone; all of them are met in the mixtures."""
COUNT = 24
"""Results of a task: enough for a second source that contradicts the first."""
REASONS = {"ModelUnavailable", "ModelAnswerInvalid", "AgentFailed", "summary", "OutOfTime"}


def hold(bank: MemoryBank, server: ChatServer, run: Any, worker: Any, language: str) -> None:
    """What holds after a task, whatever happened to the endpoint."""
    assert TASK.lost(bank, worker.brought, language) == []
    assert (run.ended, run.failures, worker.left) == ("finished", 0, [])
    assert run.answer == TASK.ANSWER[language]
    usage = bank.usage
    assert {role: sum(why.values()) for role, why in usage.fallback_reasons.items()} == usage.fallbacks
    assert {reason for why in usage.fallback_reasons.values() for reason in why} <= REASONS
    billed = sum((bill.total for bill in bank.snapshot().bills), type(usage.total)())
    others = {purpose for purpose in usage.spent if purpose not in ("planning", "integration")}
    assert billed.calls >= sum(usage.spent[purpose].calls for purpose in others) > 0 or not usage.llm_calls


def worked(
    plan: FaultPlan, language: str, *, count: int, exact: bool = True, timeout: float = 20.0, **options: Any
) -> None:
    """Work on a task under a plan of faults and check it; every request is counted, `exact` that every token is."""
    with TASK.serving(plan) as server:
        endpoint = TASK.Endpoint(server, UsageMeter(), timeout=timeout)
        with TASK.open_bank(language, endpoint.agents(**options)) as bank:
            run, worker = TASK.work(bank, language, count=count)
            assert len(worker.brought) >= count
            hold(bank, server, run, worker, language)
            different = TASK.difference(bank, server)
            assert "requests" not in different
            assert not (exact and different), different
            assert bank.usage.total.tokens == endpoint.meter.total.tokens


@pytest.mark.sampled(2)
@pytest.mark.slow
@pytest.mark.parametrize("language", TASK.LANGUAGES)
def test_a_task_whose_every_second_request_fails_in_some_way_loses_nothing(language: str) -> None:
    worked(FaultPlan(0.5, MIXED, seed=TASK.SEEDS[0]), language, count=COUNT)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("language", "fused", "rate", "seed"),
    [
        pytest.param(*case, seed, marks=() if case in BY_DAY and seed == TASK.SEEDS[0] else pytest.mark.nightly)
        for case in product(TASK.LANGUAGES, (True, False), (0.1, 0.5, 1.0))
        for seed in TASK.SEEDS
    ],
)
def test_a_longer_task_with_all_sorts_of_faults_loses_nothing(
    language: str, fused: bool, rate: float, seed: int
) -> None:
    worked(FaultPlan(rate, MIXED, seed=seed), language, count=44, fused=fused)


@pytest.mark.sampled(3)
@pytest.mark.slow
@pytest.mark.parametrize(
    ("fault", "language", "rate", "seed"),
    [
        pytest.param(fault, *case, seed, marks=() if (number % 8, shift, rank) in BY_DAY_ALONE else pytest.mark.nightly)
        for number, fault in enumerate(Fault)
        for shift, case in enumerate([("en", 0.1), ("zh", 0.5), ("en", 0.5), ("zh", 0.1)])
        for rank, seed in enumerate(TASK.SEEDS)
        if fault not in SLOW
    ],
)
def test_each_fault_alone_loses_nothing(fault: Fault, language: str, rate: float, seed: int) -> None:
    worked(FaultPlan(rate, (fault,), seed=seed), language, count=COUNT, exact=fault is not Fault.NO_USAGE)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("fault", "language", "rate"),
    [
        (Fault.TOO_SLOW, "zh", 0.5),
        (Fault.DRIPPING, "en", 0.1),
        pytest.param(Fault.TOO_SLOW, "en", 0.1, marks=pytest.mark.nightly),
        pytest.param(Fault.DRIPPING, "zh", 0.5, marks=pytest.mark.nightly),
    ],
)
def test_answers_that_come_too_late_lose_nothing(fault: Fault, language: str, rate: float) -> None:
    # how many a busy machine makes late beside them, and whether those were told of, is not known
    plan = FaultPlan(rate, (fault,), seed=TASK.SEEDS[0], slow_seconds=0.25)
    worked(plan, language, count=COUNT, exact=False, timeout=0.12)


def test_an_endpoint_that_does_not_say_what_it_cost_is_estimated_and_said_to_be() -> None:
    with TASK.serving(FaultPlan(1.0, (Fault.NO_USAGE,))) as server:
        endpoint = TASK.Endpoint(server, UsageMeter())
        with TASK.open_bank("en", endpoint.agents()) as bank:
            bank.absorb(TASK.results(1, "en")[0])
            assert server.drain()
            assert bank.usage.llm_calls == server.requests > 0
            assert bank.usage.total.estimated
            assert bank.usage.total.prompt_tokens > 0


@pytest.mark.sampled(2)
@pytest.mark.slow
@pytest.mark.parametrize(
    ("language", "dies_at"), [("zh", 9), ("en", 1), pytest.param("en", 9, marks=pytest.mark.nightly)]
)
def test_a_server_that_dies_half_way_leaves_the_rest_to_the_local_agents(language: str, dies_at: int) -> None:
    with TASK.serving(FaultPlan(dies_at=dies_at)) as server:
        endpoint = TASK.Endpoint(server, UsageMeter())
        with TASK.open_bank(language, endpoint.agents()) as bank:
            run, worker = TASK.work(bank, language, count=COUNT)
            hold(bank, server, run, worker, language)
            assert server.drain()
            assert (bank.usage.llm_calls, bank.usage.total.tokens) == (server.reported.calls, server.reported.tokens)
            assert bank.usage.failed_calls >= server.reported.failed_calls
            assert set(bank.usage.fallback_reasons["digest"]) == {"ModelUnavailable"}


def test_a_server_that_comes_back_is_used_again() -> None:
    results = TASK.results(16, "en")
    with TASK.serving(FaultPlan(dies_at=5, back_after=8)) as server:
        endpoint = TASK.Endpoint(server, UsageMeter())
        with TASK.open_bank("en", endpoint.agents()) as bank:
            for result in results:
                bank.absorb(result)
            assert TASK.lost(bank, results, "en") == []
            assert TASK.difference(bank, server) == {}
            assert bank.usage.failed_calls == 8
            assert server.exchanges[-1].answered
