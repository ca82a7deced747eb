"""Links that the scores lack: which notes are about a name that another note mentions."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from sys import intern
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from pydantic import JsonValue

from amb_core.retrieval.index_arrays import Packed, strings, value
from amb_core.text import name_key
from amb_core.text.chinese_words import COMMON_WORDS
from amb_core.text.names import known_names

__all__ = ["HanNames", "MentionIndex", "NameLink", "NameNotes"]

_MAX_SHARED = 4
"""A name that more notes than this mention is no reason to call two of them related."""
_MAX_ABOUT = 16
_MAX_MENTIONED_BY = 32


class NameLink(NamedTuple):
    """That the note `key` is reached over a `name`; `weight` in (0, 1] is lower the more notes share the name."""

    key: int
    weight: float
    name: str
    reason: str


class MentionIndex:
    """Names (folded by `name_key`) and the notes, by integer key, that are about them or mention them.

    `put` and `remove` cost O(names of that note). Not thread-safe.
    """

    # Chinese marks names by nothing, so what some note is about is looked for in every other note: `known_in` finds it
    # in a note that comes later, and `put` tells which names are new, so that the owner can look for earlier notes.

    def __init__(self) -> None:
        self._about: dict[str, dict[int, str]] = {}  # name -> note -> the name as written there
        self._mentioned = NameNotes()
        self._names_of: dict[int, tuple[tuple[str, ...], tuple[str, ...]]] = {}
        self._han = HanNames()

    def __len__(self) -> int:
        return len(self._names_of)

    def put(self, key: int, *, about: Iterable[str] = (), mentions: Iterable[str] = ()) -> list[str]:
        """Insert the names of one note, or replace them; a name it is about is not also counted as a mention.

        Returns the Chinese names that no note was about before.
        """
        self.remove(key)
        # Interned, so that a name that many notes share is one text in memory.
        subjects = {intern(folded): intern(name) for name in about if (folded := name_key(name))}
        others = {intern(f): intern(name) for name in mentions if (f := name_key(name)) and f not in subjects}
        new = [name for folded, name in subjects.items() if folded not in self._about and self._han.add(folded)]
        for folded, name in subjects.items():
            self._about.setdefault(folded, {})[key] = name
        for folded, name in others.items():
            self._mentioned.put(folded, key, name)
        self._names_of[key] = (tuple(subjects), tuple(others))
        return new

    def mention(self, key: int, name: str) -> None:
        """Take in that a note mentions a name; nothing when it is known to, or is about it."""
        folded = name_key(name)
        subjects, others = self._names_of.get(key, ((), ()))
        if folded not in subjects and folded not in others:
            self._mentioned.put(folded, key, name)
            self._names_of[key] = (subjects, (*others, folded))

    def known_in(self, text: str, terms: Iterable[str]) -> list[str]:
        """Chinese names in a text (with these index terms) that some note is about."""
        return self._han.find(text, terms)

    def asked_for(self, question: str) -> dict[int, NameLink]:
        """The notes about a name that a question contains, by key; `weight` in (0, 1] falls with their number."""
        found: dict[int, NameLink] = {}
        for folded in known_names(question, self._about):
            for key, name in self._few(self._about.get(folded, {}), _MAX_ABOUT):
                weight = self._spread(len(self._about[folded]))
                if key not in found or found[key].weight < weight:
                    found[key] = NameLink(key, weight, name, f"about {name}")
        return found

    def remove(self, key: int) -> None:
        """Forget the names of one note; an unknown key is no error."""
        subjects, others = self._names_of.pop(key, ((), ()))
        for folded in subjects:
            self._about[folded].pop(key, None)
            if not self._about[folded]:
                del self._about[folded]
                self._han.discard(folded)
        for folded in others:
            self._mentioned.drop(folded, key)

    def links(self, key: int) -> list[NameLink]:
        """Notes joined to `key` by a name one is about and the other mentions, strongest first."""
        subjects, others = self._names_of.get(key, ((), ()))
        found: dict[int, NameLink] = {}
        for folded in others:
            if folded in self._about:
                weight = self._towards(folded)
                for other, name in self._few(self._about.get(folded, {}), _MAX_ABOUT):
                    self._keep(found, key, NameLink(other, weight, name, f"mentions {name}"))
        for folded in subjects:
            weight = self._weight(folded)
            for other, name in self._few(self._mentioned.of(folded), _MAX_MENTIONED_BY):
                self._keep(found, key, NameLink(other, weight, name, f"mentioned as {name}"))
            for other, name in self._few(self._about.get(folded, {}), _MAX_ABOUT):
                self._keep(found, key, NameLink(other, weight, name, f"both about {name}"))
        return sorted(found.values(), key=lambda link: (-link.weight, link.key))

    def shared(self, key: int) -> list[NameLink]:
        """Notes that mention a rare name which `key` mentions too, strongest first."""
        found: dict[int, NameLink] = {}
        for folded in self._names_of.get(key, ((), ()))[1]:
            for other, name in self._few(self._mentioned.of(folded), _MAX_SHARED):
                self._keep(found, key, NameLink(other, 0.5 * self._weight(folded), name, f"both name {name}"))
        return sorted(found.values(), key=lambda link: (-link.weight, link.key))

    def renumber(self, new_key: NDArray[np.int64]) -> None:
        """Give every note a new key, `new_key[key]` (ascending)."""
        to = new_key.tolist()
        for folded, notes in self._about.items():
            self._about[folded] = {to[key]: name for key, name in notes.items()}
        self._mentioned.renumber(to)
        self._names_of = {to[key]: names for key, names in self._names_of.items()}

    def packed(self) -> Packed:
        """Everything in it as JSON values: names by number, in the orders that ties are decided by."""
        mentioned = self._mentioned.packed()
        number = {folded: place for place, folded in enumerate(dict.fromkeys((*self._about, *mentioned)))}
        return {
            "names": list(number),
            "about": {folded: [[*notes], [*notes.values()]] for folded, notes in self._about.items()},
            "mentioned": mentioned,
            "keys": list(self._names_of),
            "subjects": [[number[folded] for folded in subjects] for subjects, _ in self._names_of.values()],
            "others": [[number[folded] for folded in others] for _, others in self._names_of.values()],
        }

    def restore(self, packed: Packed) -> None:
        """Become what `packed` was made of (ValueError when it is none)."""
        name = strings(packed, "names").__getitem__
        about = value(packed, "about", dict)
        self._about = {folded: dict(zip(*notes, strict=True)) for folded, notes in about.items()}
        self._mentioned.restore(value(packed, "mentioned", dict))
        self._han = HanNames(self._about)
        pairs = zip(value(packed, "subjects", list), value(packed, "others", list), strict=True)
        named = ((tuple(map(name, subjects)), tuple(map(name, others))) for subjects, others in pairs)
        self._names_of = dict(zip(value(packed, "keys", list), named, strict=True))

    @staticmethod
    def _few(notes: Mapping[int, str], limit: int) -> list[tuple[int, str]]:
        return list(notes.items()) if len(notes) <= limit else []

    def _weight(self, folded: str) -> float:
        spread = len(self._about.get(folded, ())) + self._mentioned.count(folded)
        return self._spread(spread)

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


_NAME = re.compile(r"[\u3400-\u9fff]{2,20}")
_DOTS = re.compile("[·‧・•]")
_START = 2


class HanNames:
    """Keys of names (see `name_key`) that are all Chinese characters; everyday words are no names.

    Looking through a text costs no more, however many names are known. Not thread-safe.
    """

    def __init__(self, keys: Iterable[str] = ()) -> None:
        self._by_start: dict[str, list[str]] = {}  # the first two characters -> names
        for key in keys:
            self.add(key)

    def add(self, key: str) -> bool:
        """Know a name; False when it is none or known already."""
        if key[:1] < "\u3400" or not _NAME.fullmatch(key) or key in COMMON_WORDS:
            return False
        names = self._by_start.setdefault(key[:_START], [])
        if key in names:
            return False
        names.append(key)
        return True

    def discard(self, key: str) -> None:
        """Forget a name; an unknown one is no error."""
        names = self._by_start.get(key[:_START], [])
        if key in names:
            names.remove(key)
            if not names:
                del self._by_start[key[:_START]]

    def find(self, text: str, terms: Iterable[str]) -> list[str]:
        """The names in a text, the longest first; one counts where it is no part of a longer one.

        `terms` are the index terms of the text; their pairs of characters say which names are worth looking for.
        """
        if not self._by_start or text.isascii():
            return []
        known = self._by_start.keys() & set(terms)
        names = sorted((name for start in known for name in self._by_start[start]), key=lambda name: (-len(name), name))
        left = _DOTS.sub("", text)
        found: list[str] = []
        for name in names:
            if name in left:
                found.append(name)
                left = left.replace(name, " ")
        return found


class NameNotes:
    """The notes of each name by integer key, with the name as written there, in the order they were put."""

    def __init__(self) -> None:
        self._notes: dict[str, dict[int, str] | tuple[int, str]] = {}

    def put(self, name: str, key: int, written: str) -> None:
        """Take in that a note mentions a name."""
        known = self._notes.get(name)
        if known is None:
            self._notes[name] = (key, written)
        elif isinstance(known, dict):
            known[key] = written
        else:
            self._notes[name] = {known[0]: known[1], key: written}

    def drop(self, name: str, key: int) -> None:
        """Forget that a note mentions a name; an unknown one is no error."""
        known = self._notes.get(name)
        if isinstance(known, dict):
            known.pop(key, None)
        if known == {} or (isinstance(known, tuple) and known[0] == key):
            del self._notes[name]

    def of(self, name: str) -> Mapping[int, str]:
        """The notes that mention a name."""
        known = self._notes.get(name, {})
        return known if isinstance(known, dict) else dict((known,))

    def count(self, name: str) -> int:
        """How many notes mention a name."""
        known = self._notes.get(name, {})
        return len(known) if isinstance(known, dict) else 1

    def renumber(self, to: Sequence[int]) -> None:
        """Give every note a new key."""
        for name in self._notes:
            moved = [(to[key], written) for key, written in self.of(name).items()]
            self._notes[name] = dict(moved) if len(moved) > 1 else moved[0]

    def packed(self) -> dict[str, JsonValue]:
        """The keys and the written names, by name."""
        return {name: [[*self.of(name)], [*self.of(name).values()]] for name in self._notes}

    def restore(self, packed: Mapping[str, Sequence[Sequence[object]]]) -> None:
        """Become what `packed` was made of."""
        self._notes = {}
        for name, (keys, written) in packed.items():
            pairs: list[tuple[int, str]] = list(zip(keys, written, strict=True))  # type: ignore[arg-type]
            self._notes[name] = dict(pairs) if len(pairs) > 1 else pairs[0]
