"""`amb mcp` in a process of its own against the contract of a memory server, with the SDK's own client."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

from amb_core.testing.memory_server import MemoryServerContract

pytest.importorskip("mcp", reason="the MCP SDK is not installed: make test-frameworks")
pytestmark = pytest.mark.mcp

CLIENTS = runpy.run_path(str(Path(__file__).with_name("mcp_clients.py")))


class TestOverStdio(MemoryServerContract):
    driver = CLIENTS["OverStdio"]()


class TestOverHttp(MemoryServerContract):
    driver = CLIENTS["OverHttp"]()
