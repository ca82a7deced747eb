"""Pages from a real server: where requests go, and what they may cost."""

from __future__ import annotations

import gzip
import time
import zlib
from http.server import BaseHTTPRequestHandler
from typing import Any

import pytest

pytest.importorskip("trafilatura", reason='needs pip install "amb[tools]"')

from amb_tools import AddressGuard, AddressRefused, FetchFailed, HostTable, Limits, PageFetcher

LIMITS = Limits(max_bytes=200_000, max_seconds=1.0, max_redirects=3)


def fetcher(*allowed: Any, limits: Limits = LIMITS, **options: Any) -> PageFetcher:
    guard = AddressGuard(allow=[site.endpoint for site in allowed])
    return PageFetcher(guard=guard, limits=limits, robots=False, **options)


@pytest.mark.slow
def test_a_page_is_read_with_a_polite_user_agent(site: Any) -> None:
    page = fetcher(site).read(site.page("/a", "<h1>Cells</h1><p>6,000 cycles.</p>"))
    assert "6,000 cycles." in page.text
    assert site.headers[0]["user-agent"].startswith("AMB/")
    assert site.headers[0]["host"] == site.endpoint


# --- where it goes ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "where",
    ["http://127.0.0.1:{port}/", "http://localhost:{port}/", "http://2130706433:{port}/", "http://[::1]:{port}/",
     "http://0x7f.1:{port}/", "//127.0.0.1:{port}/", "file:///etc/passwd", "http://169.254.169.254/latest/meta-data/"],
)  # fmt: skip
def test_a_redirect_to_what_is_not_public_is_not_followed(where: str, site: Any, other_site: Any) -> None:
    url = site.redirect("/r", where.format(port=other_site.port))
    with pytest.raises(AddressRefused):
        fetcher(site).read(url)
    assert not other_site.requests


def test_a_name_that_resolves_to_this_machine_is_not_fetched(site: Any) -> None:
    resolver = HostTable({"harmless.com": "127.0.0.1"})
    reader = PageFetcher(guard=AddressGuard(ports=[site.port], resolver=resolver), robots=False)
    for host in ("harmless.com", "localhost", "localhost.", "127.0.0.1"):
        with pytest.raises(AddressRefused):
            reader.read(f"http://{host}:{site.port}/")
    assert not site.requests


def test_a_public_page_cannot_send_the_reader_to_a_listed_place(site: Any) -> None:
    """What is allowed for the user's own links is not for those of strangers."""
    guard = AddressGuard(allow=[site.endpoint], resolver=HostTable({"example.com": "93.184.215.14"}))
    public = guard.check(guard.locate("http://example.com/"))
    with pytest.raises(AddressRefused, match="from the public web"):
        guard.check(guard.locate(site.url()), came_from=public)


def test_the_connection_goes_to_the_address_that_was_checked(site: Any) -> None:
    asked: list[str] = []

    class Changing:
        def resolve(self, host: str, port: int) -> list[str]:
            asked.append(host)
            return ["127.0.0.1"] if len(asked) == 1 else ["10.255.255.1"]

    site.page("/a", "<p>first</p>")
    guard = AddressGuard(allow=[f"wiki.corp:{site.port}"], resolver=Changing())
    assert PageFetcher(guard=guard, robots=False).read(f"http://wiki.corp:{site.port}/a").text == "first"
    assert asked == ["wiki.corp"]
    assert site.headers[0]["host"] == f"wiki.corp:{site.port}"


def test_proxies_of_the_environment_are_not_asked(site: Any, other_site: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "https_proxy", "all_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, other_site.url())
    assert fetcher(site).read(site.page("/a", "<p>direct</p>")).text == "direct"
    assert not other_site.requests


def test_redirects_are_followed_up_to_a_number(site: Any) -> None:
    site.redirect("/1", "2")
    site.redirect("/2", site.url("/3"))
    site.redirect("/3", "/4?q=电池".encode().decode("latin-1"))
    site.page("/4?q=%E7%94%B5%E6%B1%A0", "<p>arrived</p>")
    assert fetcher(site).read(site.url("/1")).url == site.url("/4?q=%E7%94%B5%E6%B1%A0")
    site.redirect("/loop", "/loop")
    with pytest.raises(FetchFailed, match="redirects more than 3 times"):
        fetcher(site).read(site.url("/loop"))


# --- what it costs ----------------------------------------------------------------------------------------------------


def raw(data: bytes, *, drip: float = 0.0) -> Any:
    """An answer written byte by byte as given, headers and all."""

    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.close_connection = True
        for part in [data] if not drip else [data[i : i + 1] for i in range(len(data))]:
            handler.wfile.write(part)
            handler.wfile.flush()
            time.sleep(drip)

    return answer


HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n"


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (HEAD + b"Content-Length: 900000\r\n\r\n" + b"x", "over the limit"),
        (HEAD + b"\r\n" + b"x" * 300_000, "over the limit"),
        (HEAD + b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n" + b"ffff\r\n" + b"x" * 65535 + b"\r\n"
         + b"fffff\r\n" + b"x" * 0xFFFFF, "over the limit"),
        (HEAD + b"Content-Length: 100\r\n\r\nhalf", "before it was complete"),
        (HEAD + b"Transfer-Encoding: chunked\r\n\r\n" + b"f" * 100_000, "cannot be fetched"),
        (HEAD + b"X: " + b"y" * 100_000 + b"\r\n\r\n", "cannot be fetched"),
        (HEAD + b"X: y\r\n" * 5_000 + b"\r\n", "cannot be fetched"),
        (HEAD + b"Content-Encoding: br\r\n\r\nxx", "packed as 'br'"),
        (HEAD + b"Content-Encoding: gzip\r\n\r\nno gzip at all", "damaged"),
        (HEAD + b"Content-Encoding: gzip\r\n\r\n" + gzip.compress(b"0" * 90_000)[:60], "before it was complete"),
        (HEAD + b"Content-Encoding: gzip\r\n\r\n" + gzip.compress(b"0" * 30_000_000), "over the limit"),
        (HEAD + b"Content-Encoding: deflate\r\n\r\n" + zlib.compress(b"0" * 30_000_000), "over the limit"),
        (b"no http at all", "cannot be fetched"),
        (b"", "cannot be fetched"),
    ],
    ids=["announced", "endless", "lying length", "torn", "endless chunk size", "long header", "many headers", "br",
         "no gzip", "torn gzip", "gzip bomb", "deflate bomb", "no http", "nothing"],
)  # fmt: skip
def test_answers_that_are_too_large_or_broken_are_refused(answer: bytes, says: str, site: Any) -> None:
    with pytest.raises(FetchFailed, match=says):
        fetcher(site, limits=Limits(max_bytes=200_000, max_seconds=10)).read(site.does("/bad", raw(answer)))


@pytest.mark.parametrize(
    ("data", "encoding"),
    [
        (gzip.compress(b"hello"), "gzip"),
        (gzip.compress(b"hel") + gzip.compress(b"lo") + b"\0\0", "gzip"),
        (zlib.compress(b"hello"), "deflate"),
        (zlib.compress(b"hello")[2:-4], "deflate"),
        (b"hello", "identity"),
    ],
    ids=["gzip", "two members and padding", "deflate", "bare deflate", "plain"],
)
def test_packed_answers_are_unpacked(data: bytes, encoding: str, site: Any) -> None:
    url = site.page("/packed", data, "text/plain", content_encoding=encoding)
    assert fetcher(site).read(url).text == "hello"


@pytest.mark.parametrize(
    ("answer", "drip"),
    [(HEAD + b"\r\n" + b"x" * 100, 0.05), (HEAD + b"X-Slow: " + b"y" * 100, 0.05), (b"", 0.0)],
    ids=["dripping body", "dripping header", "silence"],
)
def test_the_time_limit_is_for_the_whole_answer(answer: bytes, drip: float, site: Any) -> None:
    given: list[bytes] = []

    def slow(handler: BaseHTTPRequestHandler) -> None:
        raw(answer, drip=drip)(handler)
        time.sleep(0 if answer else 1.5)
        given.append(answer)

    with pytest.raises(FetchFailed, match=r"longer than 0\.2 s"):
        fetcher(site, limits=Limits(max_seconds=0.2)).read(site.does("/slow", slow))
    assert not given, "it was heard to its end"
