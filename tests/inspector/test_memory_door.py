"""Long-term memory over HTTP: a real server on 127.0.0.1, asked as a program or a browser would."""

from __future__ import annotations

import json
from collections.abc import Iterator
from http.client import HTTPConnection
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

import pytest

from amb_core import LongTermMemory
from amb_inspector.memory_server import MemoryServer

TOKEN = "a-token-for-this-test"
ROOT = "/amb/memories"
SPACE = "user_profile/ana"


class Client:
    """Asks one server, with the token unless told otherwise."""

    def __init__(self, server: MemoryServer) -> None:
        self.address = urlsplit(server.url)

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> tuple[int, str]:
        sent = {"x-amb-token": TOKEN, **{name.replace("_", "-"): value for name, value in headers.items()}}
        connection = HTTPConnection(str(self.address.hostname), self.address.port or 0, timeout=20)
        text = body if isinstance(body, str | None) else json.dumps(body)
        connection.request(method, path, body=text, headers={name: value for name, value in sent.items() if value})
        answer = connection.getresponse()
        said = answer.read().decode()
        connection.close()
        return answer.status, said

    def json(self, method: str, path: str, body: Any = None) -> Any:
        status, said = self.ask(method, path, body)
        assert status == 200, said
        return json.loads(said)


@pytest.fixture
def memory() -> Iterator[LongTermMemory]:
    with LongTermMemory() as memory:
        memory.remember("I live in Porto. My cat is called <b>Minka</b>.", user="ana")
        memory.remember("我住在上海。", user="ben")
        yield memory


@pytest.fixture
def client(memory: LongTermMemory) -> Iterator[Client]:
    with MemoryServer(memory, token=TOKEN) as server:
        yield Client(server)


def test_a_program_remembers_and_asks(client: Client) -> None:
    written = client.json("POST", f"{ROOT}/remember", {"messages": "I moved to Berlin.", "user": "ana"})
    assert [each["status"] for each in written["written"]] == ["inserted"]
    assert "I moved to Berlin." in client.json("GET", f"{ROOT}/profile?user=ana")["block"]
    hits = client.json("GET", f"{ROOT}/search?{urlencode({'user': 'ana', 'q': 'Where do I live?', 'top_k': 1})}")[
        "hits"
    ]
    assert [hit["content"] for hit in hits] == ["I moved to Berlin."]
    assert client.json("GET", ROOT)["namespaces"] == [SPACE, "user_profile/ben"]


def test_a_record_is_written_changed_shown_and_deleted(client: Client) -> None:
    name = client.json("POST", ROOT, {"content": "Reports in EUR", "user": "ana"})["id"]
    there = f"{ROOT}/{name}?namespace={quote(SPACE, safe='')}"
    assert client.json("PATCH", there, {"content": "Reports in USD"})["id"] == name
    shown = client.json("GET", there)
    assert (shown["content"], shown["history"]) == ("Reports in USD", ["Reports in EUR", "Reports in USD"])
    assert client.json("DELETE", there)["deleted"] == 1
    assert client.ask("GET", there)[0] == 404


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "part"),
    [
        ("POST", ROOT, "no json", 400, "JSON object"),
        ("POST", ROOT, {"content": "x"}, 400, "namespace"),
        ("POST", ROOT, {"content": "x", "user": "ana", "colour": "red"}, 400, "metadata"),
        ("GET", f"{ROOT}/search?user=ana&q=x&top_k=many", None, 400, "top_k"),
        ("GET", f"{ROOT}/search?q=x", None, 400, "user"),
        ("GET", f"{ROOT}/profile", None, 400, "user"),
        ("GET", f"{ROOT}/nobody?namespace={SPACE}", None, 404, "nobody"),
        ("GET", "/elsewhere", None, 404, "elsewhere"),
    ],
)
def test_a_request_that_cannot_be_is_told_why(client, method, path, body, status, part) -> None:
    found, said = client.ask(method, path, body)
    assert (found, part in json.loads(said)["error"]) == (status, True), said


def test_only_who_has_the_token_and_asks_here_is_answered(client: Client) -> None:
    assert client.ask("GET", ROOT, x_amb_token="")[0] == 401
    assert client.ask("GET", f"{ROOT}?token=wrong", x_amb_token="")[0] == 401
    assert client.ask("GET", f"{ROOT}?token={TOKEN}", x_amb_token="")[0] == 200
    assert client.ask("GET", ROOT, Host="evil.example")[0] == 403
    assert client.ask("POST", f"{ROOT}/page?user=ana", "do=delete", Origin="https://evil.example")[0] == 403


def test_the_page_of_a_user_shows_edits_and_deletes(client: Client, memory: LongTermMemory) -> None:
    assert ">ana</a>" in client.ask("GET", f"{ROOT}/page")[1]
    status, page = client.ask("GET", f"{ROOT}/page?user=ana")
    assert status == 200
    assert "I live in Porto" in page
    assert "&lt;b&gt;Minka" in page
    assert "<b>Minka" not in page
    assert "上海" not in page
    assert "删除" in client.ask("GET", f"{ROOT}/page?user=ben", Accept_Language="zh-CN,zh;q=0.9")[1]
    first, second = memory.records(SPACE)
    edit = urlencode({"do": "edit", "id": first.id, "namespace": SPACE, "content": "I live in Faro."})
    assert client.ask("POST", f"{ROOT}/page?user=ana", edit)[0] == 303
    gone = urlencode({"do": "delete", "id": second.id, "namespace": SPACE})
    assert client.ask("POST", f"{ROOT}/page?user=ana", gone)[0] == 303
    assert [record.content for record in memory.records(SPACE)] == ["I live in Faro."]


def test_what_can_be_asked_is_described(client: Client) -> None:
    told = client.json("GET", f"{ROOT}/openapi.json")
    assert told["openapi"].startswith("3.")
    assert {"get", "patch", "delete"} == set(told["paths"][f"{ROOT}/{{id}}"])
    assert "/amb/memories/search" in client.ask("GET", f"{ROOT}/docs")[1]
