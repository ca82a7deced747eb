"""The OpenAI-compatible chat model against a real server on this machine that misbehaves on purpose."""

from __future__ import annotations

import threading
import traceback
from dataclasses import replace
from typing import Any

import pytest

from amb_chat import OpenAIChatModel
from amb_chat.retries import RetryPolicy
from amb_contracts.chat_model import ChatModelContract
from amb_core.chat_io import ChatRequest
from amb_core.errors import InvalidParameter, ModelRefused, ModelUnavailable

pytest.importorskip("openai", reason='openai is not installed: pip install "amb[openai]"')

QUICK = RetryPolicy(attempts=4, first_wait=0.01, longest_wait=0.05)
ASKED = ChatRequest(messages=({"role": "user", "content": "hello"},), temperature=None)


@pytest.fixture
def chat(server: Any) -> OpenAIChatModel:
    return OpenAIChatModel("small", base_url=server.url, api_key="sk-secret-1234", timeout=2, retries=QUICK)


class TestOpenAIChatModel(ChatModelContract):
    pass


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


def test_an_answer_that_drips_in_is_given_up_after_the_timeout(server: Any, answer: Any) -> None:
    chat = OpenAIChatModel("small", base_url=server.url, timeout=0.4, retries=QUICK)
    server.answers.extend([answer(drip=0.05), answer(text="quick")])
    reply = chat.complete(ASKED)
    assert reply.text == "quick", "it was waited for to its end, 15 seconds long"
    assert reply.usage.failed_calls == 1


def test_all_attempts_together_have_a_limit(server: Any, answer: Any) -> None:
    policy = RetryPolicy(attempts=50, first_wait=0.02, longest_wait=0.02, total=0.3)
    chat = OpenAIChatModel("small", base_url=server.url, timeout=10, retries=policy)
    server.answers.extend([answer(status=503), answer(status=503), answer(delay=3)])
    with pytest.raises(ModelUnavailable) as caught:  # the third answer is a good one
        chat.complete(ASKED)
    assert caught.value.failed_calls == len(server.requests)


NOT_MAX = "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."
NOT_WARM = "Unsupported value: 'temperature' does not support 0.6 with this model. Only the default (1) is."


def test_what_an_endpoint_does_not_take_is_learnt_once(chat: OpenAIChatModel, server: Any) -> None:
    server.refused_fields = {"max_tokens": NOT_MAX, "temperature": NOT_WARM}
    warm = replace(ASKED, temperature=0.6, max_output_tokens=77)
    first, second = chat.complete(warm), chat.complete(warm)
    assert (first.usage.calls, first.usage.failed_calls) == (1, 2)
    assert (second.usage.calls, second.usage.failed_calls) == (1, 0)
    assert server.requests[-1]["max_completion_tokens"] == 77
    assert not {"max_tokens", "temperature"} & server.requests[-1].keys()


@pytest.mark.parametrize("told", ["Logprobs is not enabled for this model.", "Bad request."])
def test_probabilities_that_an_endpoint_does_not_give_are_asked_for_once(
    chat: OpenAIChatModel, server: Any, told: str
) -> None:
    server.refused_fields = {"logprobs": told}
    first, second = (chat.complete(replace(ASKED, logprobs=True)) for _ in range(2))
    assert (first.usage.failed_calls, second.usage.failed_calls) == (1, 0)
    assert (first.logprobs, second.logprobs) == ((), ())


def test_the_probabilities_of_the_tokens_are_read_where_they_are_asked_for(
    chat: OpenAIChatModel, server: Any, answer: Any
) -> None:
    told = {"content": [{"token": "he", "logprob": -0.5}, {"token": "llo", "logprob": 0}], "refusal": None}
    server.answers.append(answer(text="hello", logprobs=told))
    assert chat.complete(replace(ASKED, logprobs=True)).logprobs == (("he", -0.5), ("llo", 0.0))
    chat.complete(ASKED)
    assert [asked.get("logprobs") for asked in server.requests] == [True, None]


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


def test_cancelling_ends_a_call_under_way_and_makes_no_other(server: Any, answer: Any) -> None:
    cancel = threading.Event()
    chat = OpenAIChatModel("small", base_url=server.url, cancel=cancel)
    server.answers.append(answer(delay=5))
    threading.Timer(0.2, cancel.set).start()
    for failed in (1, 0):
        with pytest.raises(ModelUnavailable, match="cancelled") as caught:
            chat.complete(ASKED)
        assert caught.value.failed_calls == failed
    assert len(server.requests) == 1


def test_the_key_goes_to_the_endpoint_and_into_no_error_or_log(
    chat: OpenAIChatModel, server: Any, answer: Any, caplog: pytest.LogCaptureFixture
) -> None:
    server.answers.append(answer(status=401, text="Incorrect API key provided: sk-secret-1234"))
    caplog.set_level(0)
    with pytest.raises(ModelRefused) as caught:
        chat.complete(ASKED)
    assert server.keys == ["Bearer sk-secret-1234"]
    told = "".join(traceback.format_exception(caught.value))
    assert "sk-secret" not in f"{told} {chat!r} {caplog.text} {caught.value.__context__!r}"


def test_a_password_in_the_url_is_not_shown() -> None:
    chat = OpenAIChatModel("small", base_url="http://me:hush@127.0.0.1:9/v1", retries=RetryPolicy(attempts=1))
    with pytest.raises(ModelUnavailable) as caught:
        chat.complete(ASKED)
    assert "hush" not in f"{chat.endpoint} {chat!r} {caught.value}"


def test_the_key_for_openai_is_sent_to_nobody_else(server: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-openais")
    for name in ("LLM_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    OpenAIChatModel("small", base_url=server.url).complete(ASKED)
    assert server.keys == ["Bearer none"]


def test_without_a_key_and_a_server_of_ones_own_it_says_what_to_set(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LLM_API_KEY", "OPENAI_API_KEY", "LLM_BASE_URL", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(InvalidParameter, match="LLM_API_KEY"):
        OpenAIChatModel("small")


@pytest.mark.parametrize("wrong", [{"model": " "}, {"model": "m", "timeout": 0}])
def test_a_model_without_name_or_time_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(InvalidParameter):
        OpenAIChatModel(**wrong, base_url="http://127.0.0.1:1/v1")
