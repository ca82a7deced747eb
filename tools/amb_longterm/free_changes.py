"""Which earlier statement of a user a later one takes the place of: "I moved to Berlin" that of "I live in Porto".

Without a model nobody knows. What can be seen: the later one tells of a change, names what the earlier one says or is
of its everyday matter, is of the same person, and goes with no other earlier statement as well. It is shown before
the earlier one, which is marked and never taken out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from amb_core.text import entities, index_tokens, values
from amb_core.text.pure_cache import remembered
from amb_longterm.change_links import telling
from amb_longterm.everyday_words import facets_of, topics_of
from amb_longterm.memory_cues import hears, tells_change

__all__ = ["earlier_of"]

_SHORT = 300
"""Characters of a statement; longer texts tell of many things."""
_NAME, _PAIR, _WORD, _RARE = 1.5, 1.0, 0.6, 4
"""What a shared name counts, a pair of Chinese characters, and another word, which at most so many statements have."""
_OTHERS = frozenset({"family", "pets"})
_MATTER, _SAME_MATTERS, _SIGN = 1.5, 0.5, 0.25
"""What it counts that both are of one matter, of no other, and that both have such a value or are of the user."""
_LEAST, _MARGIN = 1.6, 0.5
"""From which sum on a change is one of a statement, and by how much no other one is as near."""


@dataclass(frozen=True, slots=True)
class _Read:
    """What is looked at of a statement."""

    terms: frozenset[str]
    named: frozenset[str]
    topics: frozenset[str]
    facets: frozenset[str]
    kinds: frozenset[str]
    of_me: bool
    is_mine: bool
    adds: bool
    is_change: bool


@remembered(most=8_192, longest=_SHORT)
def _read(text: str) -> _Read:
    topics = topics_of(index_tokens(text))
    moved = hears("thing moved", text)  # a flight or a meeting, and not the user
    return _Read(
        terms=frozenset(term for term in index_tokens(telling(text)) if len(term) > 1),
        named=frozenset(term for each in entities(text) for term in index_tokens(each.name)),
        topics=topics,
        facets=facets_of(index_tokens(next(filter(None, moved.groups()), "") if moved else text)),
        kinds=frozenset(value.kind for value in values(text)),
        of_me=hears("first person", text) is not None,
        is_mine=hears("first person subject" if text.isascii() else "the user", text) is not None
        or not (text.isascii() or hears("third person", text) or hears("first person", text)),
        adds=hears("adds", text) is not None,
        is_change=tells_change(text),
    )


def earlier_of(texts: Sequence[str]) -> dict[int, int]:
    """For some statements, the newest first: the number of a later one by that of the earlier one that it changes."""
    read = [_read(text) if len(text) <= _SHORT else None for text in texts]
    held = Counter(term for each in read if each is not None for term in each.terms)
    known: dict[str, list[int]] = {}
    for number, each in enumerate(read):
        for sign in (*each.facets, *(term for term in each.terms if held[term] <= _RARE)) if each is not None else ():
            known.setdefault(sign, []).append(number)
    found: dict[int, int] = {}
    for at in reversed(range(len(texts))):
        new = read[at]
        if new is None or not new.is_change:
            continue
        near = {number for sign in (*new.facets, *new.terms) for number in known.get(sign, ()) if number > at}
        scores = {number: _score(new, old, held) for number in sorted(near) if (old := read[number]) is not None}
        best = sorted(scores, key=lambda number: -scores[number])[:2]
        if best and scores[best[0]] >= _LEAST and (len(best) < 2 or scores[best[0]] - scores[best[1]] >= _MARGIN):
            found.setdefault(best[0], at)
    return found


def _score(new: _Read, old: _Read, held: Counter[str]) -> float:
    """How likely a change is one of an earlier statement."""
    score = 0.0
    for term in new.terms & old.terms:
        if held[term] <= _RARE:
            worth = _NAME if term in old.named else _WORD if term.isascii() else _PAIR
            score += worth / max(held[term] - 1, 1)
    linked = score > 0
    if not linked and (new.topics & _OTHERS) != (old.topics & _OTHERS):
        return 0.0
    both = new.facets & old.facets
    if both:
        score += _MATTER + _SAME_MATTERS * len(both) / len(new.facets | old.facets)
    elif not linked:
        return 0.0
    if not linked and (new.adds or not new.is_mine):
        return 0.0
    score += _SIGN * bool(new.kinds & old.kinds - {"negation"})
    score += _SIGN * (new.of_me and old.of_me)
    return score
