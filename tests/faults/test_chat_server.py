"""The published server: what it counts, and that every fault looks on the wire as it says."""

from __future__ import annotations

import http.client
import json
import time
from typing import Any

import pytest
from amb_bench.doubles.chat_faults import Fault, FaultPlan
from amb_bench.doubles.chat_server import ChatServer

from amb_chat import ScriptedChatModel

MESSAGES = [{"role": "system", "content": "You judge."}, {"role": "user", "content": "18 or 12? 还是更多？"}]


def post(server: ChatServer, **fields: Any) -> tuple[int, dict[str, str], bytes]:
    """Status, headers and body of one request."""
    connection = http.client.HTTPConnection(*server.address, timeout=5)
    body = json.dumps({"model": "small", "messages": MESSAGES, **fields})
    connection.request("POST", "/v1/chat/completions", body, {"Content-Type": "application/json"})
    answer = connection.getresponse()
    found = answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()
    connection.close()
    return found


def serving(*kinds: Fault, answer: Any = '{"value": "十八"}', **plan: Any) -> ChatServer:
    return ChatServer(ScriptedChatModel(lambda _: answer), faults=FaultPlan(1.0 if kinds else 0.0, kinds, **plan))


@pytest.mark.parametrize(
    ("fault", "status", "content"),
    [
        (Fault.TORN, 200, '{"value'),
        (Fault.TORN_AT_LIMIT, 200, '{"value'),
        (Fault.WRONG_SCHEMA, 200, "[]"),
        (Fault.PROSE, 200, "抱歉，我无法以要求的格式回答这个问题。"),
        (Fault.NULL_CONTENT, 200, None),
        (Fault.NO_USAGE, 200, '{"value": "十八"}'),
        (Fault.WRONG_CONTENT_TYPE, 200, '{"value": "十八"}'),
    ],
    ids=str,
)
def test_answers_that_arrive_and_are_not_what_was_asked_for(fault: Fault, status: int, content: str | None) -> None:
    with serving(fault) as server:
        found, headers, body = post(server)
        assert server.drain()
        told = json.loads(body)
        assert (found, told["choices"][0]["message"]["content"]) == (status, content)
        assert told["choices"][0]["finish_reason"] == ("length" if fault is Fault.TORN_AT_LIMIT else "stop")
        assert server.reported.tokens == told.get("usage", {}).get("total_tokens", 0)
        assert (headers["content-type"] == "text/html") == (fault is Fault.WRONG_CONTENT_TYPE)
        assert server.reported.calls == 1


@pytest.mark.parametrize("fault", [Fault.TOO_SLOW, Fault.DRIPPING], ids=str)
def test_slow_answers_take_their_time_and_arrive_whole(fault: Fault) -> None:
    with serving(fault, slow_seconds=0.3) as server:
        before = time.monotonic()
        assert json.loads(post(server)[2])["usage"]["total_tokens"] > 0
        assert time.monotonic() - before >= 0.25


def test_a_format_it_does_not_know_is_refused() -> None:
    with ChatServer(ScriptedChatModel(["no"]), refuses=["json_schema"]) as server:
        assert post(server, response_format={"type": "json_schema", "json_schema": {"name": "Verdict"}})[0] == 400
        assert server.drain()
        assert server.exchanges[0].schema == "Verdict"
