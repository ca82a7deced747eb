"""Keys are used and never said: not in what is printed, not in any file, whatever the endpoint sends back."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from amb_cli.discreet import discreet_tool
from amb_cli.environment import Secrets, environment
from amb_core.adapter import Tool
from amb_core.errors import InvalidInput

KEY = "sk-live-4f9a1b7c2d8e6f"
CORPUS = Path(__file__).resolve().parents[2] / "examples" / "corpora" / "island_microgrid"


class _Echo(BaseHTTPRequestHandler):
    """Says the key it was called with: in its answers, or in what it refuses."""

    status = 200

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        said = f"You called me with {self.headers['Authorization']}, thank you"
        choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": said}}
        body = {"id": "x", "object": "chat.completion", "created": 0, "model": said, "choices": [choice]}
        data = json.dumps({"error": {"message": said}} if self.status != 200 else body).encode()
        self.send_response(self.status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@pytest.fixture
def echo() -> Iterator[Callable[[int], str]]:
    """Starts a server that answers with a status and the key in it; its base URL."""
    servers = []

    def opened(status: int) -> str:
        handler = type("_Answering", (_Echo,), {"status": status})
        server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        servers.append(server)
        Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        return f"http://127.0.0.1:{server.server_address[1]}/v1"

    yield opened
    for server in servers:
        server.shutdown()
        server.server_close()


def told(folder: Path, ran: Any) -> bytes:
    """Everything that was printed and written, but the file the key is read from."""
    files = [file for file in folder.rglob("*") if file.is_file() and file.name != ".env"]
    return (ran.stdout + ran.stderr).encode() + b"".join(file.read_bytes() for file in files)


@pytest.mark.sampled(4)
@pytest.mark.slow
@pytest.mark.parametrize("status", [200, 400, 401, 404])
@pytest.mark.parametrize("place", ["environment", ".env"])
def test_a_key_is_nowhere_whatever_the_endpoint_says(amb_here: Any, echo: Any, status: int, place: str) -> None:
    if place == ".env":
        (amb_here.folder / ".env").write_text(f"LLM_API_KEY={KEY}\nLLM_MODEL=m\nLLM_BASE_URL={echo(status)}\n", "utf-8")
    else:
        amb_here.environment = {"LLM_API_KEY": KEY, "LLM_MODEL": "m", "LLM_BASE_URL": echo(status)}

    ran = amb_here(
        "run", "What does the plant use?", "--search", f"corpus:{CORPUS}", "--max-calls", "2", "--record", "r.jsonl"
    )

    assert ran.returncode == (0 if status == 200 else 1), ran.stderr
    assert KEY.encode() not in told(amb_here.folder, ran)
    if status == 200:
        assert b"You called me with" in told(amb_here.folder, ran)
    else:
        assert ran.stderr.count("\n") == 1
        assert not (amb_here.folder / "amb-run").exists()


def test_a_key_on_the_command_line_is_refused_and_not_repeated(amb_here: Any) -> None:
    for arguments in (["--api-key", KEY], [f"--api-key={KEY}"], ["--base-url", f"https://me:{KEY}@host/v1"]):
        ran = amb_here("run", "What?", "--model", "m", *arguments)
        assert ran.returncode == 2
        assert KEY not in ran.stdout + ran.stderr
        assert "LLM_API_KEY" in ran.stderr


def test_a_key_that_cannot_be_one_is_refused_before_it_stands_in_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LLM_API_KEY", "sk-with a blank-in-it")
    with pytest.raises(InvalidInput, match="LLM_API_KEY holds characters") as caught, environment(tmp_path):
        pass
    assert "blank-in-it" not in str(caught.value)


def test_the_environment_goes_before_the_file_and_is_left_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import os

    (tmp_path / ".env").write_text("LLM_MODEL=from-file\nSERPER_API_KEY=' serper-12345 '\nPATH=/nowhere\n", "utf-8")
    monkeypatch.setenv("LLM_MODEL", "from-environment")
    before = dict(os.environ)
    with environment(tmp_path) as secrets:
        assert os.environ["LLM_MODEL"] == "from-environment"
        assert os.environ["SERPER_API_KEY"] == "serper-12345"
        assert os.environ["PATH"] == before["PATH"]
        assert secrets.hide("key=serper-12345;") == "key=***;"
    assert dict(os.environ) == before


def test_a_tool_cannot_say_a_key() -> None:
    chatty = Tool("chatty", "", {}, lambda: f"the key is {KEY}")
    tool = discreet_tool(chatty, Secrets({"SERPER_API_KEY": KEY}))
    assert tool() == tool.run().text == "the key is ***"


@pytest.mark.slow
def test_a_key_on_a_page_is_in_no_record_and_no_kept_file(amb_here: Any, endpoint: Any) -> None:
    (amb_here.folder / "pages").mkdir()
    page = f"# Plant\n\nThe battery of the plant is opened with {KEY}, 海水淡化厂.\n"
    (amb_here.folder / "pages" / "plant.md").write_text(page, "utf-8")
    amb_here.environment = {"LLM_API_KEY": KEY, "LLM_MODEL": "m", "LLM_BASE_URL": endpoint.url}

    ran = amb_here("run", "What does the plant use?", "--search", "corpus:pages", "--record", "r.jsonl")
    (amb_here.folder / "pages" / "plant.md").unlink()

    assert ran.returncode == 0, ran.stderr
    assert KEY.encode() not in told(amb_here.folder, ran)
    assert "opened with ***" in (amb_here.folder / "r.jsonl").read_text("utf-8")


@pytest.mark.slow
def test_a_question_with_a_key_in_it_is_not_taken(amb_here: Any) -> None:
    amb_here.environment = {"LLM_API_KEY": KEY, "LLM_MODEL": "m"}
    ran = amb_here("run", f"Is {KEY} right?", "--base-url", "http://127.0.0.1:9/v1")
    assert (ran.returncode, ran.stderr.count("\n")) == (1, 1)
    assert KEY.encode() not in told(amb_here.folder, ran)
