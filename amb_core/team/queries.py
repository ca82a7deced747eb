"""Search queries: in normal form, and when two of them ask for the same."""

from __future__ import annotations

import re

from amb_core.text import index_tokens, value_signature

__all__ = ["argument_of", "bare_name", "is_page_name", "near", "normalised", "verb_of"]

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
