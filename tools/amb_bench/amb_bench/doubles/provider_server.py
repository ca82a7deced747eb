"""A provider on this machine that speaks three APIs, plain and streamed, and misbehaves when a request asks it to.

    with ProviderServer(lambda talk: Say("", [("look", {"n": talk.asked})])) as provider:
        client = OpenAI(base_url=f"{provider.url}/v1", api_key="key")

The header `x-fault` of a request names what goes wrong with its answer.
"""

from __future__ import annotations

import gzip
import json
import threading
import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib import import_module
from types import TracebackType
from typing import Any, Literal, Self, cast, get_args

__all__ = ["ProviderFault", "ProviderServer", "Say", "Seen"]

ProviderFault = Literal["reset", "torn", "slow", "html", "busy", "refused", "wrong-type", "gzip", "br", "zstd"]
_FAULTS = frozenset(get_args(ProviderFault))
_PIECE = 9


@dataclass(frozen=True, slots=True)
class Say:
    """What the model says: text, and calls as (name, arguments); `thinking` comes signed before both.

    `prompt_tokens` is what the request is told to have had, in a stream of chat completions behind the end as well.
    """

    text: str = ""
    calls: Sequence[tuple[str, Mapping[str, Any]]] = ()
    thinking: str = ""
    ids: Sequence[str] = ()
    prompt_tokens: int = 0


@dataclass(frozen=True, slots=True)
class Seen:
    """One request as it came: its path, headers in small letters, its bytes and its JSON."""

    path: str
    headers: Mapping[str, str]
    raw: bytes
    body: Mapping[str, Any] = field(default_factory=dict)


class ProviderServer:
    """Serves `answer`, a function of the request, at `url` while the context is open; `seen` are all requests."""

    def __init__(self, answer: Callable[[Seen], Say]) -> None:
        self.seen: list[Seen] = []
        self.sent: list[bytes] = []
        self._answer = answer
        provider = self

        class Handler(_Handler):
            server_of = provider

        self._server = _Server(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)

    @property
    def url(self) -> str:
        """Its address, without a path."""
        return f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()

    def say(self, seen: Seen) -> Say:
        """What the model says to a request."""
        self.seen.append(seen)
        return self._answer(seen)


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 256  # as many as ask at once are let in


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_of: ProviderServer

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""

    def do_GET(self) -> None:
        """Answer what is no request of a model."""
        self._whole(200, "application/json", json.dumps({"object": "list", "data": [], "path": self.path}).encode())

    def do_POST(self) -> None:
        """Answer a request of a model in its API, or what it asks to go wrong."""
        raw = self.rfile.read(int(self.headers.get("content-length") or 0))
        headers = {name.lower(): value for name, value in self.headers.items()}
        kind = next((kind for kind in _APIS if self.path.split("?")[0].endswith(kind)), "")
        body = json.loads(raw) if raw.startswith(b"{") else {}
        seen, fault = Seen(self.path, headers, raw, body), headers.get("x-fault", "")
        if not kind:
            self.server_of.seen.append(seen)
            self._whole(200, "application/json", raw)
        elif fault in ("html", "busy", "refused"):
            self.server_of.seen.append(seen)
            self._fault(fault)
        else:
            reply, events = _APIS[kind](self.server_of.say(seen))
            if body.get("stream"):
                self._stream(b"".join(events), fault)
            else:
                kind = "text/plain" if fault == "wrong-type" else "application/json"
                self._reply(kind, json.dumps(reply).encode(), fault)

    def _reply(self, kind: str, body: bytes, fault: str) -> None:
        if fault in ("gzip", "br", "zstd"):
            self._whole(200, kind, _compressed(body, fault), [("content-encoding", fault)])
        else:
            self._whole(200, kind, body)

    def _fault(self, fault: str) -> None:
        if fault == "html":
            self._whole(200, "text/html", b"<html><body>Sign in to the network</body></html>")
        elif fault == "busy":
            self._whole(429, "application/json", b'{"error":{"message":"slow down"}}', [("retry-after", "7")])
        else:
            self._whole(400, "application/json", b'{"error":{"message":"no such model","code":"model_not_found"}}')

    def _whole(self, status: int, kind: str, body: bytes, more: Sequence[tuple[str, str]] = ()) -> None:
        self.server_of.sent.append(body)
        self.send_response(status)
        for name, value in (
            ("content-type", kind),
            ("content-length", str(len(body))),
            ("x-request-id", "req_1"),
            *more,
        ):
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def _stream(self, body: bytes, fault: str) -> None:
        self.server_of.sent.append(body)
        self.send_response(200)
        for name, value in (
            ("content-type", "text/event-stream"),
            ("transfer-encoding", "chunked"),
            ("x-request-id", "req_1"),
        ):
            self.send_header(name, value)
        self.end_headers()
        size = {"torn": 1, "slow": 200}.get(fault, 4096)
        for at in range(0, len(body) // (2 if fault == "reset" else 1), size):
            piece = body[at : at + size]
            self.wfile.write(f"{len(piece):x}\r\n".encode() + piece + b"\r\n")
            self.wfile.flush()
            if fault == "slow":
                time.sleep(0.01)
        if fault == "reset":
            self.close_connection = True
            self.connection.close()
            return
        self.wfile.write(b"0\r\n\r\n")


def _compressed(body: bytes, way: str) -> bytes:
    if way == "gzip":
        return gzip.compress(body)
    module = import_module("brotli" if way == "br" else "zstandard")  # the gateway needs them, this server does not
    return cast("bytes", module.compress(body))


def _ids(say: Say, prefix: str) -> list[str]:
    return [*say.ids, *(f"{prefix}{uuid.uuid4().hex[:24]}" for _ in say.calls[len(say.ids) :])]


def _pieces(text: str) -> Iterator[str]:
    return (text[at : at + _PIECE] for at in range(0, len(text), _PIECE))


def _event(fields: Mapping[str, Any], *, named: bool = False) -> bytes:
    name = f"event: {fields['type']}\n" if named else ""
    return f"{name}data: {json.dumps(fields, ensure_ascii=False)}\n\n".encode()


# --- the three APIs: a whole reply, and the same as events ------------------------------------------------------------


def _chat(say: Say) -> tuple[dict[str, Any], list[bytes]]:
    calls = [
        {"id": key, "type": "function", "function": {"name": name, "arguments": json.dumps(given)}}
        for key, (name, given) in zip(_ids(say, "call_"), say.calls, strict=True)
    ]
    message: dict[str, Any] = {"role": "assistant", "content": say.text or None, "refusal": None}
    message |= {"tool_calls": calls} if calls else {}
    asked = say.prompt_tokens or 10
    usage = {"prompt_tokens": asked, "completion_tokens": 5, "total_tokens": asked + 5}
    head: dict[str, Any] = {
        "id": f"chatcmpl-{uuid.uuid4().hex}",
        "created": 1,
        "model": "m",
        "system_fingerprint": "fp",
    }
    reason = "tool_calls" if calls else "stop"
    choice = {"index": 0, "message": message, "finish_reason": reason}
    whole = {**head, "object": "chat.completion", "choices": [choice], "usage": usage, "unknown": {"kept": True}}
    deltas: list[dict[str, Any]] = [
        {"role": "assistant", "content": ""},
        *({"content": one} for one in _pieces(say.text)),
    ]
    for at, call in enumerate(calls):
        function = cast("dict[str, str]", call["function"])
        begun = {
            "index": at,
            "id": call["id"],
            "type": "function",
            "function": {"name": function["name"], "arguments": ""},
        }
        deltas.append({"tool_calls": [begun]})
        deltas += [
            {"tool_calls": [{"index": at, "function": {"arguments": one}}]} for one in _pieces(function["arguments"])
        ]
    chunk = {**head, "object": "chat.completion.chunk"}
    events = [_event({**chunk, "choices": [{"index": 0, "delta": one, "finish_reason": None}]}) for one in deltas]
    events.append(_event({**chunk, "choices": [{"index": 0, "delta": {}, "finish_reason": reason}]}))
    if say.prompt_tokens:
        events.append(_event({**chunk, "choices": [], "usage": usage}))
    return whole, [*events, b"data: [DONE]\n\n"]


def _anthropic(say: Say) -> tuple[dict[str, Any], list[bytes]]:
    blocks: list[dict[str, Any]] = []
    if say.thinking:
        blocks.append({"type": "thinking", "thinking": say.thinking, "signature": "c2lnbmVk"})
    if say.text:
        blocks.append({"type": "text", "text": say.text})
    for key, (name, given) in zip(_ids(say, "toolu_"), say.calls, strict=True):
        blocks.append({"type": "tool_use", "id": key, "name": name, "input": dict(given)})
    reason = "tool_use" if say.calls else "end_turn"
    head = {
        "id": f"msg_{uuid.uuid4().hex}",
        "type": "message",
        "role": "assistant",
        "model": "m",
        "stop_sequence": None,
    }
    usage = {"input_tokens": 10, "output_tokens": 5}
    usage |= {"cache_read_input_tokens": say.prompt_tokens - 10} if say.prompt_tokens else {}
    whole = {**head, "content": blocks, "stop_reason": reason, "usage": usage}
    told: list[dict[str, Any]] = [
        {"type": "message_start", "message": {**head, "content": [], "stop_reason": None, "usage": usage}}
    ]
    for at, block in enumerate(blocks):
        told += _block_events(at, block)
    told.append({"type": "message_delta", "delta": {"stop_reason": reason, "stop_sequence": None}, "usage": usage})
    return whole, [_event(one, named=True) for one in [*told, {"type": "message_stop"}]]


def _block_events(at: int, block: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    shapes: dict[str, dict[str, Any]] = {
        "text": {"text": ""},
        "thinking": {"thinking": "", "signature": ""},
        "tool_use": {"input": {}},
    }
    empty = shapes[block["type"]]
    yield {"type": "content_block_start", "index": at, "content_block": {**block, **empty}}
    deltas: list[dict[str, Any]]
    if block["type"] == "text":
        deltas = [{"type": "text_delta", "text": one} for one in _pieces(block["text"])]
    elif block["type"] == "thinking":
        deltas = [{"type": "thinking_delta", "thinking": one} for one in _pieces(block["thinking"])]
        deltas.append({"type": "signature_delta", "signature": block["signature"]})
    else:
        deltas = [{"type": "input_json_delta", "partial_json": one} for one in _pieces(json.dumps(block["input"]))]
    yield from ({"type": "content_block_delta", "index": at, "delta": delta} for delta in deltas)
    yield {"type": "content_block_stop", "index": at}


def _responses(say: Say) -> tuple[dict[str, Any], list[bytes]]:
    items: list[dict[str, Any]] = []
    if say.thinking:
        items.append({"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "gAAAsigned"})
    if say.text:
        part = {"type": "output_text", "text": say.text, "annotations": [], "logprobs": []}
        items.append(
            {
                "type": "message",
                "id": f"msg_{uuid.uuid4().hex}",
                "role": "assistant",
                "status": "completed",
                "content": [part],
            }
        )
    for key, (name, given) in zip(_ids(say, "call_"), say.calls, strict=True):
        call = {"type": "function_call", "id": f"fc_{key[5:]}", "call_id": key, "name": name, "status": "completed"}
        items.append({**call, "arguments": json.dumps(given)})
    head = {
        "id": f"resp_{uuid.uuid4().hex}",
        "object": "response",
        "created_at": 1,
        "model": "m",
        "parallel_tool_calls": True,
    }
    head |= {"tool_choice": "auto", "tools": []}
    whole = {**head, "status": "completed", "output": items}
    if say.prompt_tokens:
        details = {"input_tokens_details": {"cached_tokens": 0}, "output_tokens_details": {"reasoning_tokens": 0}}
        told_usage = {"input_tokens": say.prompt_tokens, "output_tokens": 5, "total_tokens": say.prompt_tokens + 5}
        whole["usage"] = {**told_usage, **details}
    told: list[dict[str, Any]] = [
        {"type": "response.created", "response": {**head, "status": "in_progress", "output": []}}
    ]
    for at, item in enumerate(items):
        told += _item_events(at, item)
    told.append({"type": "response.completed", "response": whole})
    return whole, [_event({**one, "sequence_number": at}, named=True) for at, one in enumerate(told)]


def _item_events(at: int, item: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    place = {"output_index": at, "item_id": item["id"]}
    emptied = {**item, "content": []} if item["type"] == "message" else {**item, "arguments": ""}
    yield {"type": "response.output_item.added", "output_index": at, "item": item if "summary" in item else emptied}
    if item["type"] == "message":
        (part,) = item["content"]
        yield {"type": "response.content_part.added", **place, "content_index": 0, "part": {**part, "text": ""}}
        for one in _pieces(part["text"]):
            yield {"type": "response.output_text.delta", **place, "content_index": 0, "delta": one, "logprobs": []}
        yield {"type": "response.output_text.done", **place, "content_index": 0, "text": part["text"], "logprobs": []}
        yield {"type": "response.content_part.done", **place, "content_index": 0, "part": part}
    elif item["type"] == "function_call":
        for one in _pieces(item["arguments"]):
            yield {"type": "response.function_call_arguments.delta", **place, "delta": one}
        yield {"type": "response.function_call_arguments.done", **place, "arguments": item["arguments"]}
    yield {"type": "response.output_item.done", "output_index": at, "item": item}


_APIS: Mapping[str, Callable[[Say], tuple[dict[str, Any], list[bytes]]]] = {
    "/chat/completions": _chat,
    "/messages": _anthropic,
    "/responses": _responses,
}
