"""What was told later and changes what was told before, in free words: it comes before what it takes the place of.

Without a model nobody knows that "I joined a bakery" ends "I work at the office". What can be seen is that a later
statement tells of a change, and how likely it goes with the answer to a question: it names what the answer says ("the
Yaris is sold"), is about the same everyday matter and person, has a value of the kind that is asked for, and does not
go better with anything else that is known. What is likely comes first; what could be comes right behind the answer.
Nothing is taken out.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from functools import cache
from itertools import islice

from amb_core.text import index_tokens
from amb_longterm.everyday_words import topics_of
from amb_longterm.free_changes import earlier_of
from amb_longterm.loaded_namespaces import LoadedNamespace
from amb_longterm.memory_cues import hears
from amb_longterm.sameness import content_terms
from amb_longterm.sureness import ASKED_FOR, kinds_in

__all__ = ["LaterChanges"]

_MOST = 3
"""So many changes come before or behind an answer that they may change."""
_WEIGHED, _LOOKED_AT = 64, 5
"""So many of the newest changes are weighed, and among so many of the first records is the answer."""
_LIKELY, _POSSIBLE = 1.5, 0.0
"""From which sum of signs on a change comes before the answer, and from which on behind it."""
_NAMES, _TOPIC, _KIND, _ELSEWHERE, _OTHER = 2.5, 2.0, 1.5, 2.0, 2.0
"""What it counts that a change names the answer's value, is about its matter, has a value of the kind that is asked
for; and against it, that it goes with another record, or is of another matter, person or thing."""
_ANSWERED, _OF_ME, _NEVER = 1.25, 0.25, -9.0
_WEAK, _OTHERS = frozenset({"place"}), frozenset({"family", "pets"})
"""A topic that many matters share, and topics that are of somebody else than the user."""
_SHORT = 300
"""Characters of a statement."""


class LaterChanges:
    """Which records of a namespace tell of a change of what another one says; made for one search."""

    def __init__(
        self, space: LoadedNamespace, query: str, *, content_of: Callable[[str], str], left_out: Collection[str]
    ) -> None:
        self._space, self._query, self._content_of, self._left_out = space, query, content_of, left_out
        self._asked = content_terms(query) | _pairs(query)
        self._is_question = hears("question", query) is not None
        self._asked_about = topics_of(index_tokens(query)) | (
            _WEAK if ASKED_FOR["place"].search(query) else frozenset()
        )
        self._asked_kind = next((kind for kind in ("date", "number") if ASKED_FOR[kind].search(query)), "")
        self._links = space.change_links(content_of)
        self._named: dict[str, list[str]] = {}  # the changes that name more of a record than the question does
        for later, linked in self._links.items():
            for earlier in (name for name, link in linked.items() if link.weight >= 1.0 and link.terms - self._asked):
                self._named.setdefault(earlier, []).append(later)
        self._about = cache(lambda name: _about(content_of(name)))

    def order(self, found: Sequence[str]) -> list[str]:
        """The records `found`, best first, each behind those that change it; of the first one also others.

        Those that are not among `found` are such as no word joins to the question.
        """
        ordered: dict[str, None] = {}
        self._changed = self._changes_of(found)

        def put(name: str) -> None:
            if name not in ordered and name not in waiting:
                waiting.add(name)
                for later in islice(self._before(name), _MOST):
                    put(later)
                ordered[name] = None

        waiting: set[str] = set()
        for name in found:
            put(name)
        return self._with_news(list(ordered))

    def _changes_of(self, found: Sequence[str]) -> dict[str, str]:
        """The later record by the earlier one that it changes, among what was found and the newest."""
        traits = self._space.traits
        newest = (name for name in islice(self._space.in_order(), _WEIGHED) if name not in self._left_out)
        changes = (name for name in islice(self._space.changes(), _WEIGHED) if name not in self._left_out)
        pool = dict.fromkeys([*found, *changes, *newest])
        own = [name for name in self._space.newest_first(pool) if traits[name].of_user and not traits[name].is_keyed]
        numbers = earlier_of([self._content_of(name) for name in own])
        return {own[old]: own[new] for old, new in numbers.items()}

    def _before(self, earlier: str) -> Iterator[str]:
        """What changes a record, the newest first: what names its value, or seems to be a change of it."""
        names = {*self._named.get(earlier, ()), *filter(None, [self._changed.get(earlier)])}
        later = (name for name in names if name not in self._left_out and self._is_later(name, earlier))
        yield from self._space.newest_first(later)

    def _with_news(self, ordered: list[str]) -> list[str]:
        """The order with changes that no word joins to the answer: likely ones before it, others behind it."""
        traits = self._space.traits
        answer = self._answer(ordered)
        if not self._is_question or (answer and not traits[answer].of_user) or hears("past question", self._query):
            return ordered
        asked = self._asked_about | (self._about(answer) if answer else frozenset())
        before = {*ordered[: ordered.index(answer)]} if answer else set()
        newest = islice(self._space.changes(), _WEIGHED)
        signs = {name: self._sign(name, answer, asked) for name in newest if name not in before}
        best = sorted(signs, key=lambda name: -signs[name])
        likely = [name for name in best if signs[name] >= _LIKELY][:_MOST]
        behind = [name for name in best if answer and name not in likely and signs[name] >= _POSSIBLE]
        behind = behind[: max(_MOST - len(likely), 1)]
        rest = [name for name in ordered if name not in likely and name not in behind]
        place = rest.index(answer) if answer else 0
        return [*rest[:place], *likely, *rest[place : place + 1], *behind, *rest[place + 1 :]]

    def _answer(self, ordered: Sequence[str]) -> str:
        """Of the first records the first that is about what is asked, or where nothing says what that is the first.

        "" where all are about something else.
        """
        about = {name: self._about(name) for name in ordered[:_LOOKED_AT]}
        if not self._asked_about or not ordered:
            return next(iter(ordered), "")
        others = _OTHERS - self._asked_about
        of_matter = [name for name in about if about[name] & self._asked_about]
        of_user = [name for name in of_matter if not about[name] & others]
        return next(iter([*of_user, *of_matter]), "" if about[ordered[0]] else ordered[0])

    def _sign(self, later: str, answer: str, asked: Collection[str]) -> float:
        """How likely a change is one of the answer; the highest are the likeliest."""
        traits = self._space.traits
        if later == answer or later in self._left_out or not traits[later].of_user:
            return _NEVER
        if answer and not self._is_later(later, answer):
            return _NEVER
        if self._is_of_thing(later, asked) or not self._is_of_person(later, asked):
            return _NEVER
        sign = 0.0
        links = self._links.get(later, {})
        own = links.get(answer)
        if own is not None:
            sign += _NAMES * own.weight if own.terms - self._asked else 0.0
        elif any(link.weight >= 1.0 for link in links.values()):
            is_near = any(self._asked_about & self._about(name) - _WEAK for name in links)
            sign += _TOPIC if is_near else -_ELSEWHERE
        about = self._about(later)
        near = max(_ANSWERED * _nearness(about, asked), _TOPIC * _nearness(about, self._asked_about or asked))
        if near:
            sign += near
        elif _matters(about) and own is None:
            sign -= _OTHER
        if self._asked_kind:
            sign += _KIND if {self._asked_kind, "number"} & kinds_in(self._content_of(later)) else -_KIND
        sign += _OF_ME if hears("first person", self._content_of(later)) else 0.0
        return sign - (_OTHER if about & _OTHERS - {*asked} else 0.0)

    def _is_later(self, later: str, earlier: str) -> bool:
        """Whether one tells of a change, and later."""
        one, other = self._space.traits[later], self._space.traits[earlier]
        if not one.is_change or one.is_keyed or other.is_keyed or one.type != other.type:
            return False
        return self._space.is_newer(later, earlier)

    def _is_of_thing(self, name: str, asked: Collection[str]) -> bool:
        """Whether a text tells where something was moved that the question is not about: a flight, a meeting."""
        moved = hears("thing moved", self._content_of(name))
        thing = next(filter(None, moved.groups()), "") if moved else ""
        return bool(thing) and not topics_of(index_tokens(thing)) & set(asked)

    def _is_of_person(self, name: str, asked: Collection[str]) -> bool:
        """Whether a text may speak of the user, or where others of his are asked for of them."""
        text, others = self._content_of(name), {*asked} & _OTHERS
        of_me, of_them = hears("the user", text) is not None, hears("third person", text) is not None
        if others:
            return of_them or not of_me or bool(others & self._about(name))
        return of_me or not of_them


def _about(text: str) -> frozenset[str]:
    """The topics of a text; a long one is about too many."""
    return topics_of(index_tokens(text)) if len(text) <= _SHORT else frozenset()


def _matters(topics: Collection[str]) -> set[str]:
    """Topics without those that only say of whom or where something is, if there are others."""
    return {*topics} - _WEAK - _OTHERS or {*topics} - _WEAK or {*topics}


def _nearness(about: Collection[str], asked: Collection[str]) -> float:
    """How much of what a change is about is asked for, in [0, 1]."""
    about = {*about}
    matters, wanted = _matters(about), _matters(asked) if about - _WEAK else {*asked}
    return min(1.0, 1.5 * len(matters & wanted) / max(len(matters - wanted), 1))


def _pairs(text: str) -> frozenset[str]:
    """The pairs of Chinese characters in a text."""
    return frozenset(term for term in index_tokens(text) if len(term) == 2 and not term.isascii())
