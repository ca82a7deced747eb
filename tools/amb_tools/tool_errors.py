"""What can go wrong in a tool, as types; a model gets the same words as text.

ToolFailed (RuntimeError)
├── AddressRefused          the guard does not let this address be fetched
├── RobotsRefused           the site's robots.txt does not want it fetched
├── FetchFailed             nothing usable came: no connection, too slow, too large, an error status
├── PageUnreadable          something came that has no text: an image, an archive, a damaged file
└── SearchFailed            a search service gave no results because it failed
"""

from __future__ import annotations

from amb_core import AmbError

__all__ = ["AddressRefused", "FetchFailed", "PageUnreadable", "RobotsRefused", "SearchFailed", "ToolFailed"]


class ToolFailed(AmbError, RuntimeError):
    """A tool could not do what it was asked; the text says why and what to do instead."""


class AddressRefused(ToolFailed):
    """An address that is not of the public web, is written to deceive, or is of a scheme or port not allowed."""


class RobotsRefused(ToolFailed):
    """The site's robots.txt does not want this page fetched by programs."""


class FetchFailed(ToolFailed):
    """Nothing usable came back: no connection, too slow, too large, too many redirects, or an error status.

    `status` is the HTTP status when there was one.
    """

    def __init__(self, text: str, *, status: int | None = None) -> None:
        super().__init__(text)
        self.status = status


class PageUnreadable(ToolFailed):
    """What came back has no text that could be read."""


class SearchFailed(ToolFailed):
    """A search service failed; that is not the same as having found nothing."""
