"""Messages and items of the APIs of OpenAI and Anthropic: a list of them, requests, or a line of either each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from amb_core.errors import UnreadableSource
from amb_replay.formats.chat_transcript import ChatTranscript, is_item, is_message
from amb_replay.formats.recorded_calls import GrowingRequests, recorded_call
from amb_replay.trace import Record, Trace, TraceFormat

__all__ = ["ANTHROPIC_MESSAGES", "OPENAI_CHAT", "OPENAI_RESPONSES", "held_in", "read_conversations"]

_PLACES = ("messages", "request", "body", "input", "history")


def held_in(record: Any) -> list[Any]:
    """The messages and items that a record is or holds, for telling its format; [] for none."""
    if is_message(record) or is_item(record):
        return [record]
    if isinstance(record, list):
        return [part for part in record if is_message(part) or is_item(part)]
    if not isinstance(record, Mapping):
        return []
    places = (record.get(name) for name in _PLACES)
    return next((found for place in places if isinstance(place, list | Mapping) and (found := held_in(place))), [])


def read_conversations(records: Iterable[Record], format: str) -> Iterator[Trace]:
    """Traces of records that are messages of one conversation, or conversations or requests each.

    Raises UnreadableSource for a record that is neither.
    """
    alone = ChatTranscript()
    requests = GrowingRequests(format)
    items = False
    for record in records:
        if is_item(record) or (is_message(record) and not isinstance(record.get("messages"), list)):
            items = items or is_item(record)
            _add(alone, record, items=items)
            continue
        call = recorded_call(record)
        if call is None:
            raise UnreadableSource("it holds no messages; leave it out, or name a file of one format.")
        requests.add(call.messages, id=_id_of(record), tools=call.tools, model=call.model)
    if alone.messages:
        yield Trace("", alone.messages, format=format)
    yield from requests.traces()


def _add(transcript: ChatTranscript, record: Any, *, items: bool) -> None:
    if items and not is_item(record):
        transcript.add_said(record)
    else:
        transcript.add(record)


def _id_of(record: Record) -> str:
    if not isinstance(record, Mapping):
        return ""
    names = ("id", "trace_id", "conversation_id", "session_id", "custom_id", "instance_id", "task_id")
    return next((str(record[name]) for name in names if isinstance(record.get(name), str | int)), "")


def _knows(record: Record) -> bool:
    return bool(held_in(record))


def _read(records: Iterable[Record]) -> Iterator[Trace]:
    return read_conversations(records, "openai-chat")


OPENAI_CHAT = TraceFormat("openai-chat", "messages with `role` and `content`, alone or under `messages`", _knows, _read)


def _knows_responses(record: Record) -> bool:
    if isinstance(record, Mapping) and "instructions" in record and "input" in record:
        return True
    return any(is_item(part) for part in held_in(record))


def _read_responses(records: Iterable[Record]) -> Iterator[Trace]:
    return read_conversations(records, "openai-responses")


OPENAI_RESPONSES = TraceFormat(
    "openai-responses", "items with `type` and `call_id`, alone or under `input`", _knows_responses, _read_responses
)


_BLOCKS = frozenset({"tool_use", "tool_result", "thinking", "redacted_thinking", "server_tool_use"})


def _knows_anthropic(record: Record) -> bool:
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


def _read_anthropic(records: Iterable[Record]) -> Iterator[Trace]:
    return read_conversations(records, "anthropic-messages")


ANTHROPIC_MESSAGES = TraceFormat(
    "anthropic-messages",
    "messages with blocks of `type` tool_use or tool_result, or with `system` beside them",
    _knows_anthropic,
    _read_anthropic,
)
