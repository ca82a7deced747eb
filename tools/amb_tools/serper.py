"""Search through Serper, which needs a key."""

from __future__ import annotations

import json
import os
from typing import Any
from urllib.parse import urlsplit

from amb_core import InvalidParameter
from amb_core.text import detect_language
from amb_tools.guard import AddressGuard
from amb_tools.http_client import HttpClient, Limits
from amb_tools.pages import SearchHit
from amb_tools.tool_errors import SearchFailed, ToolFailed

__all__ = ["SerperSearch", "endpoint_client"]

_ENDPOINT = "https://google.serper.dev/search"
_REASONS = {401: "the key is wrong", 403: "the key is wrong or has no credits left", 429: "it is asked too often"}


def endpoint_client(endpoint: str, *, max_seconds: float) -> HttpClient:
    """A client for one service that code, not a model, has named; it follows no redirect with the key in its hands."""
    parts = urlsplit(endpoint)
    port = parts.port or (443 if parts.scheme == "https" else 80)
    allowed = AddressGuard(
        allow=[f"[{parts.hostname}]:{port}" if ":" in (parts.hostname or "") else f"{parts.hostname}:{port}"]
    )
    return HttpClient(guard=allowed, limits=Limits(max_bytes=10_000_000, max_seconds=max_seconds, max_redirects=0))


class SerperSearch:
    """Google results by Serper; the key is `api_key` or SERPER_API_KEY. InvalidParameter without one."""

    def __init__(self, api_key: str | None = None, *, endpoint: str = _ENDPOINT, max_seconds: float = 20.0) -> None:
        key = (api_key or os.environ.get("SERPER_API_KEY") or "").strip()
        if not key:
            raise InvalidParameter("Serper needs a key; set SERPER_API_KEY or pass api_key.")
        self._key = key
        self._endpoint = endpoint
        self._client = endpoint_client(endpoint, max_seconds=max_seconds)

    def __repr__(self) -> str:
        return f"SerperSearch(endpoint={self._endpoint!r})"

    def search(self, query: str, *, k: int) -> list[SearchHit]:
        """The organic results, and before them the answer box when there is one with a link."""
        wanted: dict[str, Any] = {"q": query, "num": k}
        if detect_language(query) == "zh":
            wanted |= {"gl": "cn", "hl": "zh-cn"}
        headers = {"X-API-KEY": self._key, "Content-Type": "application/json"}
        try:
            reply = self._client.request(
                self._endpoint, method="POST", headers=headers, body=json.dumps(wanted).encode("utf-8")
            )
        except ToolFailed as error:
            raise SearchFailed(f"Serper could not be asked: {error}") from None
        if reply.status != 200:
            reason = _REASONS.get(reply.status, "it may work later")
            raise SearchFailed(f"Serper answers with status {reply.status}: {reason}.")
        try:
            found = json.loads(reply.body)
        except ValueError:
            raise SearchFailed("Serper's answer is no JSON; try later.") from None
        return _hits(found)[:k]


def _hits(found: Any) -> list[SearchHit]:
    if not isinstance(found, dict):
        return []
    box = found.get("answerBox")
    listed = found.get("organic")
    entries = [*([box] if isinstance(box, dict) else []), *(listed if isinstance(listed, list) else [])]
    hits: dict[str, SearchHit] = {}
    for entry in entries:
        if isinstance(entry, dict) and isinstance(entry.get("link"), str) and entry["link"]:
            snippet = entry.get("snippet") or entry.get("answer") or ""
            hit = SearchHit(str(entry.get("title") or ""), entry["link"], str(snippet), str(entry.get("date") or ""))
            hits.setdefault(hit.link, hit)
    return list(hits.values())
