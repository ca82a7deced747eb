"""Talks whose calls are only counted: each is one conversation, in every wire form, and none is mixed with its twin."""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx2
import pytest
from amb_bench.doubles.provider_server import ProviderServer, Say

from .conftest import TOOLS

pytestmark = pytest.mark.slow

PATHS = {"chat": "/v1/chat/completions", "responses": "/v1/responses", "claude": "/v1/messages"}
PAGE = "SECRET-{}- stands on page {}. " + "Lamps and tides are counted here. " * 60


@pytest.fixture
def counting() -> Iterator[ProviderServer]:
    """A provider that counts the calls of a talk, and says nothing beside them."""

    def answer(seen: Any) -> Say:
        known = len(set(re.findall(rb"functions\.look:(\d+)", seen.raw)))
        return Say("", [("look", {"number": known})], ids=[f"functions.look:{known}"])

    with ProviderServer(answer) as server:
        yield server


class Talk:
    """A talk in one wire form, request by request; `whose` is in what its tool returns."""

    def __init__(
        self, url: str, form: str, whose: str, *, key: str = "key-of-ann", first: str = "Mend the test."
    ) -> None:
        self.url, self.form, self.whose, self.key = url, form, whose, key
        self.items: list[Any] = [{"role": "user", "content": first}]
        self.names: list[str] = []
        self.entries = 0

    def ask(self, **more: Any) -> httpx2.Response:
        tools = {"claude": [{"name": "look", "input_schema": {"type": "object"}}], "chat": TOOLS}
        tools["responses"] = [{"type": "function", "name": "look", "parameters": {"type": "object"}}]
        given = {"input" if self.form == "responses" else "messages": self.items, "tools": tools[self.form]}
        body = {"model": "m", "max_tokens": 9} | given | more
        headers = {"authorization": f"Bearer {self.key}"}
        reply = httpx2.post(self.url + PATHS[self.form], json=body, headers=headers, timeout=60)
        said = reply.headers["x-amb"]
        self.names.append(said.partition(";")[0])
        self.entries = int(said.partition("entries=")[2] or 0)
        return reply

    def turn(self, **more: Any) -> None:
        """Ask, and have the tool return a page."""
        self.ask(**more).raise_for_status()
        number = sum("tool_call_id" in str(one) or "tool_use_id" in str(one) or "output" in one for one in self.items)
        name, page = f"functions.look:{number}", PAGE.format(self.whose, number)
        if self.form == "claude":
            call = {"type": "tool_use", "id": name, "name": "look", "input": {"number": number}}
            result = {"type": "tool_result", "tool_use_id": name, "content": page}
            self.items += [{"role": "assistant", "content": [call]}, {"role": "user", "content": [result]}]
        elif self.form == "responses":
            asked = {"name": "look", "arguments": json.dumps({"number": number})}
            self.items += [{"type": "function_call", "call_id": name, **asked}]
            self.items += [{"type": "function_call_output", "call_id": name, "output": page}]
        else:
            asked = {"name": "look", "arguments": json.dumps({"number": number})}
            call = {"id": name, "type": "function", "function": asked}
            self.items += [{"role": "assistant", "content": None, "tool_calls": [call]}]
            self.items += [{"role": "tool", "tool_call_id": name, "content": page}]


@pytest.fixture
def served(counting: ProviderServer, another_gateway: Any) -> Iterator[Any]:
    with another_gateway(counting.url) as gateway:
        yield gateway


def kept(gateway: Any) -> int:
    return len(gateway.operator("GET", "/amb/status").json()["conversations"])


@pytest.mark.sampled(3)
@pytest.mark.parametrize("form", ["chat", "claude", "responses"])
def test_two_talks_in_turn_are_two_conversations_and_never_mixed(form, served, counting):
    talks = [Talk(served.url, form, whose) for whose in "12"]
    for _ in range(12):
        for talk in talks:
            talk.turn()
    assert [len(set(talk.names)) for talk in talks] == [1, 1]
    assert kept(served) == 2
    assert [talk.entries for talk in talks] == [10, 10]  # what came before was not taken in anew
    assert max(len(set(re.findall(rb"SECRET-(\d)-", seen.raw))) for seen in counting.seen) == 1


def test_one_after_the_other_in_any_order_none_is_mixed(served, counting):
    talks = {whose: Talk(served.url, "chat", whose) for whose in "123"}
    for whose in "112313222331133221":
        talks[whose].turn()
    assert kept(served) == 3
    assert max(len(set(re.findall(rb"SECRET-(\d)-", seen.raw))) for seen in counting.seen) == 1


def test_a_job_that_is_begun_anew_is_a_new_conversation_and_the_old_one_goes_on(served):
    days = [Talk(served.url, "chat", "1") for _ in range(3)]
    for day in days:
        for _ in range(5):
            day.turn()
    assert [len(set(day.names)) for day in days] == [1, 1, 1]
    assert len({day.names[0] for day in days}) == 3
    days[0].items.append({"role": "user", "content": "And what stands on page 2?"})
    days[0].turn()
    assert days[0].names[-1] == days[0].names[0]


def test_another_user_or_key_never_joins_a_talk_that_reads_the_same(served):
    ann, bob = Talk(served.url, "chat", "1"), Talk(served.url, "chat", "1", key="key-of-bob")
    for _ in range(3):
        ann.turn()
        bob.turn()
    thief = Talk(served.url, "chat", "1", key="key-of-eve")
    thief.items = list(ann.items)
    thief.ask()
    other = Talk(served.url, "chat", "1")
    other.items = list(ann.items)
    other.ask(user="carl")
    assert len({ann.names[0], bob.names[0], thief.names[0], other.names[0]}) == 4


def test_a_request_that_is_sent_again_and_marks_that_move_change_nothing(served):
    talk = Talk(served.url, "claude", "1")
    for number in range(6):
        talk.turn(system=f"It is {number} o'clock.")
        talk.ask(system="It is late.")
        for message in talk.items:
            for part in message["content"] if isinstance(message["content"], list) else ():
                part.pop("cache_control", None)
        talk.items[-1]["content"][-1]["cache_control"] = {"type": "ephemeral"}
        talk.items[:] = json.loads(json.dumps(talk.items, sort_keys=bool(number % 2)))
    assert len(set(talk.names)) == 1
    assert kept(served) == 1


def test_a_client_that_clears_results_is_found_by_ids_that_are_unique(another_gateway):
    ids = iter(f"call_{uuid.uuid4().hex[:24]}" for _ in range(9))
    says = Say("", [("look", {"number": 1})])
    with (
        ProviderServer(lambda _: replace(says, ids=[next(ids)])) as server,
        another_gateway(server.url) as gateway,
    ):
        talk = Talk(gateway.url, "chat", "1")
        for number in range(6):
            call = talk.ask().json()["choices"][0]["message"]["tool_calls"][0]
            talk.items += [{"role": "assistant", "content": None, "tool_calls": [call]}]
            talk.items += [{"role": "tool", "tool_call_id": call["id"], "content": PAGE.format(1, number)}]
            for message in talk.items[2:-4:2]:
                message["content"] = "[cleared]"
    assert len(set(talk.names)) == 1


def test_a_gateway_that_is_begun_again_finds_it(counting, served):
    talk = Talk(served.url, "chat", "1")
    for _ in range(3):
        talk.turn()
        served.restart()
        talk.url = served.url
    talk.turn()
    assert len(set(talk.names)) == 1
    assert talk.entries == 3


def test_no_text_of_a_talk_and_no_record_for_each_request_is_kept(served, tmp_path: Path):
    talk = Talk(served.url, "chat", "1")
    for _ in range(4):
        talk.turn()
    served.stop()
    stored = b"".join(file.read_bytes() for file in served.folder.glob("gateway.db*"))
    assert not [word for word in (b"functions.look", b"Mend the test", b"SECRET") if word in stored]
    served._start()
