"""Every host behind a real server: one agent, two users with two threads each, twenty turns, forty tools."""

from __future__ import annotations

import json
import runpy
import threading
import time
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import uvicorn
from amb_bench.doubles.streaming_server import StreamingChatServer
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from amb_chat import ScriptedChatModel
from amb_core import Scope

HERE = Path(__file__).parent
served = SimpleNamespace(**runpy.run_path(str(HERE / "serving" / "hosts.py")))
story = served.story
FRAMEWORKS = runpy.run_path(str(HERE.parent / "frameworks.py"))
PEOPLE = [(user, thread) for user in ("ann", "ben") for thread in (1, 2)]
QUESTIONS = range(1, len(story.TOPICS) + 1)


DAILY = ("crewai", "langgraph", "openai_agents", "pydantic_ai")
"""A run takes half a minute a host: these by day, all at night. The other hosts are restarted by day."""


def _param(host: str) -> Any:
    framework = "langgraph" if host == "deepagents" else host
    marks = [*FRAMEWORKS["marks_for"]([framework]), *([] if host in DAILY else [pytest.mark.nightly])]
    return pytest.param(host, id=host, marks=marks)


hosts = pytest.mark.parametrize("host", [_param(host) for host in served.HOSTS])


@contextmanager
def serving(host: Any) -> Iterator[str]:
    """The host behind an ASGI server of this machine."""

    async def ask(request: Request) -> JSONResponse:
        asked = await request.json()
        return JSONResponse({"answer": await host.ask(asked["user"], asked["thread"], asked["text"])})

    app = Starlette(routes=[Route("/ask", ask, methods=["POST"])])
    server = uvicorn.Server(uvicorn.Config(app, host="127.0.0.1", port=0, log_level="warning"))
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        time.sleep(0.02)
    port = server.servers[0].sockets[0].getsockname()[1]
    try:
        yield f"http://127.0.0.1:{port}/ask"
    finally:
        server.should_exit = True
        thread.join()


def _ask(url: str, user: str, thread: int, text: str) -> str:
    body = json.dumps({"user": user, "thread": thread, "text": text}).encode()
    request = urllib.request.Request(url, body, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=300) as reply:
        return str(json.load(reply)["answer"])


def _served(host: str, folder: Path) -> Any:
    """What all of them were answered, what the provider received, and what each bank holds then."""
    double = story.Double()
    with StreamingChatServer(ScriptedChatModel(double)) as provider:
        agent = served.HOSTS[host](folder, provider.url)

        def talk(who: tuple[str, int]) -> list[str]:
            return [_ask(url, *who, story.question(*who, number)) for number in QUESTIONS]

        with serving(agent) as url, ThreadPoolExecutor(len(PEOPLE)) as pool:
            answers = list(pool.map(talk, PEOPLE))
        banks = [agent.banks(Scope(*_named(host, who))).snapshot() for who in PEOPLE]
        agent.close()
    return SimpleNamespace(answers=answers, seen=double.seen, banks=banks)


@pytest.mark.sampled(2)
@hosts
def test_nothing_of_another_user_or_thread_is_in_any_request(host: str, tmp_path: Path) -> None:
    if host == "deepagents":
        pytest.importorskip("deepagents")
    what = _served(host, tmp_path / "kept")
    for who, said, bank in zip(PEOPLE, what.answers, what.banks, strict=True):
        assert ["I have read what task" in answer for answer in said] == [True] * len(QUESTIONS)
        requests = [text for task, text in what.seen if task.startswith("{}-{}-".format(*who))]
        assert len(requests) == len(QUESTIONS) * (story.PAGES + 1)
        assert [story.owners(text) for text in requests] == [{who}] * len(requests)
        assert any("<memory>" in text for text in requests), "each thread has a block of its own"
        pages = [f"{who[0]}-{who[1]}-{number}-{at}" for number in QUESTIONS for at in range(story.PAGES)]
        assert [entry.text for entry in bank.results] == [story.fetch(page) for page in pages]
        assert story.owners(str(bank.goals)) <= {who}
        assert len(bank.goals) >= 3, "the goal has changed with the questions"


def _named(host: str, who: tuple[str, int]) -> tuple[str, str]:
    """How a host names a user and a thread: some name it by both."""
    user, thread = who
    return (user, f"{user}-{thread}") if host in ("langgraph", "deepagents", "strands") else (user, str(thread))
