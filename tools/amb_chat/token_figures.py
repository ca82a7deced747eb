"""The tokens of a call: as the endpoint reports them, unless it cannot be, else as they are estimated here."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from amb_core.chat_io import ChatReply, ChatRequest, TokenUsage
from amb_core.text import estimate_tokens
from amb_core.text.tokens import image_tokens, request_tokens

__all__ = ["believed", "estimated", "in_figures", "reported", "response_format"]

_ADDED = 2_000
"""Tokens an endpoint may add of its own: instructions on tools, a template."""
_LARGEST_IMAGE = 50_000
"""Tokens the dearest endpoints count for one image."""


def estimated(request: ChatRequest, reply: ChatReply | None = None) -> TokenUsage:
    """About what a call has used: messages, tools, the form asked for, and the answer with its tool calls."""
    beside = [request.tools, response_format(request)]
    answered = 0
    if reply is not None:
        answered = sum(map(estimate_tokens, [reply.text, *(call.name + call.arguments for call in reply.tool_calls)]))
    return TokenUsage(request_tokens(request.messages, beside=beside), answered, estimated=True)


def reported(answer: Any) -> TokenUsage | None:
    """The tokens an endpoint reports with an answer; None when it reports none that are whole numbers, 0 or more."""
    told = getattr(answer, "usage", None)
    prompt, completion = _count(told, "prompt_tokens"), _count(told, "completion_tokens")
    if prompt is None or completion is None:
        return None
    details = getattr(told, "prompt_tokens_details", None)
    cached = _count(details, "cached_tokens") or _count(told, "prompt_cache_hit_tokens") or 0
    return TokenUsage(prompt, completion, min(cached, prompt))


def in_figures(usage: TokenUsage, *, request: ChatRequest, reply: ChatReply) -> TokenUsage:
    """The usage as a model of somebody's tells it, or an estimate where its figures are no counts."""
    if all(map(_is_count, (usage.prompt_tokens, usage.completion_tokens, usage.cached_tokens))):
        return usage
    return _instead(usage, request, reply)


def believed(usage: TokenUsage, *, request: ChatRequest, reply: ChatReply | None = None) -> TokenUsage:
    """The usage an endpoint reports, or an estimate in its place when it is larger than the call can be.

    A token stands for a byte or more, so neither side has more tokens than bytes, but for what the endpoint adds.
    """
    if usage.prompt_tokens <= _most_sent(request) and usage.completion_tokens <= _most_answered(request, reply):
        return usage
    return _instead(usage, request, reply)


def response_format(request: ChatRequest) -> dict[str, Any] | None:
    """The field `response_format` of the protocol; None for text."""
    if request.answer_format == "json_object":
        return {"type": "json_object"}
    if request.answer_format == "json_schema" and request.schema is not None:
        schema = {"name": request.schema_name, "schema": dict(request.schema), "strict": True}
        return {"type": "json_schema", "json_schema": schema}
    return None


def _instead(usage: TokenUsage, request: ChatRequest, reply: ChatReply | None) -> TokenUsage:
    guess = estimated(request, reply)
    return replace(
        usage,
        prompt_tokens=guess.prompt_tokens,
        completion_tokens=guess.completion_tokens,
        cached_tokens=0,
        estimated=True,
        unbelieved_calls=1,
    )


def _most_sent(request: ChatRequest) -> int:
    images = sum(1 for message in request.messages if image_tokens(message) for _ in message["content"])
    said = [*request.messages, *request.tools, response_format(request)]
    sent = sum(len(json.dumps(one, ensure_ascii=False, default=str).encode("utf-8", "replace")) for one in said)
    return sent + _LARGEST_IMAGE * images + _ADDED


def _most_answered(request: ChatRequest, reply: ChatReply | None) -> int:
    said = [] if reply is None else [reply.text, *(call.name + call.arguments for call in reply.tool_calls)]
    return request.max_output_tokens + sum(len(text.encode("utf-8", "replace")) for text in said) + _ADDED


def _count(told: Any, name: str) -> int | None:
    value = told.get(name) if isinstance(told, Mapping) else getattr(told, name, None)
    return value if _is_count(value) else None


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0
