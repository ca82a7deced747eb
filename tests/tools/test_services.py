"""Serper, Jina Reader and the metasearch library, each against answers of the shape they are known to have."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from amb_core import InvalidParameter, MissingExtra
from amb_tools import (
    AddressRefused,
    FetchFailed,
    JinaReader,
    PageUnreadable,
    SearchFailed,
    SerperSearch,
    WebSearch,
    open_search,
)

ORGANIC = [
    {"title": "LFP cells", "link": "https://a.com/1", "snippet": "6,000 cycles", "date": "May 3, 2024", "position": 1},
    {"title": "NMC cells", "link": "https://b.com/2", "snippet": "2,000 cycles", "position": 2},
    {"title": "no link"},
]
SERPER = json.dumps({"searchParameters": {"q": "x"}, "organic": ORGANIC, "relatedSearches": []})


def test_serper_is_asked_with_the_key_in_a_header(site: Any) -> None:
    url = site.page("/search", SERPER, "application/json")
    hits = SerperSearch("secret-key", endpoint=url).search("LFP cells", k=5)
    assert [(hit.title, hit.link, hit.note) for hit in hits] == [
        ("LFP cells", "https://a.com/1", "May 3, 2024"),
        ("NMC cells", "https://b.com/2", ""),
    ]
    assert site.requests == ["POST /search"]
    assert site.headers[0]["x-api-key"] == "secret-key"
    assert json.loads(site.bodies[0]) == {"q": "LFP cells", "num": 5}


@pytest.mark.parametrize(("status", "says"), [(403, "no credits"), (429, "too often"), (500, "work later")])
def test_a_refusal_of_serper_is_said_without_the_key(status: int, says: str, site: Any) -> None:
    backend = SerperSearch("secret-key", endpoint=site.status("/s", status))
    with pytest.raises(SearchFailed, match=says) as caught:
        backend.search("x", k=5)
    assert "secret-key" not in f"{caught.value} {backend!r}"


def test_keys_do_not_follow_a_redirect(site: Any, other_site: Any) -> None:
    with pytest.raises(SearchFailed):
        SerperSearch("secret-key", endpoint=site.redirect("/s", other_site.url("/"))).search("x", k=5)
    assert not other_site.requests


def test_without_a_key_the_variable_to_set_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SERPER_API_KEY", raising=False)
    monkeypatch.delenv("JINA_API_KEY", raising=False)
    with pytest.raises(InvalidParameter, match="SERPER_API_KEY"):
        open_search("serper")
    with pytest.raises(InvalidParameter, match="JINA_API_KEY"):
        JinaReader()


# --- Jina Reader ------------------------------------------------------------------------------------------------------


def jina(**data: Any) -> str:
    return json.dumps({"code": 200, "status": 20000, "data": data})


def test_jina_is_asked_for_the_page_and_its_markdown_is_taken(site: Any) -> None:
    body = jina(title="电池", url="https://a.com/b?q=1", content="# 电池\n\n循环寿命为6000次。", usage={"tokens": 9})
    site.page("/https://a.com/b?q=1", body, "application/json")
    page = JinaReader("secret-key", endpoint=site.url()).read("https://A.com:443/b?q=1#part")
    assert (page.title, page.url, page.text) == ("电池", "https://a.com/b?q=1", "# 电池\n\n循环寿命为6000次。")
    assert site.headers[0]["authorization"] == "Bearer secret-key"


@pytest.mark.parametrize("url", ["http://10.0.0.1/", "http://wiki.corp/", "file:///etc/passwd", "http://2130706433/"])
def test_addresses_of_a_local_network_are_not_told_to_jina(url: str, site: Any) -> None:
    with pytest.raises(AddressRefused):
        JinaReader("k", endpoint=site.url()).read(url)
    assert not site.requests


def test_what_jina_cannot_read_is_said(site: Any) -> None:
    reader = JinaReader("k", endpoint=site.url())
    site.status("/https://a.com/paid", 402)
    site.page("/https://a.com/empty", jina(content=" "), "application/json")
    site.page("/https://a.com/odd", "no json", "text/plain")
    for path, kind in (("paid", FetchFailed), ("empty", PageUnreadable), ("odd", FetchFailed)):
        with pytest.raises(kind):
            reader.read(f"https://a.com/{path}")


# --- the metasearch library -------------------------------------------------------------------------------------------


class Recorded:
    """Stands where the library's object stands: answers as recorded, or raises."""

    def __init__(self, answer: Sequence[Mapping[str, Any]] | Exception) -> None:
        self.answer = answer
        self.asked: list[tuple[str, dict[str, Any]]] = []

    def text(self, query: str, /, **options: Any) -> Sequence[Mapping[str, Any]]:
        self.asked.append((query, options))
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


def test_nothing_found_is_no_failure_and_a_failure_is_not_nothing_found() -> None:
    exceptions = pytest.importorskip("ddgs.exceptions", reason='needs pip install "amb[tools]"')
    assert WebSearch(engine=Recorded(exceptions.DDGSException("No results found."))).search("x", k=5) == []
    for error in (exceptions.RatelimitException("202"), exceptions.TimeoutException("slow"), ValueError("odd")):
        with pytest.raises(SearchFailed, match=type(error).__name__):
            WebSearch(engine=Recorded(error)).search("x", k=5)


def test_a_missing_library_names_what_to_install() -> None:
    try:
        import ddgs  # noqa: F401
    except ImportError:
        with pytest.raises(MissingExtra, match=r"amb\[tools\]"):
            open_search("web")
    else:
        assert isinstance(open_search("web"), WebSearch)
