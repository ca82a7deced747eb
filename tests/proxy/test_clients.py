"""Real clients through the gateway: bounded requests, whole pairs, facts that stay findable, answers as they came."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import httpx2
import pytest

from amb_core.adapter.wire_forms import read_transcript
from amb_core.text.exact_tokens import exact_counter
from amb_core.text.tokens import request_tokens
from amb_proxy.bodies import body_form

pytestmark = pytest.mark.slow

BUDGET, CALLS = 6_000, 20
SIGNED = {"type": "thinking", "thinking": "Which one is next?", "signature": "c2lnbmVk"}


def code_of(number: int) -> str:
    """The fact that stands in the middle of each page."""
    return f"ST-{number:02}-{number * 7919}"


def calls_and_results(body: Any) -> tuple[list[str], list[str]]:
    """The ids of the calls in a request, and of the results, in their order."""
    calls, results = list[str](), list[str]()
    for item in body.get("messages") or body["input"]:
        calls += [call["id"] for call in item.get("tool_calls") or ()]
        calls += [item["call_id"]] if item.get("type") == "function_call" else []
        results += [item["tool_call_id"]] if "tool_call_id" in item else []
        results += [item["call_id"]] if item.get("type") == "function_call_output" else []
        blocks = item.get("content") if isinstance(item.get("content"), list) else []
        calls += [block["id"] for block in blocks if block.get("type") == "tool_use"]
        results += [block["tool_use_id"] for block in blocks if block.get("type") == "tool_result"]
    return calls, results


@pytest.mark.sampled(2)
def test_every_request_is_within_the_bound_and_has_two_blocks_at_most(journey):
    assert len(journey.seen) == CALLS + 1
    count = exact_counter("o200k")
    for seen in journey.seen:
        form = body_form(seen.path)
        chat = read_transcript(form.messages(seen.body), form=form.name).chat
        assert request_tokens(chat, beside=[form.beside(seen.body)], count=count) <= BUDGET
    assert {0, 1} <= {seen.raw.count(b"<memory>") for seen in journey.seen} <= {0, 1, 2}


def test_what_a_call_returned_is_in_the_next_request_and_stays_in_memory(journey):
    for number, seen in enumerate(journey.seen[1:], 1):
        assert code_of(number).encode() in seen.raw
    assert [number for number in range(1, CALLS + 1) if code_of(number) not in journey.page] == []


def test_every_call_goes_on_with_its_result(journey):
    for seen in journey.seen:
        calls, results = calls_and_results(seen.body)
        assert calls == results


def test_roles_take_turns_and_signed_thinking_and_cache_marks_are_as_they_came(journey):
    for messages in [seen.body["messages"] for seen in journey.seen if seen.path == "/v1/messages"]:
        assert all(one["role"] != two["role"] for one, two in pairwise(messages))
        assert messages[0]["content"][0]["cache_control"] == {"type": "ephemeral"}
        turns = [message["content"] for message in messages if message["role"] == "assistant"]
        assert all(turn[0] == SIGNED for turn in turns)


def test_the_first_request_goes_on_as_the_client_wrote_it(journey):
    assert b"<memory>" not in journey.seen[0].raw
    assert "x-amb" not in journey.seen[0].headers


def test_the_client_hears_what_the_provider_said(journey):
    told = [f"I read station {number}: 第{number}站。" for number in range(1, CALLS + 1)]
    assert journey.asked.heard == [*told, "All the stations were read, and their codes are known by now. 都读完了。"]


def test_each_answer_says_what_was_done(journey):
    says = journey.asked.says
    if says:  # the openai package shows the headers of a stream in another way
        assert len({one.split(";")[0] for one in says}) == 1
        assert says[0].endswith("by=new; entries=0")
        assert all("by=call-id" in one for one in says[1:])
        assert says[-1].endswith(f"entries={CALLS - 1}")  # the newest is taken in while the provider works


@pytest.mark.parametrize("provider", [9], indirect=True)
def test_a_fact_that_left_the_transcript_is_in_the_block_when_it_is_asked_for(agent, gateway, provider):
    messages = agent(gateway.url, talk="talk-1").messages
    messages.append({"role": "user", "content": "What was the code of station 2 again?"})
    tools = [{"type": "function", "function": {"name": "look"}}]
    reply = httpx2.post(
        f"{gateway.url}/v1/chat/completions",
        json={"model": "m", "messages": messages, "tools": tools},
        headers={"authorization": "Bearer key-of-ann"},
    )
    assert "by=reply" in reply.headers["x-amb"]
    assert code_of(2) in provider.seen[-1].raw.decode().partition("<memory>")[2]
