"""Long-term memory over MCP: six tools for one user, on a server of their own, beside banks, and from the shell."""

from __future__ import annotations

import asyncio
import json
import os
import runpy
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("mcp", reason="the MCP SDK is not installed: make test-frameworks")

from amb_contracts.integration_story import task
from amb_core import InvalidInput, MemoryBank
from amb_longterm import LongTermMemory
from amb_mcp import attach_longterm, longterm_server, memory_server
from amb_mcp.sdk import Server, ToolError, names_of_tools

pytestmark = pytest.mark.mcp

CLIENTS = runpy.run_path(str(Path(__file__).with_name("mcp_clients.py")))
READING = {"memory_search", "memory_summarize", "memory_route"}
SIX = READING | {"memory_write", "memory_update", "memory_delete"}
EUR = "Reports always in EUR, two decimals"


@pytest.fixture
def memory() -> Iterator[LongTermMemory]:
    with LongTermMemory("memory://") as opened:
        yield opened


def _called(server: Any, tool: str, **arguments: Any) -> Any:
    told = asyncio.run(server.call_tool(tool, arguments))
    parts = getattr(told, "content", told)
    return json.loads((parts[0] if isinstance(parts, tuple) else parts)[0].text)


def test_a_client_writes_and_finds(memory: LongTermMemory) -> None:
    server = longterm_server(memory, user="u1")
    assert names_of_tools(server) == SIX
    assert _called(server, "memory_write", content=EUR, namespace="user_profile")["status"] == "inserted"
    assert _called(server, "memory_search", query="in which currency are reports?")[0]["content"] == EUR
    assert _called(server, "memory_route", message="以后都用欧元")["should_write"]


def test_clients_are_told_the_schemas_as_other_agents_are(memory: LongTermMemory) -> None:
    listed = asyncio.run(longterm_server(memory, user="u1", workers=["sql"]).list_tools())
    write = {tool.name: tool.model_dump(by_alias=True) for tool in listed}["memory_write"]
    properties = write["inputSchema"]["properties"]
    places = ["user_profile", "domain_facts", "supervisor_memories", "sql_memories"]
    assert properties["namespace"]["enum"] == places
    assert "user-profile" in json.dumps(properties["metadata"])
    assert write["inputSchema"]["required"] == ["content", "namespace"]


@pytest.mark.parametrize("namespace", ["user_profile/u2", "../u2", "%"])
def test_no_client_reaches_another_user(memory: LongTermMemory, namespace: str) -> None:
    secret = memory.write("the secret plan", namespace="user_profile/u2").id
    server = longterm_server(memory, user="u1")
    for tool, arguments in (("memory_search", {"query": "secret plan"}), ("memory_delete", {"id": secret})):
        with pytest.raises(Exception, match="namespace") as caught:
            _called(server, tool, **arguments, namespace=namespace)
        assert "the secret plan" not in str(caught.value)
    assert memory.get(secret, namespace="user_profile/u2") is not None


def test_what_goes_wrong_is_an_error_of_the_tool(memory: LongTermMemory) -> None:
    server = longterm_server(memory, user="u1")
    with pytest.raises(ToolError, match="memory_search"):
        _called(server, "memory_delete", id="r2222222222")


def test_they_stand_beside_banks_and_not_in_the_way_of_yours(memory: LongTermMemory) -> None:
    with MemoryBank(task()) as bank:
        server = memory_server(bank)
        attach_longterm(server, memory, user="u1")
        assert names_of_tools(server) >= SIX | {"recall", "remember"}
    mine = Server("mine")
    mine.tool(name="memory_write", description="Mine.")(lambda: "mine")
    with pytest.raises(InvalidInput, match="memory_write"):
        attach_longterm(mine, memory, user="u1")
    assert names_of_tools(mine) == {"memory_write"}


def _served(folder: Path, *options: str, asked: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What `amb mcp` answers over stdio, started with these options."""
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    calls = [("initialize", hello), *(("tools/call", each) for each in asked)]
    server = subprocess.Popen(
        [sys.executable, "-m", "amb_cli", "mcp", *options], cwd=folder, env=os.environ | CLIENTS["ENVIRONMENT"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
    )  # fmt: skip
    assert server.stdin is not None
    assert server.stdout is not None
    answers = []
    for number, (method, params) in enumerate(calls):
        request = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
        server.stdin.write(json.dumps(request) + "\n")
        if number == 0:
            server.stdin.write('{"jsonrpc": "2.0", "method": "notifications/initialized"}\n')
        server.stdin.flush()
        answers.append(json.loads(server.stdout.readline())["result"])
    server.communicate()
    return answers[1:]


def test_the_command_line_serves_one_users_memory_from_a_file(tmp_path: Path) -> None:
    options = ("--memory", "sqlite:///memory.db", "--user", "u1")
    write = {"name": "memory_write", "arguments": {"content": EUR, "namespace": "user_profile"}}
    find = {"name": "memory_search", "arguments": {"query": "in which currency are reports?"}}
    (written,) = _served(tmp_path, *options, asked=[write])
    (found,) = _served(tmp_path, *options, "--read-only", asked=[find])
    assert not written.get("isError")
    assert json.loads(found["content"][0]["text"])[0]["content"] == EUR
    assert not (tmp_path / "amb-memories").exists()
