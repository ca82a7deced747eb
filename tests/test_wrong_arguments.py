"""Arguments that an entry point does not have, or of another type, are answered by an error that says what to write."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from openai import OpenAI

from amb_core import Banks, ContextAdapter, InvalidParameter, LongTermMemory, MemoryBank, Scope, Settings, wrap
from amb_core.adapter import ScopedAdapters
from amb_experience import Experience
from amb_team import TeamMemory

Bank: Any = MemoryBank  # as a program without a type checker calls them
Adapter: Any = ContextAdapter
wrapped: Any = wrap
LongTerm: Any = LongTermMemory
AllBanks: Any = Banks
MESSAGES = [{"role": "user", "content": "Hello."}]


def client() -> Any:
    return OpenAI(api_key="key", base_url="http://127.0.0.1:9/v1")


def bank() -> MemoryBank:
    return MemoryBank("Find it.")


SETTING = r"MemoryBank\(goal, settings=Settings\(prompt_budget_tokens=…\)\)"
CALLS: dict[str, Callable[[], Any]] = {
    r"settings=Settings\(prompt_budget_tokens=…\)": lambda: Bank("Find it.", prompt_budget_tokens=1),
    "MemoryBank has no argument goal. Did you mean task_goal": lambda: Bank(goal="Find it."),
    "It takes task_goal, agents, embedder, store": lambda: Bank("Find it.", path="a.db"),
    "missing a required argument: 'task_goal'": lambda: Bank(),
    "Did you mean budget_tokens": lambda: Bank("Find it.").recall("it", budget=300),
    SETTING: lambda: wrapped(client(), bank(), prompt_budget_tokens=8_000),
    rf"ContextAdapter has no argument budget.*{SETTING}": lambda: Adapter(bank(), budget=8_000),
    r"one of the bank: MemoryBank\(goal, settings=…\)": lambda: wrapped(client(), bank(), settings=Settings()),
    "missing a required argument: 'bank'": lambda: wrapped(client()),
    "By place it takes bank; all else is named": lambda: Adapter(bank(), "tail"),
    "Did you mean window_tokens": lambda: Adapter(bank()).next_request(MESSAGES, window=8_000),
    r"caller takes a Caller\(Scope": lambda: Adapter(bank()).next_request(MESSAGES, caller="ann"),
    r"settings=LongTermSettings\(namespaces=…\)": lambda: LongTerm(namespaces=["a"]),
    "Banks has no argument ttl": lambda: AllBanks("sqlite:///b/", ttl=3),
    r"TeamMemory\(goal\).member\(name\), not str": lambda: Adapter(bank(), team="planner"),
    "member.name., not TeamMemory": lambda: wrapped(client(), bank(), team=TeamMemory("Find it.", agents=["a"])),
    "takes a LongTermMemory, not str": lambda: Adapter(bank(), memories="memory://"),
    "takes a LongTermMemory, not MemoryBank": lambda: wrapped(client(), bank(), memories=bank()),
    "takes an Experience, not str": lambda: Adapter(bank(), experience="sqlite:///e.db"),
    "share=…. takes a function": lambda: Adapter(bank(), share=True),
    "sharing=…. takes a bool, not str": lambda: Adapter(bank(), sharing="yes"),
    "takes a Scope, not str": lambda: wrapped(client(), bank(), scope="ann"),
}


@pytest.mark.parametrize("told", CALLS)
def test_an_argument_that_is_none_is_answered_by_the_right_one(told: str) -> None:
    with pytest.raises(InvalidParameter, match=told):
        CALLS[told]()


@pytest.mark.parametrize("wrong", [{"budget": 3}, {"team": "planner"}, {"inject": "sometimes"}])
def test_where_users_have_a_bank_each_options_are_checked_before_anybody_comes(
    wrong: dict[str, Any], tmp_path: Path
) -> None:
    with pytest.raises(InvalidParameter, match="|".join(wrong)):
        ScopedAdapters(Banks(f"sqlite:///{tmp_path}/banks/"), **wrong)


def test_right_arguments_are_taken_and_a_type_error_of_the_users_own_function_stays(tmp_path: Path) -> None:
    team = TeamMemory("Find it.", agents=["a"])
    ContextAdapter(bank(), team=team.member("a"), experience=Experience("memory://"), scope=Scope(user="ann"))

    def counter(text: str) -> int:
        raise TypeError("a fault of the user's own")

    with pytest.raises(TypeError, match="of the user's own"):
        ContextAdapter(bank(), count_tokens=counter).next_request(MESSAGES)
