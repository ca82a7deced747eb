"""A script in the place of the model, behind an address of this machine, so that the agent runs without a key."""

import json
import re
import threading
from collections.abc import Generator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

from amb_cli.user_language import choose_language

TEXTS: dict[str, str] = json.loads(Path(__file__).with_name("texts.json").read_text("utf-8"))[choose_language()]
FILES = ["RULES.md", "catalogue.py", "orders.py", "test_delivery.py", "delivery.py"]


def script() -> Generator[Any, str, None]:
    """What the model does, one request after another. It mends the code only by what its request holds."""
    yield "run_tests", {}
    yield "list_files", {}
    request = ""
    for path in FILES:
        request = yield "read_file", {"path": path}
    while not (rule := re.search(TEXTS["rule"], request)):
        request = yield "read_file", {"path": "RULES.md"}  # the rule is no longer there, so it reads it again
    yield "replace", {"path": "delivery.py", "old": "FREE_FROM = 57", "new": f"FREE_FROM = {rule[1]}"}
    yield "run_tests", {}
    yield TEXTS["done"].format(rule[1])


class Handler(BaseHTTPRequestHandler):
    """Says what comes next in the script, in the form of OpenAI's chat completions."""

    model, step = script(), 0

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing of each request."""

    def do_POST(self) -> None:
        """Answer one request."""
        request = self.rfile.read(int(self.headers["content-length"])).decode()
        said, Handler.step = self.model.send(request) if self.step else next(self.model), self.step + 1
        message, ended = {"role": "assistant", "content": said}, "stop"
        if isinstance(said, tuple):
            function = {"name": said[0], "arguments": json.dumps(said[1])}
            call = {"id": f"call-{self.step}", "type": "function", "function": function}
            message, ended = {"role": "assistant", "content": None, "tool_calls": [call]}, "tool_calls"
        choice = {"index": 0, "message": message, "finish_reason": ended}
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.end_headers()
        self.wfile.write(json.dumps({"id": "r", "object": "chat.completion", "choices": [choice]}).encode())


def serve_script() -> str:
    """Serve until the program ends; gives the address."""
    server = HTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}/v1"
