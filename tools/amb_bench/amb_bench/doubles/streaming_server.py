"""A chat server on this machine that streams as well.

with StreamingChatServer(ScriptedChatModel(["Hello."])) as server:
    client = OpenAI(base_url=server.url, api_key="none")
    for chunk in client.chat.completions.create(model="m", messages=messages, stream=True): ...
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from amb_bench.doubles.chat_faults import Delivery
from amb_bench.doubles.chat_server import ChatServer

__all__ = ["StreamingChatServer"]

_PIECE = 7
"""Characters of a streamed text or of streamed arguments in one chunk."""


class StreamingChatServer(ChatServer):
    """A ChatServer that answers a request with `stream` in small chunks, as server-sent events.

    Text and arguments come in pieces, parallel calls interleaved; usage comes last, where `stream_options` ask for it.
    Faults go wrong here, too: an answer that is cut off is cut off in the middle of the stream.
    """

    def _delivery(self, asked: Mapping[str, Any], fault: Any, number: int) -> Delivery:
        delivery = super()._delivery({**asked, "stream": False}, fault, number)
        if not asked.get("stream") or delivery.status != 200 or delivery.content_type != "application/json":
            return delivery
        told = bool((asked.get("stream_options") or {}).get("include_usage"))
        events = [f"data: {json.dumps(chunk, ensure_ascii=False)}\n\n" for chunk in _chunks(delivery.body, told)]
        body = "".join([*events, "data: [DONE]\n\n"]).encode()
        return replace(delivery, body=body, content_type="text/event-stream")


def _chunks(body: bytes, with_usage: bool) -> Iterator[dict[str, Any]]:
    """A whole answer as the chunks it would have been streamed in."""
    answer = json.loads(body)
    head = {**{key: answer[key] for key in ("id", "created", "model")}, "object": "chat.completion.chunk"}
    for choice in answer["choices"]:
        deltas = [{"role": "assistant", "content": ""}, *_deltas(choice["message"])]
        yield from ({**head, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]} for delta in deltas)
        yield {**head, "choices": [{"index": 0, "delta": {}, "finish_reason": choice["finish_reason"]}]}
    if with_usage and "usage" in answer:
        yield {**head, "choices": [], "usage": answer["usage"]}


def _deltas(message: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    yield from ({"content": piece} for piece in _pieces(message.get("content") or ""))
    calls = message.get("tool_calls") or []
    for index, call in enumerate(calls):
        named = {"name": call["function"]["name"], "arguments": ""}
        yield {"tool_calls": [{"index": index, "id": call["id"], "type": "function", "function": named}]}
    streamed = [list(_pieces(call["function"]["arguments"])) for call in calls]
    for at in range(max(map(len, streamed), default=0)):
        for index, pieces in enumerate(streamed):
            if at < len(pieces):
                yield {"tool_calls": [{"index": index, "function": {"arguments": pieces[at]}}]}


def _pieces(text: str) -> Iterator[str]:
    return (text[at : at + _PIECE] for at in range(0, len(text), _PIECE))
