"""The commands of docs/running.md, in both languages, are commands; those to a server of one's own really answer."""

from __future__ import annotations

import os
import re
import shlex
import signal
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from amb_bench.doubles.chat_server import ChatServer

from amb_cli.command_line import command_parser

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "running.md"
CHINESE = ROOT / "docs" / "zh" / "running.md"
SERVER = "http://127.0.0.1:8088/v1"
NO_PAGE = pytest.mark.skipif(not PAGE.exists(), reason="the pages are in the checkout only")


def commands(page: Path = PAGE) -> list[list[str]]:
    """Every `amb` command of the page, as words."""
    text = page.read_text("utf-8") if page.exists() else ""
    fences = re.findall(r"^```bash\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    return [shlex.split(line)[1:] for fence in fences for line in fence.splitlines() if line.startswith("amb ")]


@NO_PAGE
def test_every_command_of_the_page_is_one() -> None:
    assert len(commands()) == len(commands(CHINESE)) >= 4
    for command in commands() + commands(CHINESE):
        assert command_parser().parse_args(command).command is not None


@pytest.mark.sampled(2)
@NO_PAGE
@pytest.mark.slow
@pytest.mark.parametrize("command", [c for c in commands() if SERVER in c], ids=lambda command: command[-1])
def test_the_commands_to_a_server_of_ones_own_answer(amb_here: Any, endpoint: ChatServer, command: list[str]) -> None:
    (amb_here.folder / "examples").symlink_to(ROOT / "examples")

    ran = amb_here(*(endpoint.url if word == SERVER else word for word in command))

    assert ran.returncode == 0, ran.stderr
    assert "Receipts" in ran.stdout
    assert (amb_here.folder / command[-1] / "memory.html").exists()


def _free_ports() -> int:
    """A port that is free, as is the one before it."""
    for _ in range(50):
        with socket.create_server(("127.0.0.1", 0)) as first:
            port = int(first.getsockname()[1])
            try:
                socket.create_server(("127.0.0.1", port - 1)).close()
            except OSError:
                continue
        return port
    pytest.skip("no two free ports side by side")


@pytest.fixture(scope="module")
def small_model() -> Iterator[str]:
    """The base URL of a real, small model that the script in AMB_LLM_START starts (`SCRIPT smol PORT`)."""
    script = os.environ.get("AMB_LLM_START")
    if not script or not Path(script).exists():
        pytest.skip("needs a script that starts a small model, its path in AMB_LLM_START")
    port = _free_ports()
    home = Path(os.environ.get("AMB_LLM_HOME") or Path.home() / ".cache" / "amb-llm")
    told = subprocess.DEVNULL
    started = subprocess.run([script, "smol", str(port)], stdout=told, stderr=told, timeout=600, check=False)
    if started.returncode:
        pytest.skip("the script in AMB_LLM_START could not start the model")
    yield f"http://127.0.0.1:{port - 1}/v1"
    for line in (home / f"{port}.pid").read_text().split():
        os.kill(int(line), signal.SIGTERM)


@pytest.mark.nightly
@pytest.mark.slow
@pytest.mark.parametrize(
    ("question", "corpus"),
    [("Which cells is the battery built from?", "island_microgrid"), ("青屿海水淡化厂采用什么工艺？", "海水淡化厂")],
)
def test_a_real_small_model_always_ends_with_an_answer(amb: Any, small_model: str, question: str, corpus: str) -> None:
    searched = f"corpus:{ROOT / 'examples' / 'corpora' / corpus}"
    command = ["run", question, "--model", "local", "--base-url", small_model, "--search", searched, "--max-calls", "3"]
    command += ["--max-output-tokens", "200"]

    process = amb.start(*command)
    out, error = process.communicate(timeout=900)

    assert process.returncode == 0, error
    assert "\nAnswer" in out
    assert "ended after" in out
    assert (amb.folder / "amb-run" / "memory.html").exists()
