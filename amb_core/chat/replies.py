"""OpenAI's chat protocol as clients speak it: our requests as their fields, their answers and statuses as ours."""

from __future__ import annotations

from typing import Any

from amb_core.chat.retrying import Failure
from amb_core.chat_io import ChatReply, ChatRequest, FinishReason, TokenUsage, ToolCall
from amb_core.errors import ModelRefused, ModelUnavailable
from amb_core.text import estimate_tokens

__all__ = ["reply_of", "request_fields", "status_failure", "unreadable", "with_choice"]

_AGAIN = frozenset({408, 409, 425, 429})
"""Statuses below 500 that say: not now."""
_MALFORMED = frozenset({400, 415, 422})
"""Statuses that may be about a field the endpoint does not know."""

_FINISHES: dict[str, FinishReason] = {
    "stop": "stop",
    "length": "length",
    "tool_calls": "tool_calls",
    "function_call": "tool_calls",
    "content_filter": "content_filter",
}


def request_fields(request: ChatRequest, *, model: str, timeout: float) -> dict[str, Any]:
    """The fields of a call that every client of the protocol takes; `timeout` in seconds."""
    fields: dict[str, Any] = {
        "model": model,
        "messages": [dict(message) for message in request.messages],
        "max_tokens": request.max_output_tokens,
        "timeout": timeout,
    }
    if request.temperature is not None:
        fields["temperature"] = request.temperature
    if request.tools:
        fields["tools"] = [dict(tool) for tool in request.tools]
    if (wanted := _response_format(request)) is not None:
        fields["response_format"] = wanted
    return fields


def status_failure(status: int, said: str, *, retry_after: float | None = None) -> Failure:
    """What a status of the endpoint means; `said` is a short word of its own, without a key."""
    text = f"the endpoint answered {status} ({said})"
    if status in _AGAIN or status >= 500:
        return Failure(ModelUnavailable(f"{text}; try again later"), again=True, retry_after=retry_after)
    advice = "check the key, the model's name and the request"
    return Failure(ModelRefused(f"{text}; {advice}", malformed=status in _MALFORMED), again=False)


def unreadable() -> Failure:
    """What an answer means that is no JSON, or none of the protocol."""
    return Failure(ModelUnavailable("the endpoint's answer has nothing in it or cannot be read"), again=True)


def _response_format(request: ChatRequest) -> dict[str, Any] | None:
    """The field `response_format` of the protocol; None for text."""
    if request.answer_format == "json_object":
        return {"type": "json_object"}
    if request.answer_format == "json_schema" and request.schema is not None:
        schema = {"name": request.schema_name, "schema": dict(request.schema), "strict": True}
        return {"type": "json_schema", "json_schema": schema}
    return None


def with_choice(answer: Any) -> Any:
    """The answer; ValueError when there is no choice with a message in it."""
    choices = getattr(answer, "choices", None) or []
    if not choices or getattr(choices[0], "message", None) is None:
        raise ValueError("no choice")
    return answer


def reply_of(answer: Any, *, request: ChatRequest, model: str, failed: int) -> ChatReply:
    """The reply in an answer of the protocol that has a choice."""
    choice = answer.choices[0]
    message = choice.message
    text = message.content if isinstance(message.content, str) else ""
    calls = tuple(
        ToolCall(id=call.id or f"call-{number}", name=call.function.name or "", arguments=call.function.arguments or "")
        for number, call in enumerate(getattr(message, "tool_calls", None) or [], 1)
        if getattr(call, "function", None) is not None
    )
    return ChatReply(
        text=text,
        tool_calls=calls,
        finish_reason=_FINISHES.get(choice.finish_reason or "stop", "stop"),
        usage=_usage(answer, request=request, text=text, failed=failed),
        model=getattr(answer, "model", None) or model,
    )


def _usage(answer: Any, *, request: ChatRequest, text: str, failed: int) -> TokenUsage:
    told = getattr(answer, "usage", None)
    if told is None or told.prompt_tokens is None:
        prompt = sum(estimate_tokens(str(message.get("content") or "")) for message in request.messages)
        return TokenUsage(prompt, estimate_tokens(text), calls=1, failed_calls=failed, estimated=True)
    details = getattr(told, "prompt_tokens_details", None)
    return TokenUsage(
        prompt_tokens=told.prompt_tokens,
        completion_tokens=told.completion_tokens or 0,
        cached_tokens=getattr(details, "cached_tokens", None) or 0,
        calls=1,
        failed_calls=failed,
    )
