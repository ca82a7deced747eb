"""One message made shorter: its text, the arguments of its calls, its reasoning and images; valid in every form."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from amb_core.adapter.chat_messages import NewMessage, TokenCounter, parts_of, text_of
from amb_core.adapter.transcript_trimmer import level_of
from amb_core.memory.arguments import is_plain_json
from amb_core.text import clip_tokens
from amb_core.text.tokens import REASONING, image_tokens

__all__ = ["Shorten", "short_arguments", "short_message"]

Shorten = Callable[[str, int], str]
"""A text in so many tokens."""

_TRIES = 8
_LEAST = 8
_IMAGE = "[image]"
_GAP = 48
"""Below this many tokens there is no room to say what was left out."""


def short_message(message: NewMessage, tokens: int, *, shorten: Shorten, count: TokenCounter) -> NewMessage:
    """The message in about `tokens`: without reasoning, then without images, then the longest texts of it shortened.

    Arguments of calls stay valid JSON with the same keys. `shorten` says what is left of a long text.
    """
    for lighter in (message, _without_reasoning(message), _without_images(message, tokens)):
        if count.message(lighter) <= tokens:
            return lighter
        message = lighter
    texts = [text_of(message.get("content")), *(text_of(_given(call)) for call in _calls(message))]
    sizes, over = [count.text(text) for text in texts], count.message(message) - tokens
    short = message
    for _ in range(_TRIES):
        size = level_of(sizes, over, least=_LEAST) or _LEAST
        short = _rebuilt(message, [min(size, own) for own in sizes], sizes, shorten, count)
        excess = count.message(short) - tokens
        if excess <= 0 or size == _LEAST:
            break
        over += excess + 2
    return short


def short_arguments(raw: Any, tokens: int, *, shorten: Shorten, count: TokenCounter) -> Any:
    """Arguments of a call in about `tokens`, in the form they came: long strings shortened, long lists without middle.

    A text that is no JSON becomes an object that holds its beginning and end.
    """
    value: Any = raw
    if isinstance(raw, str):
        try:
            value = json.loads(raw)
        except (ValueError, RecursionError):
            value = {"arguments": raw}
    if not is_plain_json({"": value}):
        value = {"arguments": text_of(value)}
    size = tokens
    while True:
        small = _trimmed(value, size, shorten, count)
        if size <= _LEAST or count.text(_dumped(small)) <= tokens:
            break
        size = min(size * 3 // 4, size - 1)
    return _dumped(small) if isinstance(raw, str) else small


def _trimmed(value: Any, size: int, shorten: Shorten, count: TokenCounter) -> Any:
    """The value with no string in it of more than `size` tokens, and no list or object of more members."""
    if isinstance(value, str):
        return value if len(value) <= size or count.text(value) <= size else _clipped(value, size, shorten)
    if isinstance(value, Mapping):
        kept = list(value.items())[: max(size, _LEAST)]
        return {key: _trimmed(inner, size, shorten, count) for key, inner in kept}
    if isinstance(value, list | tuple):
        most = max(size // 4, 2)
        kept_items = list(value) if len(value) <= most else [*value[: most - 1], value[-1]]
        return [_trimmed(inner, size, shorten, count) for inner in kept_items]
    return value


def _clipped(text: str, size: int, shorten: Shorten) -> str:
    return shorten(text, size) if size >= _GAP else f"{clip_tokens(text, max(size - 1, 1)).rstrip()}…"


def _dumped(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _rebuilt(
    message: NewMessage, wanted: Sequence[int], sizes: Sequence[int], shorten: Shorten, count: TokenCounter
) -> NewMessage:
    """The message with each of its texts (its content, then the arguments of each call) in the tokens wanted."""
    new = dict(message)
    if wanted[0] < sizes[0]:
        text = _clipped(text_of(_plain_text(message)), wanted[0], shorten)
        others = [part for part in parts_of(message.get("content")) if _is_other(part)]
        new["content"] = [{"type": "text", "text": text}, *others] if others else text
    short = partial(short_arguments, shorten=shorten, count=count)
    calls = [
        call if size >= own else _with_arguments(call, short(_given(call), size))
        for call, size, own in zip(_calls(message), wanted[1:], sizes[1:], strict=True)
    ]
    if message.get("tool_calls"):
        new["tool_calls"] = calls
    elif calls:
        new["function_call"] = calls[0]["function"]
    return new


def _calls(message: Mapping[str, Any]) -> list[dict[str, Any]]:
    legacy = message.get("function_call")
    made = message.get("tool_calls")
    return list(made if isinstance(made, list | tuple) else ()) or ([{"function": legacy}] if legacy else [])


def _given(call: Any) -> Any:
    """What a call is asked; "" for what is no call, which stays as it is."""
    asked = call if isinstance(call, Mapping) else {}
    if isinstance(asked.get("custom"), Mapping):
        return asked["custom"].get("input", "")
    function = asked.get("function")
    return function.get("arguments", "") if isinstance(function, Mapping) else ""


def _with_arguments(call: Mapping[str, Any], arguments: Any) -> dict[str, Any]:
    if isinstance(call.get("custom"), Mapping):
        return {**call, "custom": {**call["custom"], "input": arguments}}
    return {**call, "function": {**call["function"], "arguments": arguments}}


def _without_reasoning(message: NewMessage) -> NewMessage:
    return {key: value for key, value in message.items() if key not in REASONING}


def _without_images(message: NewMessage, tokens: int) -> NewMessage:
    """The message without reasoning, and without images where these leave no room for its text."""
    message = _without_reasoning(message)
    if image_tokens(message) + _GAP <= tokens or not image_tokens(message):
        return message
    parts = [part if text_of([part]) != _IMAGE else {"type": "text", "text": _IMAGE} for part in message["content"]]
    return {**message, "content": parts}


def _is_other(part: object) -> bool:
    """Whether a part of a message is neither text nor a mark for what was an image."""
    return isinstance(part, Mapping) and not isinstance(part.get("text"), str)


def _plain_text(message: NewMessage) -> Any:
    content = message.get("content")
    return [part for part in content if not _is_other(part)] if isinstance(content, list | tuple) else content
