"""The OpenAI-compatible embedder against a real server on this machine."""

from __future__ import annotations

import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import pytest

from amb_contracts.embedder import EmbedderContract
from amb_core.errors import InvalidParameter
from amb_core.protocols import Embedder
from amb_embedders import HashingEmbedder, open_embedder

pytest.importorskip("openai", reason='openai is not installed: pip install "amb[openai]"')


class EmbeddingServer(ThreadingHTTPServer):
    """Answers POST /v1/embeddings with hashed n-grams, in reverse order as the protocol allows; keeps the requests."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.requests: list[dict[str, Any]] = []
        self.keys: list[str | None] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"


class _Handler(BaseHTTPRequestHandler):
    server: EmbeddingServer

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.requests.append(asked)
        self.server.keys.append(self.headers.get("Authorization"))
        rows = HashingEmbedder(dimension=32).embed(asked["input"]) * 3.0
        data = [{"object": "embedding", "index": i, "embedding": row.tolist()} for i, row in enumerate(rows)]
        usage = {"prompt_tokens": 1, "total_tokens": 1}
        reply = {"object": "list", "model": asked["model"], "data": data[::-1], "usage": usage}
        body = json.dumps(reply).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def server() -> Iterator[EmbeddingServer]:
    with EmbeddingServer() as server:
        Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield server
        server.shutdown()


@pytest.fixture
def embedder(server: EmbeddingServer) -> Embedder:
    embedder = open_embedder(f"openai:small@{server.url}")
    assert embedder is not None
    return embedder


class TestContract(EmbedderContract):
    @pytest.fixture
    def embedder(self, server: EmbeddingServer) -> Embedder:
        embedder = open_embedder(f"openai:small@{server.url}")
        assert embedder is not None
        return embedder


def test_the_dimension_is_the_servers(embedder: Embedder) -> None:
    assert (embedder.dimension, embedder.model_id) == (32, "openai/small")


def test_a_key_from_the_environment_is_sent(server: EmbeddingServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "from-the-environment")
    embedder = open_embedder(f"openai:small@{server.url}")
    assert embedder is not None
    embedder.embed(["text"])
    assert server.keys[-1] == "Bearer from-the-environment"


def test_without_a_key_or_a_server_of_ones_own_the_name_is_refused() -> None:
    with pytest.raises(InvalidParameter, match="OPENAI_API_KEY"):
        open_embedder("openai:text-embedding-3-small")


def test_a_model_has_to_be_named(server: EmbeddingServer) -> None:
    with pytest.raises(InvalidParameter, match="text-embedding-3-small"):
        open_embedder(f"openai:@{server.url}")
