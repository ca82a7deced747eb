"""Addresses of Qdrant servers, and what becomes of one that is down, slow, locked, or no Qdrant server at all.

No server is pretended here: what a real one answers is not tested. The faults come over real connections.
"""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import find_spec

import pytest

from amb_core.errors import InvalidParameter, StoreError
from amb_core.stores import attachment_folder, holds_something, open_store
from amb_vector_stores import QdrantStore
from amb_vector_stores.qdrant_collection import server_of

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(find_spec("qdrant_client") is None, reason="needs the qdrant extra"),  # a second to import
    pytest.mark.filterwarnings("ignore:Api key is used with an insecure connection"),
]


class Refusing(BaseHTTPRequestHandler):
    """Answers every request alike, and keeps the keys it was shown."""

    status, body = 401, b'{"status":{"error":"Must provide an API key"}}'
    keys: list[str | None]

    def answer(self) -> None:
        self.keys.append(self.headers.get("api-key"))
        self.send_response(self.status)
        self.send_header("Content-Length", str(len(self.body)))
        self.end_headers()
        self.wfile.write(self.body)

    do_GET = do_PUT = do_POST = do_DELETE = answer  # noqa: N815

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@contextmanager
def answering(status: int, body: bytes) -> Iterator[tuple[str, list[str | None]]]:
    keys: list[str | None] = []
    handler = type("Handler", (Refusing,), {"status": status, "body": body, "keys": keys})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield f"qdrant+http://127.0.0.1:{server.server_port}", keys
        server.shutdown()


@pytest.mark.parametrize("status", [401, 403])
def test_a_wrong_key_is_a_store_error_that_says_where_to_put_the_right_one(status: int) -> None:
    with answering(status, b"Invalid API key") as (url, _), pytest.raises(StoreError, match="QDRANT_API_KEY") as caught:
        open_store(url)
    assert "refuses the key" in str(caught.value)


@pytest.mark.parametrize("name", ["QDRANT_API_KEY", "QDRANT_KEY"])
def test_the_key_is_taken_from_the_environment_and_never_shown(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, "sesame-1")
    with answering(401, b"no") as (url, keys), pytest.raises(StoreError) as caught:
        open_store(url)
    assert set(keys) == {"sesame-1"}
    assert "sesame" not in str(caught.value)


def test_a_key_that_is_passed_comes_before_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QDRANT_API_KEY", "sesame-1")
    with answering(401, b"no") as (url, keys), pytest.raises(StoreError):
        QdrantStore(url, key="sesame-2")
    assert set(keys) == {"sesame-2"}


def test_a_server_that_is_down_is_a_store_error_that_says_so() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    with pytest.raises(StoreError, match=r"does not answer .*start the Qdrant server"):
        open_store(f"qdrant+http://127.0.0.1:{port}")


def test_a_server_that_never_answers_is_given_up_after_the_timeout() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent, pytest.raises(StoreError, match="does not answer"):
        QdrantStore(f"qdrant+http://127.0.0.1:{silent.getsockname()[1]}", timeout=1)


@pytest.mark.parametrize("body", [b"<html>It works!</html>", b"{}", b"", b'{"result": 3}', b"\xff"])
def test_a_server_of_another_kind_is_a_store_error(body: bytes) -> None:
    with answering(200, body) as (url, _), pytest.raises(StoreError, match="not as a Qdrant server"):
        open_store(url)


@pytest.mark.parametrize(
    ("status", "text"), [(500, "try again"), (503, "try again"), (429, "try again"), (413, "size"), (404, "check")]
)
def test_a_server_in_trouble_is_a_store_error_that_says_what_to_do(status: int, text: str) -> None:
    with answering(status, b"trouble") as (url, _), pytest.raises(StoreError, match=text):
        open_store(url)


@pytest.mark.parametrize(
    ("url", "address"),
    [
        ("qdrant+http://host", ("http://host:6333", "amb")),
        ("qdrant+https://host:443/a/b/", ("https://host:443/a/b", "amb")),
        ("qdrant+http://[::1]:1?collection=team-1", ("http://[::1]:1", "team-1")),
    ],
)
def test_an_address_names_host_port_prefix_and_collection(url: str, address: tuple[str, str]) -> None:
    assert server_of(url) == address
    assert attachment_folder(url) is None
    assert holds_something(url)


@pytest.mark.parametrize(
    "rest",
    ["", "host:port", "host:99999", "u:secret@host", "host#x", "host?x=1", "host?collection=", "host?collection=../x"],
)
def test_an_address_that_cannot_be_meant_is_refused(rest: str) -> None:
    with pytest.raises(InvalidParameter) as caught:
        open_store(f"qdrant+http://{rest}")
    assert "secret" not in str(caught.value)
