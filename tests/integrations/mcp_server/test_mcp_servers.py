"""A server of yours with the memory tools, a server of banks in this process, and servers that are killed."""

from __future__ import annotations

import asyncio
import json
import os
import runpy
import signal
import subprocess
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("mcp", reason="the MCP SDK is not installed: make test-frameworks")

from amb_contracts.integration_story import fact, page, task
from amb_core import MemoryBank
from amb_mcp import attach, detach, memory_server, memory_tools
from amb_mcp.sdk import Server, names_of_tools

pytestmark = pytest.mark.mcp

CLIENTS = runpy.run_path(str(Path(__file__).with_name("mcp_clients.py")))
READING = {"recall", "deep_retrieval", "list_conflicts", "task_state", "list_banks"}
WRITING = {"begin_task", "remember", "finish_step", "forget"}
HELLO = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}


def _yours() -> Any:
    server = Server("yours")
    server.tool(name="add", description="Add.")(lambda a, b: a + b)
    return server


def _called(server: Any, tool: str, **arguments: Any) -> str:
    told = asyncio.run(server.call_tool(tool, arguments))
    parts = getattr(told, "content", told)
    return str(parts[0].text)


def test_attach_adds_the_tools_and_detach_takes_them_away() -> None:
    server = _yours()
    with MemoryBank(task()) as bank:
        attach(server, bank)
        assert names_of_tools(server) == {"add"} | READING | WRITING
        _called(server, "remember", text=page(0), source="log")
        assert fact(0) in _called(server, "recall", query=fact(0))
        detach(server)
        detach(server)
    assert names_of_tools(server) == {"add"}


def test_a_server_made_with_the_tools_has_them() -> None:
    with MemoryBank(task()) as bank:
        server = Server("yours", tools=memory_tools(bank, read_only=True))
        assert names_of_tools(server) == READING


def test_a_server_for_reading_has_no_tools_that_change_a_bank() -> None:
    with MemoryBank(task()) as bank:
        assert names_of_tools(memory_server({"a": bank}, read_only=True)) == READING


def test_tools_say_whether_they_read_or_destroy() -> None:
    with MemoryBank(task()) as bank:
        tools = asyncio.run(memory_server(bank).list_tools())
    told = {tool.name: tool.model_dump(by_alias=True)["annotations"] for tool in tools}
    assert {name for name in told if told[name]["readOnlyHint"]} == READING
    assert {name for name in told if told[name]["destructiveHint"]} == {"forget"}
    assert not [name for name in told if told[name]["openWorldHint"]]


def test_of_a_failure_of_ours_the_client_learns_only_that_there_was_one() -> None:
    class Broken:
        names = ("default",)

        def working(self, name: str) -> Any:
            raise RuntimeError("secret detail")

    server = memory_server(Broken())  # type: ignore[arg-type]
    with pytest.raises(Exception, match="InternalError: the server failed") as caught:
        asyncio.run(server.call_tool("recall", {"query": "q"}))
    assert "secret" not in str(caught.value)


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="SIGKILL is POSIX")
def test_a_killed_server_has_lost_nothing_it_acknowledged(tmp_path: Path) -> None:
    server = subprocess.Popen(
        CLIENTS["command"](tmp_path, "--goal", task()), env=os.environ | CLIENTS["ENVIRONMENT"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
    )  # fmt: skip
    _ask(server, "initialize", HELLO)
    for number in range(3):
        _ask(server, "tools/call", {"name": "remember", "arguments": {"text": page(number), "source": "log"}})
    server.send_signal(signal.SIGKILL)
    server.communicate()
    with MemoryBank.resume(f"sqlite:///{tmp_path / 'default' / 'memory.db'}") as bank:
        assert [entry.text for entry in bank.snapshot().results] == [page(0), page(1), page(2)]


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="signals are POSIX")
@pytest.mark.parametrize("options", [(), ("--http", "--port", "0")])
def test_an_interrupted_server_ends_at_once(tmp_path: Path, options: tuple[str, ...]) -> None:
    server = subprocess.Popen(
        CLIENTS["command"](tmp_path, "--goal", task(), *options), env=os.environ | CLIENTS["ENVIRONMENT"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    if options:
        next(line for line in server.stderr or () if line.startswith("amb mcp: "))
    else:
        _ask(server, "initialize", HELLO)
    server.send_signal(signal.SIGINT)
    assert server.wait(10) in (130, -signal.SIGINT)
    assert "Traceback" not in server.communicate()[1]


def _ask(server: Any, method: str, params: dict[str, Any]) -> None:
    server.stdin.write(json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}) + "\n")
    server.stdin.flush()
    assert "error" not in json.loads(server.stdout.readline())
