"""An AutoGen agent before and after: the same twenty tool calls, with one more argument.

Needs `pip install ".[autogen]"`. Offline: AutoGen's replay client plays a model that reads page after page.
"""

import asyncio
import json
import logging
from pydoc_data.topics import topics
from typing import Any

from autogen_agentchat.agents import AssistantAgent
from autogen_core import FunctionCall
from autogen_core.models import CreateResult, ModelFamily, ModelInfo, RequestUsage
from autogen_ext.models.replay import ReplayChatCompletionClient

from amb_autogen import with_memory
from amb_core import MemoryBank

logging.getLogger("autogen_core.events").setLevel(logging.ERROR)  # the replay client warns about its token counts
TASK = "How does Python look up special method names?"
PAGES = [name for name in sorted(topics) if len(topics[name]) > 5_000][:20]
MODEL = ModelInfo(
    vision=False, function_calling=True, json_output=False, structured_output=False, family=ModelFamily.UNKNOWN
)


def read_page(name: str) -> str:
    """Read a page of the Python reference."""
    return topics[name][:5_000]


def scripted_model() -> ReplayChatCompletionClient:
    """Calls `read_page` twenty times, then answers."""
    replies: list[str | CreateResult] = []
    for number, name in enumerate(PAGES):
        call = FunctionCall(id=f"call-{number}", name="read_page", arguments=json.dumps({"name": name}))
        usage = RequestUsage(prompt_tokens=0, completion_tokens=0)
        replies.append(CreateResult(finish_reason="function_calls", content=[call], usage=usage, cached=False))
    return ReplayChatCompletionClient([*replies, "I have read all pages."], model_info=MODEL)


async def sizes(**arguments: Any) -> list[int]:
    """Characters of each request of one run."""
    model = scripted_model()
    agent = AssistantAgent("reader", model, max_tool_iterations=30, **arguments)
    await agent.run(task=TASK)
    return [sum(len(str(message.content)) for message in call["messages"]) for call in model.create_calls]


with MemoryBank(TASK) as bank:
    before = asyncio.run(sizes(tools=[read_page]))
    after = asyncio.run(sizes(**with_memory(bank, tools=[read_page])))
    print("request   before    after   (characters)")
    for number, (plain, bounded) in enumerate(zip(before, after, strict=True), 1):
        print(f"{number:7}  {plain:7,}  {bounded:7,}")
    print(f"\n{bank.size.entries} results, {bank.size.nodes} notes, {bank.usage.llm_calls} model calls for memory")
# Prints: 20 results
