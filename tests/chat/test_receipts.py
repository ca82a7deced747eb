"""The receipts add up, whatever goes wrong: each request the endpoint saw, and each token it reported."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any

import pytest

from amb_chat import OpenAIChatModel, Price, RetryPolicy, UsageMeter, metered
from amb_core.chat_io import ChatRequest
from amb_core.errors import ModelError
from amb_core.usage import Ledger, accounting

pytest.importorskip("openai", reason='openai is not installed: pip install "amb[openai]"')

TROUBLES: list[dict[str, Any]] = [
    {"status": 429, "headers": {"Retry-After": "0"}},
    {"status": 500},
    {"status": 400, "text": "no"},
    {"torn": True},
    {"reset": True},
    {"choices": False},
    {"choices": False, "usage": False},
    {},
    {},
]
ASKED = ChatRequest(messages=({"role": "user", "content": "港角?"},), temperature=None, purpose="test")


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (1, 2, 3))])
def test_requests_and_tokens_are_those_of_the_endpoint(server: Any, answer: Any, seed: int) -> None:
    planned = [answer(**random.Random(seed * 1_000 + n).choice(TROUBLES)) for n in range(60)]
    server.answers.extend(planned)
    policy = RetryPolicy(attempts=3, first_wait=0, longest_wait=0)
    meter, ledger = UsageMeter(price=Price(1.0, 2.0, cached=0.5)), Ledger()
    chat = metered(OpenAIChatModel("small", base_url=server.url, timeout=9, retries=policy), meter=meter)
    with accounting(ledger):
        while server.answers:
            with suppress(ModelError):
                chat.complete(ASKED)
    total = ledger.total
    told = [one for one in planned if one.status == 200 and one.usage and not one.torn and not one.reset]
    later = len(server.requests) - len(planned)  # the last call may have gone on after the plan's end: "fine"
    assert total.calls + total.failed_calls == len(server.requests)
    assert (total.prompt_tokens, total.completion_tokens) == (20 * (len(told) + later), 5 * (len(told) + later))
    assert total == meter.total
    assert total.money == pytest.approx((len(told) + later) * (13 * 1.0 + 7 * 0.5 + 5 * 2.0) / 1e6)


@pytest.mark.slow
def test_threads_lose_no_request(server: Any, answer: Any) -> None:
    server.answers.extend(answer(status=503 if n % 3 else 200) for n in range(60))
    policy = RetryPolicy(attempts=4, first_wait=0, longest_wait=0)
    chat = metered(OpenAIChatModel("small", base_url=server.url, timeout=9, retries=policy))

    def call(_: int) -> None:
        with suppress(ModelError):
            chat.complete(ASKED)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(call, range(30)))
    assert chat.meter.total.calls + chat.meter.total.failed_calls == len(server.requests)
    assert chat.meter.total.tokens == 25 * chat.meter.total.calls
