"""Requests of the APIs of providers: where each has its transcript, what it carries beside it, what its reply tells."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from amb_core.adapter.tool import tool_names
from amb_core.adapter.wire_forms import WireFormName, fields_of

__all__ = [
    "REQUEST_FORMS",
    "AnthropicRequests",
    "ChatRequests",
    "RequestForm",
    "ResponsesRequests",
    "request_form",
]


class RequestForm:
    """Requests that are posted to one API: JSON objects, or what an SDK makes them of. Nothing given is changed."""

    name: WireFormName
    """The value of ContextAdapter's `form=`."""
    path: str
    """How the paths of its requests end."""
    transcript: str = "messages"
    """The member with the messages."""
    carried: tuple[str, ...]
    """Members that the model reads beside the messages."""
    counted: tuple[str, ...]
    """The figures of `usage` that make up the tokens of a request."""
    envelope: str = ""
    """Where events of a stream have the reply."""

    def bypass(self, body: Mapping[str, Any]) -> str:
        """Why a request is none that memory can help with; empty where it is one."""
        told = body.get(self.transcript)
        return "" if isinstance(told, list) and told else f"no {self.transcript}"

    def messages(self, body: Mapping[str, Any]) -> list[Any]:
        """The transcript in a request."""
        return list(body[self.transcript])

    def with_messages(self, body: Mapping[str, Any], messages: Sequence[Any]) -> Mapping[str, Any]:
        """The request with another transcript."""
        return {**body, self.transcript: list(messages)}

    def beside(self, body: Mapping[str, Any]) -> str:
        """What a request carries beside its transcript and is paid for: instructions and schemas of tools."""
        told = [value for key in self.carried if (value := body.get(key))]
        return "\n".join(value if isinstance(value, str) else _as_json(value) for value in told)

    def tools(self, body: Mapping[str, Any]) -> list[str]:
        """The names of the tools that a request offers."""
        return tool_names(body.get("tools") or body.get("functions") or ())

    def prompt_tokens(self, payload: Mapping[str, Any]) -> int:
        """The tokens of the request by a reply, or by an event of a stream, cached ones too; 0 where none are told."""
        usage = fields_of(payload.get(self.envelope, payload)).get("usage")
        told = [fields_of(usage).get(key) or 0 for key in self.counted]
        return sum(told) if all(type(one) is int and one >= 0 for one in told) else 0


class ChatRequests(RequestForm):
    """`POST …/chat/completions`."""

    name: WireFormName = "openai-chat"
    path = "/chat/completions"
    carried = ("tools", "functions", "response_format")
    counted = ("prompt_tokens",)


class ResponsesRequests(RequestForm):
    """`POST …/responses`, where all items are sent each time."""

    name: WireFormName = "openai-responses"
    path = "/responses"
    transcript = "input"
    carried = ("instructions", "tools", "text")
    counted = ("input_tokens",)
    envelope = "response"
    kept_by_server: tuple[str, ...] = ("previous_response_id", "conversation", "background", "prompt")

    def bypass(self, body: Mapping[str, Any]) -> str:
        """What the server keeps cannot be bounded here."""
        kept = next((name for name in self.kept_by_server if body.get(name)), "")
        return kept or ("" if isinstance(body.get("input"), str | list) and body["input"] else "no input")

    def messages(self, body: Mapping[str, Any]) -> list[Any]:
        """The items; a text alone is a message of the user."""
        told = body["input"]
        return [{"role": "user", "content": told}] if isinstance(told, str) else list(told)


class AnthropicRequests(RequestForm):
    """`POST …/messages`; `system` stands outside of the messages."""

    name: WireFormName = "anthropic"
    path = "/messages"
    carried = ("system", "tools")
    counted = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
    envelope = "message"


REQUEST_FORMS: tuple[RequestForm, ...] = (ChatRequests(), ResponsesRequests(), AnthropicRequests())


def request_form(path: str) -> RequestForm | None:
    """The form of the requests that are posted to this path; None for a path that is no request of a model."""
    bare = path.partition("?")[0].rstrip("/")
    return next((form for form in REQUEST_FORMS if bare.endswith(form.path)), None)


def _as_json(value: Any) -> str:
    """A member of a request as the JSON that is sent, also where it has objects of an SDK in it."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=_plain)


def _plain(part: Any) -> Any:
    return fields_of(part) or str(part)
