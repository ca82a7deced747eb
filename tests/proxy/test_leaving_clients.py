"""A client that leaves ends its request at once, here and at the provider, wherever the request is."""

from __future__ import annotations

import json
import socket
import time

import httpx2
import pytest
from amb_bench.doubles.bare_provider import HANG, BareProvider, begun, body_of, head, streamed, wait_until, whole

pytestmark = pytest.mark.slow

COUNTS = [3, pytest.param(200, marks=pytest.mark.nightly)]
CALL = {"index": 0, "id": "c1", "type": "function", "function": {"name": "deep_retrieval", "arguments": "{}"}}
DELTAS = [{"role": "assistant", "content": "I look."}, {"tool_calls": [CALL]}]


def event(delta: object, end: str | None = None) -> bytes:
    choices = [{"index": 0, "delta": delta, "finish_reason": end}]
    return b"data: " + json.dumps({"id": "r", "choices": choices}).encode() + b"\n\n"


ASKS = {"role": "assistant", "content": "", "tool_calls": [CALL]}
ASKS_WHOLE = whole(json.dumps({"choices": [{"index": 0, "message": ASKS, "finish_reason": "tool_calls"}]}).encode())
ASKS_STREAMED = streamed(*map(event, DELTAS), event({}, "tool_calls"), b"data: [DONE]\n\n")
SILENT = [HANG]
ANSWER = whole(b"{}")
WHERE = {
    "before-the-reply": (False, SILENT),
    "before-the-stream": (True, SILENT),
    "in-a-whole-reply": (False, [head("application/json", length=500), b'{"choices"', HANG]),
    "in-a-large-reply": (False, [head("application/json"), b" " * 17_000_000, HANG]),
    "in-a-stream": (True, [*streamed(event(DELTAS[0])), HANG]),
}


@pytest.fixture(params=["bare", "bare_deep"])
def pair(request):
    return request.getfixturevalue(request.param)


@pytest.mark.sampled(5)
@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("path", ["", "/v1/other"], ids=["memory", "no-memory"])
@pytest.mark.parametrize("where", WHERE)
def test_clients_that_leave_free_the_provider_and_others_are_served(where, path, count, pair):
    stream, reply = WHERE[where]
    pair.says(reply)
    count = min(count, 20) if where == "in-a-large-reply" else count
    clients = [begun(pair.url, "chat", stream=stream, path=path) for _ in range(count)]
    assert wait_until(lambda: len(pair.provider.seen) == count, 30)
    time.sleep(0.02)
    for client in clients:
        client.close()
    assert wait_until(lambda: pair.provider.open == 0)
    pair.says(ANSWER)
    assert httpx2.get(f"{pair.url}/v1/models", timeout=2).content == b"{}"


@pytest.mark.parametrize("more", [b"\r\n", b"GET /v1/models HTTP/1.1\r\nhost: x\r\n\r\n"], ids=["a-line", "a-request"])
def test_a_client_that_sent_more_than_its_request_and_leaves_frees_the_provider(more, bare):
    bare.says(SILENT)
    client = begun(bare.url, "chat", stream=True)
    assert wait_until(lambda: len(bare.provider.seen) == 1)
    client.sendall(more)
    time.sleep(0.05)
    client.close()
    assert wait_until(lambda: bare.provider.open == 0)


@pytest.mark.parametrize(("stream", "asks"), [(True, ASKS_STREAMED), (False, ASKS_WHOLE)])
def test_a_client_that_leaves_while_memory_is_looked_into_frees_the_provider(stream, asks, bare_deep):
    bare_deep.says(asks, SILENT)
    client = begun(bare_deep.url, "chat", stream=stream)
    assert wait_until(lambda: len(bare_deep.provider.seen) == 2)
    client.close()
    assert wait_until(lambda: bare_deep.provider.open == 0)


def test_a_client_that_leaves_while_it_waits_for_a_connection_is_forgotten(another_gateway):
    with BareProvider() as bare, another_gateway(bare.url, most_connections=1) as gateway:
        bare.replies = [SILENT, ANSWER]
        first = begun(gateway.url, "chat", stream=False)
        assert wait_until(lambda: len(bare.seen) == 1)
        second = begun(gateway.url, "chat", stream=False)
        time.sleep(0.1)
        second.close()
        time.sleep(0.1)
        first.close()
        assert wait_until(lambda: bare.open == 0)
        assert httpx2.get(f"{gateway.url}/v1/models", timeout=2).content == b"{}"
        assert len(bare.seen) == 2


@pytest.mark.nightly
def test_waiting_for_a_connection_ends_after_seconds_in_a_503(another_gateway):
    with BareProvider() as bare, another_gateway(bare.url, most_connections=1) as gateway:
        bare.replies = [SILENT]
        with begun(gateway.url, "chat", stream=False):
            assert wait_until(lambda: len(bare.seen) == 1)
            answer = httpx2.post(f"{gateway.url}/v1/messages", content=body_of("anthropic", stream=True), timeout=9)
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "5")
    assert "once" in answer.json()["error"]["message"]


@pytest.mark.parametrize("sent", [b"", b'{"model"'])
def test_a_client_that_leaves_in_its_own_body_reaches_no_provider(sent, bare):
    bare.says(ANSWER)
    place = httpx2.URL(bare.url)
    with socket.create_connection((place.host, place.port)) as client:
        told = f"POST /v1/messages HTTP/1.1\r\nhost: {place.host}:{place.port}\r\ncontent-length: 1000\r\n\r\n"
        client.sendall(told.encode() + sent)
        time.sleep(0.05)
    assert httpx2.get(f"{bare.url}/v1/models", timeout=2).content == b"{}"
    assert len(bare.provider.seen) == 1


def test_a_client_that_leaves_while_its_body_goes_on_frees_the_provider(another_gateway):
    with socket.create_server(("127.0.0.1", 0)) as deaf:
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
        with another_gateway(f"http://127.0.0.1:{deaf.getsockname()[1]}") as gateway:
            place, body = httpx2.URL(gateway.url), b" " * 8_000_000
            client = socket.create_connection((place.host, place.port))
            told = f"POST /v1/other HTTP/1.1\r\nhost: {place.host}:{place.port}\r\ncontent-length: {len(body)}\r\n\r\n"
            client.sendall(told.encode() + body)
            taken, _ = deaf.accept()
            client.close()
            taken.settimeout(3)
            while taken.recv(65_536):  # what was on its way, and then the end
                pass
            taken.close()
