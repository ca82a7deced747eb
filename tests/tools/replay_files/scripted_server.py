"""A server on this machine that answers as three model APIs would, after a script, and keeps LangSmith's runs.

What it answers depends on the tools a request offers and on how many turns the assistant has had: see SCRIPTS.
"""

from __future__ import annotations

import gzip
import json
import re
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

__all__ = ["Turn", "serve"]

Turn = dict[str, Any]
REASONING = "The pages of both harbours are needed."
SUBMIT = "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT && echo 80 and 87 metres"
LAST: Turn = {"text": "The quay of Lyness is 80 metres long, that of Kirkwall 87 metres."}


def _shell(tool: str, argument: str, **more: Any) -> list[Turn]:
    first = [
        (tool, {argument: command, **more}) for command in ("echo 'Lyness: 80 metres'", "echo 'Kirkwall: 87 metres'")
    ]
    return [
        {"text": "I read both pages.", "calls": first},
        {"calls": [(tool, {argument: "ls no-such-page", **more})]},
        LAST,
    ]


def _with_helper(tool: str) -> list[Turn]:
    """First a helper is sent, then the agent reads itself."""
    sent = {"description": "Read", "prompt": "Read both pages.", "subagent_type": "general-purpose"}
    told = {"text": "A helper reads them.", "calls": [(tool, sent)]}
    return [told, *_shell("Bash", "command", description="Read a page")]


PAGES: list[Turn] = [
    {"text": "I read both pages.", "calls": [("read_page", {"number": 1}), ("read_page", {"number": 2})]},
    {"calls": [("read_page", {"number": 3})]},
    LAST,
]
SCRIPTS: dict[str, list[Turn]] = {
    "read_page": PAGES,
    "Task": _with_helper("Task"),
    "Agent": _with_helper("Agent"),
    "Bash": _shell("Bash", "command", description="Read a page"),
    "execute_bash": _shell("execute_bash", "command"),
    "exec_command": _shell("exec_command", "cmd"),
    "shell_command": _shell("shell_command", "command"),
    "terminal": [*_shell("terminal", "command")[:2], {"calls": [("finish", {"message": LAST["text"]})]}],
    "bash": [*_shell("bash", "command")[:2], {"calls": [("bash", {"command": SUBMIT})]}],
}
SCRIPTS["bash, one by one"] = [
    {"text": turn.get("text"), "calls": [call]} for turn in _shell("bash", "command")[:2] for call in turn["calls"]
]


def _tool_names(body: dict[str, Any]) -> set[str]:
    return {(tool.get("function") or tool).get("name", "") for tool in body.get("tools") or ()}


def _turns(body: dict[str, Any]) -> int:
    """How many turns the assistant has had; items of one Responses turn stand side by side."""
    count, before = 0, False
    for item in body.get("messages") or (body["input"] if isinstance(body.get("input"), list) else []):
        mine = item.get("role") == "assistant" or item.get("type") in ("function_call", "reasoning", "custom_tool_call")
        count += mine and not before
        before = mine
    return count


def next_turn(body: dict[str, Any]) -> Turn:
    """What the model says next to this request."""
    names = _tool_names(body)
    if "Read both pages." in json.dumps((body.get("messages") or [None])[0]):
        names -= {"Task", "Agent"}
    if "one call at a time" in json.dumps(body.get("messages")):
        names = {"bash, one by one"}
    script = next((turns for tool, turns in SCRIPTS.items() if tool in names), [LAST])
    return script[min(_turns(body), len(script) - 1)]


def _ids(body: dict[str, Any], turn: Turn) -> list[tuple[str, str, dict[str, Any]]]:
    return [(f"call_{_turns(body)}_{n}", name, args) for n, (name, args) in enumerate(turn.get("calls", ()))]


def chat_completion(body: dict[str, Any]) -> dict[str, Any]:
    turn = next_turn(body)
    calls = [
        {"id": made, "type": "function", "function": {"name": name, "arguments": json.dumps(args)}}
        for made, name, args in _ids(body, turn)
    ]
    message = {"role": "assistant", "content": turn.get("text"), "reasoning_content": REASONING}
    choice = {"index": 0, "message": message | ({"tool_calls": calls} if calls else {})}
    return {
        "id": f"chatcmpl-{_turns(body)}",
        "object": "chat.completion",
        "created": 1767225600,
        "model": body.get("model"),
        "choices": [choice | {"finish_reason": "tool_calls" if calls else "stop"}],
        "usage": {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120},
    }


def chat_events(body: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    whole = chat_completion(body)
    message = whole["choices"][0].pop("message")
    message["tool_calls"] = [call | {"index": n} for n, call in enumerate(message.get("tool_calls", ()))]
    reason = whole["choices"][0].pop("finish_reason")
    whole["object"] = "chat.completion.chunk"
    yield "", whole | {"choices": [{"index": 0, "delta": message, "finish_reason": None}]}
    yield "", whole | {"choices": [{"index": 0, "delta": {}, "finish_reason": reason}]}


def response(body: dict[str, Any]) -> dict[str, Any]:
    turn, n = next_turn(body), _turns(body)
    output: list[dict[str, Any]] = [
        {"type": "reasoning", "id": f"rs_{n}", "summary": [{"type": "summary_text", "text": REASONING}]}
    ]
    if turn.get("text"):
        text = {"type": "output_text", "text": turn["text"], "annotations": []}
        output.append(
            {"type": "message", "id": f"msg_{n}", "role": "assistant", "status": "completed", "content": [text]}
        )
    output += [
        {
            "type": "function_call",
            "id": f"fc_{made}",
            "call_id": made,
            "name": name,
            "arguments": json.dumps(args),
            "status": "completed",
        }
        for made, name, args in _ids(body, turn)
    ]
    usage = {"input_tokens": 100, "output_tokens": 20, "total_tokens": 120}
    details = {"input_tokens_details": {"cached_tokens": 0}, "output_tokens_details": {"reasoning_tokens": 0}}
    return {
        "id": f"resp_{n}",
        "object": "response",
        "created_at": 1767225600,
        "status": "completed",
        "model": body.get("model"),
        "output": output,
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
        "usage": usage | details,
    }


def response_events(body: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    whole = response(body)
    yield "response.created", {"type": "response.created", "response": whole | {"output": [], "status": "in_progress"}}
    for n, item in enumerate(whole["output"]):
        yield "response.output_item.added", {"type": "response.output_item.added", "output_index": n, "item": item}
        yield "response.output_item.done", {"type": "response.output_item.done", "output_index": n, "item": item}
    yield "response.completed", {"type": "response.completed", "response": whole}


def anthropic_message(body: dict[str, Any]) -> dict[str, Any]:
    turn = next_turn(body)
    thinking = {"type": "thinking", "thinking": REASONING, "signature": "c2lnbmVk"}
    content = [thinking] if (body.get("thinking") or {}).get("type", "disabled") != "disabled" else []
    content += [{"type": "text", "text": turn["text"]}] if turn.get("text") else []
    content += [
        {"type": "tool_use", "id": f"tool_{made}", "name": name, "input": args} for made, name, args in _ids(body, turn)
    ]
    return {
        "id": f"msg_{_turns(body)}_{len(_tool_names(body))}",
        "type": "message",
        "role": "assistant",
        "model": body.get("model"),
        "content": content,
        "stop_reason": "tool_use" if turn.get("calls") else "end_turn",
        "stop_sequence": None,
        "usage": {"input_tokens": 100, "output_tokens": 20},
    }


def anthropic_events(body: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    whole = anthropic_message(body)
    start = {"type": "message_start", "message": whole | {"content": [], "stop_reason": None}}
    yield "message_start", start
    for n, block in enumerate(whole["content"]):
        yield from _block_events(n, block)
    usage = {"output_tokens": 20}
    delta = {"stop_reason": whole["stop_reason"], "stop_sequence": None}
    yield "message_delta", {"type": "message_delta", "delta": delta, "usage": usage}
    yield "message_stop", {"type": "message_stop"}


def _block_events(n: int, block: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    kind = block["type"]
    empty = {"text": {"text": ""}, "thinking": {"thinking": "", "signature": ""}, "tool_use": {"input": {}}}[kind]
    yield "content_block_start", {"type": "content_block_start", "index": n, "content_block": block | empty}
    deltas: list[dict[str, Any]] = {
        "text": [{"type": "text_delta", "text": block.get("text")}],
        "thinking": [
            {"type": "thinking_delta", "thinking": block.get("thinking")},
            {"type": "signature_delta", "signature": block.get("signature")},
        ],
        "tool_use": [{"type": "input_json_delta", "partial_json": json.dumps(block.get("input"))}],
    }[kind]
    for delta in deltas:
        yield "content_block_delta", {"type": "content_block_delta", "index": n, "delta": delta}
    yield "content_block_stop", {"type": "content_block_stop", "index": n}


APIS = {
    "/chat/completions": (chat_completion, chat_events),
    "/responses": (response, response_events),
    "/messages": (anthropic_message, anthropic_events),
}


class _Handler(BaseHTTPRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:
        pass

    def do_GET(self) -> None:
        self._send(json.dumps({"instance_flags": {}, "version": "0.0.0"}).encode(), "application/json")

    do_HEAD = do_GET  # noqa: N815 - the name is the server's

    def do_PATCH(self) -> None:
        self._run(self.path.rpartition("/")[2]).update(json.loads(self._body()))
        self._send(b"{}", "application/json")

    def _run(self, id: str) -> dict[str, Any]:
        """What is kept of a run of LangSmith."""
        return self.server.runs.setdefault(id, {})  # type: ignore[attr-defined, no-any-return]

    def do_POST(self) -> None:
        data = self._body()
        path = self.path.partition("?")[0]
        self.server.received.append((path, dict(self.headers), data))  # type: ignore[attr-defined]
        if path == "/runs":
            run = json.loads(data)
            run.pop("attachments", None)
            self._run(run["id"]).update(run)
        elif path == "/runs/query":
            runs = self.server.runs.values()  # type: ignore[attr-defined]
            kept = [{"session_id": run["id"], "app_path": "/"} | run for run in runs]
            self._send(json.dumps({"runs": kept, "cursors": {}}).encode(), "application/json")
            return
        api = next((both for end, both in APIS.items() if path.endswith(end)), None)
        if api is None:
            self._send(b"{}", "application/json")
            return
        body = json.loads(data)
        if body.get("stream"):
            events = "".join(
                (f"event: {name}\n" if name else "") + f"data: {json.dumps(event)}\n\n" for name, event in api[1](body)
            )
            self._send(
                f"{events}{'data: [DONE]' + chr(10) * 2 if 'chat' in path else ''}".encode(), "text/event-stream"
            )
        else:
            self._send(json.dumps(api[0](body)).encode(), "application/json")

    def _body(self) -> bytes:
        if "chunked" in self.headers.get("transfer-encoding", ""):
            data = b""
            while size := int(self.rfile.readline().split(b";")[0], 16):
                data += self.rfile.read(size)
                self.rfile.readline()
            self.rfile.readline()
        else:
            data = self.rfile.read(int(self.headers.get("content-length") or 0))
        return gzip.decompress(data) if self.headers.get("content-encoding") == "gzip" else data

    def _send(self, data: bytes, kind: str) -> None:
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)


def serve(port: int = 0) -> ThreadingHTTPServer:
    """A running server; `server_port` is where, `received` the (path, headers, body) of every POST."""
    server = ThreadingHTTPServer(("127.0.0.1", port), _Handler)
    server.received, server.runs = [], {}  # type: ignore[attr-defined]
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


if __name__ == "__main__":
    import sys
    import time

    running = serve(int(sys.argv[1]))
    while True:
        time.sleep(1)
        for path, _, data in running.received[:]:  # type: ignore[attr-defined]
            running.received.pop(0)  # type: ignore[attr-defined]
            print(path, re.sub(r"\s+", " ", data[:3000].decode("utf-8", "replace")), flush=True)
