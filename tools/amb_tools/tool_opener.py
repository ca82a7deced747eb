"""Backends, readers and whole tool sets by name, as a command line has them."""

from __future__ import annotations

import os

from amb_core import InvalidParameter, MemoryBank
from amb_core.protocols import ChatModel
from amb_tools.agent_tool import Tool
from amb_tools.corpus_search import CorpusSearch
from amb_tools.deep_retrieval import deep_retrieval_tool
from amb_tools.jina import JinaReader
from amb_tools.page_fetcher import PageFetcher
from amb_tools.pages import PageReader, SearchBackend
from amb_tools.search_tool import search_tool
from amb_tools.serper import SerperSearch
from amb_tools.visit_tool import visit_tool
from amb_tools.web_search import WebSearch

__all__ = ["open_reader", "open_search", "open_tools"]


def open_search(name: str) -> SearchBackend:
    """The backend of a name: `serper` (key in SERPER_API_KEY), `web` (no key), or `corpus:PATH`."""
    if name == "serper":
        return SerperSearch()
    if name == "web":
        return WebSearch()
    kind, _, path = name.partition(":")
    if kind == "corpus" and path:
        return CorpusSearch(path)
    raise InvalidParameter(f"there is no search {name[:80]!r}; use serper, web or corpus:PATH.")


def open_reader(name: str) -> PageReader:
    """The reader that goes with a search of that name: of the corpus, by Jina with JINA_API_KEY, else fetched here."""
    kind, _, path = name.partition(":")
    if kind == "corpus" and path:
        return CorpusSearch(path)
    if name not in ("serper", "web"):
        raise InvalidParameter(f"there is no reader for {name[:80]!r}; use serper, web or corpus:PATH.")
    return JinaReader() if os.environ.get("JINA_API_KEY", "").strip() else PageFetcher()


def open_tools(name: str, *, chat: ChatModel | None = None, bank: MemoryBank | None = None) -> list[Tool]:
    """`search` and `visit` for a name, and with a bank `deep_retrieval` too. A corpus is read once for both."""
    backend = open_search(name)
    reader = backend if isinstance(backend, CorpusSearch) else open_reader(name)
    tools = [search_tool(backend, memory=bank), visit_tool(reader, chat=chat, bank=bank)]
    return tools if bank is None else [*tools, deep_retrieval_tool(bank)]
