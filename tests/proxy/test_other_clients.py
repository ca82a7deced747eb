"""Clients that are no part of the test group: npm's, LangChain's, and the Claude Agent SDK with its command line."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from amb_core.text import estimate_tokens

pytestmark = pytest.mark.gateway
CALLS, BUDGET = 20, 6_000
LAST_WORDS = "All the stations were read, and their codes are known by now. 都读完了。"
PACKAGES = Path(sys.prefix) / "node" / "node_modules"
SCRIPTS = Path(__file__).parent / "node"
BESIDE = Path(sys.executable).parent / "node"
NODE = str(BESIDE) if BESIDE.exists() else shutil.which("node")
WAYS = [(api, how) for api in ("chat", "responses") for how in ("plain", "streamed")]
needs_node = pytest.mark.skipif(
    NODE is None or not PACKAGES.is_dir(), reason="needs node and its packages: make test-gateway"
)


def code_of(number: int) -> str:
    """The fact in the middle of a page."""
    return f"ST-{number:02}-{number * 7919}"


def page(number: int) -> str:
    """4,000 characters with one fact."""
    lines = [f"Station {number} on its line {at} has {at * 7919 % 9973} units in stock." for at in range(70)]
    return "\n".join([*lines[:35], f"The code of station {number} is {code_of(number)}.", *lines[35:]])


def bounded_and_whole(provider, budget: int = BUDGET) -> None:
    """Every request is within the bound with one block at most, holds the newest fact, and parts no call and result."""
    requests = [seen for seen in provider.seen if b"look-" in seen.raw]
    assert len(requests) == CALLS
    assert max(estimate_tokens(seen.raw.decode()) for seen in requests) <= budget
    assert {seen.raw.count(b"<memory>") for seen in requests} == {0, 1}
    for number, seen in enumerate(requests, 1):
        assert code_of(number).encode() in seen.raw
        called = json.dumps(seen.body.get("messages") or seen.body.get("input"))
        ids = {f"look-{rest[:15]}" for rest in called.split("look-")[1:]}
        assert [called.count(f'"{one}"') for one in ids] == [2] * len(ids)


@needs_node
@pytest.mark.parametrize(("api", "how"), WAYS)
@pytest.mark.parametrize("script", ["openai_agent.mjs", "ai_sdk_agent.mjs"])
def test_a_client_of_npm_is_bounded_by_its_base_url_alone(script, api, how, gateway, provider, tmp_path):
    (tmp_path / script).write_text((SCRIPTS / script).read_text("utf-8"), "utf-8")
    (tmp_path / "node_modules").symlink_to(PACKAGES)
    pages = json.dumps([page(number) for number in range(CALLS + 1)])
    command = [str(NODE), script, f"{gateway.url}/v1", api, how, pages]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["answer"] == LAST_WORDS
    bounded_and_whole(provider, BUDGET * 1.05)


@pytest.mark.skipif(find_spec("langchain_openai") is None, reason="needs langchain-openai: make test-gateway")
@pytest.mark.parametrize("streaming", [False, True])
@pytest.mark.parametrize("responses", [False, True])
def test_langchain_with_another_base_url_is_bounded(streaming, responses, gateway, provider):
    from langchain_core.messages import HumanMessage, ToolMessage
    from langchain_openai import ChatOpenAI

    model = ChatOpenAI(
        model="m", base_url=f"{gateway.url}/v1", api_key="key-of-ann", streaming=streaming, max_retries=0,
        use_responses_api=responses,
    ).bind_tools([{"type": "function", "function": {"name": "look", "parameters": {"type": "object"}}}])  # fmt: skip
    messages = [HumanMessage("Read all.")]
    while (said := model.invoke(messages)).tool_calls:
        messages.append(said)
        messages += [ToolMessage(page(call["args"]["number"]), tool_call_id=call["id"]) for call in said.tool_calls]
    assert said.text == LAST_WORDS
    bounded_and_whole(provider, BUDGET * 1.05)


@pytest.mark.skipif(find_spec("claude_agent_sdk") is None, reason="needs claude-agent-sdk: make test-gateway")
def test_the_claude_agent_sdk_with_its_own_command_line_is_bounded(gateway, provider, tmp_path):
    answer = asyncio.run(asked_claude(gateway.url, tmp_path / "home"))
    assert answer == LAST_WORDS
    bounded_and_whole(provider, BUDGET * 1.2)  # its bodies have more beside the transcript
    sessions = {seen.headers.get("x-claude-code-session-id") for seen in provider.seen if b"look-" in seen.raw}
    assert len(sessions) == 1


async def asked_claude(url: str, home: Path) -> str | None:
    """What the agent answers that the bundled command line runs."""
    from claude_agent_sdk import ClaudeAgentOptions, ResultMessage, create_sdk_mcp_server, query, tool

    @tool("look", "Read a page.", {"number": int})
    async def look(given):
        return {"content": [{"type": "text", "text": page(given["number"])}]}

    quiet = ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "DISABLE_TELEMETRY", "DISABLE_AUTOUPDATER", "IS_SANDBOX")
    places = {"HOME": str(home), "CLAUDE_CONFIG_DIR": str(home), "PATH": os.environ["PATH"]}
    options = ClaudeAgentOptions(
        model="m", system_prompt="Read all pages.", tools=[], max_turns=40, setting_sources=[],
        mcp_servers={"book": create_sdk_mcp_server("book", tools=[look])}, permission_mode="bypassPermissions",
        env=places | {"ANTHROPIC_BASE_URL": url, "ANTHROPIC_API_KEY": "key-of-ann"} | dict.fromkeys(quiet, "1"),
    )  # fmt: skip
    answers = [
        said.result async for said in query(prompt="Read all.", options=options) if isinstance(said, ResultMessage)
    ]
    return answers[-1]
