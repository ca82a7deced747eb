"""Three AutoGen agents that share what they find: a search somebody made is answered from memory.

`python team.py` asks the question of `texts.json`, `python team.py "…"` another one; `AMB_LANGUAGE=zh` a Chinese one.
README.md says more.
"""

import asyncio
import os
import re
import sys
from pathlib import Path

from autogen_agentchat.agents import AssistantAgent
from autogen_agentchat.conditions import MaxMessageTermination, TextMentionTermination
from autogen_agentchat.teams import RoundRobinGroupChat
from autogen_agentchat.ui import Console
from autogen_core.models import ChatCompletionClient, ModelFamily, ModelInfo
from autogen_ext.models.openai import OpenAIChatCompletionClient

from amb_autogen import attach_team, detach_team
from amb_inspector import write_team_page
from amb_team import TeamMemory
from scripted_members import TEXTS, scripted_member

LIBRARY = Path(__file__).with_name(TEXTS["library"])
FOLDER = Path(os.environ.get("FOLDER", "data"))


def search(query: str) -> str:
    """Search the library; gives the three paragraphs that share most words with the query."""
    print(TEXTS["searched"].format(query))
    paragraphs = [part for file in sorted(LIBRARY.glob("*.md")) for part in file.read_text("utf-8").split("\n\n")[1:]]
    asked = words_of(query)
    return "\n\n".join(sorted(paragraphs, key=lambda part: len(asked & words_of(part)), reverse=True)[:3])


def words_of(text: str) -> set[str]:
    """The words of a text in small letters, and pairs of Chinese characters."""
    return {*re.findall(r"[^\W\u4e00-\u9fff]+", text.lower()), *re.findall("(?=([\u4e00-\u9fff]{2}))", text)}


def open_model(name: str) -> ChatCompletionClient:
    """A real model where there is a key, else a script for this member."""
    if os.environ.get("OPENAI_API_KEY"):
        # AutoGen knows few models by name; with this it takes any that can call tools.
        able = ModelInfo(
            vision=False, function_calling=True, json_output=True, structured_output=True, family=ModelFamily.UNKNOWN
        )
        return OpenAIChatCompletionClient(model=os.environ.get("MODEL", "gpt-5-mini"), model_info=able)
    return scripted_member(name)


async def main(question: str) -> None:
    """Let the team answer, with one memory for all, and write the page of that memory."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    models = {name: open_model(name) for name in TEXTS["members"]}
    members = [
        AssistantAgent(
            name,
            models[name],
            system_message=role,
            tools=[] if name == "writer" else [search],
            max_tool_iterations=5,
            reflect_on_tool_use=True,
        )
        for name, role in TEXTS["members"].items()
    ]
    done = TextMentionTermination("DONE", sources=["writer"]) | MaxMessageTermination(30)
    chat = RoundRobinGroupChat([*members], termination_condition=done)

    # What the team learns about searching stays in lessons.db, for its next question.
    with TeamMemory(question, agents=[*TEXTS["members"]], meta=f"sqlite:///{FOLDER}/lessons.db") as team:
        attach_team(chat, team)
        result = await Console(chat.run_stream(task=question))
        detach_team(chat)
        answer = str(getattr(result.messages[-1], "content", "")).removesuffix("DONE").strip()
        team.finish(answer=answer, success=bool(answer))
        page = write_team_page(team.snapshot(everything=True), FOLDER / "team.html")
        print(TEXTS["avoided"].format(team.statistics().repeats_avoided, page))
    for model in models.values():
        await model.close()


if __name__ == "__main__":
    asyncio.run(main(" ".join(sys.argv[1:]) or TEXTS["question"]))
