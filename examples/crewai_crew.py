"""A CrewAI crew before and after: the same twenty tool calls, with one more line.

Needs `pip install ".[crewai]"`. Offline: a scripted model reads page after page.
"""

import logging
import os
from pydoc_data.topics import topics
from typing import Any

os.environ |= {"CREWAI_DISABLE_TELEMETRY": "true", "CREWAI_TRACING_ENABLED": "false", "OTEL_SDK_DISABLED": "true"}

from crewai import Agent, BaseLLM, Crew, Task
from crewai.tools import tool

from amb_core import MemoryBank
from amb_crewai import memory

logging.getLogger("crewai").setLevel(logging.ERROR)  # it warns at each estimate of tokens
TASK = "How does Python look up special method names?"
PAGES = [name for name in sorted(topics) if len(topics[name]) > 5_000][:20]


@tool
def read_page(name: str) -> str:
    """Read a page of the Python reference."""
    return topics[name][:5_000]


class ScriptedLLM(BaseLLM):  # calls read_page twenty times, then answers
    sizes: list[int] = []

    def supports_function_calling(self) -> bool:
        return True

    def get_context_window_size(self) -> int:
        return 128_000

    def call(self, messages: Any, *_: Any, **__: Any) -> Any:
        self.sizes.append(sum(len(str(message["content"] or "")) for message in messages))
        if len(self.sizes) > len(PAGES):
            return "I have read all pages."
        arguments = {"name": PAGES[len(self.sizes) - 1]}
        return [{"id": f"call-{len(self.sizes)}", "function": {"name": "read_page", "arguments": arguments}}]


def crew_of(llm: BaseLLM) -> Crew:
    agent = Agent(role="reader", goal="Answer.", backstory="", tools=[read_page], llm=llm, max_iter=30)
    return Crew(agents=[agent], tasks=[Task(description=TASK, expected_output="One sentence.", agent=agent)])


before, after = ScriptedLLM(model="scripted"), ScriptedLLM(model="scripted")
crew_of(before).kickoff()
with MemoryBank(TASK) as bank, memory(bank):
    crew_of(after).kickoff()
    print("request   before    after   (characters)")
    for number, (plain, bounded) in enumerate(zip(before.sizes, after.sizes, strict=True), 1):
        print(f"{number:7}  {plain:7,}  {bounded:7,}")
    print(f"\n{bank.size.entries} results, {bank.size.nodes} notes, {bank.usage.llm_calls} model calls for memory")
# Prints: 20 results
