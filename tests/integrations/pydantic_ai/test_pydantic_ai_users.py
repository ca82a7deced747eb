"""One agent of Pydantic AI, `Banks`, and many users and threads at once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from amb_core import Banks, InvalidParameter, Scope

pytest.importorskip("pydantic_ai", reason="Pydantic AI is not installed: make test-frameworks")
pytestmark = pytest.mark.pydantic_ai

from pydantic_ai import Agent  # noqa: E402
from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart, ToolReturnPart  # noqa: E402
from pydantic_ai.models.function import FunctionModel  # noqa: E402

from amb_pydantic_ai import attach  # noqa: E402

PEOPLE = [(user, thread) for user in ("ann", "ben") for thread in "123"]
FILLER = " The lamp was trimmed and the log was kept in the usual order of the station." * 60


class Clerk:
    """Looks up the account that the newest question names, then answers; keeps what it got."""

    def __init__(self) -> None:
        self.seen: list[str] = []
        self.model = FunctionModel(self.reply)

    def reply(self, messages: Any, info: Any) -> ModelResponse:
        self.seen.append(str(messages))
        if any(isinstance(part, ToolReturnPart) for part in messages[-1].parts):
            return ModelResponse(parts=[TextPart("I have looked it up.")])
        who = str(messages).split("account of ")[-1].split("?")[0]
        return ModelResponse(parts=[ToolCallPart("account", {"who": who}, tool_call_id=f"{who}-{len(messages)}")])


def account(who: str) -> str:
    """Read an account."""
    return f"The secret word of {who} is {who.upper()}-{who.upper()}.{FILLER}"


def _ask(agent: Any, user: str, thread: str, **given: Any) -> Any:
    deps = {"user_id": user, "thread_id": thread}
    return agent.run_sync(f"What is in the account of {user}{thread}?", deps=deps, **given)


def _clerk(banks: Banks) -> tuple[Clerk, Agent[Any, Any]]:
    clerk = Clerk()
    agent: Agent[Any, Any] = Agent(clerk.model, tools=[account], deps_type=dict, name="clerk")
    attach(agent, banks)
    return clerk, agent


def test_sixteen_threads_of_two_users_never_see_one_another(tmp_path: Path) -> None:
    banks = Banks(f"sqlite:///{tmp_path}/", most_open=2)
    clerk, agent = _clerk(banks)
    for _ in range(3):
        with ThreadPoolExecutor(16) as pool:
            list(pool.map(lambda who: _ask(agent, *who), PEOPLE))
    words = [f"{user}{thread}".upper() for user, thread in PEOPLE]
    assert all(sum(f"{word}-{word}" in seen for word in words) <= 1 for seen in clerk.seen)
    for user, thread in PEOPLE:
        entries = banks(Scope(user, thread)).snapshot().results
        assert entries
        assert all(f"of {user}{thread} is" in entry.text for entry in entries)


def test_nobody_is_told_to_say_who_it_is_before_anything_is_sent(tmp_path: Path) -> None:
    clerk, agent = _clerk(Banks(f"sqlite:///{tmp_path}/"))
    with pytest.raises(InvalidParameter, match="user_id or thread_id"):
        agent.run_sync("What is in the account of ann1?", deps={})
    assert not clerk.seen


def test_a_message_history_goes_on_after_a_restart(tmp_path: Path) -> None:
    history: list[Any] = []
    for number in range(2):
        banks = Banks(f"sqlite:///{tmp_path}/")
        clerk, agent = _clerk(banks)
        history = _ask(agent, "ann", "1", message_history=history).all_messages()
        assert bool(number) == ("ANN1-ANN1" in clerk.seen[0])
        assert len(banks(Scope("ann", "1")).snapshot().results) == number + 1
        banks.close()
