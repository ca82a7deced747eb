"""The OpenAI-compatible chat model against a real server on this machine that misbehaves on purpose."""

from __future__ import annotations

import threading
import time
from typing import Any

import pytest

from amb_core.chat import OpenAIChatModel
from amb_core.chat.retrying import RetryPolicy
from amb_core.chat_io import ChatRequest
from amb_core.errors import InvalidParameter, ModelRefused, ModelUnavailable
from amb_core.testing.chat_model import ChatModelContract

pytest.importorskip("openai", reason='openai is not installed: pip install "amb[openai]"')

QUICK = RetryPolicy(attempts=4, first_wait=0.01, longest_wait=0.05)
ASKED = ChatRequest(messages=({"role": "user", "content": "hello"},), temperature=None)


@pytest.fixture
def chat(server: Any) -> OpenAIChatModel:
    return OpenAIChatModel("small", base_url=server.url, api_key="sk-secret-1234", timeout=2, retries=QUICK)


class TestOpenAIChatModel(ChatModelContract):
    pass


def test_figures_are_the_endpoints_own(chat: OpenAIChatModel) -> None:
    usage = chat.complete(ASKED).usage
    assert (usage.prompt_tokens, usage.completion_tokens, usage.cached_tokens) == (20, 5, 7)
    assert (usage.calls, usage.failed_calls, usage.estimated) == (1, 0, False)


def test_figures_are_estimated_and_say_so_when_the_endpoint_gives_none(
    chat: OpenAIChatModel, server: Any, answer: Any
) -> None:
    server.answers.append(answer(usage=False))
    usage = chat.complete(ASKED).usage
    assert usage.estimated
    assert usage.prompt_tokens > 0


@pytest.mark.parametrize(
    "trouble",
    [
        {"status": 429},
        {"status": 500},
        {"status": 503, "headers": {"Retry-After": "0.02"}},
        {"status": 408},
        {"reset": True},
        {"torn": True},
        {"choices": False},
    ],
    ids=["busy", "error", "says when", "too late", "reset", "torn", "no choice"],
)
def test_what_may_pass_is_tried_again_and_counted(
    chat: OpenAIChatModel, server: Any, answer: Any, trouble: dict[str, Any]
) -> None:
    server.answers.extend([answer(**trouble), answer(**trouble), answer(text="at last")])
    reply = chat.complete(ASKED)
    assert reply.text == "at last"
    assert (reply.usage.calls, reply.usage.failed_calls) == (1, 2)
    assert len(server.requests) == 3


def test_a_slow_answer_is_given_up_after_the_timeout(server: Any, answer: Any) -> None:
    chat = OpenAIChatModel("small", base_url=server.url, timeout=0.2, retries=QUICK)
    server.answers.extend([answer(delay=0.6), answer(text="quick")])
    assert chat.complete(ASKED).text == "quick"


def test_after_all_attempts_the_last_trouble_is_named(chat: OpenAIChatModel, server: Any, answer: Any) -> None:
    server.answers.extend([answer(status=503, text="overloaded")] * 9)
    with pytest.raises(ModelUnavailable, match=r"503 \(overloaded\)") as caught:
        chat.complete(ASKED)
    assert caught.value.failed_calls == len(server.requests) == QUICK.attempts


@pytest.mark.parametrize(("status", "malformed"), [(400, True), (401, False), (404, False), (422, True)])
def test_what_will_not_pass_is_refused_at_once(
    chat: OpenAIChatModel, server: Any, answer: Any, status: int, malformed: bool
) -> None:
    server.answers.append(answer(status=status, text="no such thing"))
    with pytest.raises(ModelRefused, match="no such thing") as caught:
        chat.complete(ASKED)
    assert (caught.value.malformed, len(server.requests)) == (malformed, 1)


def test_a_server_that_is_gone_is_unavailable(server: Any) -> None:
    server.shutdown()
    server.server_close()
    chat = OpenAIChatModel("small", base_url=server.url, timeout=1, retries=QUICK)
    with pytest.raises(ModelUnavailable, match="URL"):
        chat.complete(ASKED)


def test_cancelling_ends_the_wait(server: Any, answer: Any) -> None:
    cancel = threading.Event()
    patient = RetryPolicy(attempts=9, first_wait=30, longest_wait=60)
    chat = OpenAIChatModel("small", base_url=server.url, retries=patient, cancel=cancel)
    server.answers.extend([answer(status=503)] * 9)
    threading.Timer(0.2, cancel.set).start()
    begun = time.monotonic()
    with pytest.raises(ModelUnavailable):
        chat.complete(ASKED)
    assert time.monotonic() - begun < 15


def test_tool_calls_and_the_reason_to_end_come_through(chat: OpenAIChatModel, server: Any, answer: Any) -> None:
    call = {"id": "c9", "type": "function", "function": {"name": "search", "arguments": '{"q": "青屿"}'}}
    server.answers.append(answer(text=None, finish="tool_calls", tool_calls=[call]))
    reply = chat.complete(ASKED)
    assert (reply.text, reply.finish_reason) == ("", "tool_calls")
    [found] = reply.tool_calls
    assert (found.id, found.name, found.arguments) == ("c9", "search", '{"q": "青屿"}')


def test_the_key_goes_to_the_endpoint_and_into_no_error(chat: OpenAIChatModel, server: Any, answer: Any) -> None:
    server.answers.append(answer(status=401, text="bad key"))
    with pytest.raises(ModelRefused) as caught:
        chat.complete(ASKED)
    assert server.keys == ["Bearer sk-secret-1234"]
    assert "sk-secret-1234" not in f"{caught.value} {caught.value.__cause__!r} {chat.__dict__.get('_extra')}"


def test_without_a_key_and_a_server_of_ones_own_it_says_what_to_set(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LLM_API_KEY", "OPENAI_API_KEY", "LLM_BASE_URL", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(InvalidParameter, match="LLM_API_KEY"):
        OpenAIChatModel("small")


@pytest.mark.parametrize("wrong", [{"model": " "}, {"model": "m", "timeout": 0}])
def test_a_model_without_name_or_time_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(InvalidParameter):
        OpenAIChatModel(**wrong, base_url="http://127.0.0.1:1/v1")
