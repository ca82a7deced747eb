"""Only this machine's own page reaches the book: host, session, origin, token, sizes, and what the page may load."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

Serve = Callable[..., Any]
SAY = json.dumps({"text": "/new a task"})
PAGE = (
    Path(getattr(find_spec("amb_book.studio"), "origin", None) or "").parent / "page"
)  # not imported: it needs the extra


def kind_of(answer: tuple[int, dict[str, str], bytes]) -> tuple[int, str]:
    return answer[0], json.loads(answer[2])["error"]["kind"]


FOREIGN = (
    "evil.example",
    "evil.example:{port}",
    "127.0.0.1.evil.example:{port}",
    "10.0.0.7:{port}",
    "",
    "127.0.0.1:{port}@evil.example",
)


@pytest.mark.parametrize("host", FOREIGN)
def test_a_name_that_is_not_this_machine_is_refused_before_anything_else(studio: Any, host: str) -> None:
    headers = {"host": host.format(port=studio.port)}
    for path in ("/api/state", "/api/start", "/static/scripts/main.js"):
        assert kind_of(studio.raw("GET", path, headers=headers)) == (403, "foreign_host")
    status, told, body = studio.raw("GET", "/", headers=headers)
    assert (status, "set-cookie" in told) == (403, False)
    assert b"<" not in body


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "https://127.0.0.1:{port}", "http://127.0.0.1:1", None]
)
def test_what_changes_something_must_come_from_the_page_itself(studio: Any, origin: str | None) -> None:
    headers = {"origin": origin and origin.format(port=studio.port)}
    assert kind_of(studio.raw("POST", "/api/say", SAY, headers)) == (403, "foreign_origin")
    assert studio.ask("state")["tasks"] == []


@pytest.mark.parametrize("token", [None, "", "x" * 32, "é"])
def test_what_changes_something_must_bring_the_token(studio: Any, token: str | None) -> None:
    assert kind_of(studio.raw("POST", "/api/say", SAY, {"x-amb-token": token})) == (403, "token")
    assert studio.ask("state")["tasks"] == []


def test_a_browser_has_to_bring_the_key_once(served: Serve) -> None:
    studio = served(key="a-long-secret")
    assert studio.raw("GET", "/")[0] == 403
    assert studio.raw("GET", "/?key=wrong")[0] == 403
    status, headers, _ = studio.raw("GET", "/?key=a-long-secret")
    assert (status, headers["location"]) == (303, "/")
    assert {"HttpOnly", "SameSite=Strict"} <= set(headers["set-cookie"].split("; "))
    studio.open("?key=a-long-secret")
    assert studio.raw("GET", "/")[0] == 200
    status, headers, _ = studio.raw("GET", "/?key=a-long-secret")  # once more: the key leaves the address again
    assert (status, headers["location"], "set-cookie" in headers) == (303, "/", False)


def test_a_huge_body_is_refused_with_its_length_told_or_not(studio: Any) -> None:
    huge = json.dumps({"text": "x" * 1_100_000}).encode()
    assert kind_of(studio.raw("POST", "/api/say", huge)) == (413, "too_long")
    pieces: Iterator[bytes] = (huge[at : at + 50_000] for at in range(0, len(huge), 50_000))
    assert kind_of(studio.raw("POST", "/api/say", pieces, {"transfer-encoding": "chunked"})) == (413, "too_long")
    assert studio.ask("state")["tasks"] == []


def test_only_json_is_read(studio: Any) -> None:
    for kind in ("text/plain", "application/x-www-form-urlencoded", None):
        assert studio.raw("POST", "/api/say", SAY, {"content-type": kind})[0] == 415
    for body in ("", "{", "[1]", "null", "[" * 100_000, '{"text": 7}', '{"text": "a", "more": 1}'):
        assert kind_of(studio.raw("POST", "/api/say", body)) == (400, "invalid")


@pytest.mark.parametrize("path", ["/static/../app.py", "/static/%2e%2e/app.py", "/static/scripts/../../app.py",
                                  "/static/words/en.json", "/static/", "/static//etc/passwd"])  # fmt: skip
def test_only_the_files_of_the_page_are_given_out(studio: Any, path: str) -> None:
    assert kind_of(studio.raw("GET", path)) == (404, "nowhere")


def test_every_answer_forbids_what_the_page_does_not_need(studio: Any) -> None:
    for path in ("/", "/api/state", "/static/scripts/main.js", "/nowhere"):
        _, headers, _ = studio.raw("GET", path)
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert "http" not in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert "access-control-allow-origin" not in headers


@pytest.mark.parametrize("file", sorted(PAGE.rglob("*.*")), ids=lambda file: file.name)
def test_no_file_of_the_page_makes_html_of_text_or_names_another_place(file: Path) -> None:
    text = file.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function", text)
    assert not re.search(r"https?://|//[a-z0-9-]+\.[a-z]{2,}/|@import|url\(", text)


class Broken:
    """A checker with a mistake in it."""

    def check(self, draft: str, **_: Any) -> list[Any]:
        raise RuntimeError("secret of the machine")


def test_an_error_nobody_foresaw_says_nothing_of_this_machine(served: Serve) -> None:
    told = served(checker=Broken()).open().tell("check", 500, draft="x")
    assert told["error"]["kind"] == "internal"
    assert "secret" not in str(told)


def test_a_huge_manuscript_is_refused(studio: Any) -> None:
    kind = {"content-type": "application/octet-stream"}
    assert kind_of(studio.raw("POST", "/api/import", b"x" * 6_000_001, kind)) == (413, "too_long")
    assert studio.raw("POST", "/api/import", b"x")[0] == 415
    assert kind_of(studio.raw("POST", "/api/import?settle=all", b"x", kind)) == (400, "invalid")
    assert studio.ask("import") == {"state": "idle", "facts": False}
