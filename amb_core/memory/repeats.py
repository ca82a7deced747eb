"""Which results say again what an earlier one said."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping

from amb_core.memory.change_set import id_number
from amb_core.memory.marks import MarkTable, call_mark, digest_of_text
from amb_core.models import InteractionEntry
from amb_core.reading import Layout, detect_layout
from amb_core.retrieval import Packed
from amb_core.text import index_tokens, sentences, value_signature, word_key

__all__ = ["Repeats", "fingerprint"]

_COVER = 0.8
"""A near repeat adds no sentence to an earlier entry and covers at least this share of its sentences."""
_WORDS = re.compile(r"\w+")
_ARTICLES = frozenset({"a", "an", "the"})


class Repeats:
    """The texts that can be repeated, found by their sentences; `states` are the marks of calls and records."""

    def __init__(self, entries: Mapping[str, InteractionEntry], states: MarkTable) -> None:
        self._entries = entries
        self._states = states
        self._marks = MarkTable()
        self._fingerprints: dict[str, frozenset[bytes]] = {}
        self._looked_up: tuple[str, frozenset[bytes]] = ("", frozenset())
        self._fresh = ""  # a text that repeats nothing, until the marks of another entry are filed

    def file(self, entry: InteractionEntry) -> None:
        """From now on this entry can be repeated; filed before: no effect."""
        if entry.entry_id not in self._marks:
            self._marks.put(entry.entry_id, self._word_marks(entry.text))
            self._fresh = ""

    def drop(self, entry_id: str) -> None:
        """No longer find repeats of an entry; an unknown one is no error."""
        self._fingerprints.pop(entry_id, None)
        self._marks.drop(entry_id)

    def forget(self) -> None:
        """Drop the text that was looked up last."""
        self._looked_up, self._fresh = ("", frozenset()), ""

    def original_of(self, entry: InteractionEntry) -> str | None:
        """The id of an earlier entry that this one says again, else None.

        What the same call returned before, and machine data, are repeated word for word or not at all: what is left
        out or changed there is news.
        """
        if entry.text == self._fresh:
            return None
        mark = call_mark(entry)
        known = mark is not None and any(one != entry.entry_id for one in self._states.holders(mark))
        exact = known or detect_layout(entry.text) is not Layout.PROSE
        original = self.original_of_text(entry.text, exact=exact)
        self._fresh = entry.text if original is None else ""
        return original

    def original_of_text(self, text: str, *, exact: bool = False) -> str | None:
        """The id of an earlier entry that says all this text says and little more (`exact`: the same), else None."""
        words = self._word_marks(text)
        shared: Counter[str] = Counter()
        for mark in words:
            shared.update(self._marks.holders(mark))
        complete = [entry_id for entry_id, count in shared.items() if count == len(words)]
        if not complete:
            return None
        marks = fingerprint(text)
        # an entry has at least as many marks as word marks
        near = [entry_id for entry_id in complete if len(marks) >= _COVER * self._marks.size(entry_id)]
        for entry_id in sorted(near, key=id_number):
            if exact and self._entries[entry_id].text.split() != text.split():
                continue
            known = self._fingerprint_of(entry_id)
            if marks <= known and len(marks) >= _COVER * len(known):
                return entry_id
        return None

    def packed(self) -> Packed:
        """All marks as arrays."""
        return self._marks.packed()

    def restore(self, packed: Packed) -> None:
        """Become what `packed` was made of (ValueError when it is none)."""
        self._marks.restore(packed)

    def _fingerprint_of(self, entry_id: str) -> frozenset[bytes]:
        if entry_id not in self._fingerprints:
            self._fingerprints[entry_id] = fingerprint(self._entries[entry_id].text)
        return self._fingerprints[entry_id]

    def _word_marks(self, text: str) -> frozenset[bytes]:
        """The marks; the newest are kept, since a text is looked up first and filed right afterwards."""
        if self._looked_up[0] != text:
            self._looked_up = (text, _word_marks(text))
        return self._looked_up[1]


def fingerprint(text: str) -> frozenset[bytes]:
    """One digest per sentence, equal only for equal words in equal order and equal hard values.

    Case, white space, punctuation and articles may differ; no other word may ("on" is not "off").
    """
    marks = {mark for sentence in sentences(text) if (mark := _sentence_mark(sentence)) is not None}
    if not marks and text.strip():  # punctuation or symbols only: equal only to itself
        marks.add(digest_of_text(text.strip()))
    return frozenset(marks)


def _sentence_mark(sentence: str) -> bytes | None:
    words = (word for word in _WORDS.findall(sentence.casefold()) if word not in _ARTICLES)
    tokens = "\x1f".join([*index_tokens(sentence), *words])
    values = "\x1f".join(f"{kind}:{key}:{count}" for (kind, key), count in sorted(value_signature(sentence).items()))
    return digest_of_text(f"{tokens}\x1e{values}") if tokens or values else None


def _word_marks(text: str) -> frozenset[bytes]:
    """One digest per sentence of its words alone: where two fingerprints share a mark, these do, and they are cheap."""
    marks: set[bytes] = set()
    for sentence in sentences(text):
        words = word_key(sentence)
        mark = digest_of_text(words) if words else _sentence_mark(sentence)
        if mark is not None:
            marks.add(mark)
    return frozenset(marks) or fingerprint(text)
