"""Links that the scores lack: which notes are about a name that another note mentions."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from sys import intern
from typing import NamedTuple

from amb_core.retrieval.lexical import Packed
from amb_values import name_key
from amb_values.names import known_names

__all__ = ["MentionIndex", "NameLink"]

_MAX_SHARED = 4
"""A name that more notes than this mention is no reason to call two of them related."""
_MAX_ABOUT = 16
_MAX_MENTIONED_BY = 32
_NOBODY = -1


class NameLink(NamedTuple):
    """That the note `key` is reached over a `name`; `weight` in (0, 1] is lower the more notes share the name."""

    key: int
    weight: float
    name: str
    reason: str


class MentionIndex:
    """Names (folded by `name_key`) and the notes, by integer key, that are about them or mention them.

    `put` and `remove` cost O(names of that note, and how many notes share them). Not thread-safe.
    """

    def __init__(self) -> None:
        self._about: dict[str, list[int]] = {}
        self._mentioned: dict[str, list[int]] = {}
        self._written: dict[str, str] = {}  # each name as it was written first
        self._names_of: dict[int, tuple[tuple[str, ...], tuple[str, ...]]] = {}

    def __len__(self) -> int:
        return len(self._names_of)

    def put(self, key: int, *, about: Iterable[str] = (), mentions: Iterable[str] = ()) -> None:
        """Insert the names of one note, or replace them; a name it is about is not also counted as a mention."""
        self.remove(key)
        # Interned, so that a name that many notes share is one text in memory.
        subjects = {intern(folded): name for name in about if (folded := name_key(name))}
        others = {intern(f): name for name in mentions if (f := name_key(name)) and f not in subjects}
        for folded, name in (subjects | others).items():
            self._written.setdefault(folded, name)
        self._file(key, tuple(subjects), tuple(others))

    def asked_for(self, question: str) -> dict[int, NameLink]:
        """The notes about a name that a question contains, by key; `weight` in (0, 1] falls with their number."""
        found: dict[int, NameLink] = {}
        for folded in known_names(question, self._about):
            weight = self._spread(len(self._about[folded]))
            for link in self._reached(self._about, folded, _MAX_ABOUT, weight=weight, reason="about"):
                self._keep(found, _NOBODY, link)
        return found

    def remove(self, key: int) -> None:
        """Forget the names of one note; an unknown key is no error."""
        subjects, others = self._names_of.pop(key, ((), ()))
        for table, names in ((self._about, subjects), (self._mentioned, others)):
            for folded in names:
                table[folded].remove(key)
                if table[folded]:
                    continue
                del table[folded]
                if folded not in self._about and folded not in self._mentioned:
                    del self._written[folded]

    def links(self, key: int) -> list[NameLink]:
        """Notes joined to `key` by a name one is about and the other mentions, strongest first."""
        subjects, others = self._names_of.get(key, ((), ()))
        found: dict[int, NameLink] = {}
        for folded in others:
            if folded in self._about:
                weight = self._towards(folded)
                for link in self._reached(self._about, folded, _MAX_ABOUT, weight=weight, reason="mentions"):
                    self._keep(found, key, link)
        for folded in subjects:
            weight = self._weight(folded)
            for table, most, reason in (
                (self._mentioned, _MAX_MENTIONED_BY, "mentioned as"),
                (self._about, _MAX_ABOUT, "both about"),
            ):
                for link in self._reached(table, folded, most, weight=weight, reason=reason):
                    self._keep(found, key, link)
        return sorted(found.values(), key=lambda link: (-link.weight, link.key))

    def shared(self, key: int) -> list[NameLink]:
        """Notes that mention a rare name which `key` mentions too, strongest first."""
        found: dict[int, NameLink] = {}
        for folded in self._names_of.get(key, ((), ()))[1]:
            weight = 0.5 * self._weight(folded)
            for link in self._reached(self._mentioned, folded, _MAX_SHARED, weight=weight, reason="both name"):
                self._keep(found, key, link)
        return sorted(found.values(), key=lambda link: (-link.weight, link.key))

    def packed(self) -> Packed:
        """Everything in it as JSON values."""
        return {"written": self._written, "notes": [[key, *names] for key, names in self._names_of.items()]}

    def restore(self, packed: Packed) -> None:
        """Become what `packed` was made of."""
        self._written = packed["written"]
        for key, subjects, others in packed["notes"]:
            self._file(key, tuple(subjects), tuple(others))

    def _file(self, key: int, subjects: tuple[str, ...], others: tuple[str, ...]) -> None:
        self._names_of[key] = (subjects, others)
        for table, names in ((self._about, subjects), (self._mentioned, others)):
            for folded in names:
                table.setdefault(folded, []).append(key)

    def _reached(
        self, table: Mapping[str, Sequence[int]], folded: str, most: int, *, weight: float, reason: str
    ) -> Iterator[NameLink]:
        """A link to each note that a table has under a name; none when there are more than `most`."""
        notes = table.get(folded, ())
        if len(notes) <= most:
            name = self._written[folded] if notes else ""
            yield from (NameLink(key, weight, name, f"{reason} {name}") for key in notes)

    def _weight(self, folded: str) -> float:
        return self._spread(len(self._about.get(folded, ())) + len(self._mentioned.get(folded, ())))

    def _towards(self, folded: str) -> float:
        """What a name is worth to get to what it names: that many notes mention it, too, matters little."""
        return 0.75 * self._spread(len(self._about.get(folded, ()))) + 0.25 * self._weight(folded)

    @staticmethod
    def _spread(notes: int) -> float:
        """What a name is worth that so many notes share."""
        return 1.0 / math.log2(1.0 + max(notes, 1))

    @staticmethod
    def _keep(found: dict[int, NameLink], key: int, link: NameLink) -> None:
        if link.key != key and (link.key not in found or found[link.key].weight < link.weight):
            found[link.key] = link
