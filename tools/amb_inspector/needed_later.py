"""What an agent's later calls used of its old results, and which words a note shares with what it was chosen for."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from amb_agents.planning_phrases import own_words
from amb_core.memory.passage_terms import identifiers
from amb_core.models import BankSnapshot
from amb_core.text import index_tokens
from amb_core.text.chinese_words import CHINESE_CHARS, CHINESE_WORDS
from amb_core.text.pure_cache import remembered

__all__ = ["later_uses", "shared_words"]

_NEWEST = 2
"""What one of so many newest results holds is not far."""
_MOST_WORDS = 8
_CHINESE = re.compile(r"[\u3400-\u9fff]+")
_HAN = re.compile(rf"(?:(?![{''.join(sorted(CHINESE_CHARS))}])[\u3400-\u9fff])+")
"""Chinese between its function characters."""
_WORD = re.compile(r"[^\W_](?:[\w./@#:+-]*\w)?")
_PIECE = re.compile(r"\w{4,}")
_PLANNERS_OWN = own_words()
_Use = dict[str, Any]


def later_uses(snapshot: BankSnapshot) -> list[_Use]:
    """Each value that a call used and only an older result held, with whether the block of its request said it.

    A value is an identifier, a path, an address, a figure or a name in the arguments of a call; the goal and the newest
    two results do not hold it, nor do the calls they answer. A call belongs to the last request before it: `turn` is
    its place in `injections`, `call` and `source` are ids of entries.
    """
    read = [entry for entry in snapshot.entries if not entry.forgotten]
    requests = [injection.timestamp for injection in snapshot.injections]
    asked = [identifiers("\n".join(_leaves(entry.metadata.get("arguments")))) for entry in read]
    held = [identifiers(entry.text) for entry in read]
    goals = identifiers("\n".join(snapshot.goals))
    last: dict[str, int] = {}
    found: list[_Use] = []
    known = 0
    for at, entry in enumerate(read):
        turn = bisect_right(requests, entry.timestamp) - 1
        while turn >= 0 and known < at and read[known].timestamp <= requests[turn]:
            known += 1
            if known > _NEWEST:
                last.update(dict.fromkeys(held[known - 1 - _NEWEST], known - 1 - _NEWEST))
        near = goals.union(
            *(one for place in range(max(known - _NEWEST, 0), known) for one in (asked[place], held[place]))
        )
        for value in sorted(value for value in asked[at] - near if value in last) if turn >= 0 else ():
            there = _stands_in(value, snapshot.injections[turn].block)
            use = {"turn": turn, "call": entry.entry_id, "value": value, "source": read[last[value]].entry_id}
            found.append({**use, "there": there})
    return found


def shared_words(asked: str, shown: str) -> list[str]:
    """Words of what is shown that also stand in what was asked for, the rarest first, as they are written there.

    Of Chinese these are the stretches that both texts share. What the planner puts around the user's words is not
    looked at.
    """
    for words in _PLANNERS_OWN:
        asked = asked.replace(words, "\n")
    terms, runs = set(index_tokens(asked)), _HAN.findall(asked)
    found = [word for run in _HAN.findall(shown) for word in _stretches(run, runs)]
    for whole in _WORD.findall(_CHINESE.sub(" ", shown)):
        found += [word for word in (whole, *_PIECE.findall(whole)) if terms.issuperset(_terms(word) or {""})][:1]
    once = {word.lower(): word for word in reversed(found)}
    return sorted(once.values(), key=lambda word: (found.count(word), -len(word), word))[:_MOST_WORDS]


def _stretches(run: str, asked: Sequence[str]) -> Iterator[str]:
    """The longest stretches of Chinese that also stand in what was asked; a pair only where one text sets it off."""
    at, whole = 0, "\n".join(asked)
    while at < len(run) - 1:
        end = at + 1
        while end < len(run) and run[at : end + 1] in whole:
            end += 1
        word = run[at:end]
        edges = at == 0 or end == len(run) or any(one.startswith(word) or one.endswith(word) for one in asked)
        if len(word) > (1 if edges else 2) and word not in CHINESE_WORDS:
            yield word
        at = end


@remembered(most=20_000, longest=80)
def _terms(word: str) -> frozenset[str]:
    return frozenset(index_tokens(word))


def _leaves(value: object) -> Iterator[str]:
    if isinstance(value, Mapping):
        for one in value.values():
            yield from _leaves(one)
    elif isinstance(value, list | tuple):
        for one in value:
            yield from _leaves(one)
    elif value is not None and not isinstance(value, bool):
        yield str(value)


def _stands_in(value: str, text: str) -> bool:
    """Whether a text holds a value between the bounds of words."""
    return value in text and re.search(rf"(?<![\w]){re.escape(value)}(?![\w])", text) is not None
