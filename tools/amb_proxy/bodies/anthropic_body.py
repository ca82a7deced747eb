"""Anthropic Messages."""

from __future__ import annotations

import json
from collections.abc import Container, Mapping, Sequence
from typing import Any

from amb_core.adapter import Tool
from amb_proxy.bodies.body_form import (
    Body,
    Held,
    InsideCall,
    Reply,
    ToolUse,
    as_json,
    held_beside,
    mapping,
    mappings,
    names_a_tool,
    place_of,
    text_of,
)
from amb_proxy.event_stream import Event
from amb_wrap.request_forms import AnthropicRequests

__all__ = ["AnthropicBody"]

_GROWING = ("text", "thinking", "signature", "partial_json")


class AnthropicBody(AnthropicRequests):
    """`POST …/messages`."""

    def has_tools(self, body: Body) -> bool:
        """Tools of the client's or of the provider's."""
        return bool(body.get("tools"))

    def reply(self, payload: Body) -> Reply:
        """The text and the calls of a message."""
        blocks = mappings(payload.get("content"))
        texts = [text_of(block.get("text")) for block in blocks if block.get("type") == "text"]
        calls = [
            ToolUse(str(block.get("id")), str(block.get("name")), as_json(block.get("input") or {}))
            for block in blocks
            if block.get("type") == "tool_use"
        ]
        return Reply("\n".join(texts), tuple(calls), complete=payload.get("type") == "message")

    def ends(self, event: Event) -> bool:
        """Whether the message stops."""
        return event.kind == "message_stop"

    def gatherer(self) -> AnthropicGatherer:
        """The message with its blocks, put together from their deltas."""
        return AnthropicGatherer()

    def with_tool(self, body: Body, tool: Tool) -> Body:
        """One more tool, behind those the client has marked for the cache."""
        names = [one.get("name") for one in body.get("tools") or ()]
        if not names or tool.name in names or names_a_tool(body.get("tool_choice")):
            return body
        schema = {"name": tool.name, "description": tool.description, "input_schema": tool.parameters}
        return {**body, "tools": [*body["tools"], schema]}

    def followed_up(self, body: Body, payload: Body, outputs: Mapping[str, str]) -> Body:
        """The message of the model, signed thinking and all, and the results in one message of the user."""
        said = [block for block in payload["content"] if block.get("type") != "text" or block.get("text")]
        results = [_result(*one) for one in outputs.items()]
        more = [{"role": "assistant", "content": said}, {"role": "user", "content": results}]
        return {**body, "messages": [*body["messages"], *more]}

    def inside(self, payload: Body, outputs: Mapping[str, str]) -> list[InsideCall]:
        """The blocks of the calls that have these results."""
        blocks = enumerate(payload["content"])
        return [InsideCall(block, at, outputs[block["id"]]) for at, block in blocks if _is_call(block, outputs)]

    def without(self, payload: Body, ids: Container[str]) -> Body:
        """The message without the blocks of these calls."""
        return {**payload, "content": [block for block in payload["content"] if not _is_call(block, ids)]}

    def restored(self, messages: Sequence[Any], held: Held) -> list[Any]:
        """The calls in their message, their results first in the one behind it."""
        made, results = list[Any](), list[dict[str, Any]]()
        for message in messages:
            content = message.get("content")
            if results and message.get("role") == "user":
                said = [{"type": "text", "text": content}] if isinstance(content, str) else list(content or ())
                message, results = {**message, "content": [*results, *said]}, []
            elif message.get("role") == "assistant" and isinstance(content, list):
                ids = [str(block.get("id")) for block in content if block.get("type") == "tool_use"]
                if hidden := held_beside(ids, held):
                    blocks = list(content)
                    for one in hidden:
                        blocks.insert(one.at, one.call)
                    results = [_result(str(one.call["id"]), one.output) for one in hidden]
                    message = {**message, "content": blocks}
            made.append(message)
        return made

    def editor(self, tool: str) -> AnthropicEditor:
        """Blocks are known by their index, and renumbered."""
        return AnthropicEditor(tool)


class AnthropicGatherer:
    """Puts a message together from the deltas of its blocks."""

    def __init__(self) -> None:
        self._message, self._ended = dict[str, Any](), False
        self._blocks = dict[int, dict[str, Any]]()
        self._grown = dict[int, dict[str, list[Any]]]()

    def add(self, event: Event) -> None:
        """Take the next event."""
        fields, at = event.fields, place_of(event.fields.get("index"))
        if event.kind == "message_stop":
            self._ended = True
        elif event.kind == "message_start":
            self._message = dict(mapping(fields.get("message")))
        elif event.kind == "content_block_start":
            self._blocks[at], self._grown[at] = dict(mapping(fields.get("content_block"))), {}
        elif event.kind == "content_block_delta" and at in self._blocks:
            delta, grown = mapping(fields.get("delta")), self._grown[at]
            for key in _GROWING:
                if text := text_of(delta.get(key)):
                    grown.setdefault(key, []).append(text)
            if delta.get("citation"):
                grown.setdefault("citations", []).append(delta["citation"])

    def whole(self) -> Body | None:
        """The message; None for one that broke off."""
        blocks = [self._block(at) for at in sorted(self._blocks)]
        return {**self._message, "type": "message", "content": blocks} if self._ended else None

    def _block(self, at: int) -> dict[str, Any]:
        """A block with what its deltas brought: text, thinking, its signature, citations, the input of a call."""
        block = dict(self._blocks[at])
        for key, parts in self._grown[at].items():
            if key == "partial_json":
                block["input"] = _input_in("".join(parts))
            elif key == "citations":
                block[key] = [*(block.get(key) or ()), *parts]
            else:
                block[key] = "".join([text_of(block.get(key)), *parts])
        return block


class AnthropicEditor:
    """Takes one tool's calls out of the events of a message."""

    def __init__(self, tool: str) -> None:
        self._tool, self.again = tool, False
        self._places: dict[int, int | None] = {}
        self._shown, self._begun = 0, False
        self._calls = [0, 0]

    def next_reply(self) -> None:
        """The next one has no beginning, and its blocks come behind those that were shown."""
        self.again, self._begun, self._places, self._calls = False, True, {}, [0, 0]

    def feed(self, event: Event) -> Event | None:
        """The event without the blocks of the tool."""
        fields, kind = event.fields, event.kind
        if self.again or (self._begun and kind == "message_start"):
            return None
        if kind == "message_delta":
            ours, theirs = self._calls
            self.again = bool(ours) and not theirs
            return None if self.again else event
        if not kind.startswith("content_block_"):
            return event
        index = place_of(fields.get("index"))
        if kind == "content_block_start":
            self._places[index] = self._place(mapping(fields.get("content_block")), index)
        place = self._places.get(index, index)
        if place is None or place == index:
            return None if place is None else event
        return event.changed({**fields, "index": place})

    def _place(self, block: Mapping[str, Any], index: int) -> int | None:
        is_call = block.get("type") == "tool_use"
        ours = is_call and block.get("name") == self._tool
        self._calls[0 if ours else 1] += is_call
        if ours:
            return None
        self._shown += 1
        return self._shown - 1 if self._begun or self._calls[0] else index


def _result(call_id: str, output: str) -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": call_id, "content": output}


def _input_in(text: str) -> Any:
    """The arguments of a call; none where a model wrote them wrong, for the call is found by its id."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return {}


def _is_call(block: Mapping[str, Any], ids: Container[str]) -> bool:
    return block.get("type") == "tool_use" and str(block.get("id")) in ids
