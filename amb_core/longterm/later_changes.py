"""What was told later and changes what was told before, in free words: it comes before what it takes the place of.

Without a model nobody knows that "I joined a bakery" ends "I work at the office". What can be seen is that a later
statement tells of a change, and that it answers the same question, names what the earlier one says, or is about the
same everyday topic and about nothing else that is known. It comes first then; nothing is taken out.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache

from amb_core.longterm.loaded_namespaces import LoadedNamespace
from amb_core.longterm.memory_cues import hears
from amb_core.longterm.memory_records import MemoryType
from amb_core.longterm.sameness import content_terms
from amb_core.text import index_tokens
from amb_core.text.everyday_topics import topics_of

__all__ = ["LaterChanges"]

_AS_WELL = 0.75
"""From which share of an earlier record's similarity on a later one answers the same question."""
_NAMES = 0.5
"""The share of what a record says beyond the question that a text has to name to be about it."""
_LOOKED_AT, _MOST = 4, 2
"""So many of the newest changes that share no word with the question are looked at, and so many of them come first."""
_NEIGHBOURS = 4
_OTHERS = frozenset({"family", "pets"})
"""Topics that are of somebody else than the user."""


class LaterChanges:
    """Which records of a namespace tell of a change of what another one says; made for one search."""

    def __init__(
        self, space: LoadedNamespace, query: str, *, content_of: Callable[[str], str], left_out: Collection[str]
    ) -> None:
        self._space, self._content_of, self._left_out = space, content_of, left_out
        self._asked = content_terms(query)
        self._asked_pairs, self._is_open = _pairs(query), hears("open question", query) is not None
        self._asked_about = topics_of(index_tokens(query))
        self._terms = cache(lambda name: content_terms(content_of(name)))
        self._pairs = cache(lambda name: _pairs(content_of(name)))

    def before(self, earlier: str, found: Sequence[str], similarity_of: Mapping[str, float]) -> list[str]:
        """Those of the records `found` that change what one of them says, the newest first."""
        return [name for name in self._space.newest_first(found) if self._changes(name, earlier, similarity_of)]

    def of_topic(self, first: str) -> list[str]:
        """The newest changes that may well change the first answer to a question, though no word says so."""
        traits = self._space.traits
        if traits[first].type != MemoryType.USER_PROFILE or not self._is_open:
            return []
        latest = [name for name in self._space.changes() if name not in self._left_out]
        return [name for name in latest[:_LOOKED_AT] if self._is_of_topic(name, first)][:_MOST]

    def _changes(self, later: str, earlier: str, similarity_of: Mapping[str, float]) -> bool:
        if not self._is_later(later, earlier):
            return False
        held = self._terms(earlier) & self._asked
        if held and held <= self._terms(later):  # all that the earlier one holds of the question
            return True
        if self._space.traits[later].type != MemoryType.USER_PROFILE:  # facts of many subjects share words by chance
            return False
        return similarity_of[later] >= _AS_WELL * similarity_of[earlier] > 0 or self._names(later, earlier)

    def _is_later(self, later: str, earlier: str) -> bool:
        """Whether one tells of a change, and later."""
        one, other = self._space.traits[later], self._space.traits[earlier]
        if not one.is_change or one.is_keyed or other.is_keyed or one.type != other.type:
            return False
        return self._space.newest_first((later, earlier))[0] == later

    def _names(self, later: str, earlier: str) -> bool:
        """Whether one names what another says beyond the question: half of its words, or two Chinese characters."""
        own, other = self._terms(earlier) - self._asked, self._terms(later)
        if any(pair[0] in own and pair[1] in own for pair in self._pairs(earlier) & self._pairs(later)):
            return True
        words = _words(own)
        return bool(words) and len(words & other) >= _NAMES * len(words)

    def _is_of_topic(self, later: str, earlier: str) -> bool:
        """Whether one is about the topics of question and answer, and of the same person, as far as one sees."""
        traits = self._space.traits
        if not self._is_later(later, earlier) or self._shares_words(later):
            return False
        if self._names(later, earlier):
            return True
        asked, about = self._asked_about | {*traits[earlier].about}, {*traits[later].about}
        if not about & asked or len(about & asked) < len(about - asked) or self._is_of_thing(later, asked):
            return False  # what no topic joins to the question would come before any answer
        if not self._is_of_person(later, others=bool(asked & _OTHERS)):
            return False
        near = self._space.alike(self._content_of(later), k=_NEIGHBOURS, exclude=[later, *self._left_out])
        others = (each.id for each in near if each.id != earlier and traits[each.id].type == traits[later].type)
        return not any(self._is_later(later, name) and self._names(later, name) for name in others)

    def _shares_words(self, name: str) -> bool:
        """Whether a text has a word in common with the question: then its words have told already."""
        return bool(_words(self._asked) & self._terms(name) or self._asked_pairs & self._pairs(name))

    def _is_of_thing(self, name: str, asked: Collection[str]) -> bool:
        """Whether a text tells where something was moved that the question is not about: a flight, a meeting."""
        moved = hears("thing moved", self._content_of(name))
        thing = next(filter(None, moved.groups()), "") if moved else ""
        return bool(thing) and not topics_of(index_tokens(thing)) & set(asked)

    def _is_of_person(self, name: str, *, others: bool) -> bool:
        """Whether a text may speak of the user, or of one of the `others` that he speaks of."""
        text = self._content_of(name)
        of_me, of_them = hears("first person", text) is not None, hears("third person", text) is not None
        return of_them or not of_me if others else of_me or not of_them


def _words(terms: Collection[str]) -> set[str]:
    """Terms without single Chinese characters, which say little."""
    return {term for term in terms if len(term) > 1 or term.isascii()}


def _pairs(text: str) -> frozenset[str]:
    """The pairs of Chinese characters in a text."""
    return frozenset(term for term in index_tokens(text) if len(term) == 2 and not term.isascii())
