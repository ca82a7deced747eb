"""Items of OpenAI's Responses: a list of them, or requests with `input`; OpenAI Agents writes them too."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from amb_replay.formats.chat_transcript import is_item
from amb_replay.formats.openai_chat import held_in, read_conversations
from amb_replay.formats.trace_format import Record, TraceFormat
from amb_replay.trace import Trace

__all__ = ["OPENAI_RESPONSES"]


def _knows(record: Record) -> bool:
    if isinstance(record, Mapping) and "instructions" in record and "input" in record:
        return True
    return any(is_item(part) for part in held_in(record))


def _read(records: Iterable[Record]) -> Iterator[Trace]:
    return read_conversations(records, "openai-responses")


OPENAI_RESPONSES = TraceFormat(
    "openai-responses", "items with `type` and `call_id`, alone or under `input`", _knows, _read
)
