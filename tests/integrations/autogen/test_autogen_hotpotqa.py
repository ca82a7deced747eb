"""The group chat of the seed on HotpotQA's tools: with memory and without, by the local policy and over an endpoint."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from amb_tools.hotpotqa import HotpotQuestion, PassageSearch

pytest.importorskip("autogen_agentchat", reason="AutoGen is not installed: make test-frameworks")
from amb_bench.hotpotqa.autogen_client import LocalPolicyClient
from amb_bench.hotpotqa.team_game import Played, model_client, play

pytestmark = pytest.mark.autogen
PASSAGES = {
    "Titanic": ("Titanic is a 1997 American film directed by James Cameron.",),
    "James Cameron": ("James Cameron is a Canadian filmmaker.", "In 2000 he married Suzy Amis."),
    "Suzy Amis": ("Suzy Amis is an American actress.",),
}
QUESTION = HotpotQuestion("Who directed the film Titanic?", "James Cameron", (("Titanic", 0),))


class Endpoint(BaseHTTPRequestHandler):
    """Speaks OpenAI's protocol: every solver searches twice for the same, then finishes."""

    seen: list[dict[str, Any]]

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.seen.append(request)
        finishes = len(self.seen) > 3 and any(tool["function"]["name"] == "finish" for tool in request["tools"])
        name, arguments = ("finish", {"answer": "James Cameron"}) if finishes else ("search", {"query": "Titanic"})
        call = {"id": f"c{len(self.seen)}", "type": "function"}
        call["function"] = {"name": name, "arguments": json.dumps(arguments)}
        message = {"role": "assistant", "content": None, "tool_calls": [call]}
        usage = {"prompt_tokens": 7, "completion_tokens": 1, "total_tokens": 8}
        choice = {"index": 0, "message": message, "finish_reason": "tool_calls"}
        told = {"id": "x", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice], "usage": usage}
        body = json.dumps(told).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


@pytest.fixture
def endpoint() -> Iterator[str]:
    Endpoint.seen = []
    server = ThreadingHTTPServer(("127.0.0.1", 0), Endpoint)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/v1"
    server.shutdown()
    server.server_close()


async def _played(*, memory: bool, client: Any = None, **options: Any) -> Played:
    return await play(QUESTION, PassageSearch(PASSAGES), client or LocalPolicyClient(), memory=memory, **options)


@pytest.mark.parametrize("memory", [False, True])
async def test_the_team_answers_by_what_it_is_shown(memory: bool) -> None:
    went = await _played(memory=memory)
    assert went.answer in str(PASSAGES)
    assert went.answer == QUESTION.answer or not memory
    assert went.steps <= 7
    assert went.prompt_tokens > 0
    assert (went.statistics is not None) is memory


async def test_a_search_answered_from_memory_costs_a_step_and_is_none_for_the_environment(endpoint: str) -> None:
    client = model_client("m", base_url=endpoint)
    went = await _played(memory=True, client=client)
    await client.close()
    assert (went.em, went.searches, went.repeated, went.steps) == (1.0, 1, 0, 5)
    assert went.figures["repeats avoided"] == 3
    assert went.figures["loops broken"] >= 1
    assert "parallel_tool_calls" in Endpoint.seen[0]
    assert "<team>" in str(Endpoint.seen[1]["messages"])
    assert "Answer so far: James Cameron" in str(Endpoint.seen[-1]["messages"])
    assert "Not searched yet: James Cameron" not in str(Endpoint.seen[-1]["messages"])  # the answer is no query


async def test_without_memory_the_same_model_searches_again_and_again(endpoint: str) -> None:
    client = model_client("m", base_url=endpoint)
    went = await _played(memory=False, client=client)
    await client.close()
    assert (went.em, went.searches, went.repeated, went.steps) == (1.0, 4, 3, 5)
    assert went.figures["repeats avoided"] == 0
    assert went.prompt_tokens == 5 * 7
