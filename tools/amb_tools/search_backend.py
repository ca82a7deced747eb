"""What a search finds, and what searches."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

__all__ = ["SearchBackend", "SearchHit"]


@dataclass(frozen=True, slots=True)
class SearchHit:
    """One result: `link` is what `visit` opens; `note` says more in few words, such as a date."""

    title: str
    link: str
    snippet: str
    note: str = ""


class SearchBackend(Protocol):
    """Searches somewhere; raises SearchFailed when it cannot, and returns an empty list when there is nothing."""

    def search(self, query: str, *, k: int) -> list[SearchHit]:
        """At most `k` results, best first."""
        ...
