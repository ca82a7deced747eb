"""A request stays below the provider's base URL, and what belongs to a connection is not forwarded."""

from __future__ import annotations

import socket
from urllib.parse import urlsplit

import pytest
from amb_bench.doubles.bare_provider import BareProvider, whole

pytestmark = pytest.mark.slow

LEAVING = [
    "/v1/../echo",
    "/v1/..",
    "/../echo",
    "/v1/a/../../echo",
    "/v1/%2e%2e/echo",
    "/v1/%2E./echo",
    "/v1/.%2e/echo",
    "/v1/%252e%252e/echo",
    "/v1/%25252e%25252e/echo",
    "/v1/%%32%65%%32%65/echo",
    "/v1/..%2fecho",
    "/v1/..%252fecho",
    "/v1/..%5cecho",
    "/v1/..\\echo",
    "/v1\\..\\echo",
    "/v1/..;/echo",
    "/v1/..;a=b/echo",
    "/v1/..%00/echo",
    "/v1/..%09/echo",
    "/v1/.%0d./echo",
    "/v1/..%3fa",
    "/v1/%" + "25" * 40 + "2e./echo",
]
STAYING = [
    "/v1/models/a..b",
    "/v1/models/..a",
    "/v1/models/...",
    "/v1/models?next=../x",
    "/v1/models/%2e",
    "/v1/m%252e1",
]


def answer_to(url: str, path: str, *headers: str) -> bytes:
    """What a client gets that sends a path as it stands."""
    place = urlsplit(url)
    lines = [f"POST {path} HTTP/1.1", f"host: {place.netloc}", "connection: close", "content-length: 2", *headers]
    with socket.create_connection((place.hostname, place.port), 10) as client:
        client.sendall("\r\n".join([*lines, "", "{}"]).encode())
        told = b""
        while piece := client.recv(65_536):
            told += piece
    return told


@pytest.fixture
def below(another_gateway):
    """A provider with a base path, and a gateway."""
    with BareProvider() as provider, another_gateway(f"{provider.url}/v1") as gateway:
        provider.replies = [whole(b"{}")]
        yield provider, gateway.url


def test_no_path_leaves_the_base_of_the_provider(below):
    provider, url = below
    assert {path: answer_to(url, path).split()[1] for path in LEAVING} == dict.fromkeys(LEAVING, b"400")
    assert not provider.seen


def test_paths_that_only_look_so_go_on(below):
    provider, url = below
    assert {path: answer_to(url, path).split()[1] for path in STAYING} == dict.fromkeys(STAYING, b"200")
    assert all(told.split()[1].startswith("/v1/m") for told, _ in provider.seen)


def test_headers_of_the_connection_are_not_forwarded(below):
    provider, url = below
    theirs = ["expect: 100-continue", "proxy-connection: keep-alive", "keep-alive: 5", "te: trailers", "x-own: mine"]
    assert b" 200 " in answer_to(url, "/v1/other", *theirs, "upgrade: h2c", "trailer: x", "proxy-authorization: b")
    told = provider.seen[0][0].lower()
    assert "x-own: mine" in told
    names = {line.partition(":")[0] for line in told.splitlines()}
    assert not names & {"expect", "proxy-connection", "keep-alive", "te", "upgrade", "trailer", "proxy-authorization"}
