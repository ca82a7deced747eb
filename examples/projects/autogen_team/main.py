"""A team of two AutoGen agents that share a memory: what one has looked up, the other knows, and nobody looks twice.

`python main.py` asks a question of the files in `library`. With LLM_MODEL the agents ask that model of OpenAI; without
it AutoGen's replay client plays the two.
"""

import asyncio
import json
import logging
import os
from pathlib import Path

from autogen_agentchat.agents import AssistantAgent
from autogen_agentchat.conditions import MaxMessageTermination, TextMentionTermination
from autogen_agentchat.teams import RoundRobinGroupChat
from autogen_core import FunctionCall
from autogen_core.models import ChatCompletionClient, CreateResult, ModelFamily, ModelInfo, RequestUsage
from autogen_ext.models.replay import ReplayChatCompletionClient

from amb_autogen import attach_team
from amb_core.team import TeamMemory

logging.getLogger("autogen_core.events").setLevel(logging.ERROR)  # the replay client warns about its token counts
QUESTION = "In which harbour is the ship that Mara Voss commands?"
LIBRARY = Path(__file__).with_name("library")
MODEL = ModelInfo(
    vision=False, function_calling=True, json_output=False, structured_output=False, family=ModelFamily.UNKNOWN
)
looked_up: list[str] = []


def search(query: str) -> str:
    """Search the library: the page whose words the query names."""
    looked_up.append(query)
    words = set(query.casefold().split())
    pages = [file.read_text("utf-8") for file in sorted(LIBRARY.glob("*.md"))]
    best = max(pages, key=lambda page: len(words & set(page.casefold().replace(".", "").split())))
    return best if words & set(best.casefold().replace(".", "").split()) else "No results."


def model(*replies: str) -> ChatCompletionClient:
    """The model that LLM_MODEL names; else one that says these replies, of which `search …` is a call of the tool."""
    if os.environ.get("LLM_MODEL"):
        from autogen_ext.models.openai import OpenAIChatCompletionClient

        return OpenAIChatCompletionClient(model=os.environ["LLM_MODEL"])
    said: list[str | CreateResult] = []
    for number, reply in enumerate(replies):
        call = FunctionCall(id=f"call-{number}", name="search", arguments=json.dumps({"query": reply[7:]}))
        usage = RequestUsage(prompt_tokens=0, completion_tokens=0)
        result = CreateResult(finish_reason="function_calls", content=[call], usage=usage, cached=False)
        said.append(result if reply.startswith("search ") else reply)
    return ReplayChatCompletionClient(said, model_info=MODEL)


async def main() -> None:
    """Ask the team, and show what its memory did."""
    shared = TeamMemory(QUESTION, agents=["reader", "solver"])
    reader = AssistantAgent("reader", model("search Mara Voss commands", "I look on.", "I look on."), tools=[search])
    solver = AssistantAgent(
        "solver", model("search Mara Voss commands", "search Heron harbour", "Port Ellen. DONE"), tools=[search]
    )
    end = TextMentionTermination("DONE", sources=["solver"]) | MaxMessageTermination(16)
    chat = RoundRobinGroupChat([reader, solver], termination_condition=end)
    attach_team(chat, shared)
    result = await chat.run(task=QUESTION)
    last = result.messages[-1]
    print(f"{last.source}: {last.to_text()}")
    print(f"searched: {looked_up}; {shared.statistics().repeats_avoided} answered from the team's memory")


asyncio.run(main())
# Prints: 1 answered from the team's memory
