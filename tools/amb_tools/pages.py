"""What a search finds and a page that was read, and what searches and reads."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

__all__ = ["Page", "PageReader", "SearchBackend", "SearchHit"]


@dataclass(frozen=True, slots=True)
class Page:
    """One page as text.

    `url` is where it was found in the end. `text` is everything readable on it, `main` what is left without menus and
    other furniture (equal to `text` where that cannot be told apart).
    """

    url: str
    text: str
    title: str = ""
    main: str = ""
    media_type: str = "text/html"

    @property
    def best(self) -> str:
        """The main text, or all of it when that is empty."""
        return self.main or self.text


class PageReader(Protocol):
    """Reads a page; raises a ToolFailed with words for the model when it cannot."""

    def read(self, url: str) -> Page: ...


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
