"""One order of all records of a namespace for one question: near-equal ones are one group, told by its newest.

Nothing in it depends on how many are wanted, so what a search of k finds is the beginning of what one of k + 1 finds.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain, islice

from amb_core.text import index_tokens
from amb_longterm.collection_parts import Vector
from amb_longterm.everyday_words import topics_of
from amb_longterm.later_changes import LaterChanges
from amb_longterm.loaded_namespaces import LoadedNamespace
from amb_longterm.longterm_settings import LongTermSettings
from amb_longterm.memory_records import MemoryHit
from amb_longterm.memory_score import worth
from amb_longterm.record_index import KNOWN_IS, Found
from amb_longterm.sameness import asked_words, differing_words, opposite, replaces

__all__ = ["HitGroup", "HitOrder", "joined_lists"]

_AS_NEAR = 0.05
"""Similarities that differ by less do not tell two records of one group apart."""
_SHARES_AT_ONCE = 64
_COMPARED = 32
"""So many of the newest records that are near a hit are compared with it."""
_NEWS = 4
"""So many of the first places are looked at for changes, which few words join to the question."""


@dataclass(frozen=True, slots=True)
class HitGroup:
    """The ids of near-equal records, the newest first, the best similarity in [0, 1], and S, which orders the first."""

    ids: tuple[str, ...]
    similarity: float
    value: float = 0.0


class HitOrder:
    """The groups of a loaded namespace in the order in which they answer a question; made for one search.

    First come the best 32 records, by S of their group's newest one; then all that have to do with the question, by
    its words and meaning; then the rest, those of its everyday topics before the others, the newest first.
    """

    def __init__(
        self,
        space: LoadedNamespace,
        query: str,
        *,
        vector: Vector | None,
        now: float,
        allowed: Collection[str] | None,
        settings: LongTermSettings,
        content_of: Callable[[str], str],
    ) -> None:
        self._space, self._query, self._vector = space, query, vector
        self._now, self._settings = now, settings
        self._left_out = set(space.expired(now))
        if allowed is not None:
            self._left_out |= {name for name in space if name not in allowed}
        self._similarities: dict[str, float] = {}
        self._taken: set[str] = set()
        self._first_found: list[str] = []
        self._content_of = cache(content_of)

    def groups(self, *, min_score: float = 0.0) -> Iterator[HitGroup]:
        """All groups, best first, without those below `min_score`, or far below the best where that is an answer.

        Far below is under `settings.weak_below` of its similarity. What tells of a change stays: it shares few words
        with what is asked.
        """
        first = self._first()
        best = max((each.similarity for each in first), default=0.0)
        weak = self._settings.weak_below * best if best >= KNOWN_IS else 0.0
        near = next((place for place, each in enumerate(first) if each.similarity >= weak), 0)
        told = chain(first[near:], self._others() if weak <= 0 else ())
        news = {each.ids for each in first[: near + _NEWS] if self._is_news(each.ids[0])}
        there = chain(first[:near], (each for each in told if each.similarity >= weak or each.ids in news))
        return (each for each in there if each.similarity >= min_score)

    def _is_news(self, name: str) -> bool:
        """Whether a record tells of a change of the user's."""
        return self._space.traits[name].is_change and self._space.traits[name].of_user

    def _first(self) -> list[HitGroup]:
        found = self._space.find(self._query, vector=self._vector, exclude=self._left_out)
        self._similarities |= {each.id: each.similarity for each in found}
        self._first_found = [each.id for each in found]
        groups = [self._group(each) for each in found if each.id not in self._taken]
        return self._changed_last(self._newest_of_a_kind(sorted(groups, key=lambda group: -group.value)))

    def _newest_of_a_kind(self, groups: Sequence[HitGroup]) -> list[HitGroup]:
        """The groups, with the newest first among those that answer the question alike but for one part.

        "Kim leads the red team" and "Pat leads the red team" may both be so, and nobody asked for Kim: so the order
        alone tells which was told last.
        """
        asked, ordered, open_ = asked_words(self._query), list[HitGroup](), list(groups)
        while open_:
            alike = [group for group in open_ if group is open_[0] or self._is_alike(open_[0], group, asked)]
            by_first = {group.ids[0]: group for group in alike}
            ordered += [by_first[name] for name in self._space.newest_first(by_first)]
            open_ = [group for group in open_ if group not in alike]
        return ordered

    def _is_alike(self, one: HitGroup, other: HitGroup, asked: frozenset[str]) -> bool:
        if abs(one.similarity - other.similarity) >= _AS_NEAR:
            return False
        words = differing_words(self._content_of(one.ids[0]), self._content_of(other.ids[0]))
        return words is not None and words.isdisjoint(asked)

    def _changed_last(self, groups: Sequence[HitGroup]) -> list[HitGroup]:
        """The groups, each behind those that tell of a later change of it."""
        by_first = {group.ids[0]: group for group in groups}
        left_out = self._left_out | (self._taken - by_first.keys())
        changes = LaterChanges(self._space, self._query, content_of=self._content_of, left_out=left_out)
        ordered = changes.order([*by_first])
        self._measure(ordered)
        return [by_first.get(name) or self._group(Found(name, self._similarities[name])) for name in ordered]

    def _others(self) -> Iterator[HitGroup]:
        """What is not among the first, one after the other as it is asked for."""
        for name in self._measured(self._behind()):
            if name not in self._taken:
                yield self._group(Found(name, self._similarities[name]))

    def _behind(self) -> Iterator[str]:
        """All that have to do with the question, then those of its topics, then the others, the newest first."""
        space, known = self._space, self._left_out | self._taken
        near = space.find_all(self._query, vector=self._vector, exclude=known)
        yield from near
        known.update(near)
        of_topic = space.newest_first(space.about(topics_of(index_tokens(self._query))) - known)
        yield from of_topic
        known.update(of_topic)
        yield from (name for name in space.in_order() if name not in known)

    def _measured(self, names: Iterator[str]) -> Iterator[str]:
        """The names, some at a time with their similarities."""
        while some := [*islice(names, _SHARES_AT_ONCE)]:
            self._measure(some)
            yield from some

    def _measure(self, names: Sequence[str]) -> None:
        if missing := [name for name in names if name not in self._similarities]:
            found = self._space.similarities(self._query, missing, vector=self._vector)
            self._similarities |= zip(missing, found, strict=True)

    def _group(self, leader: Found) -> HitGroup:
        """The record with those that say the same of the same thing with other values; they are taken then."""
        traits = self._space.traits
        members = {leader.id, *self._near_equal(leader.id)}
        self._taken |= members
        names = tuple(self._space.newest_first(members))
        value = worth(traits[names[0]], now=self._now, settings=self._settings, similarity=leader.rank)
        return HitGroup(names, max(self._similarities[name] for name in members), value)

    def _near_equal(self, leader: str) -> Iterator[str]:
        """Records that answer the question as well and say the same but for a value, of its group or found with it."""
        traits = self._space.traits
        if traits[leader].is_keyed:  # a record of the caller's own stands for itself
            return
        found = {*self._first_found}
        group = islice(self._space.group_of(leader), _COMPARED)
        beside = (name for name in dict.fromkeys([*self._first_found, *group]) if name not in self._left_out)
        others = [name for name in beside if name not in self._taken and name != leader and not traits[name].is_keyed]
        self._measure(others)
        at, text = self._similarities[leader], self._content_of(leader)
        for name in others:
            if abs(self._similarities[name] - at) < _AS_NEAR:
                is_old = replaces(text, self._content_of(name))
            else:
                is_old = name in found and opposite(text, self._content_of(name))
            if is_old:
                yield name


def joined_lists(lists: Sequence[Sequence[MemoryHit]]) -> list[MemoryHit]:
    """Several ordered lists as one: of what comes next in each the most similar one, and each record once.

    Equal ones come in the order of the lists. Longer lists only add to the end of what shorter ones gave.
    """
    at = [0] * len(lists)
    joined: dict[str, MemoryHit] = {}
    while open_ := [number for number, place in enumerate(at) if place < len(lists[number])]:
        best = max(open_, key=lambda number: (lists[number][at[number]].similarity, -number))
        hit = lists[best][at[best]]
        joined.setdefault(hit.id, hit)
        at[best] += 1
    return list(joined.values())
