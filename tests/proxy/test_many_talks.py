"""Talks that are alike, side by side: none reaches another's memory, whoever asks and whatever ids they have."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest
from amb_bench.doubles.provider_server import ProviderServer, Say

pytestmark = pytest.mark.slow

SECRET = re.compile(rb"SECRET-(\d+)-")
REPLY = "I look at the next page of the very same book, as everybody does."


def page(whose: int, number: int) -> str:
    """A page with the secret of one talk."""
    return f"SECRET-{whose}- is what page {number} says. " + "The rest of the page is about lamps and tides. " * 80


@pytest.mark.parametrize("count", [5, pytest.param(100, marks=pytest.mark.nightly)])
def test_talks_that_begin_alike_at_once_are_never_mixed(count, begin, another_gateway, provider):
    with another_gateway(provider.url) as gateway, ThreadPoolExecutor(count) as pool:
        talks = [begin(gateway.url) for _ in range(count)]
        list(pool.map(lambda at: talks[at].go_on(partial(page, at), turns=4), range(count)))
    assert len(provider.seen) == 4 * count
    assert [len(talk.names) for talk in talks] == [1] * count
    assert len(set.union(*(talk.names for talk in talks))) == count
    assert max(len(set(SECRET.findall(seen.raw))) for seen in provider.seen) == 1


@pytest.fixture
def same_words():
    """A provider that gives every talk the same ids of calls and the same words."""

    def answer(seen):
        turns = len(set(re.findall(rb"call_same_\d+", seen.raw)))
        return Say(REPLY, [("look", {"number": turns})], ids=[f"call_same_{turns}"])

    with ProviderServer(answer) as server:
        yield server


SESSIONS = [
    {"x-amb-conversation": "talk-7"},
    {},
    pytest.param({"x-claude-code-session-id": "8c3b5a52-8f0e-4cbe-9f8e-000000000007"}, marks=pytest.mark.nightly),
    pytest.param({"session_id": "talk-7"}, marks=pytest.mark.nightly),
]


@pytest.mark.parametrize("headers", SESSIONS, ids=lambda one: next(iter(one), "no-header"))
def test_another_credential_reaches_nothing_by_the_same_names_calls_and_words(
    headers, begin, gateway, same_words, another_gateway
):
    with another_gateway(same_words.url) as gateway:
        ann = begin(gateway.url, "key-of-ann", headers).go_on(partial(page, 1), turns=3)
        bob = begin(gateway.url, "key-of-bob", headers).go_on(partial(page, 2), turns=3)
        thief = begin(gateway.url, "key-of-eve", headers, messages=list(ann.messages))
        thief.ask()
    of = {talk.key: [seen.raw for seen in same_words.seen if talk.key in str(seen.headers)] for talk in (ann, bob)}
    assert not any(b"SECRET-1-" in raw for raw in of["key-of-bob"])
    assert not any(b"SECRET-2-" in raw for raw in of["key-of-ann"])
    assert not (ann.names & bob.names) | (ann.names & thief.names) | (bob.names & thief.names)


@pytest.mark.parametrize("named", [{"user": "ann"}, {"safety_identifier": "ann"}])
def test_two_users_of_one_key_do_not_share_a_talk(named, begin, another_gateway, same_words):
    with another_gateway(same_words.url) as gateway:
        ann, bob = begin(gateway.url), begin(gateway.url)
        ann.ask(**named)
        bob.ask(**dict.fromkeys(named, "bob"))
        users = {one["user"] for one in gateway.operator("GET", "/amb/status").json()["conversations"]}
    assert len(users) == 2
    assert not ann.names & bob.names


def test_talks_of_one_key_with_the_same_ids_and_words_are_never_mixed(begin, another_gateway, same_words):
    with another_gateway(same_words.url) as gateway:
        talks = [begin(gateway.url, told=f"Read book {at}.") for at in range(2)]
        for _ in range(4):
            for at, talk in enumerate(talks):
                talk.go_on(partial(page, at))
    assert max(len(set(SECRET.findall(seen.raw))) for seen in same_words.seen) == 1
