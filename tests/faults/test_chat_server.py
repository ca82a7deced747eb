"""The published server: what it counts, and that every fault looks on the wire as it says."""

from __future__ import annotations

import http.client
import json
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from amb_bench.doubles.chat_faults import Fault, FaultPlan
from amb_bench.doubles.chat_server import ChatServer

from amb_chat import ScriptedChatModel
from amb_core.chat_io import ChatReply, ToolCall

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


def test_an_answer_tells_what_it_cost_and_the_server_counts_the_same() -> None:
    with serving() as server:
        told = [json.loads(post(server)[2]) for _ in range(3)]
        assert server.drain()
        assert told[0]["choices"][0]["message"]["content"] == '{"value": "十八"}'
        assert server.reported.tokens == sum(one["usage"]["total_tokens"] for one in told) > 0
        assert (server.requests, server.reported.calls, server.reported.failed_calls) == (3, 3, 0)
        cached = [one["usage"]["prompt_tokens_details"]["cached_tokens"] for one in told]
        assert cached[0] == 0 < cached[1] == cached[2]


def test_tool_calls_and_what_else_a_chat_model_says_go_out_as_they_are() -> None:
    call = ToolCall("c1", "search", '{"query": "港"}')
    with serving(answer=ChatReply(text="", tool_calls=(call,))) as server:
        choice = json.loads(post(server, tools=[{"type": "function"}])[2])["choices"][0]
    assert choice["finish_reason"] == "tool_calls"
    assert choice["message"]["tool_calls"][0]["function"] == {"name": "search", "arguments": '{"query": "港"}'}


def test_the_same_seed_gives_the_same_faults_and_another_gives_others() -> None:
    drawn = [[FaultPlan(0.5, seed=seed).fault_of(number) for number in range(1, 200)] for seed in (1, 1, 2)]
    assert drawn[0] == drawn[1] != drawn[2]
    assert 70 < sum(fault is not None for fault in drawn[0]) < 130
    assert {fault for fault in drawn[0] if fault} == set(Fault)


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


def test_an_answer_without_a_choice_still_tells_what_it_cost() -> None:
    with serving(Fault.NO_CHOICES) as server:
        told = json.loads(post(server)[2])
        assert server.drain()
    assert told["choices"] == []
    assert server.reported.tokens == told["usage"]["total_tokens"]
    assert (server.reported.calls, server.reported.failed_calls) == (0, 1)


@pytest.mark.parametrize(
    ("fault", "status"),
    [(Fault.SERVER_ERROR, 500), (Fault.RATE_LIMIT, 429), (Fault.RATE_LIMIT_DATE, 429), (Fault.NOT_JSON, 200)],
    ids=str,
)
def test_refusals_are_whole_http_answers_with_nothing_to_pay(fault: Fault, status: int) -> None:
    with serving(fault, retry_after=2) as server:
        found, headers, _ = post(server)
        assert server.drain()
    assert found == status
    assert headers.get("retry-after", "") == "2" if fault is Fault.RATE_LIMIT else True
    assert headers.get("retry-after", "").endswith("GMT") == (fault is Fault.RATE_LIMIT_DATE)
    assert (server.reported.calls, server.reported.failed_calls, server.reported.tokens) == (0, 1, 0)


@pytest.mark.parametrize("fault", [Fault.RESET_BEFORE, Fault.RESET_WITHIN, Fault.CUT_SHORT, Fault.NOT_HTTP], ids=str)
def test_broken_connections_bring_no_answer_and_cost_nothing(fault: Fault) -> None:
    with serving(fault) as server:
        with pytest.raises((OSError, http.client.HTTPException)):
            post(server)
        assert server.drain()
        assert (server.requests, server.reported.calls, server.reported.tokens) == (1, 0, 0)


@pytest.mark.parametrize("fault", [Fault.TOO_SLOW, Fault.DRIPPING], ids=str)
def test_slow_answers_take_their_time_and_arrive_whole(fault: Fault) -> None:
    with serving(fault, slow_seconds=0.3) as server:
        before = time.monotonic()
        assert json.loads(post(server)[2])["usage"]["total_tokens"] > 0
        assert time.monotonic() - before >= 0.25


def test_a_server_that_dies_cuts_off_what_comes_and_its_port_refuses() -> None:
    with serving(dies_at=3) as server:
        assert [post(server)[0] for _ in range(2)] == [200, 200]
        for _ in range(3):
            with pytest.raises((OSError, http.client.HTTPException)):
                post(server)
        assert server.reported.calls == 2


def test_a_server_may_come_back_after_some_requests() -> None:
    with serving(dies_at=2, back_after=2) as server:
        seen = []
        for _ in range(5):
            try:
                seen.append(post(server)[0])
            except (OSError, http.client.HTTPException):
                seen.append(0)
    assert seen == [200, 0, 0, 200, 200]


def test_requests_that_come_at_once_are_each_counted_once() -> None:
    with serving() as server:
        with ThreadPoolExecutor(8) as pool:
            statuses = list(pool.map(lambda _: post(server)[0], range(40)))
        assert server.drain()
    assert statuses == [200] * 40
    assert sorted(exchange.number for exchange in server.exchanges) == [*range(1, 41)]


def test_a_format_it_does_not_know_is_refused() -> None:
    with ChatServer(ScriptedChatModel(["no"]), refuses=["json_schema"]) as server:
        assert post(server, response_format={"type": "json_schema", "json_schema": {"name": "Verdict"}})[0] == 400
        assert server.drain()
        assert server.exchanges[0].schema == "Verdict"
