"""Search without a key, through a metasearch library."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, cast

from amb_core import MissingExtra
from amb_core.text import detect_language
from amb_tools.pages import SearchHit
from amb_tools.tool_errors import SearchFailed

__all__ = ["MetaSearch", "WebSearch"]


class MetaSearch(Protocol):
    """The one call of `ddgs.DDGS` that is used."""

    def text(self, query: str, /, **options: Any) -> Sequence[Mapping[str, Any]]:
        """Results as mappings with `title`, `href` and `body`."""
        ...


class WebSearch:
    """Results of several public search engines by `ddgs`; free, and therefore sometimes refused or slow.

    `region` is a country and a language such as `uk-en`; by default the language follows the query. `engine` replaces
    the library's object.
    """

    def __init__(self, *, region: str | None = None, max_seconds: int = 15, engine: MetaSearch | None = None) -> None:
        self._region = region
        self._engine = engine or _library(max_seconds)

    def search(self, query: str, *, k: int) -> list[SearchHit]:
        """What the engines agree on."""
        region = self._region or ("cn-zh" if detect_language(query) == "zh" else "us-en")
        try:
            found = self._engine.text(query, region=region, max_results=k)
        except Exception as error:  # noqa: BLE001  engines fail in ways that change with every release
            if "no results" in str(error).lower():
                return []
            raise SearchFailed(
                f"the search engines gave no answer ({_reason(error)}); try later or in other words."
            ) from None
        hits = [
            SearchHit(str(entry.get("title") or ""), str(entry["href"]), str(entry.get("body") or ""))
            for entry in found
            if entry.get("href")
        ]
        return list({hit.link: hit for hit in reversed(hits)}.values())[::-1][:k]


def _library(max_seconds: int) -> MetaSearch:
    try:
        from ddgs import DDGS
    except ImportError as error:
        raise MissingExtra("ddgs", extra="tools") from error
    return cast(MetaSearch, DDGS(timeout=max_seconds))


def _reason(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"[:160]
