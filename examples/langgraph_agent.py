"""A LangChain agent before and after: the same twenty tool calls, with one more argument.

Needs `pip install ".[langgraph]"`. Offline: a scripted model reads page after page.
"""

from pydoc_data.topics import topics
from typing import Any

from langchain.agents import create_agent
from langchain_core.language_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatResult
from langgraph.checkpoint.memory import InMemorySaver

from amb_core import MemoryBank
from amb_langgraph import AMBMiddleware

TASK = "How does Python look up special method names?"
PAGES = [name for name in sorted(topics) if len(topics[name]) > 5_000][:20]


def read_page(name: str) -> str:
    """Read a page of the Python reference."""
    return topics[name][:5_000]


class Scripted(GenericFakeChatModel):
    """Calls `read_page` twenty times, then answers; `sizes` are the characters of each request."""

    sizes: list[int] = []

    def bind_tools(self, tools: Any, **options: Any) -> Any:
        return self

    def _generate(self, messages: list[BaseMessage], *others: Any, **options: Any) -> ChatResult:
        self.sizes.append(sum(len(str(message.content)) for message in messages))
        return super()._generate(messages, *others, **options)


def run(*middleware: AMBMiddleware) -> tuple[list[int], int]:
    """Characters of each request of one run, and of what its thread holds in the end."""
    calls = [{"name": "read_page", "args": {"name": name}, "id": f"call-{at}"} for at, name in enumerate(PAGES)]
    replies = [*(AIMessage("", tool_calls=[call]) for call in calls), AIMessage("I have read all pages.")]
    model = Scripted(messages=iter(replies))
    agent = create_agent(model, [read_page], middleware=middleware, checkpointer=InMemorySaver())
    asked: list[Any] = [("user", TASK)]
    state = agent.invoke({"messages": asked}, {"configurable": {"thread_id": "1"}})
    return model.sizes, sum(len(str(message.content)) for message in state["messages"])


with MemoryBank(TASK) as bank:
    before, held_before = run()
    after, held_after = run(AMBMiddleware(bank, small_state=True))
    print("request   before    after   (characters)")
    for number, (plain, bounded) in enumerate(zip(before, after, strict=True), 1):
        print(f"{number:7}  {plain:7,}  {bounded:7,}")
    print(f"\n{held_before:,} characters in the checkpointed state before, {held_after:,} after")
    print(f"{bank.size.entries} results, {bank.size.nodes} notes, {bank.usage.llm_calls} model calls for memory")
# Prints: 20 results
