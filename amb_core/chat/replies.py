"""OpenAI's chat protocol as clients speak it: our requests as their fields, their answers and statuses as ours."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from amb_core.chat.characters import encodable
from amb_core.chat.retrying import Failure
from amb_core.chat_io import ChatReply, ChatRequest, FinishReason, TokenUsage, ToolCall
from amb_core.errors import ModelRefused, ModelUnavailable
from amb_core.text import estimate_tokens

__all__ = ["prompt_estimate", "reply_of", "request_fields", "status_failure", "unreadable", "without_choice"]

_AGAIN = frozenset({408, 409, 425, 429})
"""Statuses below 500 that say: not now."""
_MALFORMED = frozenset({400, 415, 422})
"""Statuses that may be about a field the endpoint does not know."""
_TOO_LONG = re.compile(r"context.{0,10}(?:length|size|window)|too long|content.?(?:filter|policy)", re.IGNORECASE)
"""What they say when another form of the same request would be refused as well."""
_SAID = 300
"""Characters of an endpoint's own words that are kept."""
_IMAGE_TOKENS = 1_000
"""About what an image costs, where an endpoint gives no figures."""

_FINISHES: dict[str, FinishReason] = {
    "stop": "stop",
    "length": "length",
    "tool_calls": "tool_calls",
    "function_call": "tool_calls",
    "content_filter": "content_filter",
}


def request_fields(request: ChatRequest, *, model: str) -> dict[str, Any]:
    """The fields of a call that every client of the protocol takes."""
    fields: dict[str, Any] = {
        "model": model,
        "messages": encodable(request.messages),
        "max_tokens": request.max_output_tokens,
    }
    if request.temperature is not None:
        fields["temperature"] = request.temperature
    if request.tools:
        fields["tools"] = encodable(request.tools)
    if (wanted := _response_format(request)) is not None:
        fields["response_format"] = wanted
    return fields


def status_failure(status: int, said: str, *, retry_after: float | None = None) -> Failure:
    """What a status of the endpoint means; `said` are words of its own, without a key."""
    text = f"the endpoint answered {status} ({encodable(' '.join(said.split())[:_SAID])})"
    if status in _AGAIN or status >= 500:
        return Failure(ModelUnavailable(f"{text}; try again later"), again=True, retry_after=retry_after)
    malformed = status in _MALFORMED and not _TOO_LONG.search(said)
    advice = "check the key, the model's name and the request"
    return Failure(ModelRefused(f"{text}; {advice}", malformed=malformed), again=False)


def unreadable() -> Failure:
    """What an answer means that is no JSON, or none of the protocol."""
    return Failure(ModelUnavailable("the endpoint's answer has nothing in it or cannot be read"), again=True)


def without_choice(answer: Any) -> Failure | None:
    """What an answer means that holds no choice with a message: it is of no use, and its tokens are spent."""
    choices = getattr(answer, "choices", None)
    if isinstance(choices, list) and choices and getattr(choices[0], "message", None) is not None:
        return None
    return replace(unreadable(), spent=_told(answer) or TokenUsage())


def prompt_estimate(request: ChatRequest) -> int:
    """About how many tokens the messages have; an image counts as a thousand."""
    return sum(_content_estimate(message.get("content")) for message in request.messages)


def reply_of(answer: Any, *, request: ChatRequest, model: str, spent: TokenUsage) -> ChatReply:
    """The reply in an answer of the protocol that has a choice; `spent` went into attempts before it."""
    choice = answer.choices[0]
    message = choice.message
    text = _text_of(getattr(message, "content", None))
    calls = tuple(
        ToolCall(id=call.id or f"call-{number}", name=call.function.name or "", arguments=call.function.arguments or "")
        for number, call in enumerate(getattr(message, "tool_calls", None) or [], 1)
        if getattr(call, "function", None) is not None
    )
    told = _told(answer)
    if told is None:
        told = TokenUsage(prompt_estimate(request), estimate_tokens(text), estimated=True)
    return ChatReply(
        text=text,
        tool_calls=calls,
        finish_reason=_FINISHES.get(str(getattr(choice, "finish_reason", None) or "stop"), "stop"),
        usage=replace(told, calls=1) + spent,
        model=getattr(answer, "model", None) or model,
    )


def _response_format(request: ChatRequest) -> dict[str, Any] | None:
    """The field `response_format` of the protocol; None for text."""
    if request.answer_format == "json_object":
        return {"type": "json_object"}
    if request.answer_format == "json_schema" and request.schema is not None:
        schema = {"name": request.schema_name, "schema": dict(request.schema), "strict": True}
        return {"type": "json_schema", "json_schema": schema}
    return None


def _text_of(content: object) -> str:
    """The text of an answer, also where a model gives it in parts."""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    return "".join(part["text"] for part in parts if isinstance(part, Mapping) and isinstance(part.get("text"), str))


def _content_estimate(content: object) -> int:
    if isinstance(content, str):
        return estimate_tokens(content)
    parts = content if isinstance(content, list | tuple) else []
    texts = [part.get("text") if isinstance(part, Mapping) else part for part in parts]
    return sum(estimate_tokens(text) if isinstance(text, str) else _IMAGE_TOKENS for text in texts)


def _told(answer: Any) -> TokenUsage | None:
    """The tokens an endpoint reports with an answer; None when it reports none."""
    told = getattr(answer, "usage", None)
    prompt, completion = _count(told, "prompt_tokens"), _count(told, "completion_tokens")
    if prompt is None:
        return None
    details = getattr(told, "prompt_tokens_details", None)
    cached = _count(details, "cached_tokens") or _count(told, "prompt_cache_hit_tokens") or 0
    return TokenUsage(prompt, completion or 0, min(cached, prompt))


def _count(told: Any, name: str) -> int | None:
    value = told.get(name) if isinstance(told, Mapping) else getattr(told, name, None)
    return value if isinstance(value, int) and value >= 0 else None
