"""Anthropic's messages: a list of them, requests with `messages` and `system`, or a line of either each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from amb_replay.formats.openai_chat import held_in, read_conversations
from amb_replay.formats.trace_format import Record, TraceFormat
from amb_replay.trace import Trace

__all__ = ["ANTHROPIC_MESSAGES"]

_BLOCKS = frozenset({"tool_use", "tool_result", "thinking", "redacted_thinking", "server_tool_use"})


def _knows(record: Record) -> bool:
    if isinstance(record, Mapping) and "messages" in record and ("system" in record or _has_schemas(record)):
        return True
    contents = (message.get("content") for message in held_in(record))
    blocks = (
        block for content in contents if isinstance(content, list) for block in content if isinstance(block, dict)
    )
    return any(block.get("type") in _BLOCKS for block in blocks)


def _has_schemas(record: Mapping[str, object]) -> bool:
    tools = record.get("tools")
    return isinstance(tools, list) and any(isinstance(tool, dict) and "input_schema" in tool for tool in tools)


def _read(records: Iterable[Record]) -> Iterator[Trace]:
    return read_conversations(records, "anthropic-messages")


ANTHROPIC_MESSAGES = TraceFormat(
    "anthropic-messages",
    "messages with blocks of `type` tool_use or tool_result, or with `system` beside them",
    _knows,
    _read,
)
