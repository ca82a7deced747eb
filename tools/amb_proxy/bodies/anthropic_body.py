"""Anthropic Messages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from amb_core.adapter import WireFormName
from amb_proxy.bodies.body_form import Body, Call, Reply, as_json, tokens_beside
from amb_proxy.event_stream import Event

__all__ = ["AnthropicBody"]


class AnthropicBody:
    """`POST …/messages`."""

    name: WireFormName = "anthropic"
    path = "/messages"

    def bypass(self, body: Body) -> str:
        """Nothing but a request without messages."""
        return "" if isinstance(body.get("messages"), list) and body["messages"] else "no messages"

    def has_tools(self, body: Body) -> bool:
        """Tools of the client's or of the provider's."""
        return bool(body.get("tools"))

    def messages(self, body: Body) -> list[Any]:
        """The messages; `system` stands outside of them."""
        return list(body["messages"])

    def with_messages(self, body: Body, messages: Sequence[Any]) -> Body:
        """The request with other messages."""
        return {**body, "messages": list(messages)}

    def beside(self, body: Body) -> str:
        """The system text and the schemas of tools."""
        return tokens_beside(body, "system", "tools")

    def reply(self, payload: Body) -> Reply:
        """The text and the calls of a message."""
        blocks = payload.get("content") or ()
        texts = [block.get("text") or "" for block in blocks if block.get("type") == "text"]
        calls = [
            Call(str(block.get("id")), str(block.get("name")), as_json(block.get("input") or {}))
            for block in blocks
            if block.get("type") == "tool_use"
        ]
        return Reply("\n".join(texts), tuple(calls), complete=payload.get("type") == "message")

    def ends(self, event: Event) -> bool:
        """Whether the message stops."""
        return event.fields.get("type") == "message_stop"

    def streamed(self, events: Sequence[Event]) -> Reply:
        """The blocks, put together from their deltas."""
        texts, calls = dict[int, str](), dict[int, list[str]]()
        for fields in (event.fields for event in events):
            at, kind = fields.get("index", 0), fields.get("type")
            if kind == "content_block_start":
                block = fields.get("content_block") or {}
                if block.get("type") == "tool_use":
                    calls[at] = [str(block.get("id")), str(block.get("name")), ""]
                elif block.get("type") == "text":
                    texts[at] = block.get("text") or ""
            elif kind == "content_block_delta":
                delta = fields.get("delta") or {}
                if at in texts:
                    texts[at] += delta.get("text") or ""
                if at in calls:
                    calls[at][2] += delta.get("partial_json") or ""
        return Reply("\n".join(texts[at] for at in sorted(texts)), _calls(calls), complete=any(map(self.ends, events)))


def _calls(calls: dict[int, list[str]]) -> tuple[Call, ...]:
    return tuple(Call(*calls[at]) for at in sorted(calls))
