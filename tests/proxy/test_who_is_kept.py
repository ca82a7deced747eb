"""Callers that the provider turns away use nothing up, and a user who was deleted does not come back of himself."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from amb_bench.doubles.provider_server import ProviderServer, Say

pytestmark = pytest.mark.slow

PAGE = "The safe of the lighthouse opens with ZQ-4711-PLUM. " + "Lamps and tides are counted. " * 130


def kept(gateway: Any) -> list[Any]:
    return gateway.operator("GET", "/amb/status").json()["conversations"]


def transcript(turns: int) -> list[Any]:
    """A talk that went on elsewhere, with results in it."""
    made: list[Any] = [{"role": "user", "content": "Read all."}]
    for number in range(turns):
        call = {"id": f"c{number}", "type": "function", "function": {"name": "look", "arguments": "{}"}}
        made.append({"role": "assistant", "content": None, "tool_calls": [call]})
        made.append({"role": "tool", "tool_call_id": f"c{number}", "content": f"{number} {PAGE}"})
    return made


def bank_files(gateway: Any) -> list[Path]:
    return [file for file in (gateway.folder / "banks").rglob("*") if file.is_file()]


def eventually(holds: Any) -> bool:
    """Whether something holds before long: what is left of a request is done beside its answer."""
    return any(holds() or time.sleep(0.02) for _ in range(250))


@pytest.mark.parametrize("fault", ["refused", "busy"])
def test_callers_without_a_valid_key_use_no_conversation_up(fault, begin, another_gateway, provider):
    with another_gateway(provider.url, most_conversations=5) as gateway:
        for number in range(8):
            stranger = begin(gateway.url, f"invented-{number}", messages=transcript(2))
            assert stranger.ask(fault=fault).status_code in (400, 429)
        assert kept(gateway) == []
        assert eventually(lambda: not bank_files(gateway))
        honest = begin(gateway.url).go_on(lambda _: PAGE, turns=3)
        assert len(honest.names) == 1
        assert honest.says[-1].endswith("entries=1")


def test_callers_whom_a_provider_lets_in_with_any_key_give_way_to_another(begin, another_gateway, provider):
    with another_gateway(provider.url, most_conversations=5) as gateway:
        for number in range(8):
            begin(gateway.url, f"invented-{number}").go_on(lambda _: PAGE, turns=2)
        honest = begin(gateway.url).go_on(lambda _: PAGE, turns=3)
        assert len(kept(gateway)) == 5
        assert len(honest.names) == 1
        assert len({file.parent for file in bank_files(gateway) if file.name == "memory.db"}) <= 5


def test_one_key_with_many_users_takes_no_more_than_its_share(begin, another_gateway, provider):
    with another_gateway(provider.url, most_conversations=4) as gateway:
        ann = begin(gateway.url, "key-of-ann").go_on(lambda _: PAGE, turns=2)
        for number in range(6):
            begin(gateway.url, "key-of-eve", {"x-amb-user": f"invented-{number}"}).go_on(lambda _: PAGE)
        bob = begin(gateway.url, "key-of-bob").go_on(lambda _: PAGE, turns=2)
        ann.go_on(lambda _: PAGE)
    assert (len(ann.names), len(bob.names)) == (1, 1)


def test_a_provider_that_is_not_there_leaves_nothing(begin, another_gateway):
    with another_gateway("http://127.0.0.1:9") as gateway:
        assert begin(gateway.url, messages=transcript(2)).ask().status_code == 502
        assert eventually(lambda: not bank_files(gateway))
        assert kept(gateway) == []


# --- a deleted user ---------------------------------------------------------------------------------------------------


@pytest.fixture
def waiting() -> Any:
    """A provider that answers when it is told to: its server, and what tells it that a request came, and to answer."""
    came, go = threading.Event(), threading.Event()

    def answer(seen: Any) -> Say:
        if b"wait for me" in seen.raw:
            came.set()
            go.wait(20)
        tools = [one["function"]["name"] for one in seen.body["tools"]]
        if "deep_retrieval" in tools and b"look deeper" in seen.raw and b"opened-1" not in seen.raw:
            return Say("", [("deep_retrieval", {"node_id": "n1"})], ids=["opened-1"])
        return Say("", [("look", {"number": 1})])

    with ProviderServer(answer) as server:
        yield server, came, go
        go.set()


def everything_in(folder: Path) -> bytes:
    return b"\n".join(str(file).encode() + file.read_bytes() for file in folder.rglob("*") if file.is_file())


@pytest.mark.sampled(4)
@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize("turns", [0, 2])
@pytest.mark.parametrize("session", [{}, {"x-amb-conversation": "monday"}])
def test_a_user_who_is_deleted_while_a_request_runs_stays_deleted(
    stream, turns, session, begin, another_gateway, waiting
):
    provider, came, go = waiting
    with another_gateway(provider.url, deep_retrieval=True) as gateway:
        talk = begin(gateway.url, "key-of-ann", session)
        if turns:
            talk.go_on(lambda _: PAGE, turns=turns)
        talk.messages.append({"role": "user", "content": "Now wait for me, and look deeper."})
        user = talk_user(gateway)
        running = threading.Thread(target=talk.ask, kwargs={"stream": stream})
        running.start()
        assert came.wait(20)
        gateway.operator("DELETE", f"/amb/users/{user}").raise_for_status()
        go.set()
        running.join()
        assert kept(gateway) == []
        gateway.stop()  # what was still being taken in is over
        stored = everything_in(gateway.folder)
        assert not [word for word in (user.encode(), b"ZQ-4711-PLUM", b"monday") if word in stored]
        assert bank_files(gateway) == []
        gateway._start()


def test_a_user_who_was_deleted_and_asks_again_begins_anew(begin, gateway):
    talk = begin(gateway.url).go_on(lambda _: PAGE, turns=2)
    gateway.operator("DELETE", f"/amb/users/{talk_user(gateway)}").raise_for_status()
    assert kept(gateway) == []
    talk.go_on(lambda _: PAGE)
    assert [one["id"] in talk.names for one in kept(gateway)] == [True]
    assert len(talk.names) == 2


@pytest.mark.parametrize("user", ["ann", "acme/ann", "李雷"])
def test_a_user_is_deleted_by_the_name_that_clients_give_whatever_the_key(user, begin, gateway):
    headers = {"x-amb-user": quote(user)}
    for key in ("key-of-ann", "another-key"):
        begin(gateway.url, key, headers).go_on(lambda _: PAGE, turns=2)
    begin(gateway.url, "key-of-ann", {"x-amb-user": "ida"}).go_on(lambda _: PAGE, turns=2)
    deleted = gateway.operator("DELETE", f"/amb/users/{quote(quote(user), safe='')}").raise_for_status().json()
    assert (deleted["found"], deleted["banks"]) == (True, 2)
    assert len(kept(gateway)) == 1
    assert not gateway.operator("DELETE", "/amb/users/nobody").raise_for_status().json()["found"]


def talk_user(gateway: Any) -> str:
    """The digest of the user that the key of ann belongs to."""
    return gateway.app._conversations.caller({"authorization": "Bearer key-of-ann"}, {}).user


def test_deleting_while_many_requests_of_the_user_run_leaves_nothing(begin, another_gateway, provider):
    with another_gateway(provider.url) as gateway:
        user = talk_user(gateway)
        talks = [begin(gateway.url, told=f"Read {number}.") for number in range(4)]
        stop = threading.Event()

        def work(talk: Any) -> None:
            while not stop.is_set() and len(talk.messages) < 15:
                talk.go_on(lambda _: PAGE)

        threads = [threading.Thread(target=work, args=(talk,)) for talk in talks]
        for each in threads:
            each.start()
        for _ in range(8):
            gateway.operator("DELETE", f"/amb/users/{user}").raise_for_status()
            time.sleep(0.05)
        stop.set()
        for each in threads:
            each.join()
        gateway.operator("DELETE", f"/amb/users/{user}").raise_for_status()
        gateway.stop()
        assert bank_files(gateway) == []
        assert user.encode() not in everything_in(gateway.folder)
        gateway._start()


def test_a_page_of_a_talk_that_has_no_bank_makes_none(begin, gateway):
    begin(gateway.url).ask()
    (talk,) = kept(gateway)
    assert gateway.operator("GET", f"/amb/conversations/{talk['id']}").status_code == 200
    assert bank_files(gateway) == []
