"""Tools for research agents: search, visit and deep_retrieval, safe to hand to a model.

tools = open_tools("corpus:docs", bank=bank)
print(tools[0](queries=["cycle life of LFP cells"]))

A tool has a name, a description and JSON-schema parameters, takes keyword arguments, and always answers with text.

search_tool.py     numbered results of any backend: serper.py, web_search.py, corpus_search.py (see pages.py)
visit_tool.py      what a page says for a goal, and the page as a file: passages.py chooses, a model writes
                   with readers (see pages.py): page_fetcher.py, jina.py, corpus_search.py
deep_retrieval.py  what is behind a note of memory
tool_opener.py     all of these by name
fetching           guard.py (which addresses: hosts.py), http_client.py, bodies.py, robots.py
research/          a whole task over a corpus without a model
text               page_text.py
tool_errors.py     what can go wrong; agent_tool.py turns it into words
"""

from amb_tools.agent_tool import Tool, ToolOutput
from amb_tools.corpus_search import CorpusSearch
from amb_tools.deep_retrieval import deep_retrieval_tool
from amb_tools.guard import AddressGuard, HostTable, Resolver, SystemResolver
from amb_tools.http_client import Limits
from amb_tools.jina import JinaReader
from amb_tools.page_fetcher import PageFetcher
from amb_tools.pages import Page, PageReader, SearchBackend, SearchHit
from amb_tools.search_tool import search_tool
from amb_tools.serper import SerperSearch
from amb_tools.tool_errors import AddressRefused, FetchFailed, PageUnreadable, RobotsRefused, SearchFailed, ToolFailed
from amb_tools.tool_opener import open_reader, open_search, open_tools
from amb_tools.visit_tool import visit_tool
from amb_tools.web_search import MetaSearch, WebSearch

__all__ = [
    "AddressGuard",
    "AddressRefused",
    "CorpusSearch",
    "FetchFailed",
    "HostTable",
    "JinaReader",
    "Limits",
    "MetaSearch",
    "Page",
    "PageFetcher",
    "PageReader",
    "PageUnreadable",
    "Resolver",
    "RobotsRefused",
    "SearchBackend",
    "SearchFailed",
    "SearchHit",
    "SerperSearch",
    "SystemResolver",
    "Tool",
    "ToolFailed",
    "ToolOutput",
    "WebSearch",
    "deep_retrieval_tool",
    "open_reader",
    "open_search",
    "open_tools",
    "search_tool",
    "visit_tool",
]
