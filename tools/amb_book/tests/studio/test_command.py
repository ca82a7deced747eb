"""`amb studio` as it is started from a shell."""

from __future__ import annotations

import json
import re
import signal
import socket
import subprocess
import sys
import threading
import urllib.request
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from amb_cli import main
from amb_core.install_command import install_command

pytestmark = pytest.mark.slow
NEEDS_SERVER = pytest.mark.skipif(find_spec("uvicorn") is None, reason='needs: pip install "amb[studio]"')


class Silent:
    """An endpoint that takes requests and never answers."""

    def __init__(self) -> None:
        self.listening = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.listening.getsockname()[1]}/v1"
        self.heard = threading.Event()
        self.kept: list[socket.socket] = []
        threading.Thread(target=self._take, daemon=True).start()

    def _take(self) -> None:
        while True:
            self.kept.append(self.listening.accept()[0])
            self.heard.set()


def command(*arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "amb_cli", "studio", "--port", "0", "--no-open", *arguments],
        stderr=subprocess.PIPE,
        text=True,
    )


@NEEDS_SERVER
def test_interrupted_while_a_model_thinks_it_ends_soon_and_keeps_what_was_said(tmp_path: Path) -> None:
    pytest.importorskip("openai", reason='needs: pip install "amb[openai]"')
    silent = Silent()
    running = command(str(tmp_path / "novel"), "--model", "slow", "--base-url", silent.url)
    assert running.stderr is not None
    said = running.stderr.readline()
    assert re.fullmatch(r"amb studio: http://127\.0\.0\.1:\d+/\?key=[\w-]{20,}\n", said), said
    page = said.split()[-1]
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), urllib.request.HTTPCookieProcessor())
    assert b"AMB studio" in opener.open(page, timeout=20).read()
    origin = page.partition("/?")[0]
    token = json.loads(opener.open(f"{origin}/api/start", timeout=20).read())["token"]
    headers = {"origin": origin, "content-type": "application/json", "x-amb-token": token}
    asked = urllib.request.Request(f"{origin}/api/press", b'{"kind": "new", "argument": "chapter 1"}', headers)
    answers: list[bytes] = []
    asking = threading.Thread(target=lambda: answers.append(opener.open(asked, timeout=60).read()))
    asking.start()
    assert silent.heard.wait(30)
    running.send_signal(signal.SIGINT)
    assert running.wait(20) == 130
    asking.join(20)
    assert b"the call was cancelled" in answers[0]
    assert "Traceback" not in running.stderr.read()
    assert (tmp_path / "novel" / "book.db").is_file()


@NEEDS_SERVER
def test_a_file_is_no_book(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "novel.txt").write_text("Chapter 1", encoding="utf-8")
    assert main(["studio", "--port", "0", "--no-open", str(tmp_path / "novel.txt")]) == 1
    assert "name the folder of the book" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [(("--port", "70000"), 2, "from 0 to 65535"), (("--base-url", "http://127.0.0.1:1/v1"), 1, "name both")],
)
def test_wrong_usage_is_told(
    arguments: tuple[str, ...], status: int, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        code: Any = main(["studio", "--port", "0", "--no-open", *arguments])
    except SystemExit as ended:
        code = ended.code
    assert words in capsys.readouterr().err
    assert code == status


def test_without_the_extra_the_command_says_how_to_get_it(tmp_path: Path) -> None:
    code = "import sys; sys.modules['starlette'] = None; from amb_cli import main; sys.exit(main(sys.argv[1:]))"
    book = str(tmp_path / "novel")
    ran = subprocess.run([sys.executable, "-c", code, "studio", book], capture_output=True, text=True)
    assert install_command("studio") in ran.stderr
    assert (ran.returncode, list(tmp_path.iterdir())) == (1, [])
