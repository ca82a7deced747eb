"""OpenAI chat completions, and every API that is compatible with them."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import Any

from amb_core.adapter import Tool, WireFormName
from amb_proxy.bodies.body_form import Body, Held, InsideCall, Reply, ToolUse, held_beside, names_a_tool, tokens_beside
from amb_proxy.event_stream import Event, event_of

__all__ = ["ChatBody"]


_NAMES = ("id", "type", "role", "name")


class ChatBody:
    """`POST …/chat/completions`."""

    name: WireFormName = "openai-chat"
    path = "/chat/completions"

    def bypass(self, body: Body) -> str:
        """Several answers to one request cannot be followed."""
        if not isinstance(body.get("messages"), list) or not body["messages"]:
            return "no messages"
        return "" if body.get("n") in (None, 1) else "n > 1"

    def has_tools(self, body: Body) -> bool:
        """Tools, or functions as they were called before."""
        return bool(body.get("tools") or body.get("functions"))

    def messages(self, body: Body) -> list[Any]:
        """The messages."""
        return list(body["messages"])

    def with_messages(self, body: Body, messages: Sequence[Any]) -> Body:
        """The request with other messages."""
        return {**body, "messages": list(messages)}

    def beside(self, body: Body) -> str:
        """The schemas of tools, functions and of the answer."""
        return tokens_beside(body, "tools", "functions", "response_format")

    def reply(self, payload: Body) -> Reply:
        """The first choice."""
        choices = payload.get("choices")
        message = choices[0].get("message") or {} if choices else {}
        calls = [
            ToolUse(str(call.get("id")), *_asked(call.get("function") or call.get("custom") or {}))
            for call in message.get("tool_calls") or ()
        ]
        return Reply(message.get("content") or "", tuple(calls), complete=bool(choices))

    def ends(self, event: Event) -> bool:
        """Whether a choice has its reason to finish."""
        return any(choice.get("finish_reason") for choice in _choices([event]))

    def whole(self, events: Iterable[Event]) -> Body | None:
        """The deltas of the first choice, joined."""
        message, calls, ended = dict[str, Any](), dict[int, dict[str, Any]](), False
        for choice in _choices(events):
            ended = ended or bool(choice.get("finish_reason"))
            for key, value in (choice.get("delta") or {}).items():
                if key == "tool_calls":
                    for at, part in enumerate(value or ()):
                        _join(calls.setdefault(part.get("index", at), {}), {**part, "index": None})
                else:
                    _join(message, {key: value})
        message |= {"tool_calls": [calls[at] for at in sorted(calls)]} if calls else {}
        return {"choices": [{"index": 0, "message": message}]} if ended else None

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
        choice = next(_choices([event]), None)
        if choice is None:
            return event
        delta = dict(choice.get("delta") or {})
        if self._begun:
            delta.pop("role", None)
        if parts := delta.pop("tool_calls", None):
            shown = [moved for at, part in enumerate(parts) if (moved := self._moved(part, at)) is not None]
            delta |= {"tool_calls": shown} if shown else {}
        ends = bool(choice.get("finish_reason"))
        self.again = ends and bool(self._places) and not any(at is not None for at in self._places.values())
        if self.again or not (delta or ends or event.fields.get("usage")):
            return None
        if delta == (choice.get("delta") or {}):
            return event
        return event_of({**event.fields, "choices": [{**choice, "delta": delta}]}, named=False)

    def _moved(self, part: Mapping[str, Any], at: int) -> Mapping[str, Any] | None:
        index = part.get("index", at)
        if index not in self._places:
            ours = _asked(part.get("function") or part.get("custom") or {})[0] == self._tool
            self._places[index] = None if ours else sum(one is not None for one in self._places.values())
        place = self._places[index]
        return None if place is None else {**part, "index": place}


def _result(call_id: str, output: str) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": call_id, "content": output}


def _join(whole: dict[str, Any], part: Mapping[str, Any]) -> None:
    """Add a part of a stream to what came before: texts and lists grow, the names of things stay."""
    for key, value in part.items():
        before = whole.get(key)
        if isinstance(value, Mapping):
            whole[key] = inner = dict(before or {})
            _join(inner, value)
        elif isinstance(before, str | list) and isinstance(value, type(before)) and key not in _NAMES:
            whole[key] += value
        elif value or before is None:
            whole[key] = value


def _asked(function: Mapping[str, Any]) -> tuple[str, str]:
    return function.get("name") or "", function.get("arguments") or function.get("input") or ""


def _choices(events: Iterable[Event]) -> Iterator[Mapping[str, Any]]:
    for event in events:
        yield from (choice for choice in event.fields.get("choices") or () if choice.get("index", 0) == 0)
