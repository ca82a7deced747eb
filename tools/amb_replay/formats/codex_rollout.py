"""Sessions of Codex (rollout-*.jsonl): items of OpenAI's Responses among records of what the program did."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from amb_replay.formats.chat_transcript import ChatTranscript, is_item
from amb_replay.formats.message_parts import plain_text
from amb_replay.formats.trace_format import Record, TraceFormat
from amb_replay.trace import Trace

__all__ = ["CODEX_ROLLOUT"]

_KINDS = frozenset({"session_meta", "response_item", "turn_context", "event_msg"})
_OF_THE_PROGRAM = ("<environment_context>", "<user_instructions>", "<permissions instructions>", "# AGENTS.md")


def _knows(record: Record) -> bool:
    return isinstance(record, Mapping) and record.get("type") in _KINDS and isinstance(record.get("payload"), Mapping)


def _read(records: Iterable[Record]) -> Iterator[Trace]:
    transcript = ChatTranscript()
    session = model = ""
    for record in records:
        if not _knows(record):
            continue
        payload = record["payload"]
        if record["type"] == "session_meta":
            session = session or str(payload.get("id") or "")
            _add_instructions(transcript, payload)
        elif record["type"] == "turn_context":
            model = str(payload.get("model") or model)
        elif record["type"] == "response_item":
            _add_item(transcript, payload)
    if transcript.messages:
        yield Trace(session, transcript.messages, model=model, format="codex")


def _add_instructions(transcript: ChatTranscript, payload: Mapping[str, Any]) -> None:
    given = payload.get("base_instructions") or payload.get("instructions")
    text = given.get("text") if isinstance(given, Mapping) else given
    if text and not transcript.messages:
        transcript.add({"role": "system", "content": text})


def _add_item(transcript: ChatTranscript, item: Mapping[str, Any]) -> None:
    """A message or an item; what the program says in the user's name is a system message here."""
    if is_item(item):
        transcript.add(item)
    elif item.get("type") == "message" and item.get("role") == "user":
        text = plain_text(item.get("content")).lstrip()
        transcript.add(item, role="system" if text.startswith(_OF_THE_PROGRAM) else "user")
    elif item.get("type") == "message":
        transcript.add_said(item)


CODEX_ROLLOUT = TraceFormat("codex", "`type` session_meta or response_item with `payload`", _knows, _read)
