"""What is named differently in the two major versions of the MCP SDK."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from mcp.types import ToolAnnotations

__all__ = ["ResourceError", "Server", "Tool", "ToolError", "hints", "http_app", "names_of_tools"]

_HOME = "mcp.server.mcpserver" if find_spec("mcp.server.mcpserver") else "mcp.server.fastmcp"
Server: Any = getattr(import_module(_HOME), "MCPServer" if _HOME.endswith("mcpserver") else "FastMCP")
Tool: Any = import_module(f"{_HOME}.tools").Tool
ToolError: Any = import_module(f"{_HOME}.exceptions").ToolError
ResourceError: Any = import_module(f"{_HOME}.exceptions").ResourceError


def hints(*, reads: bool, repeats: bool, destroys: bool = False) -> ToolAnnotations:
    """What a client may tell its user of a tool; all of them stay on this machine."""
    return ToolAnnotations.model_validate(
        {"readOnlyHint": reads, "destructiveHint": destroys, "idempotentHint": repeats, "openWorldHint": False}
    )


def names_of_tools(server: Any) -> set[str]:
    """The tools a server has; asked in a thread of its own, since the SDK answers in async only."""
    with ThreadPoolExecutor(1) as pool:
        return {tool.name for tool in pool.submit(asyncio.run, server.list_tools()).result()}


def http_app(server: Any, security: Any) -> Any:
    """The server as an ASGI application at /mcp, with that TransportSecuritySettings."""
    if hasattr(server.settings, "transport_security"):  # 1.x keeps it on the server
        server.settings.transport_security = security
        return server.streamable_http_app()
    return server.streamable_http_app(transport_security=security)
