"""What goes through the gateway: `deep_retrieval` inside, and requests and replies that memory has no part in."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator

import httpx2
import pytest
from amb_bench.doubles.provider_server import ProviderServer, Say, Seen

from amb_core import Settings

pytestmark = pytest.mark.slow

OURS = "deep_retrieval"
LAST = "All the stations were read, and this is the end of the talk."


def offers(seen: Seen) -> bool:
    return any((one.get("function") or one)["name"] == OURS for one in seen.body["tools"])


def script(*turns: Say) -> Callable[[Seen], Say]:
    """A model that says one thing after the other."""
    left = list(turns)
    return lambda _seen: left.pop(0)


def look(number: int) -> tuple[str, dict[str, int]]:
    return "look", {"number": number}


WIDE = Settings(prompt_budget_tokens=32_000)
ASKED = (OURS, {"node_id": "step 1"})


@pytest.fixture
def serve() -> Iterator[Callable[..., ProviderServer]]:
    """A provider whose model says these things."""
    open_ones = list[ProviderServer]()

    def made(*turns: Say) -> ProviderServer:
        open_ones.append(ProviderServer(script(*turns)))
        return open_ones[-1].__enter__()

    yield made
    for one in open_ones:
        one.__exit__(None, None, None)


def test_a_model_that_looks_into_memory_is_answered_inside(each_agent, serve, another_gateway):
    provider = serve(Say("", [look(1)]), Say("", [ASKED]), Say(LAST))
    with another_gateway(provider.url, deep_retrieval=True, settings=WIDE) as gateway:
        asked = each_agent(gateway.url, talk="talk-1")
    assert asked.heard[-1] == LAST
    assert len(asked.heard) == 2
    assert all(map(offers, provider.seen))
    assert provider.seen[-1].raw.count(b"The code of station 1 is") == 2


def test_text_before_a_look_into_memory_and_the_answer_behind_it_are_one_reply_of_a_stream(
    each_agent, serve, another_gateway
):
    provider = serve(Say("", [look(1)]), Say("I look it up. ", [ASKED]), Say(LAST))
    with another_gateway(provider.url, deep_retrieval=True, settings=WIDE) as gateway:
        asked = each_agent(gateway.url, talk="talk-1")
    assert asked.heard[-1] in (LAST, f"I look it up. {LAST}")


@pytest.mark.sampled(4)
@pytest.mark.parametrize("calls", [[ASKED, look(2)], [look(2), ASKED], [look(2), ASKED, look(3)]])
def test_a_look_into_memory_beside_calls_of_the_client_is_put_back_with_its_result(
    calls, each_agent, serve, another_gateway
):
    provider = serve(Say("", [look(1)]), Say("Both.", calls, thinking="Hm."), Say(LAST))
    with another_gateway(provider.url, deep_retrieval=True, settings=WIDE) as gateway:
        asked = each_agent(gateway.url, talk="talk-1")
    last = provider.seen[-1].raw.decode()
    assert asked.heard[1:] == ["Both.", LAST]
    assert len(provider.seen) == 3
    assert last.count(OURS) == 2  # the call, and the schema of the tool
    (call_id,) = re.findall(
        r'"(?:id|call_id)":"((?:call_|toolu_)[0-9a-f]{24})"[^{}]*(?:{)?[^{}]*"deep_retrieval"', last
    )
    assert last.count(f'"{call_id}"') == 2  # the call, and its result


def test_a_model_that_looks_on_and_on_loses_the_tool(each_agent, serve, another_gateway):
    provider = serve(Say("", [look(1)]), *(Say("", [ASKED]) for _ in range(3)), Say(LAST))
    with another_gateway(provider.url, deep_retrieval=True, settings=WIDE) as gateway:
        asked = each_agent(gateway.url, talk="talk-1")
    assert asked.heard[-1] == LAST
    assert [offers(seen) for seen in provider.seen] == [True] * 4 + [False]


def test_a_tool_of_that_name_which_the_client_has_is_left_to_it(serve, another_gateway):
    provider = serve(Say("", [ASKED]))
    tool = {"type": "function", "function": {"name": OURS, "parameters": {"type": "object"}}}
    sent = {"model": "m", "messages": [{"role": "user", "content": "Look."}], "tools": [tool]}
    with another_gateway(provider.url, deep_retrieval=True, settings=WIDE) as gateway:
        reply = httpx2.post(f"{gateway.url}/v1/chat/completions", json=sent).json()
    assert json.loads(provider.seen[0].raw) == sent
    assert reply["choices"][0]["message"]["tool_calls"][0]["function"]["name"] == OURS


@pytest.mark.parametrize("provider", [2], indirect=True)
def test_without_the_option_no_tool_is_offered(gateway, provider: ProviderServer, agent):
    agent(gateway.url, talk="talk-1")
    assert not any(map(offers, provider.seen))
