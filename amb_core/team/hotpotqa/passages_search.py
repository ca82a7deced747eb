"""What Search asks: a page by its title, else the titles of the pages that are most like the words."""

from __future__ import annotations

import re

from amb_core.protocols import Query
from amb_core.retrieval import HybridIndex, IndexedText
from amb_core.team.hotpotqa.questions import Passages

__all__ = ["PassageSearch"]

_SPECIFIER = re.compile(r"\s*[(（][^)）]*[)）]\s*$")
_SIMILAR = 5


class PassageSearch:
    """An index over passages; `page` finds one by its title, `similar` ranks titles."""

    def __init__(self, passages: Passages) -> None:
        self.passages = passages
        self._titles: dict[str, list[str]] = {}
        self._index = HybridIndex()
        for title, told in passages.items():
            self._index.put(IndexedText.of(title, text=f"{title}\n{' '.join(told)}"))
            for name in {_key(title), _key(_SPECIFIER.sub("", title))}:
                self._titles.setdefault(name, []).append(title)

    def page(self, name: str) -> str | None:
        """The title of the page of that name: the very title, or the only one that differs in what is in brackets."""
        if name in self.passages:
            return name
        found = self._titles.get(_key(name), [])
        whole = [title for title in found if _key(title) == _key(name)]
        return whole[0] if whole else found[0] if len(found) == 1 else None

    def similar(self, words: str) -> list[str]:
        """Titles of the pages that are most like the words, best first."""
        if not words.strip():
            return []
        return [hit.id for hit in self._index.search(Query(text=words, k=_SIMILAR))]


def _key(title: str) -> str:
    return " ".join(title.replace("_", " ").casefold().split())
