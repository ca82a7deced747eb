"""Reads pages straight from the web."""

from __future__ import annotations

import ssl
from importlib.util import find_spec

from amb_core import MissingExtra
from amb_core.protocols import Clock
from amb_tools.guard import AddressGuard, Location
from amb_tools.http_client import USER_AGENT, HttpClient, Limits
from amb_tools.page_text import page_of
from amb_tools.pages import Page
from amb_tools.robots import Pacing, RobotsRules
from amb_tools.tool_errors import FetchFailed

__all__ = ["PageFetcher"]

_ACCEPT = "text/html,application/xhtml+xml,application/pdf;q=0.9,text/*;q=0.8,application/json;q=0.7,*/*;q=0.1"


class PageFetcher:
    """Fetches a page and takes its text out: HTML, PDF, and plain text, Markdown, CSV, JSON or XML as they are.

    Every hop goes through `guard` (default: the public web only) and, unless `robots` is False, through the site's
    robots.txt; a `Crawl-delay` of up to ten seconds is waited for. Thread-safe.
    """

    def __init__(
        self,
        *,
        guard: AddressGuard | None = None,
        limits: Limits | None = None,
        user_agent: str = USER_AGENT,
        robots: bool = True,
        ssl_context: ssl.SSLContext | None = None,
        clock: Clock | None = None,
    ) -> None:
        for package in ("trafilatura", *(["protego"] if robots else [])):
            if find_spec(package) is None:  # said now, to whoever can install it, not later, to a model
                raise MissingExtra(package, extra="tools")
        self._client = HttpClient(guard=guard, limits=limits, user_agent=user_agent, ssl_context=ssl_context)
        self._rules = RobotsRules(self._client, clock=clock) if robots else None
        self._pacing = Pacing()

    def read(self, url: str) -> Page:
        """The page behind all redirects.

        Raises AddressRefused, RobotsRefused, FetchFailed or PageUnreadable, each with words for a model.
        """
        reply = self._client.request(url, headers={"Accept": _ACCEPT}, before=self._before)
        if reply.status >= 400:
            raise FetchFailed(
                f"{reply.location.url[:200]} answers with status {reply.status}; try another source.",
                status=reply.status,
            )
        return page_of(reply)

    def _before(self, location: Location) -> None:
        if self._rules is None:
            return
        self._rules.check(location)
        self._pacing.wait(location.origin, self._rules.crawl_delay(location))
