"""Reads pages through Jina Reader, which fetches and converts them on its own servers and needs a key."""

from __future__ import annotations

import json
import os
from typing import Any

from amb_core import InvalidParameter
from amb_tools.guard import AddressGuard
from amb_tools.pages import Page
from amb_tools.serper import endpoint_client
from amb_tools.tool_errors import FetchFailed, PageUnreadable

__all__ = ["JinaReader"]

_ENDPOINT = "https://r.jina.ai/"
_REASONS = {401: "the key is wrong", 402: "the key has no credits left", 429: "it is asked too often"}


class JinaReader:
    """Pages by Jina Reader; the key is `api_key` or JINA_API_KEY. InvalidParameter without one.

    The guard checks the form of an address before it is handed on, so that names of a local network are not told to
    others; the page itself is fetched by the service, and so are its robots.txt rules the service's affair.
    """

    def __init__(
        self,
        api_key: str | None = None,
        *,
        endpoint: str = _ENDPOINT,
        guard: AddressGuard | None = None,
        max_seconds: float = 40.0,
    ) -> None:
        key = (api_key or os.environ.get("JINA_API_KEY") or "").strip()
        if not key:
            raise InvalidParameter("Jina Reader needs a key; set JINA_API_KEY or pass api_key, or use PageFetcher.")
        self._key = key
        self._endpoint = endpoint.rstrip("/") + "/"
        self._guard = guard or AddressGuard()
        self._client = endpoint_client(endpoint, max_seconds=max_seconds)

    def __repr__(self) -> str:
        return f"JinaReader(endpoint={self._endpoint!r})"

    def read(self, url: str) -> Page:
        """The page as Markdown; AddressRefused, FetchFailed or PageUnreadable otherwise."""
        location = self._guard.locate(url)
        self._guard.check_literal(location)
        headers = {"Authorization": f"Bearer {self._key}", "Accept": "application/json"}
        reply = self._client.request(self._endpoint + location.url, headers=headers)
        if reply.status != 200:
            reason = _REASONS.get(reply.status, "the page may be out of reach")
            raise FetchFailed(f"Jina Reader answers with status {reply.status}: {reason}.", status=reply.status)
        try:
            found = json.loads(reply.body)
        except ValueError:
            raise FetchFailed("Jina Reader's answer is no JSON; try later.") from None
        return _page(found, location.url)


def _page(found: Any, url: str) -> Page:
    data = found.get("data") if isinstance(found, dict) else None
    content = data.get("content") if isinstance(data, dict) else None
    if not isinstance(content, str) or not content.strip():
        raise PageUnreadable(f"Jina Reader found no text on {url[:200]}; try another source.")
    assert isinstance(data, dict)
    where = data.get("url")
    return Page(
        where if isinstance(where, str) and where else url,
        content,
        str(data.get("title") or ""),
        media_type="text/markdown",
    )
