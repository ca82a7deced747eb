"""One agent of the OpenAI Agents SDK, `Banks`, and many users and threads at once."""

from __future__ import annotations

import asyncio
import copy
import json
import runpy
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from amb_core import Banks, InvalidParameter, Scope

pytest.importorskip("agents.run", reason="the OpenAI Agents SDK is not installed: make test-frameworks")
pytestmark = pytest.mark.openai_agents

from agents import Agent, Model, ModelResponse, Runner, SQLiteSession, Usage, function_tool  # noqa: E402
from openai.types.responses import ResponseFunctionToolCall  # noqa: E402

from amb_openai_agents import AMBSession, attach, memory_tools, run_options  # noqa: E402

say = runpy.run_path(str(Path(__file__).with_name("openai_agents_driver.py")))["say"]
PEOPLE = [(user, thread) for user in ("ann", "ben") for thread in "123"]
FILLER = " The lamp was trimmed and the log was kept in the usual order of the station." * 60


class Clerk(Model):
    """Looks up the account that the newest question names, then answers; keeps what it got."""

    def __init__(self) -> None:
        self.seen: list[str] = []

    async def get_response(self, system_instructions: Any, input: Any, *args: Any, **asked: Any) -> ModelResponse:
        items = copy.deepcopy(list(input))
        self.seen.append(json.dumps(items))
        answered = any(item.get("type") == "function_call_output" for item in items[-2:])
        asked_of = [str(item["content"]) for item in items if "account of " in str(item.get("content"))][-1]
        who = asked_of.split("account of ")[1].split("?")[0]
        call = ResponseFunctionToolCall(
            id=f"fc-{who}-{len(items)}",
            call_id=f"call-{who}-{len(items)}",
            name="account",
            arguments=json.dumps({"who": who}),
            type="function_call",
        )
        return ModelResponse(
            output=[say("I have looked it up.") if answered else call], usage=Usage(), response_id=None
        )

    def stream_response(self, *args: Any, **asked: Any) -> Any:
        raise AssertionError("nobody streams here")


@function_tool
def account(who: str) -> str:
    """Read an account."""
    return f"The secret word of {who} is {who.upper()}-{who.upper()}.{FILLER}"


def _check(model: Clerk, banks: Banks) -> None:
    words = [f"{user}{thread}".upper() for user, thread in PEOPLE]
    assert all(sum(f"{word}-{word}" in seen for word in words) <= 1 for seen in model.seen)
    for user, thread in PEOPLE:
        entries = banks(Scope(user, thread)).snapshot().results
        assert entries
        assert all(f"of {user}{thread} is" in entry.text for entry in entries)


@pytest.mark.parametrize("way", ["attach", "run_options"])
def test_sixteen_threads_of_two_users_never_see_one_another(tmp_path: Path, way: str) -> None:
    model, banks = Clerk(), Banks(f"sqlite:///{tmp_path}/banks", most_open=2)
    tools = [account, *(memory_tools(banks) if way == "run_options" else [])]
    agent = Agent("clerk", model=model, tools=tools)
    options = {} if way == "attach" else run_options(banks)
    if way == "attach":
        attach(agent, banks)

    def ask(who: tuple[str, str]) -> None:
        question = f"What is the secret word in the account of {who[0]}{who[1]}?"
        context = {"user_id": who[0], "thread_id": who[1]}
        session = SQLiteSession("-".join(who), tmp_path / "sessions.db")
        asyncio.run(Runner.run(agent, question, context=context, session=session, **options))

    for _ in range(3):
        with ThreadPoolExecutor(16) as pool:
            list(pool.map(ask, PEOPLE))
    _check(model, banks)


def test_nobody_is_told_to_say_who_it_is_before_anything_is_sent(tmp_path: Path) -> None:
    model = Clerk()
    agent = Agent("clerk", model=model, tools=[account])
    attach(agent, Banks(f"sqlite:///{tmp_path}/"))
    with pytest.raises(InvalidParameter, match="user_id or thread_id"):
        Runner.run_sync(agent, "What is in the account of ann1?")
    assert not model.seen


def test_a_restarted_session_knows_what_it_knew(tmp_path: Path) -> None:
    for number in range(2):
        model, banks = Clerk(), Banks(f"sqlite:///{tmp_path}/banks")
        agent = Agent("clerk", model=model, tools=[account])
        session = AMBSession(banks(Scope(thread="1")), history=SQLiteSession("1", tmp_path / "sessions.db"))
        attach(agent, banks)
        Runner.run_sync(agent, f"Question {number}: what is in the account of ann1?", session=session)
        assert len(banks(Scope(thread="1")).snapshot().results) == number + 1
        assert bool(number) == ("ANN1-ANN1" in model.seen[0])
        banks.close()
