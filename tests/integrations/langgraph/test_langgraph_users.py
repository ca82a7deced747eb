"""One agent of LangGraph, `Banks`, and many users and threads at once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from amb_core import Banks, InvalidParameter, Scope

pytest.importorskip("langchain.agents", reason="LangChain is not installed: make test-frameworks")
pytestmark = pytest.mark.langgraph

from langchain.agents import create_agent  # noqa: E402
from langchain_core.language_models import BaseChatModel  # noqa: E402
from langchain_core.messages import AIMessage, BaseMessage, ToolMessage  # noqa: E402
from langchain_core.outputs import ChatGeneration, ChatResult  # noqa: E402
from langchain_core.tools import tool  # noqa: E402
from langgraph.checkpoint.memory import InMemorySaver  # noqa: E402
from pydantic import PrivateAttr  # noqa: E402

from amb_langgraph import AMBMiddleware, attach  # noqa: E402

FILLER = " The lamp was trimmed and the log was kept in the usual order of the station." * 60


class Clerk(BaseChatModel):
    """Looks up the account that the newest question names, then answers; keeps what it got."""

    _seen: list[str] = PrivateAttr(default_factory=list)

    @property
    def _llm_type(self) -> str:
        return "clerk"

    def bind_tools(self, tools: Any, **options: Any) -> Any:
        return self

    def _generate(self, messages: list[BaseMessage], *_: Any, **options: Any) -> ChatResult:
        self._seen.append("\n".join(str(message.content) for message in messages))
        if isinstance(messages[-1], ToolMessage) or messages[-1].name == "told":
            return ChatResult(generations=[ChatGeneration(message=AIMessage("I have looked it up."))])
        asked = [str(message.content) for message in messages if "account of" in str(message.content)][-1]
        who = asked.split("account of ")[1].split("?")[0]
        call = {"name": "account", "args": {"who": who}, "id": f"call-{who}-{len(messages)}"}
        return ChatResult(generations=[ChatGeneration(message=AIMessage("", tool_calls=[call]))])


@tool
def account(who: str) -> str:
    """Read an account."""
    return f"The secret word of {who} is {who.upper()}-{who.upper()}.{FILLER}"


def _ask(
    agent: Any, user: str, thread: str, *, question: str = "What is the secret word in the account of {}?"
) -> None:
    config: Any = {"configurable": {"thread_id": f"{user}-{thread}", "user_id": user}}
    agent.invoke({"messages": [("user", question.format(f"{user}{thread}"))]}, config)


@pytest.mark.parametrize("way", ["attach", "middleware"])
def test_sixteen_threads_of_two_users_never_see_one_another(tmp_path: Path, way: str) -> None:
    model, banks = Clerk(), Banks(f"sqlite:///{tmp_path}/", most_open=2)
    given = [AMBMiddleware(banks)] if way == "middleware" else []
    agent = create_agent(model, [account], middleware=given, checkpointer=InMemorySaver())
    if way == "attach":
        attach(agent, banks)
    people = [(user, thread) for user in ("ann", "ben") for thread in "123"]
    for _ in range(3):
        with ThreadPoolExecutor(16) as pool:
            list(pool.map(lambda who: _ask(agent, *who), people))
    words = {f"{user}{thread}": f"{user}{thread}".upper() for user, thread in people}
    for seen in model._seen:
        told = {word for word in words.values() if f"{word}-{word}" in seen}
        assert len(told) <= 1
    for user, thread in people:
        entries = banks(Scope(user, f"{user}-{thread}")).snapshot().results
        assert entries
        assert all(f"of {user}{thread} is" in entry.text for entry in entries)


def test_nobody_is_told_to_say_who_it_is_before_anything_is_sent(tmp_path: Path) -> None:
    model = Clerk()
    agent = create_agent(model, [account], middleware=[AMBMiddleware(Banks(f"sqlite:///{tmp_path}/"))])
    with pytest.raises(InvalidParameter, match="user_id or thread_id"):
        agent.invoke({"messages": [("user", "What is in the account of ann1?")]})
    assert not model._seen


def test_a_restarted_agent_knows_what_it_knew(tmp_path: Path) -> None:
    saver, seen = InMemorySaver(), list[str]()
    for number in range(2):
        model, banks = Clerk(), Banks(f"sqlite:///{tmp_path}/")
        agent = create_agent(model, [account], middleware=[AMBMiddleware(banks)], checkpointer=saver)
        _ask(agent, "ann", "1", question=f"Question {number}: what is in the account of {{}}?")
        seen = model._seen
        assert len(banks(Scope("ann", "ann-1")).snapshot().results) == number + 1
        banks.close()
    assert "ANN1-ANN1" in seen[0]
