"""The conformance suite of MCP, from its package, against a server with AMB's tools beside the suite's own."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest

pytestmark = pytest.mark.gateway
SUITE = Path(sys.prefix) / "node" / "node_modules" / "@modelcontextprotocol" / "conformance" / "dist" / "index.js"
BESIDE = Path(sys.executable).parent / "node"
NODE = str(BESIDE) if BESIDE.exists() else shutil.which("node")
SERVER = Path(__file__).with_name("conformance_server.py")
NOT_OF_OURS = {
    "elicitation-sep1330-enums",
    "json-schema-2020-12",
    "logging-set-level",
    "resources-subscribe",
    "resources-unsubscribe",
    "server-sse-polling",
    "tools-call-with-logging",
}
"""What the server of the suite's own tools does not offer, with AMB or without."""
OF_ANY_SERVER = {
    "dns-rebinding-protection",
    "ping",
    "prompts-list",
    "resources-list",
    "server-initialize",
    "server-sse-multiple-streams",
    "tools-list",
}
"""The scenarios that ask for no tool, resource or prompt by a name of the suite's own."""
needs_suite = pytest.mark.skipif(
    NODE is None or not SUITE.is_file(), reason="needs node and the suite's package: make test-gateway"
)


@contextmanager
def serving(*command: str):
    """The URL of a server while it runs."""
    environment = dict(os.environ) | {"PYTHONPATH": os.pathsep.join(sys.path)}
    server = subprocess.Popen(
        [sys.executable, *command], env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    try:
        for line in server.stdout:
            if found := re.search(r"http://[^\s]+/mcp", line):
                yield found[0]
                break
        else:
            pytest.fail("the server told no address")
    finally:
        server.terminate()
        server.wait(timeout=30)


def passed(url: str, folder: Path) -> tuple[set[str], set[str]]:
    """The scenarios of which every check passed, and the others."""
    command = [str(NODE), str(SUITE), "server", "--url", url, "--suite", "all", "-o", str(folder)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300, check=False)
    told = re.findall(r"^([✓✗]) ([\w-]+): \d+ passed", done.stdout, re.MULTILINE)
    return {name for mark, name in told if mark == "✓"}, {name for mark, name in told if mark == "✗"}


@needs_suite
def test_a_server_passes_the_same_with_the_tools_of_memory_beside_its_own(tmp_path):
    found = {}
    for how in ("plain", "attached"):
        with serving(str(SERVER), how) as url:
            (tmp_path / how).mkdir()
            found[how] = passed(url, tmp_path / how)
    assert found["attached"] == found["plain"]
    assert found["plain"][1] <= NOT_OF_OURS
    assert len(found["plain"][0]) >= 25


@needs_suite
def test_the_server_of_the_command_line_passes_what_asks_for_no_names_of_the_suite(tmp_path):
    with serving("-m", "amb_mcp", "--folder", str(tmp_path / "banks"), "--http", "--port", "0") as url:
        assert passed(url, tmp_path)[0] >= OF_ANY_SERVER
