"""`@remember` over a node of a graph: its state holds LangChain's messages."""

from __future__ import annotations

import pytest

pytest.importorskip("langgraph")

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage
from langgraph.graph import END, START, MessagesState, StateGraph

from amb_core import MemoryBank, Settings, remember
from amb_core.adapter import TokenCounter

pytestmark = pytest.mark.langgraph
PAGES = 6


def tools(state: MessagesState) -> dict[str, list[BaseMessage]]:
    [call] = state["messages"][-1].tool_calls
    text = f"Page {call['args']['page']}. The Ardra dam is 86 metres high. " + "Trout live there. " * 200
    return {"messages": [ToolMessage(text, tool_call_id=call["id"], name="read")]}


def test_a_node_gets_its_state_bounded_and_memory_gets_what_came() -> None:
    seen: list[list[BaseMessage]] = []
    with MemoryBank("How high is the Ardra dam?", settings=Settings(prompt_budget_tokens=3_000)) as bank:

        @remember(bank, argument="state")
        def agent(state: MessagesState) -> dict[str, list[BaseMessage]]:
            seen.append(state["messages"])
            call = {"id": f"c{len(seen)}", "name": "read", "args": {"page": len(seen)}}
            return {"messages": [AIMessage("86.") if len(seen) > PAGES else AIMessage("", tool_calls=[call])]}

        graph = StateGraph(MessagesState).add_node("agent", agent).add_node("tools", tools)
        graph.add_edge(START, "agent").add_edge("tools", "agent")
        graph.add_conditional_edges("agent", lambda state: "tools" if state["messages"][-1].tool_calls else END)
        out = graph.compile().invoke({"messages": [HumanMessage("How high is the Ardra dam?")]})

        assert bank.size.entries == PAGES
    assert len(out["messages"]) == 2 * PAGES + 2
    assert "<memory>" in seen[-1][-1].content
    assert sum(TokenCounter().text(str(message.content)) for message in seen[-1]) <= 3_000
