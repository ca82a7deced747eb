"""The ways in which a chat endpoint goes wrong, when it does, and how that looks on the wire."""

from __future__ import annotations

import copy
import json
import random
import select
import socket
import struct
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from enum import StrEnum
from http.server import BaseHTTPRequestHandler
from typing import Any, Literal

from amb_core.chat_io import TokenUsage

__all__ = ["CONTENT_FAULTS", "TRANSPORT_FAULTS", "Delivery", "Fault", "FaultPlan", "deliver", "spoiled"]


class Fault(StrEnum):
    """One way to go wrong."""

    SERVER_ERROR = "server error"
    """500 or 503, by turns."""
    RATE_LIMIT = "rate limit"
    """429 with the seconds to wait in Retry-After."""
    RATE_LIMIT_DATE = "rate limit until a date"
    """429 with an HTTP date in Retry-After."""
    TOO_SLOW = "too slow"
    """The whole answer, `slow_seconds` late."""
    DRIPPING = "dripping"
    """The answer byte by byte, over `slow_seconds`: no single read takes long."""
    TORN_AT_LIMIT = "torn at the limit"
    """Half of the answer's text, with the finish reason `length`."""
    TORN = "torn"
    """Half of the answer's text, said to be all of it."""
    WRONG_SCHEMA = "wrong schema"
    """JSON of another shape than asked for."""
    PROSE = "prose"
    """Words instead of JSON."""
    NO_CHOICES = "no choices"
    """An answer without a choice, and with usage."""
    NULL_CONTENT = "null content"
    """A message with nothing in it."""
    RESET_BEFORE = "reset before the answer"
    RESET_WITHIN = "reset within the answer"
    CUT_SHORT = "body cut short"
    """Fewer bytes than announced."""
    NOT_HTTP = "not HTTP"
    """Something else than an HTTP answer."""
    NOT_JSON = "not JSON"
    """200 with an HTML page, as proxies in front of a dead endpoint send it."""
    WRONG_CONTENT_TYPE = "wrong content type"
    """The right body as text/html."""
    NO_USAGE = "no usage"
    """A good answer that does not say what it cost."""

    @property
    def needs_no_answer(self) -> bool:
        """Whether nothing of an answer is in what is sent."""
        return self in _WITHOUT_ANSWER


_WITHOUT_ANSWER = frozenset(
    {
        Fault.SERVER_ERROR,
        Fault.RATE_LIMIT,
        Fault.RATE_LIMIT_DATE,
        Fault.RESET_BEFORE,
        Fault.NOT_HTTP,
        Fault.NOT_JSON,
    }
)
CONTENT_FAULTS = (
    Fault.TORN_AT_LIMIT,
    Fault.TORN,
    Fault.WRONG_SCHEMA,
    Fault.PROSE,
    Fault.NO_CHOICES,
    Fault.NULL_CONTENT,
    Fault.NO_USAGE,
)
"""Answers that arrive and cannot be used, or not in full."""
TRANSPORT_FAULTS = tuple(fault for fault in Fault if fault not in CONTENT_FAULTS)
"""Answers that do not arrive, or not as answers."""


@dataclass(frozen=True, slots=True)
class FaultPlan:
    """What goes wrong at which request: a share `rate` of them, with one of `kinds`, both drawn from `seed`.

    The same seed and number always give the same fault. At request `dies_at` the server goes away: for good, or, with
    `back_after`, for so many requests, which are all cut off. `slow_seconds` are for the slow faults, `retry_after` are
    the seconds a rate limit asks for.
    """

    rate: float = 0.0
    kinds: tuple[Fault, ...] = tuple(Fault)
    seed: int = 0
    dies_at: int | None = None
    back_after: int | None = None
    slow_seconds: float = 1.0
    retry_after: float = 0.01

    def fault_of(self, number: int) -> Fault | None:
        """The fault of the request with that number (from 1), or None."""
        if self.dies_at is not None and self.dies_at <= number < self.dies_at + (self.back_after or 1):
            return Fault.RESET_BEFORE
        drawn = random.Random(f"{self.seed}/{number}")
        return drawn.choice(self.kinds) if self.kinds and drawn.random() < self.rate else None


@dataclass(frozen=True, slots=True)
class Delivery:
    """What is sent and how; `usage` is what it tells of tokens, `answered` whether a choice is in it."""

    body: bytes = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    content_type: str = "application/json"
    manner: Literal["whole", "late", "dripping", "reset", "reset within", "cut short", "raw"] = "whole"
    seconds: float = 0.0
    usage: TokenUsage = field(default_factory=TokenUsage)
    answered: bool = False


# --- what is sent ----------------------------------------------------------------------------------------------------

_SHAPES: tuple[object, ...] = ({}, [], {"error": "busy"}, {"topics": "none", "summary": 3, "candidates": {}, "next": 1})
_PROSE = (
    "Certainly! I have read the material with care and here is what I think about it.",
    "抱歉，我无法以要求的格式回答这个问题。",
)
_PAGE = b"<html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>"


def spoiled(fault: Fault, body: Mapping[str, Any], usage: TokenUsage, *, number: int, plan: FaultPlan) -> Delivery:
    """What goes out instead of the good answer `body`, which tells `usage`."""
    good = json.dumps(body, ensure_ascii=False).encode()
    match fault:
        case Fault.SERVER_ERROR:
            return _error(500 if number % 2 else 503, {})
        case Fault.RATE_LIMIT:
            return _error(429, {"Retry-After": f"{plan.retry_after:g}"})
        case Fault.RATE_LIMIT_DATE:
            until = datetime.now(UTC) + timedelta(seconds=plan.retry_after)
            return _error(429, {"Retry-After": format_datetime(until, usegmt=True)})
        case Fault.TOO_SLOW:
            return Delivery(good, manner="late", seconds=plan.slow_seconds, usage=usage, answered=True)
        case Fault.DRIPPING:
            return Delivery(good, manner="dripping", seconds=plan.slow_seconds, usage=usage, answered=True)
        case Fault.RESET_BEFORE:
            return Delivery(manner="reset")
        case Fault.RESET_WITHIN:
            return Delivery(good, manner="reset within")
        case Fault.CUT_SHORT:
            return Delivery(good, manner="cut short")
        case Fault.NOT_HTTP:
            return Delivery(b"+OK ready\r\n\x00\xff\r\n", manner="raw")
        case Fault.NOT_JSON:
            return Delivery(_PAGE, content_type="text/html")
        case Fault.WRONG_CONTENT_TYPE:
            return Delivery(good, content_type="text/html", usage=usage, answered=True)
        case _:
            return _other_content(fault, copy.deepcopy(dict(body)), usage, number=number)


def _other_content(fault: Fault, body: dict[str, Any], usage: TokenUsage, *, number: int) -> Delivery:
    """A whole answer of the protocol, with something wrong in it."""
    choice = body["choices"][0]
    message = choice["message"]
    match fault:
        case Fault.TORN_AT_LIMIT | Fault.TORN:
            message["content"] = message["content"][: len(message["content"]) // 2]
            for call in message.get("tool_calls", ()):
                call["function"]["arguments"] = call["function"]["arguments"][:-1]
            choice["finish_reason"] = "length" if fault is Fault.TORN_AT_LIMIT else choice["finish_reason"]
        case Fault.WRONG_SCHEMA:
            choice.update(_said(json.dumps(_SHAPES[number % len(_SHAPES)])))
        case Fault.PROSE:
            choice.update(_said(_PROSE[number % len(_PROSE)]))
        case Fault.NULL_CONTENT:
            choice.update(_said(None))
        case Fault.NO_CHOICES:
            body["choices"] = []
        case _:
            del body["usage"]
            usage = TokenUsage()
    sent = json.dumps(body, ensure_ascii=False).encode()
    return Delivery(sent, usage=usage, answered=fault is not Fault.NO_CHOICES)


def _said(content: str | None) -> dict[str, Any]:
    return {"finish_reason": "stop", "message": {"role": "assistant", "content": content}}


def _error(status: int, headers: Mapping[str, str]) -> Delivery:
    text = {"error": {"message": "the service is busy", "type": "server_error"}}
    return Delivery(json.dumps(text).encode(), status=status, headers=headers)


# --- how it is sent --------------------------------------------------------------------------------------------------


def deliver(delivery: Delivery, handler: BaseHTTPRequestHandler, *, stopping: threading.Event) -> bool:
    """Send it to the client of `handler`; whether all of it went out to a client that was still there.

    Waiting ends early when the server is `stopping`.
    """
    handler.close_connection = True
    try:
        return _sent(delivery, handler, stopping)
    except OSError:  # the client is gone
        return False


def _sent(delivery: Delivery, handler: BaseHTTPRequestHandler, stopping: threading.Event) -> bool:
    body, manner = delivery.body, delivery.manner
    if manner == "reset" or stopping.is_set():
        return _reset(handler)
    if manner == "raw":
        handler.wfile.write(body)
        return True
    if manner == "late" and (stopping.wait(delivery.seconds) or _is_gone(handler.connection)):
        return _reset(handler)
    handler.send_response(delivery.status)
    handler.send_header("Content-Type", delivery.content_type)
    handler.send_header("Content-Length", str(len(body)))
    for name, value in delivery.headers.items():
        handler.send_header(name, value)
    handler.end_headers()
    if manner in ("reset within", "cut short"):
        handler.wfile.write(body[: len(body) // 2])
        handler.wfile.flush()
        return _reset(handler) if manner == "reset within" else False
    if manner == "dripping":
        return _dripped(delivery, handler, stopping)
    handler.wfile.write(body)
    handler.wfile.flush()
    return True


def _dripped(delivery: Delivery, handler: BaseHTTPRequestHandler, stopping: threading.Event) -> bool:
    """A few bytes at a time, so many that it takes the whole time."""
    body, steps = delivery.body, max(int(delivery.seconds / 0.02), 1)
    size = -(-len(body) // steps)
    for start in range(0, len(body), size):
        if stopping.wait(delivery.seconds / steps) or _is_gone(handler.connection):
            return False
        handler.wfile.write(body[start : start + size])
        handler.wfile.flush()
    return True


def _is_gone(connection: socket.socket) -> bool:
    """Whether the client has hung up."""
    readable, _, _ = select.select([connection], [], [], 0)
    return bool(readable) and not connection.recv(1, socket.MSG_PEEK)


def _reset(handler: BaseHTTPRequestHandler) -> bool:
    """End the connection with a reset instead of an orderly close; nothing has arrived in full."""
    handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    handler.connection.close()
    return False
