"""What the gateway has no part in goes through byte for byte, and what it changes keeps all else as it was."""

from __future__ import annotations

import json

import httpx2
import pytest
from amb_bench.doubles.provider_server import ProviderServer, Say

pytestmark = pytest.mark.slow

TOOLS = [{"type": "function", "function": {"name": "look", "parameters": {"type": "object"}}}]
SAID = [{"role": "user", "content": "Say it twice — 说两遍。"}]
PAGE = "A page about lamps, tides and ropes, which says nothing else. " * 65
WITHOUT_MEMORY = {
    "embeddings": ("/v1/embeddings", {"input": ["a", "b"], "model": "e"}, "no model call"),
    "count-tokens": ("/v1/messages/count_tokens", {"messages": SAID, "model": "m"}, "no model call"),
    "several-answers": ("/v1/chat/completions", {"n": 2, "messages": SAID, "tools": TOOLS}, "n > 1"),
    "title": ("/v1/chat/completions", {"messages": SAID, "model": "m"}, "no tools"),
    "anthropic-title": ("/v1/messages", {"messages": SAID, "model": "m", "max_tokens": 9}, "no tools"),
    "responses-title": ("/v1/responses", {"input": "Hello.", "model": "m"}, "no tools"),
    "kept-there": ("/v1/responses", {"input": "Go on.", "previous_response_id": "resp_1"}, "previous_response_id"),
    "no-messages": ("/v1/chat/completions", {"model": "m"}, "no messages"),
    "unknown-role": ("/v1/chat/completions", {"messages": [{"role": 7}], "tools": TOOLS}, "unknown form"),
    "no-json": ("/v1/chat/completions", None, "no JSON"),
}


@pytest.fixture
def provider():
    with ProviderServer(lambda _: Say("Fine, this is said once, and that is enough for all of us.")) as server:
        yield server


@pytest.mark.parametrize("name", WITHOUT_MEMORY)
def test_a_request_memory_has_no_part_in_goes_through_byte_for_byte(name, gateway, provider):
    path, body, why = WITHOUT_MEMORY[name]
    raw = b"<no json \xff>" if body is None else json.dumps(body, indent=3).encode()
    answer = httpx2.post(f"{gateway.url}{path}?beta=true&x=%20y", content=raw, headers={"x-own": "mine"})
    assert answer.content == (provider.sent or [raw])[-1]
    assert answer.headers["x-amb"] == f"bypass; {why}"
    (seen,) = provider.seen
    assert (seen.path, seen.raw, seen.headers["x-own"]) == (f"{path}?beta=true&x=%20y", raw, "mine")


def test_other_methods_go_through(gateway, provider):
    assert httpx2.get(f"{gateway.url}/v1/models").json()["path"] == "/v1/models"


def test_a_client_that_says_off_is_left_alone(gateway, provider, begin):
    talk = begin(gateway.url, headers={"x-amb": "off"})
    talk.go_on(lambda _: PAGE)
    assert talk.says == ["bypass; off"]
    assert "x-amb" not in provider.seen[0].headers


def calls(count: int, **last: object) -> list[dict[str, object]]:
    """A transcript with so many calls, the last result as told."""
    told: list[dict[str, object]] = [{"role": "user", "content": "Read all.", "name": "ann"}]
    for at in range(count):
        function = {"name": "look", "arguments": "{}"}
        told.append({"role": "assistant", "content": None, "tool_calls": [{"id": f"c{at}", "function": function}]})
        told.append({"role": "tool", "tool_call_id": f"c{at}", "content": f"{at}: {PAGE}"})
    told[-1] |= last
    return told


def test_unknown_fields_stay_in_a_request_that_is_changed(gateway, provider):
    body = {"model": "m", "temperature": 0.70, "own": {"field": [1, 2.0, None]}, "tools": TOOLS}
    told = calls(9, own_field={"of": "the client"})
    answer = httpx2.post(f"{gateway.url}/v1/chat/completions", json=body | {"messages": told})
    seen = provider.seen[-1].body
    assert "entries=9" in answer.headers["x-amb"]
    assert len(seen["messages"]) < len(told)
    assert {key: value for key, value in seen.items() if key != "messages"} == body
    assert told[0] in seen["messages"]
    assert told[-1] in seen["messages"]


def test_half_an_emoji_as_clients_in_javascript_cut_it_does_not_stop_memory(gateway, provider):
    body = {"model": "m", "tools": TOOLS, "messages": calls(9, content="cut \ud83d")}
    raw = json.dumps(body).encode()
    answer = httpx2.post(f"{gateway.url}/v1/chat/completions", content=raw)
    assert "entries=9" in answer.headers["x-amb"]
    assert len(provider.seen[-1].raw) < len(raw) / 1.5
    assert "cut \ud83d" in [message["content"] for message in provider.seen[-1].body["messages"]]


@pytest.mark.parametrize("way", ["gzip", "br", "zstd"])
def test_a_reply_that_comes_compressed_all_the_same_is_found_again(way, gateway, provider, begin):
    talk = begin(gateway.url, headers={"x-fault": way, "accept-encoding": "gzip, br, zstd"})
    assert talk.ask().headers["content-encoding"] == way
    talk.messages.append({"role": "assistant", "content": "Fine, this is said once, and that is enough for all of us."})
    talk.messages.append({"role": "user", "content": "Again."})
    talk.ask()
    assert "by=reply" in talk.says[-1]
    assert {seen.headers["accept-encoding"] for seen in provider.seen} == {"identity"}


def test_what_fits_goes_on_byte_for_byte_even_where_the_client_writes_json_in_its_own_way(gateway, provider):
    messages = calls(3)
    for number in range(3):
        raw = json.dumps({"messages": messages, "model": "m", "tools": TOOLS}, indent=2).encode()
        httpx2.post(f"{gateway.url}/v1/chat/completions", content=raw, headers={"x-amb-conversation": "one"})
        assert provider.seen[-1].raw == raw
        call = {"id": f"more-{number}", "type": "function", "function": {"name": "look", "arguments": "{}"}}
        messages.append({"role": "assistant", "content": None, "tool_calls": [call]})
        messages.append({"role": "tool", "tool_call_id": f"more-{number}", "content": "It is calm."})


def test_what_a_client_has_cut_from_its_transcript_itself_is_told_by_memory(gateway, provider):
    told = calls(3, content="The code of the harbour is HB-7741.")
    asked = {"role": "user", "content": "What is the code of the harbour, HB-7741 or another?"}

    def ask(messages):
        body = {"messages": messages, "model": "m", "tools": TOOLS}
        httpx2.post(f"{gateway.url}/v1/chat/completions", json=body, headers={"x-amb-conversation": "one"})
        return provider.seen[-1].body["messages"]

    assert ask(told) == told
    assert ask([*told, asked]) == [*told, asked]
    sent = ask([told[0], {"role": "assistant", "content": "I looked."}, asked])
    assert "The code of the harbour is HB-7741." in json.dumps(sent)


def test_each_request_that_memory_prepared_has_a_line_in_the_log(gateway, provider, caplog):
    caplog.set_level("INFO", "amb")
    shown = json.dumps({"model": "m", "tools": TOOLS, "messages": [*calls(12), *SAID]}).encode()
    httpx2.post(f"{gateway.url}/v1/chat/completions", content=shown)
    lines = [each.getMessage() for each in caplog.records if each.name == "amb.adapter" and each.levelname == "INFO"]
    assert len(lines) == 1
    assert lines[0].startswith("request 1: ")
    assert "lamps" not in lines[0]
