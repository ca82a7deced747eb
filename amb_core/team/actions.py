"""Tool calls as actions of a team: `Search[Titanic director]` for `search_wikipedia(query="Titanic director")`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from amb_core.team.queries import verb_of

__all__ = ["action_of", "is_handover", "is_search"]

_SEARCHES = frozenset({"search", "retrieve", "retrieval", "query", "google", "搜索", "检索", "查询"})
_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[\u4e00-\u9fff]+|\d+")
_HANDOVERS = ("transfer_to_", "transfer_back_to_", "handoff_to_", "hand_off_to_")
"""How frameworks begin the names of the tools by which one agent gives the work to another."""
_MAIN = ("query", "queries", "q", "question", "search_query", "keywords", "entity", "title", "term", "topic", "text")


def is_search(action: str) -> bool:
    """Whether an action looks something up without changing anything, so that memory may answer it a second time."""
    verb = verb_of(action)
    return verb in _SEARCHES or not _SEARCHES.isdisjoint(_words(verb))


def is_handover(tool: str) -> bool:
    """Whether a tool does no more than give the work to another agent."""
    return tool.startswith(_HANDOVERS)


def action_of(tool: str, arguments: Mapping[str, Any]) -> str:
    """A call as an action: the tool's name, and in brackets what it is about, other arguments behind it."""
    told = {name: _told(value) for name, value in arguments.items() if value not in (None, "", [], {})}
    main = next((name for name in _MAIN if name in told), next(iter(told), ""))
    others = [f"{name}={value}" for name, value in told.items() if name != main]
    said = "; ".join([told[main], *others] if main else [])
    return f"{_verb(tool)}[{said}]"


def _verb(tool: str) -> str:
    """The name of a tool as one word, `Search` when it is one."""
    words = _words(tool)
    if not _SEARCHES.isdisjoint(words):
        return "Search"
    return re.sub(r"\W+", "_", tool.strip()).strip("_").capitalize() or "Act"


def _words(name: str) -> list[str]:
    return [word.casefold() for word in _WORDS.findall(name)]


def _told(value: Any) -> str:
    if isinstance(value, str):
        return " ".join(value.split())
    return ", ".join(map(_told, value)) if isinstance(value, list | tuple) else str(value)
