"""OpenAI Responses, where the client sends all items each time."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from typing import Any

from amb_core.adapter import Tool
from amb_proxy.bodies.body_form import (
    Body,
    Held,
    InsideCall,
    Reply,
    ToolUse,
    mapping,
    mappings,
    names_a_tool,
    text_of,
)
from amb_proxy.event_stream import Event
from amb_wrap.request_forms import ResponsesRequests

__all__ = ["ResponsesBody"]

_CALLS = {"function_call": "arguments", "custom_tool_call": "input"}
_BEGINS = frozenset({"response.created", "response.in_progress", "response.queued"})
_ENDS = frozenset({"response.completed", "response.incomplete"})


class ResponsesBody(ResponsesRequests):
    """`POST …/responses`."""

    def has_tools(self, body: Body) -> bool:
        """Tools of the client's or of the provider's."""
        return bool(body.get("tools"))

    def reply(self, payload: Body) -> Reply:
        """The text and the calls among the items of a response."""
        texts, calls = list[str](), list[ToolUse]()
        for item in mappings(payload.get("output")):
            kind = text_of(item.get("type"))
            if kind in _CALLS:
                arguments = text_of(item.get(_CALLS[kind]))
                calls.append(ToolUse(str(item.get("call_id")), str(item.get("name")), arguments))
            elif kind == "message":
                parts = mappings(item.get("content"))
                texts += [text_of(part.get("text")) for part in parts if part.get("type") == "output_text"]
        return Reply("\n".join(texts), tuple(calls), complete=payload.get("status", "completed") != "failed")

    def ends(self, event: Event) -> bool:
        """Whether the response is done."""
        return event.kind in _ENDS

    def gatherer(self) -> ResponsesGatherer:
        """The whole response stands in the last event."""
        return ResponsesGatherer()

    def with_tool(self, body: Body, tool: Tool) -> Body:
        """One more function."""
        names = [one.get("name") for one in body.get("tools") or ()]
        if not names or tool.name in names or names_a_tool(body.get("tool_choice")):
            return body
        schema = {"type": "function", **tool.schema["function"], "strict": False}
        return {**body, "tools": [*body["tools"], schema]}

    def followed_up(self, body: Body, payload: Body, outputs: Mapping[str, str]) -> Body:
        """The items of the response, and an item for each result; reasoning only where the provider can read it."""
        said = [item for item in payload["output"] if item.get("type") != "reasoning" or _is_readable(item, body)]
        return {**body, "input": [*self.messages(body), *said, *(_result(*one) for one in outputs.items())]}

    def inside(self, payload: Body, outputs: Mapping[str, str]) -> list[InsideCall]:
        """The items of the calls that have these results."""
        items = enumerate(payload["output"])
        return [InsideCall(item, at, outputs[item["call_id"]]) for at, item in items if _is_call(item, outputs)]

    def without(self, payload: Body, ids: Container[str]) -> Body:
        """The response without the items of these calls."""
        return {**payload, "output": [item for item in payload["output"] if not _is_call(item, ids)]}

    def restored(self, messages: Sequence[Any], held: Held) -> list[Any]:
        """The calls with their results behind the call beside which they were made."""
        made = list[Any]()
        for item in messages:
            made.append(item)
            for one in held(str(item.get("call_id"))) if item.get("type") in _CALLS else ():
                made += [one.call, _result(str(one.call["call_id"]), one.output)]
        return made

    def editor(self, tool: str) -> ResponsesEditor:
        """Items are known by their index, and renumbered."""
        return ResponsesEditor(tool)


class ResponsesGatherer:
    """Waits for the event in which the whole response stands."""

    def __init__(self) -> None:
        self._response: Body | None = None

    def add(self, event: Event) -> None:
        """Take the next event."""
        if event.kind in _ENDS and self._response is None:
            self._response = mapping(event.fields.get("response"))

    def whole(self) -> Body | None:
        """The response; None for one that broke off."""
        return self._response


class ResponsesEditor:
    """Takes one tool's calls out of the events of a response, whose last event has all of its items once more."""

    def __init__(self, tool: str) -> None:
        self._tool, self.again, self._begun, self._altered = tool, False, False, False
        self._places: dict[int, int | None] = {}
        self._earlier, self._shown, self._said = list[Any](), 0, 0
        self._id: object = None

    def next_reply(self) -> None:
        """The next one has no beginning, and its items come behind those that were shown."""
        self.again, self._begun, self._places = False, True, {}

    def feed(self, event: Event) -> Event | None:
        """The event without the items of the tool."""
        fields, kind = dict(event.fields), event.kind
        if self.again or (self._begun and kind in _BEGINS):
            return None
        if isinstance(response := fields.get("response"), Mapping) and "id" in response:
            self._id = self._id or response["id"]  # clients take a stream for one response
            fields["response"] = {**response, "id": self._id}
        if isinstance(index := fields.get("output_index"), int):
            if kind == "response.output_item.added":
                ours = _names(mapping(fields.get("item")), self._tool)
                self._altered = self._altered or ours
                self._places[index] = None if ours else self._shown if self._altered else index
                self._shown += not ours
            place = self._places.get(index, index)
            if place is None:
                return None
            fields["output_index"] = place
        elif kind in _ENDS and isinstance(response, Mapping):
            fields["response"] = self._ended(fields["response"])
        if self.again:
            return None
        if isinstance(number := fields.get("sequence_number"), int):
            fields["sequence_number"] = self._said if self._altered else number
            self._said = fields["sequence_number"] + 1
        return event if fields == event.fields else event.changed(fields)

    def _ended(self, response: Body) -> Body:
        """The response as the client may see it, unless another follows it."""
        output = response.get("output") or []
        if not isinstance(output, list):
            return response
        left = [item for item in output if not _names(mapping(item), self._tool)]
        if len(left) < len(output) and not any(text_of(mapping(item).get("type")) in _CALLS for item in left):
            self.again = True
            self._earlier += left
        return {**response, "output": [*self._earlier, *left]} if self._earlier or output else response


def _names(item: Body, tool: str) -> bool:
    return item.get("type") == "function_call" and item.get("name") == tool


def _is_call(item: Body, ids: Container[str]) -> bool:
    return item.get("type") == "function_call" and str(item.get("call_id")) in ids


def _is_readable(item: Body, body: Body) -> bool:
    return body.get("store") is not False or bool(item.get("encrypted_content"))


def _result(call_id: str, output: str) -> dict[str, Any]:
    return {"type": "function_call_output", "call_id": call_id, "output": output}
