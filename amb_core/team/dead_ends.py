"""Observations that found nothing, and the names of other pages that some of them suggest."""

from __future__ import annotations

import re
from collections.abc import Sequence

from amb_core.team.actions import argument_of, normalised
from amb_core.team.curator import CuratedObservation, CuratorRequest
from amb_core.text import index_tokens, name_key

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
_HAN = re.compile(r"[\u4e00-\u9fff]")
_SAME = 0.6
"""What share of their words two names have in common to be spellings of one."""
_MOST, _MOST_READ = 3, 12
_LONGEST = 2_000
_BY_TASK, _BY_FACTS, _LATER = 1.0, 0.6, 0.05
_LEAST = 0.3
"""What share of the words of a name the task must have for it to bear on it."""


def is_dead_end(observation: str) -> bool:
    """Whether an observation only says that nothing was found."""
    return not observation.strip() or _DEAD_END.search(observation) is not None


def nothing_found(request: CuratorRequest) -> CuratedObservation:
    """What a curator makes of such an observation: there is nothing in it but what may be asked instead."""
    asked = (*request.asked, argument_of(request.action))
    queries = suggestions(request.observation, task=request.task, known=request.known, asked=asked)
    return CuratedObservation(is_dead_end=True, next_queries=tuple(queries))


def suggestions(observation: str, *, task: str, known: Sequence[str] = (), asked: Sequence[str] = ()) -> list[str]:
    """Pages that an observation without a find names instead, those that bear on the task first; none asked before.

    `known` are facts that are known already: a name in them bears on the task as well. The last of `asked` is the query
    that found nothing; a name that is nearly the same comes first.
    """
    found = _SUGGESTED.search(observation[:_LONGEST])
    if found is None:
        return []
    names = [name for match in _QUOTED.finditer(found["names"]) for name in match.groups() if name]
    names = names or [name.strip(" []().。?？") for name in _BETWEEN.split(found["names"])]
    done = {query.strip().casefold() for query in asked}
    fresh = [name for name in dict.fromkeys(names[:_MOST_READ]) if name and name.casefold() not in done]
    wanted, facts = set(index_tokens(task)), " ".join(name_key(fact) for fact in known)
    query = set(index_tokens(asked[-1])) if asked and normalised(asked[-1]) != normalised(task) else set()

    def worth(place: int) -> float:
        terms = set(index_tokens(fresh[place]))
        by_task = len(terms & wanted) / max(len(terms), 1)
        by_task = by_task if by_task > _LEAST else 0.0
        same = bool(query) and (
            len(query & terms) >= _SAME * max(len(query), len(terms)) or _is_part(fresh[place], asked[-1])
        )
        return _BY_TASK * (by_task + same) + _BY_FACTS * (name_key(fresh[place]) in facts) - _LATER * place

    ranked = sorted(range(len(fresh)), key=lambda place: -worth(place))
    bearing = [fresh[place] for place in ranked if worth(place) > 0]
    whole = bool(asked) and normalised(asked[-1]) == normalised(task)
    return (bearing if known and not whole else [fresh[place] for place in ranked])[:_MOST]


def _is_part(name: str, other: str) -> bool:
    """Whether one of two Chinese names has the other in it, 杭州市 and 杭州."""
    one, whole = sorted((name.strip(), other.strip()), key=len)
    return len(one) > 1 and _HAN.match(one) is not None and one in whole
