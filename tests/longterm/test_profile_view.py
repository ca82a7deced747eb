"""ContextAdapter(memories=…): what is known of the user stands in the requests of a run, as it is now."""

from __future__ import annotations

import logging

import pytest

from amb_core import Banks, ContextAdapter, Experience, MemoryBank, Scope, Settings
from amb_core.errors import InvalidParameter
from amb_longterm import LongTermMemory


@pytest.fixture
def memory(clock):
    with LongTermMemory(clock=clock) as opened:
        opened.remember("I live in Porto. I like tea.", user="ann")
        yield opened


def adapter_for(memory, *, user="ann", budget=8_000, **options):
    bank = MemoryBank("Help the user", settings=Settings(prompt_budget_tokens=budget))
    return ContextAdapter(bank, scope=Scope(user=user) if user else None, memories=memory, **options)


def asked(adapter, messages, question):
    """The next request as one text, after the user has asked something."""
    messages.append({"role": "user", "content": question})
    request = adapter.next_request(messages)
    messages.append({"role": "assistant", "content": "Fine."})
    return "\n".join(str(message["content"]) for message in request)


def test_it_is_said_once_and_what_the_user_says_meanwhile_is_not_said_twice(memory):
    adapter, messages = adapter_for(memory), []
    first = asked(adapter, messages, "Where do I live?")
    assert first.count("I live in Porto.") == first.count("I like tea.") == 1
    question = "I have two dogs. What do they eat?"
    memory.remember(question, user="ann")
    later = asked(adapter, messages, question)
    assert later.startswith(first)
    assert later.count("I have two dogs.") == later.count("I live in Porto.") == 1
    assert adapter.failures == {}


def test_what_another_session_told_is_said_and_a_newer_value_comes_first(memory, clock):
    adapter, messages = adapter_for(memory), []
    asked(adapter, messages, "Where do I live?")
    clock.advance(86_400)
    memory.remember("I live in Berlin. I sold the boat.", user="ann")
    later = asked(adapter, messages, "And now?")
    assert later.index("I live in Berlin.") < later.index("I live in Porto.")
    assert later.count("I sold the boat.") == later.count("I like tea.") == 1


def test_what_is_deleted_is_gone_from_the_next_request(memory):
    adapter, messages = adapter_for(memory), []
    asked(adapter, messages, "Where do I live?")
    (porto,) = [each for each in memory.records("user_profile/ann") if "Porto" in each.content]
    memory.delete(porto.id, namespace="user_profile/ann")
    later = asked(adapter, messages, "And now?")
    assert "Porto" not in later
    assert "I like tea." in later


def test_a_user_sees_his_own(memory, tmp_path):
    assert "Porto" not in asked(adapter_for(memory, user="ben"), [], "Where do I live?")
    by_user = ContextAdapter(Banks(f"sqlite:///{tmp_path}/banks/"), scope=Scope(user="ann"), memories=memory)
    assert "Porto" in asked(by_user, [], "Where do I live?")


def test_without_a_user_nothing_is_said_and_the_log_says_so_once(memory, caplog):
    adapter, messages = adapter_for(memory, user=""), []
    with caplog.at_level(logging.WARNING, logger="amb.longterm"):
        assert "Porto" not in asked(adapter, messages, "Where do I live?")
        asked(adapter, messages, "And now?")
    assert len([record for record in caplog.records if "scope" in record.message]) == 1


def test_who_shares_a_bank_cannot_have_one_users_memory(memory):
    with pytest.raises(InvalidParameter, match="sharing"):
        adapter_for(memory, user="", sharing=True)


def test_it_stands_beside_earlier_runs_and_within_a_small_budget(memory, clock):
    for number in range(200):
        memory.write(f"Locker {number} belongs to gate {number}", namespace="user_profile/ann")
        clock.advance(60)
    adapter = adapter_for(memory, budget=2_000, experience=Experience("memory://"))
    messages = []
    first = asked(adapter, messages, "Hello, who are you?")
    assert "Locker 199 belongs" in first
    assert "Locker 7 belongs" not in first
    text = asked(adapter, messages, "Who has locker 7?")
    assert "Locker 7 belongs" in text
    assert "more that do not fit here" in text
    assert adapter.tokens_of([{"role": "user", "content": text}]) <= 2_000


def test_a_memory_that_is_closed_costs_only_the_profile(memory):
    adapter, messages = adapter_for(memory), []
    memory.close()
    assert "Where do I live?" in asked(adapter, messages, "Where do I live?")
    assert adapter.failures
