"""OpenAI chat completions, and every API that is compatible with them."""

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
    held_beside,
    mapping,
    mappings,
    names_a_tool,
    place_of,
    text_of,
)
from amb_proxy.event_stream import Event
from amb_wrap.request_forms import ChatRequests

__all__ = ["ChatBody"]


_NAMES = ("id", "type", "role", "name")


class ChatBody(ChatRequests):
    """`POST …/chat/completions`."""

    def bypass(self, body: Body) -> str:
        """Several answers to one request cannot be followed."""
        return super().bypass(body) or ("" if body.get("n") in (None, 1) else "n > 1")

    def has_tools(self, body: Body) -> bool:
        """Tools, or functions as they were called before."""
        return bool(body.get("tools") or body.get("functions"))

    def reply(self, payload: Body) -> Reply:
        """The first choice."""
        choices = mappings(payload.get("choices"))
        message = mapping(choices[0].get("message")) if choices else {}
        calls = [ToolUse(str(call.get("id")), *_asked(call)) for call in mappings(message.get("tool_calls"))]
        return Reply(text_of(message.get("content")), tuple(calls), complete=bool(choices))

    def ends(self, event: Event) -> bool:
        """Whether a choice has its reason to finish."""
        return any(map(_finishes, _choices(event)))

    def gatherer(self) -> ChatGatherer:
        """The deltas of the first choice, joined."""
        return ChatGatherer()

    def with_tool(self, body: Body, tool: Tool) -> Body:
        """One more function."""
        names = [(one.get("function") or {}).get("name") for one in body.get("tools") or ()]
        if not names or tool.name in names or names_a_tool(body.get("tool_choice")):
            return body
        return {**body, "tools": [*body["tools"], tool.schema]}

    def followed_up(self, body: Body, payload: Body, outputs: Mapping[str, str]) -> Body:
        """The message of the model, and a message of the tool for each call."""
        message = {key: value for key, value in payload["choices"][0]["message"].items() if value or key == "content"}
        message |= {"role": "assistant"}
        message.pop("annotations", None)
        return {**body, "messages": [*body["messages"], message, *(_result(*one) for one in outputs.items())]}

    def inside(self, payload: Body, outputs: Mapping[str, str]) -> list[InsideCall]:
        """The calls of the first choice that have these results."""
        calls = enumerate(payload["choices"][0]["message"]["tool_calls"])
        return [InsideCall(call, at, outputs[call["id"]]) for at, call in calls if call.get("id") in outputs]

    def without(self, payload: Body, ids: Container[str]) -> Body:
        """The first choice without these calls."""
        first, *others = payload["choices"]
        left = [call for call in first["message"]["tool_calls"] if call.get("id") not in ids]
        return {**payload, "choices": [{**first, "message": {**first["message"], "tool_calls": left}}, *others]}

    def restored(self, messages: Sequence[Any], held: Held) -> list[Any]:
        """The calls in their message, their results behind it."""
        made = list[Any]()
        for message in messages:
            calls: list[Body] = list(message.get("tool_calls") or ())
            hidden = held_beside((str(call.get("id")) for call in calls), held)
            for one in hidden:
                calls.insert(one.at, one.call)
            made.append({**message, "tool_calls": calls} if hidden else message)
            made += [_result(str(one.call["id"]), one.output) for one in hidden]
        return made

    def editor(self, tool: str) -> ChatEditor:
        """Calls are known by their index, and renumbered."""
        return ChatEditor(tool)


class ChatGatherer:
    """Joins the deltas of the first choice."""

    def __init__(self) -> None:
        self._message, self._calls, self._ended = dict[str, Any](), dict[int, dict[str, Any]](), False

    def add(self, event: Event) -> None:
        """Take the next chunk."""
        for choice in _choices(event):
            self._ended = self._ended or _finishes(choice)
            delta = mapping(choice.get("delta"))
            _join(self._message, {key: value for key, value in delta.items() if key != "tool_calls"})
            for at, part in enumerate(mappings(delta.get("tool_calls"))):
                _join(self._calls.setdefault(place_of(part.get("index"), at), {}), {**part, "index": None})

    def whole(self) -> Body | None:
        """The completion with its first choice."""
        message = _joined(self._message)
        message |= {"tool_calls": [_joined(self._calls[at]) for at in sorted(self._calls)]} if self._calls else {}
        return {"choices": [{"index": 0, "message": message}]} if self._ended else None


class ChatEditor:
    """Takes one tool's calls out of the chunks of a stream."""

    def __init__(self, tool: str) -> None:
        self._tool, self.again, self._begun = tool, False, False
        self._places: dict[int, int | None] = {}

    def next_reply(self) -> None:
        """The next one says its role no more."""
        self.again, self._begun, self._places = False, True, {}

    def feed(self, event: Event) -> Event | None:
        """The chunk without the calls of the tool."""
        if self.again:
            return None
        choice = next(iter(_choices(event)), None)
        if choice is None or not isinstance(choice.get("delta", {}), Mapping | None):
            return event
        came = mapping(choice.get("delta"))
        delta = {key: value for key, value in came.items() if key != "role" or not self._begun}
        if parts := mappings(delta.get("tool_calls")):
            del delta["tool_calls"]
            shown = [moved for at, part in enumerate(parts) if (moved := self._moved(part, at)) is not None]
            delta |= {"tool_calls": shown} if shown else {}
        ends = _finishes(choice)
        self.again = ends and bool(self._places) and not any(at is not None for at in self._places.values())
        if self.again or (came and not (delta or ends or event.fields.get("usage"))):
            return None
        if delta == came:
            return event
        choices = [{**choice, "delta": delta} if one is choice else one for one in event.fields["choices"]]
        return event.changed({**event.fields, "choices": choices})

    def _moved(self, part: Mapping[str, Any], at: int) -> Mapping[str, Any] | None:
        index = place_of(part.get("index"), at)
        if index not in self._places:
            ours = _asked(part)[0] == self._tool
            shown = sum(one is not None for one in self._places.values())
            moves = shown < len(self._places)  # where nothing was taken out, nothing is changed
            self._places[index] = None if ours else shown if moves else index
        place = self._places[index]
        return None if place is None else part if place == index else {**part, "index": place}


def _result(call_id: str, output: str) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": call_id, "content": output}


class _Text(list[str]):
    """A text that comes in parts, which are joined once."""


def _join(whole: dict[str, Any], part: Mapping[str, Any]) -> None:
    """Add a part of a stream to what came before: texts and lists grow, the names of things stay."""
    for key, value in part.items():
        before = whole.get(key)
        if isinstance(value, Mapping):
            if not isinstance(before, dict):
                whole[key] = before = {}
            _join(before, value)
        elif isinstance(value, str) and isinstance(before, _Text):
            before.append(value)
        elif isinstance(value, list) and isinstance(before, list) and not isinstance(before, _Text):
            before += value
        elif value or before is None:
            if isinstance(value, str) and key not in _NAMES:
                whole[key] = _Text([value])
            else:
                whole[key] = list(value) if isinstance(value, list) else value


def _joined(whole: Mapping[str, Any]) -> dict[str, Any]:
    """What `_join` has made, with its texts as such."""
    return {
        key: "".join(value) if isinstance(value, _Text) else _joined(value) if isinstance(value, dict) else value
        for key, value in whole.items()
    }


def _asked(call: Mapping[str, Any]) -> tuple[str, str]:
    """The name and the arguments of a call."""
    function = mapping(call.get("function") or call.get("custom"))
    return text_of(function.get("name")), text_of(function.get("arguments")) or text_of(function.get("input"))


def _choices(event: Event) -> list[Mapping[str, Any]]:
    return [choice for choice in mappings(event.fields.get("choices")) if place_of(choice.get("index")) == 0]


def _finishes(choice: Mapping[str, Any]) -> bool:
    return choice.get("finish_reason") not in (None, "", False, "null")
