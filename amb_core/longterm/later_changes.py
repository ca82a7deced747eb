"""What was told later and changes what was told before, in free words: it comes before what it takes the place of.

Without a model nobody knows that "I joined a bakery" ends "I work at the office". What can be seen is that a later
statement tells of a change, and that it answers the same question, names what the earlier one says, or is about the
same everyday topic and about nothing else that is known. It comes first then; nothing is taken out.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache

from amb_core.longterm.loaded_namespaces import LoadedNamespace
from amb_core.longterm.memory_records import MemoryType
from amb_core.longterm.sameness import content_terms
from amb_core.text import index_tokens
from amb_core.text.everyday_topics import topics_of

__all__ = ["LaterChanges"]

_AS_WELL = 0.6
"""From which share of an earlier record's similarity on a later one answers the same question."""
_NAMES = 0.5
"""The share of what a record says beyond the question that a text has to name to be about it."""
_LOOKED_AT, _MOST = 4, 2
"""So many of the newest changes that share no word with the question are looked at, and so many of them come first."""
_NEIGHBOURS = 4


class LaterChanges:
    """Which records of a namespace tell of a change of what another one says; made for one search."""

    def __init__(
        self, space: LoadedNamespace, query: str, *, content_of: Callable[[str], str], left_out: Collection[str]
    ) -> None:
        self._space, self._content_of, self._left_out = space, content_of, left_out
        self._asked = content_terms(query)
        self._asked_about = topics_of(index_tokens(query))
        self._terms = cache(lambda name: content_terms(content_of(name)))

    def before(self, earlier: str, found: Sequence[str], similarity_of: Mapping[str, float]) -> list[str]:
        """Those of the records `found` that change what one of them says, the newest first."""
        return [name for name in self._space.newest_first(found) if self._changes(name, earlier, similarity_of)]

    def of_topic(self, first: str) -> list[str]:
        """The newest changes that may well change the first answer to a question, though no word says so."""
        traits = self._space.traits
        if traits[first].type != MemoryType.USER_PROFILE:
            return []
        latest = [name for name in self._space.changes() if name not in self._left_out]
        return [name for name in latest[:_LOOKED_AT] if self._is_of_topic(name, first)][:_MOST]

    def _changes(self, later: str, earlier: str, similarity_of: Mapping[str, float]) -> bool:
        if not self._is_later(later, earlier):
            return False
        answers_too = similarity_of[later] >= _AS_WELL * similarity_of[earlier] > 0
        return answers_too or self._names(later, earlier)

    def _is_later(self, later: str, earlier: str) -> bool:
        """Whether one tells of a change, and later."""
        one, other = self._space.traits[later], self._space.traits[earlier]
        if not one.is_change or one.is_keyed or other.is_keyed or one.type != other.type:
            return False
        return self._space.newest_first((later, earlier))[0] == later

    def _names(self, later: str, earlier: str) -> bool:
        """Whether one names what another says beyond the question."""
        own = self._terms(earlier) - self._asked
        return bool(own) and len(own & self._terms(later)) >= _NAMES * len(own)

    def _is_of_topic(self, later: str, earlier: str) -> bool:
        traits = self._space.traits
        if not self._is_later(later, earlier):
            return False
        about = set(traits[later].about)
        if about and not about & (self._asked_about | {*traits[earlier].about}):
            return False
        near = self._space.alike(self._content_of(later), k=_NEIGHBOURS, exclude=[later, *self._left_out])
        others = (each.id for each in near if each.id != earlier and traits[each.id].type == traits[later].type)
        return not any(self._is_later(later, name) and self._names(later, name) for name in others)
