"""Two LangChain agents with one memory: the second is shown what the first found, and nothing is searched twice.

Needs `pip install ".[langgraph]"`. Offline: the models are scripted. `attach_team` takes a supervisor just as well.
"""

from typing import Any

from langchain.agents import create_agent
from langchain_core.language_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from langchain_core.outputs import ChatResult

from amb_langgraph import attach_team, detach_team
from amb_team import TeamMemory

QUESTION = "Who is the spouse of the director of Titanic?"
FILM = "Titanic is a 1997 American film directed by James Cameron. It stars Kate Winslet."
MAN = "James Cameron is a Canadian filmmaker. He married Suzy Amis in 2000."
searched: list[str] = []


class Scripted(GenericFakeChatModel):
    """Says its lines; `shown` is the end of its first request."""

    shown: str = ""

    def bind_tools(self, tools: Any, **options: Any) -> Any:
        return self

    def _generate(self, messages: list[BaseMessage], *others: Any, **options: Any) -> ChatResult:
        self.shown = self.shown or str(messages[-1].content)
        return super()._generate(messages, *others, **options)


def search(query: str) -> str:
    """Search an encyclopedia."""
    searched.append(query)
    return FILM if "director" in query else MAN


def model(answer: str, *queries: str) -> Scripted:
    """A model that searches for one thing after another, and then answers."""
    calls = [{"name": "search", "args": {"query": query}, "id": query} for query in queries]
    return Scripted(messages=iter([*(AIMessage("", tool_calls=[call]) for call in calls), AIMessage(answer)]))


first, second = model("Suzy Amis", "Titanic director", "James Cameron spouse"), model("Yes.", "spouse of James Cameron")
agents = [create_agent(first, [search], name="finder"), create_agent(second, [search], name="checker")]
with TeamMemory(QUESTION, agents=["finder", "checker"]) as team:
    attach_team(agents, team)
    for agent in agents:
        agent.invoke({"messages": [HumanMessage(QUESTION)]})
    detach_team(agents)
    print(second.shown)
    print(f"{searched=}, answered from memory: {team.statistics().repeats_avoided}")
# Prints: searched=['Titanic director', 'James Cameron spouse'], answered from memory: 1
