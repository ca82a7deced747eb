"""`amb` in a process of its own or in this one, and an endpoint on this machine whose model searches, reads every hit
and answers.
"""

from __future__ import annotations

import io
import logging
import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from amb_bench.doubles.chat_server import ChatServer
from amb_bench.doubles.local_chat import LocalChatModel

from amb_chat import ScriptedChatModel
from amb_cli import main
from amb_core.chat_io import ChatReply, ChatRequest, ToolCall

ROOT = Path(__file__).resolve().parents[2]
CORPORA = ROOT / "examples" / "corpora"
SOURCES = (ROOT, ROOT / "integrations", ROOT / "tools")
KEPT = ("PATH", "HOME", "LANG", "SYSTEMROOT")
LINK = re.compile(r"corpus:[^\s›<]+")


def researcher(request: ChatRequest) -> ChatReply:
    """In a first step search and visit each link found, one a turn; then, and in later steps, answer from notes."""
    said = [message for message in request.messages if message.get("role") == "tool"]
    text = "\n".join(str(message.get("content")) for message in request.messages if message["role"] != "system")
    if "the word: ready" in text or ("passages" in text and not request.tools):
        return ChatReply(text="ready" if "the word: ready" in text else "NOTHING")
    cited = re.findall(r"^\[(n\d+)\]", text, re.MULTILINE)
    if not said and not cited:
        return ChatReply(text="", tool_calls=(ToolCall("a", "search", '{"queries": ["plant battery 海水淡化厂"]}'),))
    links = list(dict.fromkeys(LINK.findall(str(said[0].get("content"))))) if said else []
    if said and len(said) <= len(links):
        wanted = f'{{"urls": ["{links[len(said) - 1]}"], "goal": "figures of the plant, 数字"}}'
        return ChatReply(text="", tool_calls=(ToolCall("b", "visit", wanted),))
    return ChatReply(text=f"It is as the register says [{cited[0] if cited else 'n1'}].")


@dataclass
class Paced:
    """A model that takes `seconds` for each answer: of AMB's roles as the local agents do, of the loop a researcher.

    While `answers` is cleared it gives none.
    """

    seconds: float = 0.0
    answers: threading.Event = field(default_factory=threading.Event)
    model: str = "scripted"
    endpoint: str = "here"
    answering: LocalChatModel = field(default_factory=lambda: LocalChatModel(otherwise=ScriptedChatModel(researcher)))

    def complete(self, request: ChatRequest) -> ChatReply:
        """The answer, after a while."""
        time.sleep(self.seconds)
        self.answers.wait(timeout=120)
        return self.answering.complete(request)


@pytest.fixture
def paced() -> Paced:
    """The model behind the endpoint; set `seconds` to have it take its time."""
    model = Paced()
    model.answers.set()
    return model


@pytest.fixture
def endpoint(paced: Paced) -> Iterator[ChatServer]:
    """A server on this machine that counts."""
    with ChatServer(paced) as server:
        yield server


@dataclass
class Amb:
    """Starts `amb` in a folder with a clean environment."""

    folder: Path
    environment: dict[str, str] = field(default_factory=dict)

    def start(self, *arguments: str, stdin: int | None = None) -> subprocess.Popen[str]:
        """The command as a process under way."""
        kept = {name: value for name, value in os.environ.items() if name in KEPT}
        installed = {} if not (ROOT / "amb_core").is_dir() else {"PYTHONPATH": os.pathsep.join(map(str, SOURCES))}
        return subprocess.Popen(
            [sys.executable, "-m", "amb_cli", *arguments],
            cwd=self.folder,
            env=kept | installed | self.environment,
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
        )

    def __call__(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """The command from beginning to end."""
        process = self.start(*arguments)
        out, error = process.communicate(timeout=180)
        return subprocess.CompletedProcess(arguments, process.returncode, out, error)


@pytest.fixture
def amb(tmp_path: Path) -> Amb:
    """`amb` in a folder of the test."""
    return Amb(tmp_path)


@dataclass
class AmbHere:
    """Runs `amb` in this process, to spare the second that a start takes: for what does not turn on the process."""

    folder: Path
    capsys: pytest.CaptureFixture[str]
    caplog: pytest.LogCaptureFixture
    environment: Mapping[str, str] = field(default_factory=dict)

    def __call__(self, *arguments: str, lines: Iterable[str] = ()) -> subprocess.CompletedProcess[str]:
        """The command from beginning to end; what it logs is in `stderr`, where a process would have it.

        `lines` are what it reads from its standard input.
        """
        with pytest.MonkeyPatch.context() as patch:
            patch.chdir(self.folder)
            for name, value in self.environment.items():
                patch.setenv(name, value)
            before, sys.stdin = sys.stdin, io.StringIO("".join(f"{line}\n" for line in lines))
            try:
                code: Any = main(list(arguments))
            except SystemExit as ended:
                code = ended.code
            finally:
                sys.stdin = before
        out, error = self.capsys.readouterr()
        logged = [record.getMessage() for record in self.caplog.records if record.levelno >= logging.WARNING]
        self.caplog.clear()
        return subprocess.CompletedProcess(arguments, code, out, error + "".join(f"{line}\n" for line in logged))


@pytest.fixture
def amb_here(tmp_path: Path, capsys: Any, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch) -> AmbHere:
    """`amb` in a folder of the test and in this process, with a clean environment."""
    for name in os.environ.keys() - {*KEPT, "PYTEST_CURRENT_TEST"}:
        monkeypatch.delenv(name)
    return AmbHere(tmp_path, capsys, caplog)


@pytest.fixture
def asked(endpoint: ChatServer) -> Callable[..., list[str]]:
    """The arguments of a run against the endpoint."""

    def arguments(
        question: str = "What is the daily output of the plant?", corpus: str = "island_microgrid"
    ) -> list[str]:
        searched = ["--search", f"corpus:{CORPORA / corpus}"]
        return ["run", question, "--model", "scripted", "--base-url", endpoint.url, *searched, "--out", "out"]

    return arguments


def until(condition: Callable[[], bool], *, seconds: float = 60.0) -> None:
    """Wait for something that happens elsewhere."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.005)


@pytest.fixture
def wait_until() -> Callable[..., None]:
    """Waits for something that happens elsewhere."""
    return until
