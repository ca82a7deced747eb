"""A studio on a free port of this machine, and a browser's part of talking to it."""

from __future__ import annotations

import asyncio
import http.client
import itertools
import json
import socket
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import uvicorn
from amb_book.studio import create_app

from amb_book import Story
from amb_core.clock import ManualClock

NOON = 1_790_000_000.0
STATEMENTS = [
    {"entity": "Lin Yue", "kind": "character", "aliases": ["the Fox"], "properties": {"age": 19}},
    {"subject": "Lin Yue", "relation": "IS_AT", "object": "the Harbour", "evidence": "Lin Yue came ashore at dawn."},
    {"hook": "the broken jade", "status": "Unresolved", "text": "who broke it?"},
    {"lore": "the Harbour", "text": "It freezes from the first moon to the third."},
    {"entity": "林月", "kind": "character", "properties": {"门派": "青云"}},
]


def small_book(story: Story) -> Story:
    """Three chapters, a plan with two storylines, a hook, and one who died."""
    plan = story.plan
    plan.add("general_outline", title="The war", id="war")
    plan.add("long_outline", title="The siege", id="siege")
    for line in ("Lin Yue", "the traitor"):
        plan.add("short_outline", title=f"{line}: the walls", id=line, storyline=line)
        plan.add("step", title=f"{line} waits", id=f"{line} waits", within=line)
        plan.add("step", title=f"{line} opens the gate", id=f"{line} gate", within=line)
    plan.start("Lin Yue waits")
    story.settle(chapter=1, title="The Harbour", statements=STATEMENTS)
    story.settle(chapter=2, title="Ice", statements=[{"status": {"of": "Lin Yue", "is": "wounded"}}])
    story.settle(
        chapter=3, title="Ash", statements=[{"status": {"of": "Old Wen", "is": "dead"}, "evidence": "Old Wen died."}]
    )
    return story


class _EndsAtOnce(uvicorn.Server):
    """Looks every few milliseconds whether it is to end, and ends when nothing is under way: tests open many."""

    async def main_loop(self) -> None:
        for tick in itertools.count():
            if await self.on_tick(tick):
                return
            await asyncio.sleep(0.005)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        for server in self.servers:
            server.close()
        for connection in list(self.server_state.connections):
            connection.shutdown()
        while self.server_state.connections or self.server_state.tasks:
            await asyncio.sleep(0.005)
        await self.lifespan.shutdown()


class LocalStudio:
    """A served book; `ask` and `tell` are a page's, with its session and token."""

    def __init__(self, place: Path | None = None, *, clock: ManualClock | None = None, **options: Any) -> None:
        self.clock = clock or ManualClock(NOON)
        self.story = Story(place, clock=self.clock)
        if not self.story.facts.last_chapter:
            small_book(self.story)
        chat = options.pop("chat", None)
        self.app = create_app(self.story, self.story.desk(chat=chat), clock=self.clock, **options)
        self.server = _EndsAtOnce(uvicorn.Config(self.app, port=0, log_level="error", ws="none"))
        self.thread = threading.Thread(target=self.server.run, daemon=True)
        self.cookie = self.token = ""

    def __enter__(self) -> LocalStudio:
        self.thread.start()
        for _ in range(2_000):
            if self.server.started:
                break
            time.sleep(0.005)
        self.port = self.server.servers[0].sockets[0].getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}/"
        return self

    def __exit__(self, *_: object) -> None:
        self.server.should_exit = True
        self.thread.join(20)
        self.story.close()

    def open(self, query: str = "") -> LocalStudio:
        """What a browser does first: the page, which gives it a session, and the token."""
        _, headers, _ = self.raw("GET", f"/{query}")
        self.cookie = headers.get("set-cookie", "").partition(";")[0]
        self.token = self.ask("start")["token"]
        return self

    def raw(
        self, method: str, path: str, body: Any = None, headers: Mapping[str, str | None] = {}
    ) -> tuple[int, dict[str, str], bytes]:
        """One request as a page would send it; a header of None is left out."""
        given: dict[str, str | None] = {"cookie": self.cookie or None}
        if method == "POST":
            own = {"origin": self.url[:-1], "content-type": "application/json", "x-amb-token": self.token}
            given |= own
        given |= headers
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        sent = {name: value for name, value in given.items() if value is not None}
        connection.request(method, path, body, sent, encode_chunked="transfer-encoding" in sent)
        response = connection.getresponse()
        told = response.status, {name.lower(): value for name, value in response.getheaders()}, response.read()
        connection.close()
        return told

    def ask(self, path: str, status: int = 200, **query: Any) -> Any:
        """The JSON answer to a question."""
        found, _, body = self.raw("GET", f"/api/{path}?{urlencode(query)}")
        assert found == status, body
        return json.loads(body)

    def tell(self, path: str, status: int = 200, **given: Any) -> Any:
        """The JSON answer to what is to be done."""
        found, _, body = self.raw("POST", f"/api/{path}", json.dumps(given))
        assert found == status, body
        return json.loads(body)
