"""Smolagents that manage each other, before and after: with one more line nobody searches for what another has found.

Needs `pip install ".[smolagents]"`. Offline: scripted models ask, search and answer in code.
"""

from typing import Any

from smolagents import CodeAgent, Model, tool
from smolagents.models import ChatMessage, MessageRole

from amb_core.adapter import text_of
from amb_smolagents import attach_team, detach_team
from amb_team import TeamMemory

TASK = "Who is the spouse of the director of Titanic?"
searches: list[str] = []
shown: list[str] = []


@tool  # type: ignore[untyped-decorator,unused-ignore]
def search_wikipedia(query: str) -> str:
    """Search an encyclopaedia.

    Args:
        query: What for.
    """
    searches.append(query)
    wife = "James Cameron is married to the actress Suzy Amis."
    return "Titanic is a film directed by James Cameron." if "Titanic" in query else wife


class Scripted(Model):  # type: ignore[misc,unused-ignore]  # writes one piece of code after another
    def __init__(self, *code: str) -> None:
        super().__init__()
        self.code = [*code]

    def generate(self, messages: list[ChatMessage], *args: Any, **options: Any) -> ChatMessage:
        shown.append(text_of(messages[-1].content))
        return ChatMessage(MessageRole.ASSISTANT, f"<code>\n{self.code.pop(0)}\n</code>")


def boss_of_two() -> CodeAgent:
    def agent(name: str, *code: str, manages: list[CodeAgent] | None = None) -> CodeAgent:
        told = {"name": name, "description": "Finds things.", "managed_agents": manages or [], "verbosity_level": 0}
        return CodeAgent(tools=[search_wikipedia], model=Scripted(*code), **told)

    ada = agent("ada", "print(search_wikipedia('Titanic director'))", "final_answer('James Cameron.')")
    seeks = [f"print(search_wikipedia('{query}'))" for query in ("director of Titanic", "Cameron spouse")]
    bea = agent("bea", *seeks, "final_answer('Suzy Amis.')")
    return agent("boss", f"ada('{TASK}')", f"bea('{TASK}')", "final_answer('Suzy Amis.')", manages=[ada, bea])


print(boss_of_two().run(TASK), "without a team's memory after the searches", searches)
searches.clear()
with TeamMemory(TASK, agents=["ada", "bea", "boss"]) as team:
    attach_team(boss := boss_of_two(), team)  # the line
    print(boss.run(TASK), "with it after", searches)
    detach_team(boss)
    print(f"what the boss was shown of it:{shown[-1].partition('<team>')[2]}")
# Prints: with it after ['Titanic director', 'Cameron spouse']
