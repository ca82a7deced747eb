"""What an endpoint reports is believed where it can be, and the receipts count what was sent."""

from __future__ import annotations

import json
from typing import Any

import pytest
from amb_bench.doubles.chat_server import ChatServer

from amb_chat import OpenAIChatModel, Price, RetryPolicy, ScriptedChatModel, UsageMeter, metered
from amb_core import MemoryBank
from amb_core.chat_io import ChatReply, ChatRequest, TokenUsage, ToolCall
from amb_react import ReActAgent

pytest.importorskip("openai", reason='openai is not installed: pip install "amb[openai]"')


PLAIN = ChatRequest(messages=({"role": "user", "content": "港角?"},), max_output_tokens=100, purpose="test")
IMPOSSIBLE = (10**6, -5, float("nan"), float("inf"), "40", "many", True, None, [3], 2.5)


def counted(server: Any, answer: Any, **told: Any) -> TokenUsage:
    """What a meter has counted after an endpoint has told this of one call."""
    server.answers.append(answer(told=told))
    meter = UsageMeter(price=Price(1.0, 1.0))
    metered(OpenAIChatModel("small", base_url=server.url), meter=meter).complete(PLAIN)
    return meter.total


@pytest.mark.parametrize("figure", [one for one in IMPOSSIBLE if one not in ("40", True)], ids=repr)
@pytest.mark.parametrize("field", ["prompt_tokens", "completion_tokens"])
def test_a_figure_that_cannot_be_is_estimated_and_the_receipt_says_so(server, answer, field, figure):
    usage = counted(server, answer, **{field: figure})
    assert usage.estimated
    assert (0 < usage.prompt_tokens < 30, 0 < usage.completion_tokens < 30) == (True, True)
    assert usage.unbelieved_calls == (figure == 10**6)
    assert usage.money == pytest.approx((usage.prompt_tokens + usage.completion_tokens) / 1e6)


def test_figures_that_can_be_are_believed_with_what_an_endpoint_adds_of_its_own(server, answer):
    usage = counted(server, answer, prompt_tokens=900, completion_tokens=99)
    assert (usage.prompt_tokens, usage.completion_tokens, usage.estimated) == (900, 99, False)


def test_an_answer_without_a_choice_is_billed_as_far_as_it_can_be(server, answer):
    server.answers.extend(answer(choices=False, told={"prompt_tokens": 10**9}) for _ in range(2))
    chat = OpenAIChatModel("small", base_url=server.url, retries=RetryPolicy(first_wait=0))
    usage = metered(chat).complete(PLAIN).usage
    assert usage.prompt_tokens < 100
    assert (usage.calls, usage.failed_calls, usage.unbelieved_calls) == (1, 2, 2)


@pytest.mark.parametrize("figure", [one for one in IMPOSSIBLE if one != 10**6], ids=repr)
def test_a_model_of_somebody_elses_is_not_believed_either(figure):
    reply = ChatReply("fine", usage=TokenUsage(prompt_tokens=figure, completion_tokens=2, calls=1))
    chat = metered(ScriptedChatModel([reply]))
    assert chat.complete(PLAIN).usage.estimated
    assert 0 < chat.meter.total.prompt_tokens < 30
    assert chat.meter.total.unbelieved_calls == 1


def look(what: str) -> str:
    """Look a thing up."""
    return f"The price of {what} is 40 euro in Lyness. " * 9


@pytest.mark.parametrize("protocol", ["native", "text"])
def test_the_log_of_injections_holds_what_a_counting_server_saw(protocol):
    calls = [ChatReply("", (ToolCall(f"c{n}", "look", json.dumps({"what": f"tea {n}"})),)) for n in range(3)]
    told = iter([*calls, *[ChatReply("<answer>40 euro</answer>")] * 9])
    with ChatServer(ScriptedChatModel(lambda request: next(told))) as server:
        bank = MemoryBank("What does tea cost?")
        ReActAgent(bank, OpenAIChatModel("m", base_url=server.url), [look], protocol=protocol).run()
        server.drain()
        seen = [exchange.usage.prompt_tokens for exchange in server.exchanges]
    logged = [injection.prompt_tokens for injection in bank.snapshot().injections]
    assert len(logged) == len(seen) > 3
    most = (
        10 if protocol == "native" else 15
    )  # calls are written in another order; as text, two messages are sent as one
    assert all(abs(one - other) <= most for one, other in zip(logged, seen, strict=True)), (logged, seen)
