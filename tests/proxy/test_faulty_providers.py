"""Whatever a provider does wrong reaches the client as it came, and leaves nothing in memory that was not said."""

from __future__ import annotations

import httpx2
import pytest
from amb_bench.doubles.provider_server import ProviderServer, Say

from amb_proxy.event_stream import EventReader

pytestmark = pytest.mark.slow

REPLY = Say("我看第一页。I look at the first page of the very long book.", [("look", {"number": 1})], "Hm.")
PATHS = {"chat": "/v1/chat/completions", "responses": "/v1/responses", "anthropic": "/v1/messages"}
TOOLS = {
    "chat": [{"type": "function", "function": {"name": "look"}}],
    "responses": [{"type": "function", "name": "look"}],
    "anthropic": [{"name": "look", "input_schema": {"type": "object"}}],
}


@pytest.fixture(params=["chat", pytest.param("responses", marks=pytest.mark.nightly), "anthropic"])
def form(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture
def provider():
    with ProviderServer(lambda _: REPLY) as server:
        yield server


def body_of(form: str, *, stream: bool) -> dict[str, object]:
    """A first request."""
    messages = [{"role": "user", "content": "Read the book."}]
    return {
        "model": "m",
        "stream": stream,
        "tools": TOOLS[form],
        "input" if form == "responses" else "messages": messages,
    }


def send(url: str, form: str, fault: str, *, stream: bool) -> httpx2.Response:
    """Send it, and ask the provider to do something wrong."""
    return httpx2.post(url + PATHS[form], json=body_of(form, stream=stream), headers={"x-fault": fault}, timeout=60)


@pytest.mark.sampled(5)
@pytest.mark.parametrize("fault", ["", "torn", "slow", "wrong-type"])
@pytest.mark.parametrize("stream", [True, False])
def test_a_reply_goes_on_byte_for_byte_however_it_is_cut(form, fault, stream, gateway, provider):
    answer = send(gateway.url, form, fault, stream=stream)
    assert answer.content == provider.sent[-1]
    assert answer.headers["x-request-id"] == "req_1"
    assert answer.headers["x-amb"].endswith("by=new; entries=0")


@pytest.mark.parametrize("fault", ["html", "busy", "refused"])
@pytest.mark.parametrize("stream", [True, False])
def test_an_answer_that_is_no_reply_goes_on_as_it_is_and_is_not_registered(form, fault, stream, gateway, provider):
    answer = send(gateway.url, form, fault, stream=stream)
    straight = httpx2.post(provider.url + PATHS[form], json=body_of(form, stream=stream), headers={"x-fault": fault})
    assert (answer.status_code, answer.content) == (straight.status_code, straight.content)
    dropped = {"date", "server", "x-amb"}
    assert {name: value for name, value in answer.headers.items() if name not in dropped} == {
        name: value for name, value in straight.headers.items() if name not in dropped
    }


def test_a_stream_that_was_reset_breaks_off_for_the_client_too_and_registers_nothing(form, gateway, provider, begin):
    with pytest.raises(httpx2.HTTPError):
        send(gateway.url, form, "reset", stream=True)
    assert b"look" not in (gateway.folder / "gateway.db-wal").read_bytes()
    again = send(gateway.url, form, "", stream=True)
    assert "by=new" in again.headers["x-amb"]


def test_a_call_of_a_stream_that_was_reset_finds_no_talk(gateway, begin):
    talk = begin(gateway.url)
    with pytest.raises(httpx2.HTTPError):
        talk.ask(stream=True, fault="reset")
    talk.go_on(lambda _: "x")
    talk.go_on(lambda _: "y")
    assert "by=new" in talk.says[0]
    assert "by=call-id" in talk.says[-1]


def test_a_provider_that_is_not_there_is_a_502_that_says_so(another_gateway, begin):
    with another_gateway("http://127.0.0.1:9") as gateway:
        answer = begin(gateway.url).ask()
    assert answer.status_code == 502
    assert "provider" in answer.json()["error"]["message"]


def test_a_client_that_asks_again_after_a_429_is_the_same_talk_and_takes_nothing_in_twice(gateway, begin):
    talk = begin(gateway.url).go_on(lambda _: "The code is ST-1. " * 200, turns=3)
    for _ in range(3):
        assert talk.ask(fault="busy").headers["retry-after"] == "7"
    talk.go_on(lambda _: "The code is ST-2.")
    assert len(talk.names) == 1
    assert talk.says[-1].endswith("entries=3")


def test_events_are_read_alike_wherever_the_stream_is_cut(provider, form, gateway):
    send(gateway.url, form, "", stream=True)
    whole = provider.sent[-1]
    expected = EventReader().feed(whole)
    for at in range(0, len(whole), 5):
        reader = EventReader()
        assert [*reader.feed(whole[:at]), *reader.feed(whole[at:])] == expected
