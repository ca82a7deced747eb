"""The chat model over LiteLLM against the same misbehaving server; `make test-litellm` installs LiteLLM."""

from __future__ import annotations

import threading
import traceback
from dataclasses import replace
from typing import Any

import pytest

from amb_chat import open_chat
from amb_chat.retries import RetryPolicy
from amb_contracts.chat_model import ChatModelContract
from amb_core.chat_io import ChatRequest, TokenUsage
from amb_core.errors import ModelRefused, ModelUnavailable

pytestmark = pytest.mark.litellm
pytest.importorskip("litellm", reason="LiteLLM is not installed: make test-litellm")

QUICK = RetryPolicy(attempts=4, first_wait=0.01, longest_wait=0.05)
ASKED = ChatRequest(messages=({"role": "user", "content": "hello"},), temperature=None)


def litellm_at(url: str, **options: Any) -> Any:
    return open_chat("litellm:openai/small", base_url=url, api_key="sk-secret-1234", **options)


@pytest.fixture
def chat(server: Any) -> Any:
    return litellm_at(server.url, timeout=5, retries=QUICK)


class TestLiteLLMChatModel(ChatModelContract):
    pass


def test_figures_are_the_endpoints_own(chat: Any) -> None:
    assert chat.complete(ASKED).usage == TokenUsage(20, 5, 7, calls=1)


@pytest.mark.parametrize(
    "trouble",
    [{"status": 429}, {"status": 500}, {"status": 503}, {"reset": True}, {"torn": True}, {"choices": False}],
    ids=["busy", "error", "overloaded", "reset", "torn", "no choice"],
)
def test_what_may_pass_is_tried_again_and_each_request_is_counted(
    chat: Any, server: Any, answer: Any, trouble: dict[str, Any]
) -> None:
    server.answers.extend([answer(**trouble), answer(**trouble), answer(text="at last")])
    reply = chat.complete(ASKED)
    assert reply.text == "at last"
    assert reply.usage.calls + reply.usage.failed_calls == len(server.requests) == 3


def test_nothing_is_tried_again_behind_our_back(chat: Any, server: Any, answer: Any) -> None:
    server.answers.extend([answer(status=500)] * 9)
    with pytest.raises(ModelUnavailable) as caught:
        chat.complete(ASKED)
    assert caught.value.failed_calls == len(server.requests) == QUICK.attempts


def test_an_answer_that_drips_in_is_given_up_after_the_timeout(server: Any, answer: Any) -> None:
    server.answers.extend([answer(drip=0.05), answer(text="quick")])
    assert litellm_at(server.url, timeout=0.7, retries=QUICK).complete(ASKED).text == "quick"
    assert server.times[1] - server.times[0] < 5


def test_the_server_says_how_long_to_wait(server: Any, answer: Any) -> None:
    chat = litellm_at(server.url, retries=RetryPolicy(attempts=2, first_wait=0, longest_wait=9))
    server.answers.append(answer(status=429, headers={"Retry-After": "0.5"}))
    chat.complete(ASKED)
    assert server.times[1] - server.times[0] >= 0.5


def test_a_refusal_is_one_and_the_key_is_nowhere(chat: Any, server: Any, answer: Any) -> None:
    server.answers.append(answer(status=401, text="Incorrect API key provided: sk-secret-1234"))
    with pytest.raises(ModelRefused, match="401") as caught:
        chat.complete(ASKED)
    assert server.keys == ["Bearer sk-secret-1234"]
    assert "sk-secret" not in f"{''.join(traceback.format_exception(caught.value))} {chat!r}"


def test_what_an_endpoint_does_not_take_is_learnt_once(chat: Any, server: Any) -> None:
    server.refused_fields = {
        "max_tokens": "'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
        "temperature": "'temperature' does not support 0.6 with this model. Only the default (1) value is supported.",
    }
    warm = replace(ASKED, temperature=0.6)
    assert [chat.complete(warm).usage.failed_calls for _ in range(2)] == [2, 0]


def test_tools_and_their_calls_come_through(chat: Any, server: Any, answer: Any) -> None:
    call = {"id": "c9", "type": "function", "function": {"name": "search", "arguments": '{"q": "青屿"}'}}
    tool = {"type": "function", "function": {"name": "search", "parameters": {"type": "object", "properties": {}}}}
    server.answers.append(answer(text=None, finish="tool_calls", tool_calls=[call]))
    reply = chat.complete(replace(ASKED, tools=(tool,)))
    assert server.requests[0]["tools"] == [tool]
    assert (reply.finish_reason, reply.tool_calls[0].arguments) == ("tool_calls", '{"q": "青屿"}')


def test_cancelling_ends_a_call_under_way(server: Any, answer: Any) -> None:
    cancel = threading.Event()
    server.answers.append(answer(delay=5))
    threading.Timer(0.5, cancel.set).start()
    with pytest.raises(ModelUnavailable, match="cancelled"):
        litellm_at(server.url, cancel=cancel).complete(ASKED)


def test_its_own_table_says_what_a_model_costs_that_amb_does_not_know() -> None:
    price = open_chat("litellm:groq/openai/gpt-oss-120b", api_key="x").price
    assert price is not None
    assert 0 < price.prompt < price.completion < 10
    assert open_chat("litellm:openai/small", base_url="http://127.0.0.1:9/v1").price is None
