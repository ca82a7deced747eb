"""LangChain's ContextEditingMiddleware beside ours: whatever it clears, and on whichever side, pairs hold."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("langchain")

from langchain.agents import create_agent
from langchain.agents.middleware import ClearToolUsesEdit, ContextEditingMiddleware
from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.tools import tool

from amb_core import MemoryBank, Settings
from amb_langgraph import AMBMiddleware

TREES = "oak elm ash fir yew bay fig".split()
CALLS = 24


@tool
def read(n: int) -> str:
    """Read a page."""
    return f"Page {n}. " + " ".join(f"{TREES[k * n % 7]} {k * n % 97}" for k in range(700))


class _Reader(BaseChatModel):
    """Calls `read` so many times, then answers; keeps the requests it got."""

    got: list[list[BaseMessage]] = []

    @property
    def _llm_type(self) -> str:
        return "reader"

    def bind_tools(self, tools: Any, **options: Any) -> Any:
        return self

    def _generate(self, messages: list[BaseMessage], *args: Any, **options: Any) -> ChatResult:
        self.got.append(messages)
        n = len(self.got)
        calls = [{"name": "read", "args": {"n": n}, "id": f"call_{n}abc"}] if n <= CALLS else []
        return ChatResult(generations=[ChatGeneration(message=AIMessage("" if calls else "Read.", tool_calls=calls))])


def _torn(request: list[BaseMessage]) -> set[str]:
    asked = {str(call["id"]) for one in request if isinstance(one, AIMessage) for call in one.tool_calls}
    return asked ^ {one.tool_call_id for one in request if isinstance(one, ToolMessage)}


@pytest.mark.parametrize("inputs", [False, True], ids=["results", "calls too"])
@pytest.mark.parametrize("budget", [8_000, 32_000])
@pytest.mark.parametrize("outside", [False, True], ids=["behind ours", "before ours"])
def test_pairs_hold_beside_a_middleware_that_clears_results(outside: bool, budget: int, inputs: bool) -> None:
    bank, model = MemoryBank("Read all pages.", settings=Settings(prompt_budget_tokens=budget)), _Reader(got=[])
    ours = AMBMiddleware(bank)
    theirs = ContextEditingMiddleware(edits=[ClearToolUsesEdit(trigger=4_000, clear_tool_inputs=inputs)])
    agent = create_agent(model, [read], middleware=[theirs, ours] if outside else [ours, theirs])
    agent.invoke({"messages": [HumanMessage("Read all pages.")]}, {"recursion_limit": 100})
    assert len(model.got) == CALLS + 1
    assert not any(map(_torn, model.got))
    assert any(one.content == "[cleared]" for one in model.got[-1]) or budget == 8_000
    assert bank.size.entries == CALLS
    assert "Page 3." in bank.recall("What stands on page 3?").text
