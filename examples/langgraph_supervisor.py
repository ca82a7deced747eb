"""A LangChain supervisor with long-term memory: its worker is told in a second session what the first one brought.

Needs `pip install ".[langgraph]"`. Offline: the models are scripted; the database is a real SQLite one.
"""

import sqlite3
from contextlib import closing
from typing import Any

from langchain.agents import create_agent
from langchain_core.language_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from langchain_core.outputs import ChatResult

from amb_langgraph import AMBSupervisor
from amb_longterm import LongTermMemory

TELLING = "From now on, amounts in EUR. Net revenue means amount minus refund. Show net revenue by region."
ASKING = "Show net revenue by region."
QUERY = "SELECT region, SUM(amount - refund) FROM orders GROUP BY region"


class Scripted(GenericFakeChatModel):
    """Says its lines, and shows what it was told at first."""

    def bind_tools(self, tools: Any, **options: Any) -> Any:
        return self

    def _generate(self, messages: list[BaseMessage], *others: Any, **options: Any) -> ChatResult:
        if messages[-1].type == "human":
            print(messages[-1].content, end="\n\n")
        return super()._generate(messages, *others, **options)


def model(tool: str, answer: str, **arguments: str) -> Scripted:
    """A model that calls one tool and then answers."""
    return Scripted(messages=iter([AIMessage("", tool_calls=[{"name": tool, "args": arguments, "id": "1"}]), answer]))


def run_sql(query: str) -> str:
    """Run a query."""
    return str(shop.execute(query).fetchall())


def ask_text2sql(task: str) -> str:
    """Let the SQL worker answer."""
    worker = memory.worker(create_agent(model("run_sql", "North: 100.5", query=QUERY), [run_sql], name="text2sql"))
    return str(worker.invoke({"messages": [("user", task)]})["messages"][-1].content)


with closing(sqlite3.connect(":memory:", check_same_thread=False)) as shop, LongTermMemory("memory://") as store:
    shop.executescript("CREATE TABLE orders (region, amount, refund); INSERT INTO orders VALUES ('North', 120.5, 20)")
    memory = AMBSupervisor(store, user="u1", workers=["text2sql"])
    for message in (TELLING, ASKING):
        chief = create_agent(model("ask_text2sql", "100.50 EUR", task=ASKING), [ask_text2sql], middleware=[memory])
        state = chief.invoke({"messages": [HumanMessage(message)]})
        print(f"--- answered: {state['messages'][-1].content}\n")
# Prints: SQL: SELECT region, SUM(amount - refund)
