"""Who may ask a server over HTTP: no web page, nobody without the token, nobody with endless requests."""

from __future__ import annotations

import http.client
import json
import os
import runpy
import socket
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

import pytest

pytest.importorskip("mcp", reason="the MCP SDK is not installed: make test-frameworks")
pytestmark = [pytest.mark.mcp, pytest.mark.slow]

CLIENTS = runpy.run_path(str(Path(__file__).with_name("mcp_clients.py")))
TOKEN = "0123456789abcdef-of-a-test"
HELLO = {
    "jsonrpc": "2.0", "id": 1, "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}},
}  # fmt: skip


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with CLIENTS["http_server"](tmp_path_factory.mktemp("open")) as url:
        yield url


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with CLIENTS["http_server"](tmp_path_factory.mktemp("guarded"), AMB_MCP_TOKEN=TOKEN) as url:
        yield url


def _status(url: str, body: bytes = json.dumps(HELLO).encode(), **headers: str) -> int:
    where = urlsplit(url)
    connection = http.client.HTTPConnection(str(where.hostname), where.port, timeout=20)
    sent = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    sent |= {name.replace("_", "-"): value for name, value in headers.items()}
    connection.request("POST", where.path, body=body, headers=sent)
    status = connection.getresponse().status
    connection.close()
    return status


def test_it_listens_on_this_machine_only(url: str) -> None:
    assert urlsplit(url).hostname == "127.0.0.1"
    assert _status(url) == 200


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "127.0.0.1.evil.example", "127.0.0.1:1", ""])
def test_a_name_that_was_rebound_to_this_machine_is_refused(url: str, host: str) -> None:
    assert _status(url, Host=host) in (400, 421)


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "https://127.0.0.1.evil.example", "null", "http://127.0.0.1:1"]
)
def test_a_web_page_is_refused(url: str, origin: str) -> None:
    assert _status(url, Origin=origin) == 403


def test_a_page_of_the_server_itself_may_ask(url: str) -> None:
    assert _status(url, Origin=url.removesuffix("/mcp")) == 200


def test_a_form_that_any_page_can_send_is_refused(url: str) -> None:
    assert _status(url, Content_Type="text/plain") in (400, 415)


def test_a_request_that_is_too_long_is_refused(url: str) -> None:
    assert _status(url, b"x" * (4 * 1024 * 1024 + 1)) == 413
    assert _status(url) == 200


def test_a_request_without_an_end_is_cut_off(url: str) -> None:
    where = urlsplit(url)
    with socket.create_connection((str(where.hostname), where.port), timeout=20) as connection:
        head = f"POST /mcp HTTP/1.1\r\nHost: {where.netloc}\r\nContent-Type: application/json\r\n"
        connection.sendall(f"{head}Accept: application/json, text/event-stream\r\n".encode())
        connection.sendall(b"Transfer-Encoding: chunked\r\n\r\n")
        with suppress(ConnectionError):  # cut off while we were sending
            for _ in range(6):
                connection.sendall(b"100000\r\n" + b"x" * 0x100000 + b"\r\n")
            assert not connection.recv(100).startswith(b"HTTP/1.1 200")
    assert _status(url) == 200


def test_with_a_token_nobody_asks_without_it(guarded: str) -> None:
    assert _status(guarded) == 401
    assert _status(guarded, Authorization="Bearer wrong") == 401
    assert _status(guarded, Authorization=TOKEN) == 401
    assert _status(guarded, Authorization=f"Bearer {TOKEN}") == 200


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("options", "environment", "says"),
    [
        (["--host", "0.0.0.0"], {}, "give a token"),
        (["--host", "0.0.0.0"], {"AMB_MCP_TOKEN": TOKEN}, "the names it is asked under"),
        ([], {"AMB_MCP_TOKEN": "short"}, "at least 16 characters"),
        (["--port", "99999"], {}, "argument --port: "),
    ],
)
def test_it_does_not_start_open_to_others_by_mistake(
    tmp_path: Path, options: list[str], environment: dict[str, str], says: str
) -> None:
    ran = subprocess.run(
        CLIENTS["command"](tmp_path, "--http", *options), env=os.environ | CLIENTS["ENVIRONMENT"] | environment,
        capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert ran.returncode in (1, 2)  # a setting, an argument
    assert ran.stderr.splitlines()[-1].startswith("amb")
    assert says in ran.stderr.splitlines()[-1]
    assert "Traceback" not in ran.stderr


def test_a_port_that_is_taken_is_said(url: str, tmp_path: Path) -> None:
    port = str(urlsplit(url).port)
    ran = subprocess.run(
        CLIENTS["command"](tmp_path, "--http", "--port", port), env=os.environ | CLIENTS["ENVIRONMENT"],
        capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert ran.returncode == 1
    assert f"cannot serve on 127.0.0.1 port {port}" in ran.stderr
