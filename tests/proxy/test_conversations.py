"""Which conversation a request belongs to: by what its client says, by what went through here, else a new one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from amb_proxy.bodies import InsideCall, Reply, ToolUse
from amb_proxy.conversations import Conversation, Conversations, caller_of
from amb_proxy.gateway_store import open_gateway_store

ANN, BOB = {"authorization": "Bearer ann"}, {"authorization": "Bearer bob"}
CALL, UNIQUE = "call_0", "call_8f2a91c07de34b55"
LONG = "The code of the second station is ST-02, as its first page says."
UUID = "0f8fad5b-d9cb-469f-a165-70867728950e"


@pytest.fixture
def known(tmp_path: Path) -> Iterator[Conversations]:
    with closing(open_gateway_store(tmp_path)) as store:
        yield Conversations(store)


def find(known: Conversations, headers: dict[str, str], *, begins: str = "b", **said: Any) -> Conversation:
    calls = [{"id": one} for one in said.get("calls", ())]
    chat = [{"role": "user", "content": begins}]
    if said:
        chat.append({"role": "assistant", "content": said.get("text", ""), "tool_calls": calls})
    found = known.find(known.caller(headers, said.get("body", {})), begins, chat)
    assert found is not None
    return found


def hear(known: Conversations, found: Conversation, headers: dict[str, str], *calls: str, text: str = "") -> None:
    reply = Reply(text, tuple(ToolUse(one, "look", "{}") for one in calls))
    known.register(found, known.caller(headers, {}), found.main, reply)


def test_two_requests_that_begin_alike_are_two_conversations(known):
    assert find(known, ANN).id != find(known, ANN).id


@pytest.mark.parametrize(("calls", "text"), [((UNIQUE,), ""), ((CALL,), ""), ((), LONG)])
def test_a_call_or_a_reply_that_went_through_finds_its_conversation_after_a_restart(calls, text, tmp_path):
    with closing(open_gateway_store(tmp_path)) as store:
        before = Conversations(store)
        first = find(before, ANN)
        hear(before, first, ANN, *calls, text=text)
    with closing(open_gateway_store(tmp_path)) as store:
        assert find(Conversations(store), ANN, calls=calls, text=text.replace(" ", "\n")).id == first.id


@pytest.mark.parametrize("said", [{"calls": (UNIQUE,)}, {"text": LONG}])
def test_nothing_of_anns_is_found_with_bobs_key(said, known):
    first = find(known, ANN)
    hear(known, first, ANN, *said.get("calls", ()), text=said.get("text", ""))
    assert find(known, ANN, **said).id == first.id
    assert find(known, BOB, **said).by == "new"


def test_one_session_under_two_keys_is_two_conversations(known):
    session = {"x-claude-code-session-id": UUID}
    ann, bob = find(known, ANN | session), find(known, BOB | session)
    assert ann.id != bob.id
    assert ann.id == find(known, ANN | session, begins="of a sub-agent").id
    assert ann.by == "session"


def test_an_id_that_only_counts_finds_the_conversation_that_begins_alike(known):
    one, two = find(known, ANN, begins="one"), find(known, ANN, begins="two")
    hear(known, one, ANN, CALL)
    hear(known, two, ANN, CALL)
    assert find(known, ANN, begins="one", calls=(CALL,)).id == one.id
    assert find(known, ANN, begins="two", calls=(CALL,)).id == two.id
    assert find(known, ANN, begins="three", calls=(CALL,)).by == "new"


def test_what_two_conversations_that_begin_alike_said_alike_finds_neither(known):
    for _ in range(2):
        hear(known, find(known, ANN), ANN, text=LONG)
    assert find(known, ANN, text=LONG).by == "new"


def test_a_unique_call_finds_its_conversation_when_the_client_has_cut_the_beginning(known):
    first = find(known, ANN)
    hear(known, first, ANN, UNIQUE)
    assert find(known, ANN, begins="the newest question", calls=(UNIQUE,)).id == first.id


def test_a_conversation_without_a_reply_is_not_kept_and_a_limit_lets_no_more_in(tmp_path):
    with closing(open_gateway_store(tmp_path)) as store:
        known = Conversations(store, most=1)
        first = find(known, ANN)
        assert known.all() == []
        hear(known, first, ANN, UNIQUE)
        assert known.find(known.caller(ANN, {}), "b", []) is None
        assert find(known, ANN, calls=(UNIQUE,)).id == first.id


def test_deleting_forgets_what_finds_it_and_the_results_beside_it(known, tmp_path):
    first = find(known, ANN)
    hear(known, first, ANN, UNIQUE)
    known.hide(first, UNIQUE, [InsideCall({"id": "mine"}, 0, "secret words")])
    assert known.hidden(first, UNIQUE)[0].output == "secret words"
    assert known.delete(first.id)
    assert known.hidden(first, UNIQUE) == []
    stored = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    assert not [word for word in (b"secret words", first.id.encode()) if word in stored]
    assert find(known, ANN, calls=(UNIQUE,)).by == "new"


def test_no_credential_and_no_reply_stands_in_the_files(known, tmp_path):
    first = find(known, ANN | {"x-amb-conversation": "the talk of monday"})
    hear(known, first, ANN, UNIQUE, text=LONG)
    stored = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    assert not [word for word in (b"Bearer", b"ann", UNIQUE.encode(), b"ST-02", b"monday") if word in stored]


@pytest.mark.parametrize(
    ("headers", "body", "told"),
    [
        ({"session_id": "s"}, {}, (None, "s")),
        ({}, {"prompt_cache_key": UUID}, (None, UUID)),
        ({}, {"prompt_cache_key": "my-app"}, (None, None)),
        ({}, {"metadata": {"user_id": f"user_ab_account__session_{UUID}"}}, (None, UUID)),
        ({}, {"metadata": {"user_id": f'{{"device_id": "d", "session_id": "{UUID}"}}'}}, (None, UUID)),
        ({}, {"metadata": {"user_id": "ann"}}, ("ann", None)),
        ({"x-amb-user": "bob"}, {"user": "ann"}, ("bob", None)),
        ({"x-amb-conversation": "c", "session_id": "s"}, {}, (None, "c")),
    ],
)
def test_what_clients_say_of_themselves(headers, body, told):
    assert caller_of(headers, body) == told
