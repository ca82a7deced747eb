"""Observations that found nothing, and the names of other pages that some of them suggest."""

from __future__ import annotations

import re
from collections.abc import Sequence

from amb_core.team.actions import argument_of
from amb_core.team.curator import CuratedObservation, CuratorRequest
from amb_core.text import index_tokens

__all__ = ["is_dead_end", "nothing_found", "suggestions"]

_DEAD_END = re.compile(
    r"^\s*(?:could not find|no (?:more )?results?|not found|nothing found|invalid action|error\b|\(?no results|no page)"
    r"|^\s*(?:未找到|没有找到|找不到|无结果|没有结果|无效)",
    re.IGNORECASE,
)
_SUGGESTED = re.compile(
    r"(?:\b(?:similar|did you mean|suggest(?:ions|ed)|related|see also)(?: (?:pages|titles|results))?"
    r"|(?:相似|类似|相关)(?:条目|页面|结果|词条)?|(?:您|你)?(?:是不是要找|是否要找|要找的是不是))\s*[:：]\s*(?P<names>.+)",
    re.IGNORECASE | re.DOTALL,
)
_QUOTED = re.compile(
    r"'((?:[^'\n]|'(?![,\]\n]|$)){1,120})'(?=[,\]]|\s*$)|\"([^\"\n]{1,120})\"|“([^“”\n]{1,120})”|《([^《》\n]{1,60})》"
)
_BETWEEN = re.compile(r"[,;、，；\n]")
_MOST, _MOST_READ = 3, 12
_LONGEST = 2_000


def is_dead_end(observation: str) -> bool:
    """Whether an observation only says that nothing was found."""
    return not observation.strip() or _DEAD_END.search(observation) is not None


def nothing_found(request: CuratorRequest) -> CuratedObservation:
    """What a curator makes of such an observation: there is nothing in it but what may be asked instead."""
    asked = (*request.asked, argument_of(request.action))
    queries = suggestions(request.observation, task=request.task, known=request.known, asked=asked)
    return CuratedObservation(is_dead_end=True, next_queries=tuple(queries))


def suggestions(observation: str, *, task: str, known: Sequence[str] = (), asked: Sequence[str] = ()) -> list[str]:
    """Pages that an observation without a find names instead; none asked before.

    Those come first that have most of their words in common with the task and with facts that are `known`.
    """
    found = _SUGGESTED.search(observation[:_LONGEST])
    if found is None:
        return []
    names = [name for match in _QUOTED.finditer(found["names"]) for name in match.groups() if name]
    names = names or [name.strip(" []().。?？") for name in _BETWEEN.split(found["names"])]
    done = {query.strip().casefold() for query in asked}
    fresh = [name for name in dict.fromkeys(names[:_MOST_READ]) if name and name.casefold() not in done]
    wanted = set(index_tokens(" ".join((task, *known))))
    return sorted(fresh, key=lambda name: -_share(set(index_tokens(name)), wanted))[:_MOST]


def _share(terms: set[str], wanted: set[str]) -> float:
    return len(terms & wanted) / max(len(terms), 1)
