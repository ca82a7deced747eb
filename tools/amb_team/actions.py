"""Actions of a team, `Search[Titanic director]`: from tool calls, in normal form, and when two ask for the same."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from amb_core.text import index_tokens
from amb_core.text.pure_cache import remembered
from amb_values import value_signature

__all__ = [
    "action_of",
    "argument_of",
    "bare_name",
    "is_handover",
    "is_page_name",
    "is_search",
    "near",
    "normalised",
    "verb_of",
]

_ACTION = re.compile(r"^\s*([\w\u4e00-\u9fff]+)\s*[\[(（［【](.*)[\])）］】]\s*$", re.DOTALL)
_BRACKETS = re.compile(r"\s*[(（][^()（）]*[)）]")
_SMALL = frozenset("of the and in on at for to a an de la von van du da del di le el al or with by from".split())
_VERB = re.compile(r"^\s*([\w\u4e00-\u9fff]+)\s*[\[(（［【]")


def argument_of(action: str) -> str:
    """What an action is about: `Titanic director` of `Search[Titanic director]`; the action itself without brackets."""
    found = _ACTION.match(action)
    return (found.group(2) if found else action).strip()


def verb_of(action: str) -> str:
    """What an action does, in small letters: `search` of `Search[Titanic director]`; "" without brackets."""
    found = _VERB.match(action)
    return found.group(1).casefold() if found else ""


@remembered(most=2_000, longest=1_000)
def normalised(query: str) -> str:
    """A query in normal form: its index terms, each once, in the order of the alphabet.

    Case, punctuation, word order, plural forms and words that say nothing make no difference; numbers, dates and names
    do.
    """
    terms = sorted(dict.fromkeys(index_tokens(query)))
    return " ".join(terms) or " ".join(query.casefold().split())


def near(first: str, second: str, *, least: float) -> bool:
    """Whether two queries in normal form are nearly equal: they share `least` of their terms, and all their values."""
    if first == second:
        return True
    one, other = set(first.split()), set(second.split())
    shared = len(one & other) / max(len(one | other), 1)
    return shared >= least and value_signature(first) == value_signature(second)


def is_page_name(query: str) -> bool:
    """Whether a query is written like the name of a page, `Neighbours (TV series)`, and not like a search for words."""
    words = [word for word in _BRACKETS.sub("", query).split() if word.isascii()]
    small = sum(word[:1].islower() and word not in _SMALL for word in words)
    return bool(query.strip()) and not small and not query.rstrip().endswith(("?", "？"))


def bare_name(title: str) -> str:
    """A title without what stands in brackets behind it: `Fallow Deer` of `Fallow Deer (band)`."""
    return _BRACKETS.sub("", title).strip() or title


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
