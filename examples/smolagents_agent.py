"""A smolagents agent before and after: the same twenty tool calls, with one more line.

Needs `pip install ".[smolagents]"`. Offline: a scripted model reads page after page.
"""

from pydoc_data.topics import topics
from typing import Any

from smolagents import CodeAgent, Model, MultiStepAgent, ToolCallingAgent, tool
from smolagents.models import ChatMessage, ChatMessageToolCall, ChatMessageToolCallFunction, MessageRole

from amb_core import MemoryBank
from amb_core.adapter import text_of
from amb_smolagents import attach

TASK = "How does Python look up special method names?"
PAGES = [name for name in sorted(topics) if len(topics[name]) > 5_000][:20]


@tool  # type: ignore[untyped-decorator,unused-ignore]
def read_page(name: str) -> str:
    """Read a page of the Python reference.

    Args:
        name: Which page.
    """
    return topics[name][:5_000]


class Scripted(Model):  # type: ignore[misc,unused-ignore]  # smolagents has no types
    """Reads all pages, then answers: by tool calls if it is offered tools, or else in code."""

    def generate(self, messages: list[ChatMessage], *args: Any, **options: Any) -> ChatMessage:
        sizes.append(sum(len(text_of(message.content)) for message in messages))
        name, arguments = "final_answer", {"answer": "I have read all pages."}
        if len(sizes) <= len(PAGES):
            name, arguments = "read_page", {"name": PAGES[len(sizes) - 1]}
        if not options.get("tools_to_call_from"):
            return ChatMessage(MessageRole.ASSISTANT, f"<code>\nprint({name}(**{arguments}))\n</code>")
        function = ChatMessageToolCallFunction(name=name, arguments=arguments)
        return ChatMessage(
            MessageRole.ASSISTANT, None, [ChatMessageToolCall(function, f"call-{len(sizes)}", "function")]
        )


for kind in (ToolCallingAgent, CodeAgent):
    with MemoryBank(TASK) as bank:
        runs: list[list[int]] = []
        for remembering in (False, True):
            agent: MultiStepAgent = kind(tools=[read_page], model=Scripted(), max_steps=30, verbosity_level=0)
            if remembering:
                attach(agent, bank)
            sizes: list[int] = []
            agent.run(TASK)
            runs.append(sizes)
        print(f"{kind.__name__}\nrequest   before    after   (characters)")
        for number, (before, after) in enumerate(zip(*runs, strict=True), 1):
            print(f"{number:7}  {before:7,}  {after:7,}")
        print(f"{bank.size.entries} results, {bank.size.nodes} notes, {bank.usage.llm_calls} model calls for memory\n")
# Prints: 20 results
