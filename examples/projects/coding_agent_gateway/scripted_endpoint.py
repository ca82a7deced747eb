"""A script in the place of the model, behind an address of this machine, so that the agent runs without a key."""

import json
import re
import threading
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from typing import Any

FILES = ["RULES.md", "catalogue.py", "orders.py", "test_delivery.py", "delivery.py"]
Call = tuple[str, dict[str, str]]


def script() -> Generator[Call | str, str, None]:
    """What the model does, one request after another. It mends the code only by what its request holds."""
    yield "run_tests", {}
    yield "list_files", {}
    request = ""
    for path in FILES:
        request = yield "read_file", {"path": path}
    while not (rule := re.search(r"Delivery is free from (\d+) euros", request)):
        request = yield "read_file", {"path": "RULES.md"}  # its request no longer holds the rule, so it reads it again
    yield "replace", {"path": "delivery.py", "old": "FREE_FROM = 57", "new": f"FREE_FROM = {rule[1]}"}
    yield "run_tests", {}
    yield f"Delivery is free from {rule[1]} euros now, as RULES.md says. The tests pass."


@contextmanager
def scripted_endpoint() -> Iterator[str]:
    """Serve the script in the form of OpenAI's chat completions; gives the address."""
    model, replies = script(), count()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            request, step = self.rfile.read(int(self.headers["content-length"])).decode(), next(replies)
            said = model.send(request) if step else next(model)
            message: dict[str, Any] = {"role": "assistant", "content": None}
            ended = "stop" if isinstance(said, str) else "tool_calls"
            if isinstance(said, str):
                message["content"] = said
            else:
                function = {"name": said[0], "arguments": json.dumps(said[1])}
                message["tool_calls"] = [{"id": f"call-{step}", "type": "function", "function": function}]
            choice = {"index": 0, "message": message, "finish_reason": ended}
            body = json.dumps({"id": f"reply-{step}", "object": "chat.completion", "created": 0, "choices": [choice]})
            self.send_response(200)
            self.send_header("content-type", "application/json")
            self.end_headers()
            self.wfile.write(body.encode())

        def log_message(self, *args: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/v1"
        server.shutdown()
