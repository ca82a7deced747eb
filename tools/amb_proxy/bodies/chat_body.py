"""OpenAI chat completions, and every API that is compatible with them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from amb_core.adapter import WireFormName
from amb_proxy.bodies.body_form import Body, Call, Reply, tokens_beside
from amb_proxy.event_stream import Event

__all__ = ["ChatBody"]


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
            Call(str(call.get("id")), *_asked(call.get("function") or call.get("custom") or {}))
            for call in message.get("tool_calls") or ()
        ]
        return Reply(message.get("content") or "", tuple(calls), complete=bool(choices))

    def ends(self, event: Event) -> bool:
        """Whether a choice has its reason to finish."""
        return any(choice.get("finish_reason") for choice in _choices([event]))

    def streamed(self, events: Sequence[Event]) -> Reply:
        """The deltas of the first choice, joined."""
        texts, calls, ended = list[str](), dict[int, list[str]](), False
        for choice in _choices(events):
            delta = choice.get("delta") or {}
            texts.append(delta.get("content") or "")
            ended = ended or bool(choice.get("finish_reason"))
            for at, part in enumerate(delta.get("tool_calls") or ()):
                call = calls.setdefault(part.get("index", at), ["", "", ""])
                name, arguments = _asked(part.get("function") or part.get("custom") or {})
                call[0] = part.get("id") or call[0]
                call[1] += name
                call[2] += arguments
        return Reply("".join(texts), tuple(Call(*calls[at]) for at in sorted(calls)), complete=ended)


def _asked(function: Mapping[str, Any]) -> tuple[str, str]:
    return function.get("name") or "", function.get("arguments") or function.get("input") or ""


def _choices(events: Sequence[Event]) -> Iterator[Mapping[str, Any]]:
    for event in events:
        yield from (choice for choice in event.fields.get("choices") or () if choice.get("index", 0) == 0)
