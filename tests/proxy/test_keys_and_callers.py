"""Keys are forwarded and kept nowhere; other web pages, other names and other callers are refused; deletion deletes."""

from __future__ import annotations

import logging
import socket

import httpx2
import pytest

pytestmark = pytest.mark.slow

KEY = "sk-very-secret-0123456789abcdef"
PAGE = "The safe of the lighthouse opens with ZQ-4711-PLUM. " + "Lamps and tides are counted. " * 130


def everything_in(folder) -> bytes:
    """The bytes of all files, and their names."""
    files = [file for file in folder.rglob("*") if file.is_file()]
    return b"\n".join(str(file).encode() + file.read_bytes() for file in files)


@pytest.mark.parametrize("header", ["authorization", "x-api-key", "api-key", "x-goog-api-key"])
def test_a_key_is_forwarded_and_stands_in_no_file_log_or_status(header, begin, gateway, provider, caplog):
    caplog.set_level(logging.DEBUG)
    talk = begin(gateway.url, "none", {header: KEY}).go_on(lambda _: PAGE, turns=2)
    httpx2.post(f"{gateway.url}/v1/chat/completions", content=b"{", headers={header: KEY})
    shown = (
        gateway.operator("GET", "/amb/status").text
        + gateway.operator("GET", f"/amb/conversations/{talk.names.pop()}").text
    )
    ours = [record.getMessage() for record in caplog.records if record.name.startswith(("amb", "uvicorn"))]
    assert provider.seen[-1].headers[header] == KEY
    assert KEY not in shown + "".join(ours)
    assert KEY.encode() not in everything_in(gateway.folder)


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"host": "evil.example"}, 421),
        ({"host": "evil.example:8787"}, 421),
        ({"host": ""}, 421),
        ({"host": "gateway:1", "origin": "https://evil.example"}, 403),
        ({"host": "gateway:1", "origin": "null"}, 403),
        ({"host": "gateway:1", "origin": "http://gateway:1.evil.example"}, 403),
        ({"host": "gateway:1", "origin": "http://gateway:1"}, 200),
        ({"host": "gateway:1"}, 200),
        ({"host": "GATEWAY:1"}, 200),
    ],
)
def test_only_its_own_names_and_pages_may_ask(headers, status, another_gateway, provider):
    with another_gateway(provider.url, hosts=["gateway:1"]) as gateway:
        answer = httpx2.post(f"{gateway.url}/v1/embeddings", json={}, headers=headers)
    assert answer.status_code == status
    assert len(provider.seen) == (status == 200)


def test_with_a_token_nobody_asks_without_it_and_the_provider_never_sees_it(another_gateway, provider):
    token = "a-token-of-the-house"
    with another_gateway(provider.url, token=token) as gateway:
        told = [
            httpx2.post(f"{gateway.url}/v1/embeddings", json={}, headers=headers).status_code
            for headers in ({}, {"x-amb-token": "another-token-here"}, {"x-amb-token": token})
        ]
    assert told == [401, 401, 200]
    assert token not in str([seen.headers for seen in provider.seen])


@pytest.mark.parametrize("path", ["/amb/status", "/amb/conversations/x", "/amb/nothing", "/amb/"])
def test_what_is_the_operators_is_shown_to_nobody_else_and_never_sent_on(path, gateway, provider):
    answers = [httpx2.get(gateway.url + path), httpx2.post(f"{gateway.url}{path}?token={gateway.app.operator_token}")]
    assert {answer.status_code for answer in answers} <= {401, 404, 405}
    assert provider.seen == []


@pytest.mark.parametrize("target", ["@evil.example/v1/models", "http://evil.example/v1", ".evil.example/", "*"])
def test_a_request_cannot_name_another_provider(target, gateway, provider):
    host, port = gateway.url.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=10) as wire:
        wire.sendall(f"GET {target} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n".encode())
        assert wire.recv(4096).split()[1] in (b"400", b"404")
    assert provider.seen == []


@pytest.mark.parametrize("what", ["conversations", "users"])
def test_deletion_leaves_no_word_of_a_talk_in_the_folder(what, begin, gateway):
    begin(gateway.url).go_on(lambda _: PAGE, turns=2).ask()
    (talk,) = gateway.operator("GET", "/amb/status").json()["conversations"]
    assert b"ZQ-4711-PLUM" in everything_in(gateway.folder)
    gateway.operator("DELETE", f"/amb/{what}/{talk['id' if what == 'conversations' else 'user']}").raise_for_status()
    assert gateway.operator("GET", "/amb/status").json()["conversations"] == []
    assert b"ZQ-4711-PLUM" not in everything_in(gateway.folder)


def test_a_request_that_is_too_long_is_refused_and_not_kept(another_gateway, provider):
    with another_gateway(provider.url, largest_body=1000) as gateway:
        assert httpx2.post(f"{gateway.url}/v1/embeddings", content=b"x" * 1001).status_code == 413
    assert provider.seen == []
