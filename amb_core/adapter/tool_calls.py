"""Tool calls and their results in OpenAI-style messages, matched with one another."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from amb_core.adapter.content import TokenCounter, text_of
from amb_core.condensing import TranscriptItem
from amb_core.models import ToolResult

__all__ = ["Calls", "Message", "calls_of", "items_of", "tool_results_of"]

Message = Mapping[str, Any]
Calls = dict[str, tuple[str, dict[str, Any]]]
"""Call id → (tool, arguments)."""

_SYSTEM_ROLES = frozenset({"system", "developer", "marker"})
_RESULT_ROLES = frozenset({"tool", "function"})


def calls_of(message: Message) -> Calls:
    """The tool calls that one assistant message makes."""
    calls: Calls = {}
    for call in message.get("tool_calls") or ():
        named = call.get("function") or call.get("custom") or {}
        calls[str(call.get("id"))] = (_name(named), _arguments(named.get("arguments", named.get("input"))))
    legacy = message.get("function_call")
    if isinstance(legacy, Mapping):
        calls[_legacy_id(legacy)] = (_name(legacy), _arguments(legacy.get("arguments")))
    return calls


def tool_results_of(messages: Iterable[Message], *, calls: Calls, run: str, agent: str | None) -> list[ToolResult]:
    """The results among the messages, each with its call's tool and arguments; `calls` grows as messages go by."""
    results: list[ToolResult] = []
    for message in messages:
        calls.update(calls_of(message))
        if message["role"] not in _RESULT_ROLES:
            continue
        call_id = _answered(message)
        tool, arguments = calls.get(call_id, (_name(message), {}))
        results.append(
            ToolResult(
                tool=tool,
                arguments=arguments,
                output=text_of(message.get("content")),
                call_id=call_id,
                run=run,
                agent=agent,
                is_error=message.get("is_error") is True,
            )
        )
    return results


def items_of(messages: Sequence[Message], *, count: TokenCounter) -> list[TranscriptItem]:
    """One transcript item per message."""
    calls: Calls = {}
    items: list[TranscriptItem] = []
    for message in messages:
        made = calls_of(message)
        calls.update(made)
        text, role, tokens = text_of(message.get("content")), message["role"], count.message(message)
        if made:
            asked = "\n".join(f"{tool} {text_of(arguments)}" for tool, arguments in made.values())
            items.append(TranscriptItem("call", f"{text}\n{asked}", tuple(made), tokens=tokens))
        elif role in _RESULT_ROLES:
            call_id = _answered(message)
            tool = calls.get(call_id, (_name(message), {}))[0]
            items.append(TranscriptItem("result", text, (call_id,), tool, tokens, beside=count.images(message)))
        elif role in _SYSTEM_ROLES:
            items.append(TranscriptItem("system", text, tokens=tokens))
        else:
            items.append(TranscriptItem("assistant" if role == "assistant" else "user", text, tokens=tokens))
    return items


def _name(named: Mapping[str, Any]) -> str:
    return str(named.get("name") or "").strip() or "tool"


def _answered(message: Message) -> str:
    call_id = message.get("tool_call_id")
    return _legacy_id(message) if call_id is None else str(call_id)


def _legacy_id(named: Mapping[str, Any]) -> str:
    return f"function:{_name(named)}"


def _arguments(raw: object) -> dict[str, Any]:
    value = raw
    if isinstance(raw, str):
        try:
            value = json.loads(raw) if raw.strip() else {}
        except ValueError:
            value = raw
    if isinstance(value, Mapping):
        return {str(key): item for key, item in value.items()}
    return {} if value is None else {"arguments": value}
