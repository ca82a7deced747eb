"""OpenAI Responses, where the client sends all items each time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from amb_core.adapter import WireFormName
from amb_proxy.bodies.body_form import Body, Call, Reply, tokens_beside
from amb_proxy.event_stream import Event

__all__ = ["ResponsesBody"]

_KEPT_BY_THE_SERVER = ("previous_response_id", "conversation", "background", "prompt")
_CALLS = {"function_call": "arguments", "custom_tool_call": "input"}
_ENDS = frozenset({"response.completed", "response.incomplete"})


class ResponsesBody:
    """`POST …/responses`."""

    name: WireFormName = "openai-responses"
    path = "/responses"

    def bypass(self, body: Body) -> str:
        """What the server keeps cannot be bounded here."""
        kept = next((name for name in _KEPT_BY_THE_SERVER if body.get(name)), "")
        return kept or ("" if isinstance(body.get("input"), str | list) and body["input"] else "no input")

    def has_tools(self, body: Body) -> bool:
        """Tools of the client's or of the provider's."""
        return bool(body.get("tools"))

    def messages(self, body: Body) -> list[Any]:
        """The items; a text alone is a message of the user."""
        told = body["input"]
        return [{"role": "user", "content": told}] if isinstance(told, str) else list(told)

    def with_messages(self, body: Body, messages: Sequence[Any]) -> Body:
        """The request with other items."""
        return {**body, "input": list(messages)}

    def beside(self, body: Body) -> str:
        """The instructions, and the schemas of tools and of the answer."""
        return tokens_beside(body, "instructions", "tools", "text")

    def reply(self, payload: Body) -> Reply:
        """The text and the calls among the items of a response."""
        texts, calls = list[str](), list[Call]()
        for item in payload.get("output") or ():
            kind = item.get("type")
            if kind in _CALLS:
                calls.append(Call(str(item.get("call_id")), str(item.get("name")), item.get(_CALLS[kind]) or ""))
            elif kind == "message":
                parts = item.get("content") or ()
                texts += [part.get("text") or "" for part in parts if part.get("type") == "output_text"]
        return Reply("\n".join(texts), tuple(calls), complete=payload.get("status", "completed") != "failed")

    def ends(self, event: Event) -> bool:
        """Whether the response is done."""
        return event.fields.get("type") in _ENDS

    def streamed(self, events: Sequence[Event]) -> Reply:
        """The whole response stands in the last event."""
        for event in reversed(events):
            if self.ends(event):
                return self.reply(event.fields.get("response") or {})
        return Reply("", complete=False)
