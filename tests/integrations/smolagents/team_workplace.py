"""Where agents of a team work in tests: a search and a diary, and the searches that were really made."""

from __future__ import annotations

import runpy
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from smolagents import CodeAgent, tool

from amb_contracts.integration_story import Call

__all__ = ["FILM", "FIND", "QUESTION", "SECRET", "Workplace", "search"]

scripted = SimpleNamespace(**runpy.run_path(str(Path(__file__).with_name("smolagents_driver.py"))))
QUESTION = "Who is the spouse of the director of Titanic?"
FILM = "Titanic is a 1997 American film directed by James Cameron. It stars Kate Winslet."
SECRET = "The password of the harbour is gull."
FIND = Call("retriever", {"task": "Find the director."}, "c0")


def search(query: str, call: str) -> Call:
    return Call("search_wikipedia", {"query": query}, call)


class Workplace:
    """Agents with a search and a diary, and the searches that were really made."""

    def __init__(self) -> None:
        self.made: list[str] = []
        self.models: dict[str, Any] = {}

    def agent(self, name: str | None, *turns: Sequence[Call], kind: Any, answer: str = "Done.", **options: Any) -> Any:
        @tool
        def search_wikipedia(query: str) -> str:
            """Search an encyclopaedia.

            Args:
                query: What for.
            """
            self.made.append(query)
            return FILM

        @tool
        def read_diary(page: str) -> str:
            """Read your diary.

            Args:
                page: Which page.
            """
            return SECRET

        one = SimpleNamespace(turns=turns, answer=answer)
        model = self.models[name or "manager"] = scripted.ScriptedModel(scripted.said([one], as_code=kind is CodeAgent))
        described = {"name": name, "description": "Knows films."} if name else {}
        options = {"max_steps": 9, "verbosity_level": 0} | described | options
        return kind(tools=[search_wikipedia, read_diary], model=model, **options)

    def seen(self, name: str, at: int = -1) -> str:
        """All that a model was shown in one of its requests."""
        return "\n".join(map(scripted.text, self.models[name].seen[at]))
