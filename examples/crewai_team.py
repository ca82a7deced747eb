"""A CrewAI crew before and after: with one more line nobody searches for what a colleague has found.

Needs `pip install ".[crewai]"`. Offline: scripted models search and answer.
"""

import logging
import os
from typing import Any

os.environ |= {"CREWAI_DISABLE_TELEMETRY": "true", "CREWAI_TRACING_ENABLED": "false", "OTEL_SDK_DISABLED": "true"}

from crewai import Agent, BaseLLM, Crew, Task
from crewai.tools import tool

from amb_crewai import attach_team
from amb_team import TeamMemory

logging.getLogger("crewai").setLevel(logging.ERROR)  # it warns at each estimate of tokens
TASK = "Who is the spouse of the director of Titanic?"
searches, shown = list[str](), list[str]()


@tool
def search_wikipedia(query: str) -> str:
    """Search an encyclopaedia."""
    searches.append(query)
    return "Titanic was directed by James Cameron." if "Titanic" in query else "James Cameron is married to Suzy Amis."


class Scripted(BaseLLM):  # searches for one thing after another, then answers
    queries: list[str]

    def supports_function_calling(self) -> bool:
        return True

    def get_context_window_size(self) -> int:
        return 128_000

    def call(self, messages: Any, *_: Any, **__: Any) -> Any:
        shown.append(str(messages[-1]["content"]))
        asks = [{"name": "search_wikipedia", "arguments": {"query": self.queries.pop(0)}}] if self.queries else []
        return [{"id": f"call-{len(shown)}", "function": asked} for asked in asks] or "Suzy Amis."


def member(role: str, *asks: str) -> Agent:
    llm = Scripted(model="scripted", queries=[*asks])
    return Agent(role=role, goal="Answer.", backstory="", tools=[search_wikipedia], llm=llm)


for remembering in (False, True):
    agents = [member("ada", "Titanic director"), member("bea", "director of Titanic", "James Cameron spouse")]
    jobs = [Task(description=TASK, expected_output="A name.", agent=each) for each in agents]
    with TeamMemory(TASK, agents=["ada", "bea"]) as team:
        crew = Crew(agents=[*agents], tasks=jobs)
        if remembering:
            attach_team(crew, team)
        print(crew.kickoff(), "after the searches", searches)
        searches.clear()
print(f"what bea was shown of the team's memory:{shown[-1].partition('<team>')[2]}")
# Prints: Suzy Amis. after the searches ['Titanic director', 'James Cameron spouse']
