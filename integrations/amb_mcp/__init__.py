"""AMB as an MCP server: `amb mcp --folder memories`, or `serve_stdio(memory_server(BankFolder("memories")))`.

Any MCP client gets the memory tools: begin_task, remember, recall, deep_retrieval, list_conflicts, task_state and the
rest, on several banks by name, each a store in one folder. `attach` gives the same tools to a server of yours. Nothing
of the MCP SDK is loaded before the first of these names that needs it is used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from amb_core.deferred import deferred
from amb_mcp.banks import BankFolder, Banks, GivenBanks

if TYPE_CHECKING:
    from amb_mcp.longterm import attach_longterm, longterm_server, longterm_tools
    from amb_mcp.servers import attach, detach, memory_server, memory_tools
    from amb_mcp.transports import serve_http, serve_stdio

__all__ = [
    "BankFolder",
    "Banks",
    "GivenBanks",
    "attach",
    "attach_longterm",
    "detach",
    "longterm_server",
    "longterm_tools",
    "memory_server",
    "memory_tools",
    "serve_http",
    "serve_stdio",
]

_HOME = {
    "attach": "servers",
    "attach_longterm": "longterm",
    "detach": "servers",
    "longterm_server": "longterm",
    "longterm_tools": "longterm",
    "memory_server": "servers",
    "memory_tools": "servers",
    "serve_http": "transports",
    "serve_stdio": "transports",
}

__getattr__ = deferred(__name__, _HOME, needs="The MCP SDK", extra="mcp", modules=("mcp", "uvicorn"))
