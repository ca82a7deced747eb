"""One bank, one user and thread: who is let at it, by names, by the transcript, and by the run."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from amb_core import ContextAdapter, InvalidParameter, MemoryBank, Scope, ScopeMixed, remember
from amb_core.adapter import Caller, inside_run, outer_run, scope_in

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


def test_names_are_found_in_mappings_and_objects() -> None:
    assert scope_in({"thread_id": 7, "user_id": True}, Scope("x")) == Scope(thread="7")
    assert Scope("", "") == Scope()
    with pytest.raises(InvalidParameter):
        Scope(3)  # type: ignore[arg-type]
