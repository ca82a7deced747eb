"""One bank, one user and thread: who is let at it, by names, by the transcript, and by the run."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from amb_core import ContextAdapter, MemoryBank, Scope, ScopeMixed, remember
from amb_core.adapter import Caller, inside_run, outer_run

Messages = list[dict[str, Any]]


@pytest.fixture
def bank() -> Iterator[MemoryBank]:
    with MemoryBank("Help the customer.") as opened:
        yield opened


class Run:
    """Something that one run has alone."""


def user(text: str) -> dict[str, Any]:
    return {"role": "user", "content": text}


def said(text: str) -> dict[str, Any]:
    return {"role": "assistant", "content": text}


def looked_up(text: str, name: str = "c1") -> Messages:
    call = {"id": name, "type": "function", "function": {"name": "look", "arguments": "{}"}}
    answer = {"role": "tool", "tool_call_id": name, "content": text}
    return [{"role": "assistant", "content": None, "tool_calls": [call]}, answer]


ASKED = [user("Where is my order?")]
FOUND = [*ASKED, *looked_up("Order 4711 of Ann is in Leith.")]


# --- without names --------------------------------------------------------------------------------------------------


def test_a_second_conversation_is_refused_and_the_first_goes_on(bank: MemoryBank) -> None:
    ContextAdapter(bank).prepare(FOUND)
    with pytest.raises(ScopeMixed):
        ContextAdapter(bank).prepare([user("What did I buy?")])
    ContextAdapter(bank).prepare([*FOUND, said("In Leith."), user("Since when?")])


def test_a_history_of_somebody_elses_is_refused_although_it_begins_alike(bank: MemoryBank) -> None:
    greeted = [user("Hello"), said("Hello! How can I help?")]
    ContextAdapter(bank).prepare([*greeted, user("I am Ann.")])
    with pytest.raises(ScopeMixed):
        ContextAdapter(bank).prepare([*greeted, user("I am Bob.")])


def test_a_refused_step_takes_nothing_in_and_is_not_called(bank: MemoryBank) -> None:
    called: list[Messages] = []

    @remember(bank)
    def step(messages: Messages) -> str:
        called.append(messages)
        return "Done."

    step(list(FOUND))
    before = bank.snapshot()
    with pytest.raises(ScopeMixed):
        step([user("I am Bob."), *looked_up("Bob owes 12 pounds.")])
    assert (len(called), bank.snapshot()) == (1, before)


def test_the_same_question_is_another_try_only_while_nothing_came_of_it(bank: MemoryBank) -> None:
    ContextAdapter(bank).prepare(ASKED)
    ContextAdapter(bank).prepare(ASKED)
    ContextAdapter(bank).prepare(FOUND)
    with pytest.raises(ScopeMixed):
        ContextAdapter(bank).prepare(ASKED)


def test_what_its_owner_has_read_into_a_bank_is_nobodys_conversation(bank: MemoryBank) -> None:
    bank.read("Orders are sent from Leith on Mondays.", source="handbook")
    assert "Mondays" in str(ContextAdapter(bank).prepare(ASKED))


def test_sharing_lets_everybody_work_with_one_bank(bank: MemoryBank) -> None:
    for asked in (ASKED, [user("What did I buy?")]):
        assert ContextAdapter(bank, sharing=True).prepare(asked)[0] == asked[0]


def test_of_two_threads_of_a_server_at_once_one_is_refused(bank: MemoryBank) -> None:
    def ask(name: str) -> bool:
        try:
            return bool(ContextAdapter(bank).prepare([user(f"I am {name}.")]))
        except ScopeMixed:
            return False

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(ask, "abcdefgh")) == 1


# --- runs -------------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_agents_of_one_run_are_one_conversation(bank: MemoryBank) -> None:
    run, other = Run(), Run()
    ContextAdapter(bank).prepare(ASKED, caller=Caller(run=run))
    ContextAdapter(bank).prepare([user("Find order 4711.")], caller=Caller(run=run))
    with pytest.raises(ScopeMixed):
        ContextAdapter(bank).prepare(ASKED, caller=Caller(run=other))


@pytest.mark.parametrize("ended", ["failed", "gone", "answered"])
def test_a_run_may_begin_again_unless_it_has_its_answer(bank: MemoryBank, ended: str) -> None:
    adapter, run = ContextAdapter(bank), Run()
    adapter.prepare(FOUND, caller=Caller(run=run))
    if ended != "gone":
        adapter.gate.answered("In Leith.", run) if ended == "answered" else adapter.gate.failed(run)
        adapter.prepare(ASKED, caller=Caller(run=Run())) if ended == "failed" else None
    else:
        del run
        adapter.prepare(ASKED, caller=Caller(run=Run()))
    if ended == "answered":
        with pytest.raises(ScopeMixed):
            adapter.prepare(ASKED, caller=Caller(run=Run()))


def test_a_run_that_failed_is_tried_again_by_one(bank: MemoryBank) -> None:
    adapter, first, second = ContextAdapter(bank), Run(), Run()
    adapter.prepare(FOUND, caller=Caller(run=first))
    adapter.gate.failed(first)
    adapter.prepare(ASKED, caller=Caller(run=second))
    with pytest.raises(ScopeMixed):
        adapter.prepare(ASKED, caller=Caller(run=Run()))
    adapter.gate.failed(second)
    adapter.prepare(ASKED, caller=Caller(run=Run()))


def test_a_tool_call_tells_what_works_inside_it_whose_run_that_is() -> None:
    run = Run()
    with inside_run(run):
        assert outer_run() is run
    assert outer_run() is None


# --- names ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("other", [Scope("bob"), Scope("ann", "t2"), Scope("bob", "t1"), Scope(thread="t2")])
def test_another_user_or_thread_is_refused_whatever_the_transcript(bank: MemoryBank, other: Scope) -> None:
    adapter = ContextAdapter(bank)
    adapter.prepare(FOUND, caller=Caller(Scope("ann", "t1")))
    with pytest.raises(ScopeMixed) as refused:
        adapter.prepare(FOUND, caller=Caller(other))
    assert (refused.value.held, refused.value.met) == (Scope("ann", "t1"), other)
    assert "ann" not in str(refused.value)
    adapter.prepare([user("What did I buy?")], caller=Caller(Scope("ann")))


def test_another_user_is_refused_after_a_restart_too(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'ann.db'}"
    with MemoryBank("Help the customer.", store=url) as bank:
        ContextAdapter(bank, scope=Scope("ann")).prepare(FOUND)
    with MemoryBank.resume(url) as same:
        ContextAdapter(same, scope=Scope("ann")).prepare([user("Go on.")])
        for stranger in ({"scope": Scope("bob")}, {}):
            with pytest.raises(ScopeMixed):
                ContextAdapter(same, **stranger).prepare([user("What did I buy?")])


def test_a_resumed_bank_that_named_nobody_is_the_first_ones_who_comes(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'task.db'}"
    with MemoryBank("Help the customer.", store=url) as bank:
        ContextAdapter(bank).prepare(FOUND)
    with MemoryBank.resume(url) as same:
        ContextAdapter(same).prepare([user("Go on.")])
        with pytest.raises(ScopeMixed):
            ContextAdapter(same).prepare([user("What did I buy?")])


def test_the_bank_of_a_team_is_for_one_user_as_well() -> None:
    with MemoryBank("Help.") as team, MemoryBank("Help.") as ann, MemoryBank("Help.") as bob:
        ContextAdapter(ann, shared=team, scope=Scope("ann"))
        with pytest.raises(ScopeMixed):
            ContextAdapter(bob, shared=team, scope=Scope("bob"))


# --- edited turns, branches, time travel ------------------------------------------------------------------------------

LONG = " ".join(f"Step {n}: sand the oak board along the grain, then wipe it." for n in range(30))
POLICY = "Orders can be returned within 30 days. Refunds take five days."
TALKS = [
    [("user", "Where is my order?"), ("look", "Order 4711 of Ann is in Leith."), ("model", "There."), ("user", "Why?")],
    [("user", "How do I oil a table?"), ("model", LONG), ("user", "And a chair?")],
]


def written(talk: list[tuple[str, str]], form: str) -> list[Any]:
    """A talk in the form of a provider; `look` is a call with its result."""
    items: list[Any] = []
    for number, (kind, text) in enumerate(talk):
        items += _TURNS[form](kind, text, f"c{number}")
    return items


def _chat(kind: str, text: str, name: str) -> Messages:
    return looked_up(text, name) if kind == "look" else [user(text) if kind == "user" else said(text)]


def _anthropic(kind: str, text: str, name: str) -> Messages:
    if kind != "look":
        return [{"role": "user" if kind == "user" else "assistant", "content": [{"type": "text", "text": text}]}]
    call = {"type": "tool_use", "id": name, "name": "look", "input": {}}
    answer = {"type": "tool_result", "tool_use_id": name, "content": text}
    return [{"role": "assistant", "content": [call]}, {"role": "user", "content": [answer]}]


def _responses(kind: str, text: str, name: str) -> Messages:
    if kind != "look":
        return [{"role": "user" if kind == "user" else "assistant", "content": text}]
    return [
        {"type": "function_call", "call_id": name, "name": "look", "arguments": "{}"},
        {"type": "function_call_output", "call_id": name, "output": text},
    ]


def _gemini(kind: str, text: str, name: str) -> Messages:
    if kind != "look":
        return [{"role": "user" if kind == "user" else "model", "parts": [{"text": text}]}]
    call, answer = {"name": "look", "args": {}}, {"name": "look", "response": {"result": text}}
    return [
        {"role": "model", "parts": [{"functionCall": call}]},
        {"role": "user", "parts": [{"functionResponse": answer}]},
    ]


_TURNS = {"openai-chat": _chat, "anthropic": _anthropic, "openai-responses": _responses, "gemini": _gemini}


@pytest.mark.parametrize("form", _TURNS)
@pytest.mark.parametrize("talk", TALKS, ids=["a result", "words"])
def test_an_edited_question_is_of_the_same_conversation(bank: MemoryBank, talk: Any, form: Any) -> None:
    adapter = ContextAdapter(bank, form=form)
    adapter.prepare(written(talk, form))
    edited = [*talk[:-1], ("user", "Since when?")]
    assert adapter.prepare(written(edited, form))
    assert adapter.prepare(written([*edited, ("model", "Since May."), ("user", "And then?")], form))
    first = [*talk, ("model", "It rains."), ("user", "Still?")]
    assert adapter.prepare(written(first, form))


def test_the_model_answers_anew_goes_back_or_calls_something_else(bank: MemoryBank) -> None:
    adapter = ContextAdapter(bank)
    talk = [*FOUND, said("In Leith."), user("Why?"), *looked_up("A strike.", "c2"), said("A strike.")]
    adapter.prepare(talk)
    for branch in (talk[:-1], talk[:5], [*talk[:5], *looked_up("Snow.", "c9")], [*FOUND, said("It is in Leith.")]):
        assert adapter.prepare(branch)


@pytest.mark.parametrize(
    "begun",
    [
        [user("Hello"), said("Hello! How can I help?")],
        [said(LONG), user("Hello")],  # what greets everybody, however long
        [user("Hello"), *looked_up("")],
    ],
)
def test_two_who_share_a_greeting_are_two(bank: MemoryBank, begun: Messages) -> None:
    adapter = ContextAdapter(bank)
    adapter.prepare([*begun, user("I am Ann.")])
    with pytest.raises(ScopeMixed):
        adapter.prepare([*begun, user("I am Bob.")])


def test_a_page_that_everybody_is_shown_joins_nobody(bank: MemoryBank) -> None:
    adapter = ContextAdapter(bank)
    adapter.prepare([user("I am Ann, can I return my lamp?"), *looked_up(POLICY), said(LONG), user("Thanks.")])
    for first in ("I am Bob, can I return my lamp?", "Hello"):
        with pytest.raises(ScopeMixed):
            adapter.prepare([user(first), *looked_up(POLICY), said(LONG), user("What did I buy?")])


def test_who_was_refused_is_refused_although_all_that_follows_is_alike(bank: MemoryBank) -> None:
    adapter = ContextAdapter(bank)
    begun = [user("What is your policy?"), *looked_up(POLICY), said("30 days."), user("Thanks.")]
    adapter.prepare(begun)
    for bob in (begun[:1], begun[:3], [*begun[:4], user("I am Bob. What did I buy?")]):
        with pytest.raises(ScopeMixed):
            adapter.prepare(bob)
    assert adapter.prepare([*begun, said("You are welcome."), user("Bye.")])


def test_a_branch_of_nobody_is_none_of_somebody(bank: MemoryBank) -> None:
    adapter = ContextAdapter(bank)
    adapter.prepare([*FOUND, user("Why?")], caller=Caller(Scope("ann")))
    with pytest.raises(ScopeMixed):
        adapter.prepare([*FOUND, user("Since when?")])


# --- edited and compacted histories -----------------------------------------------------------------------------------


def _asked(number: int, text: str, *, name: str, **asked: Any) -> Messages:
    function = {"name": "read", "arguments": json.dumps(asked)}
    call = {"id": name, "type": "function", "function": function}
    answer = {"role": "tool", "tool_call_id": name, "content": text}
    return [
        user(f"Read page {number}."),
        {"role": "assistant", "content": None, "tool_calls": [call]},
        answer,
        said("Done."),
    ]


def _page(number: int, secret: str) -> str:
    return f"Server {number} runs nginx with {4 + number} workers. Token: {secret}, and no more of it."


COUNTED = [each for n in range(4) for each in _asked(n, _page(n, f"tok{n}abc"), name=f"call_{n:04}x9", file=f"f{n}")]


@pytest.mark.parametrize("mask", ["***", "[REDACTED]", "█████", "xxxxx", "<SECRET>", "【已脱敏】"])
def test_a_history_whose_every_result_was_masked_is_the_same_conversation(bank: MemoryBank, mask: str) -> None:
    adapter = ContextAdapter(bank)
    adapter.prepare(COUNTED)
    masked = [{**one, "content": re.sub(r"tok\dabc", mask, one["content"] or "") or None} for one in COUNTED]
    assert adapter.prepare([*masked, user("How many workers has server 2?")])
    assert adapter.prepare([user("Summary: pages were read."), *masked[4:], user("And server 3?")])


@pytest.mark.parametrize("answers", ["{}", "", "***", "[REDACTED]", "Server 0 of Bob runs Apache with 2 workers."])
@pytest.mark.parametrize("name", ["call_{}", "call_{:04}x9", "read_{}", "run12step{}call3", "chatReadCall{}"])
def test_two_who_are_served_alike_are_two_whatever_their_calls_are_named(
    bank: MemoryBank, name: str, answers: str
) -> None:
    adapter = ContextAdapter(bank)
    greeted = [user("Hello"), said("Hello! How can I help?")]
    ann, bob = (
        [
            each
            for n in range(3)
            for each in _asked(n, text or f"Ann's page {n} has 7 lines.", name=name.format(n), **asked)
        ]
        for text, asked in (("", {"file": "f"}), (answers or " ", {"file": "f"}))
    )
    adapter.prepare([*greeted, *ann])
    with pytest.raises(ScopeMixed, match="compacted to a summary"):
        adapter.prepare([*greeted, *bob])
    with pytest.raises(ScopeMixed):
        adapter.prepare([*bob, user("What else?")])


def test_whose_history_was_compacted_to_nothing_but_a_summary_is_the_same_by_its_scope(bank: MemoryBank) -> None:
    adapter = ContextAdapter(bank, scope=Scope(user="ann", thread="one"))
    adapter.prepare(COUNTED)
    assert adapter.prepare([user("Summary of the talk so far: four pages were read."), user("And now?")])
