"""OpenAI's chat protocol as clients speak it: our requests as their fields, their answers and statuses as ours."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from amb_chat.retries import Failure
from amb_chat.token_figures import believed, estimated, reported, response_format
from amb_core.chat_io import ChatReply, ChatRequest, FinishReason, TokenUsage, ToolCall
from amb_core.errors import ModelRefused, ModelUnavailable

__all__ = ["encodable", "readable", "reply_of", "request_fields", "status_failure", "unreadable", "without_choice"]

_AGAIN = frozenset({408, 409, 425, 429})
"""Statuses below 500 that say: not now."""
_MALFORMED = frozenset({400, 415, 422})
"""Statuses that may be about a field the endpoint does not know."""
_TOO_LONG = re.compile(r"context.{0,10}(?:length|size|window)|too long|content.?(?:filter|policy)", re.IGNORECASE)
"""What they say when another form of the same request would be refused as well."""
_SAID = 300
"""Characters of an endpoint's own words that are kept."""

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
    if request.logprobs:
        fields["logprobs"] = True
    if request.tools:
        fields["tools"] = encodable(request.tools)
    if (wanted := response_format(request)) is not None:
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


def without_choice(answer: Any, *, request: ChatRequest) -> Failure | None:
    """What an answer means that holds no choice with a message: it is of no use, and its tokens are spent."""
    choices = getattr(answer, "choices", None)
    if isinstance(choices, list) and choices and getattr(choices[0], "message", None) is not None:
        return None
    told = reported(answer)
    return replace(unreadable(), spent=TokenUsage() if told is None else believed(told, request=request))


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
    reply = ChatReply(
        text=text,
        tool_calls=calls,
        finish_reason=_FINISHES.get(str(getattr(choice, "finish_reason", None) or "stop"), "stop"),
        model=getattr(answer, "model", None) or model,
        logprobs=_logprobs_of(getattr(choice, "logprobs", None)),
    )
    told = reported(answer)
    used = estimated(request, reply) if told is None else believed(told, request=request, reply=reply)
    return replace(reply, usage=replace(used, calls=1) + spent)


def _text_of(content: object) -> str:
    """The text of an answer, also where a model gives it in parts."""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    return "".join(part["text"] for part in parts if isinstance(part, Mapping) and isinstance(part.get("text"), str))


def _logprobs_of(told: Any) -> tuple[tuple[str, float], ...]:
    """The tokens of an answer with the logarithms of their probabilities; () for none, and for what are no such."""
    tokens: list[tuple[str, float]] = []
    for one in getattr(told, "content", None) or ():
        token, value = getattr(one, "token", None), getattr(one, "logprob", None)
        if not isinstance(token, str) or not isinstance(value, int | float):
            return ()
        tokens.append((token, float(value)))
    return tuple(tokens)


def encodable(value: Any) -> Any:
    """The value with every lone surrogate in its texts as an escape; lists and mappings are copied."""
    if isinstance(value, str):
        return value if value.isascii() else value.encode("utf-8", "backslashreplace").decode("utf-8")
    if isinstance(value, Mapping):
        return {encodable(key): encodable(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [encodable(item) for item in value]
    return value


def readable(reply: ChatReply) -> ChatReply:
    """The reply with texts that can be encoded: they are shown, logged, stored, and sent with the next request."""
    calls = tuple(
        replace(call, id=encodable(call.id), name=encodable(call.name), arguments=encodable(call.arguments))
        for call in reply.tool_calls
    )
    return replace(reply, text=encodable(reply.text), tool_calls=calls, model=encodable(reply.model))
