"""A page that was read, and what reads pages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

__all__ = ["Page", "PageReader"]


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
