"""LoreBase: the authoritative entries on how the world of the book is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from amb_book.name_book import find_names
from amb_book.record_search import IndexedRecords
from amb_core.errors import InvalidInput, InvalidParameter, UnknownId
from amb_core.protocols import Clock, Embedder, Record, RecordStore

__all__ = ["LoreBase", "LoreEntry"]


@dataclass(frozen=True, slots=True)
class LoreEntry:
    """One entry; `score` in [0, 1] is how well it fits a search, 0 outside of one."""

    key: str
    text: str
    kind: str = "setting"
    score: float = 0.0


class LoreBase:
    """Entries by key, each with one text that counts."""

    NAMESPACE = "book:lore"

    def __init__(self, store: RecordStore, *, clock: Clock, embedder: Embedder | None = None) -> None:
        self._records = IndexedRecords(
            store,
            self.NAMESPACE,
            told=lambda data: f"{data['key']}: {data['text']}",
            clock=clock,
            embedder=embedder,
        )

    def put(self, key: str, text: str, *, kind: str = "setting") -> LoreEntry:
        """Write an entry, or write it anew; saying the same again changes nothing."""
        if not isinstance(key, str) or not isinstance(text, str):
            raise InvalidParameter("an entry of lore is a key and a text, both of them text.")
        name, said = " ".join(key.split()), text.strip()
        if not name or not said:
            raise InvalidInput("an entry of lore needs a key and a text.")
        known = self._records.get(name)
        entry = LoreEntry(name, said, kind.strip() or "setting")
        if known is None or _entry(known) != entry:
            data = {"key": entry.key, "text": entry.text, "kind": entry.kind}
            self._records.put({name: data})
        return entry

    def get(self, key: str) -> LoreEntry:
        """The entry of exactly this key; UnknownId when there is none."""
        name = " ".join(key.split())
        found = self._records.get(name)
        if found is None:
            near = [entry.key for entry in self.entries() if name.casefold() in entry.key.casefold()]
            raise UnknownId("entry of lore", key, near=near[:3])
        return _entry(found)

    def __contains__(self, key: str) -> bool:
        return self._records.get(" ".join(key.split())) is not None

    def entries(self) -> list[LoreEntry]:
        """All entries, oldest first."""
        return [_entry(record) for record in self._records.where()]

    def search(self, query: str, *, k: int = 5) -> list[LoreEntry]:
        """The entries that fit a question best."""
        found = self._records.search(query, k=k, allowed=lambda record: True)
        return [_entry(record, hit.score) for record, hit in found]

    def named_in(self, text: str) -> list[LoreEntry]:
        """The entries whose key stands in a text, in its order."""
        keys = {entry.key: entry for entry in self.entries()}
        return list({key: keys[key] for key in (text[start:end] for start, end in find_names(text, keys))}.values())

    def bearing_on(self, text: str, *, k: int = 5) -> list[LoreEntry]:
        """The entries that a text names, then those that fit it best."""
        found = {
            entry.key: entry for entry in (*self.named_in(text), *(self.search(text, k=k) if text.strip() else ()))
        }
        return list(found.values())[:k]


def _entry(record: Record, score: float = 0.0) -> LoreEntry:
    data: Any = record.data
    return LoreEntry(str(data["key"]), str(data["text"]), str(data["kind"]), score)
