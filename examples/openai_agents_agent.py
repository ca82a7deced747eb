"""An agent of the OpenAI Agents SDK before and after: the same twenty tool calls, with one more line.

Needs `pip install ".[openai-agents]"`. Offline: a scripted model reads page after page.
"""

import json
from collections.abc import AsyncIterator
from pydoc_data.topics import topics
from typing import Any

from agents import Agent, Model, ModelResponse, Runner, Usage, function_tool, set_tracing_disabled
from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText

from amb_core import MemoryBank
from amb_openai_agents import attach

set_tracing_disabled(True)
TASK = "How does Python look up special method names?"
PAGES = [name for name in sorted(topics) if len(topics[name]) > 5_000][:20]
TEXT = ResponseOutputText(text="I have read all pages.", type="output_text", annotations=[])
DONE = ResponseOutputMessage(id="msg", content=[TEXT], role="assistant", status="completed", type="message")


@function_tool
def read_page(name: str) -> str:
    """Read a page of the Python reference."""
    return topics[name][:5_000]


class Scripted(Model):
    """Reads all pages, then answers."""

    def __init__(self) -> None:
        self.sizes: list[int] = []

    async def get_response(self, system_instructions: str | None, input: Any, *args: Any, **options: Any) -> Any:
        turn = len(self.sizes)
        self.sizes.append(sum(len(str(item.get("content", item.get("output", "")))) for item in input))
        reply: Any = DONE
        if turn < len(PAGES):
            page = json.dumps({"name": PAGES[turn]})
            reply = ResponseFunctionToolCall(call_id=f"{turn}", name="read_page", arguments=page, type="function_call")
        return ModelResponse(output=[reply], usage=Usage(), response_id=None)

    async def stream_response(self, *args: Any, **options: Any) -> AsyncIterator[Any]:
        yield await self.get_response(*args, **options)


with MemoryBank(TASK) as bank:
    models = Scripted(), Scripted()
    for model in models:
        agent = Agent("reader", model=model, tools=[read_page])
        if model is models[1]:
            attach(agent, bank)
        Runner.run_sync(agent, TASK, max_turns=30)
    for number, (before, after) in enumerate(zip(models[0].sizes, models[1].sizes, strict=True), 1):
        print(f"request {number:2}: {before:7,} characters before, {after:7,} after")
    print(f"{bank.size.entries} results, {bank.size.nodes} notes, {bank.usage.llm_calls} model calls for memory")
# Prints: 20 results
