"""A Pydantic AI agent before and after: the same twenty tool calls, with one more argument.

Needs `pip install ".[pydantic-ai]"`, Pydantic AI 2.54 or newer. Offline: a function model reads page after page.
"""

from pydoc_data.topics import topics

from pydantic_ai import Agent
from pydantic_ai.capabilities import AbstractCapability
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from amb_core import MemoryBank
from amb_pydantic_ai import AMBCapability

TASK = "How does Python look up special method names?"
PAGES = [name for name in sorted(topics) if len(topics[name]) > 5_000][:20]


def read_page(name: str) -> str:
    """Read a page of the Python reference."""
    return topics[name][:5_000]


def sizes(*capabilities: AbstractCapability[object]) -> list[int]:
    """Characters of each request of one run."""
    seen: list[int] = []

    def scripted(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        turn = len(seen)
        parts = (part for message in messages for part in message.parts)
        seen.append(sum(len(str(getattr(part, "content", ""))) for part in parts))
        if turn == len(PAGES):
            return ModelResponse(parts=[TextPart("I have read all pages.")])
        return ModelResponse(parts=[ToolCallPart("read_page", {"name": PAGES[turn]}, tool_call_id=f"call-{turn}")])

    Agent(FunctionModel(scripted), tools=[read_page], capabilities=capabilities).run_sync(TASK)
    return seen


with MemoryBank(TASK) as bank:
    print("request   before    after   (characters)")
    for number, (before, after) in enumerate(zip(sizes(), sizes(AMBCapability(bank)), strict=True), 1):
        print(f"{number:7}  {before:7,}  {after:7,}")
    print(f"\n{bank.size.entries} results, {bank.size.nodes} notes, {bank.usage.llm_calls} model calls for memory")
# Prints: 20 results
