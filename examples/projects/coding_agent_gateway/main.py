"""A coding agent behind the gateway: its code knows nothing of AMB, only another base URL.

`python main.py` starts the gateway, lets the agent repair `work/area.py`, and ends. With OPENAI_API_KEY and LLM_MODEL
the model behind the gateway is a real one; without them a scripted one reads many files and then writes one.
"""

import json
import os
import socket
import subprocess
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from openai import OpenAI

WORK = Path(os.environ.get("CODING_FOLDER", "work"))
TASK = "area.py is wrong: repair it. Read all files first."
FIXED = "def area(width: float, height: float) -> float:\n    return width * height\n"


def tool(name: str, text: str, *fields: str) -> dict[str, Any]:
    """A tool as OpenAI's protocol describes it."""
    properties = {field: {"type": "string"} for field in fields}
    parameters = {"type": "object", "properties": properties, "required": [*fields]}
    return {"type": "function", "function": {"name": name, "description": text, "parameters": parameters}}


TOOLS = [
    tool("read_file", "Read a file of the working folder.", "name"),
    tool("write_file", "Write a file of the working folder.", "name", "text"),
]


def use(name: str, arguments: dict[str, str]) -> str:
    """Do what a tool does, within the working folder."""
    file = (WORK / arguments["name"]).resolve()
    if WORK.resolve() not in file.parents:
        return "This file is not in the working folder."
    if name == "write_file":
        file.write_text(arguments["text"], "utf-8")
        return "Written."
    return file.read_text("utf-8")


def agent(base_url: str, model: str) -> str:
    """An agent's loop as one writes it without AMB; it returns what the model says in the end."""
    client = OpenAI(base_url=base_url, api_key=os.environ.get("OPENAI_API_KEY", "none"))
    messages: list[Any] = [{"role": "user", "content": f"{TASK} Files: {sorted(f.name for f in WORK.iterdir())}"}]
    while True:
        reply = client.chat.completions.create(model=model, messages=messages, tools=TOOLS).choices[0].message  # type: ignore[call-overload]
        messages.append(reply.model_dump(exclude_none=True))
        if not reply.tool_calls:
            return str(reply.content)
        for call in reply.tool_calls:
            done = use(call.function.name, json.loads(call.function.arguments))
            messages.append({"role": "tool", "tool_call_id": call.id, "content": done})


class ScriptedProvider(BaseHTTPRequestHandler):
    """Reads one file a turn, then writes area.py; `largest` is the longest request that came, in characters."""

    largest = 0

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers["content-length"]))
        ScriptedProvider.largest = max(self.largest, len(raw))
        said = [str(message) for message in json.loads(raw)["messages"]]
        names = sorted(file.name for file in WORK.iterdir())
        turn = getattr(self.server, "turn", 0)
        self.server.turn = turn + 1  # type: ignore[attr-defined]
        calls = [("read_file", {"name": name}) for name in names]
        calls.append(("write_file", {"name": "area.py", "text": FIXED}))
        message: dict[str, Any] = {"role": "assistant", "content": f"Repaired, after {len(said)} messages."}
        if turn < len(calls):
            name, arguments = calls[turn]
            function = {"name": name, "arguments": json.dumps(arguments)}
            call = {"id": f"call-{turn}", "type": "function", "function": function}
            message = {"role": "assistant", "content": None, "tool_calls": [call]}
        body = {"id": "1", "object": "chat.completion", "created": 0, "model": "scripted",
                "choices": [{"index": 0, "message": message, "finish_reason": "stop"}]}  # fmt: skip
        text = json.dumps(body).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, format: str, *arguments: object) -> None:
        """Say nothing."""


def gateway(upstream: str) -> tuple[subprocess.Popen[bytes], str]:
    """The gateway as a process of its own, and its base URL."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    amb = Path(sys.executable).with_name("amb")
    kept = WORK.parent / "memory"
    asked = [amb, "proxy", "--upstream", upstream, "--port", str(port), "--budget", "8000", "--folder", kept]
    process = subprocess.Popen(asked, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    until = time.monotonic() + 60
    while socket.socket().connect_ex(("127.0.0.1", port)) and time.monotonic() < until:
        time.sleep(0.1)
    return process, f"http://127.0.0.1:{port}/v1"


WORK.mkdir(parents=True, exist_ok=True)
(WORK / "area.py").write_text(FIXED.replace("*", "+"), "utf-8")
for number in range(12):
    (WORK / f"shape_{number:02}.py").write_text(f'"""Shape {number}."""\n' + "SIDE = 1  # metres\n" * 200, "utf-8")
provider = ThreadingHTTPServer(("127.0.0.1", 0), ScriptedProvider)
threading.Thread(target=provider.serve_forever, daemon=True).start()
real = os.environ.get("OPENAI_API_KEY") and os.environ.get("LLM_MODEL")
process, base_url = gateway("https://api.openai.com/v1" if real else f"http://127.0.0.1:{provider.server_port}/v1")
try:
    print(agent(base_url, os.environ.get("LLM_MODEL", "scripted")))
    print((WORK / "area.py").read_text("utf-8"))
    print(f"{sum(file.stat().st_size for file in WORK.iterdir()):,} characters were read")
    print(f"{ScriptedProvider.largest:,} characters were in the largest request" if not real else "")
finally:
    process.terminate()
    process.wait()
# Prints: return width * height
