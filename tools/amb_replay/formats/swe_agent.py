"""Trajectories of SWE-agent (.traj) and of mini-SWE-agent (.traj.json), with calls or with actions in text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from amb_replay.formats.chat_transcript import ChatTranscript, is_message
from amb_replay.formats.trace_format import Record, TraceFormat
from amb_replay.trace import Trace

__all__ = ["SWE_AGENT"]


def _knows(record: Record) -> bool:
    if not isinstance(record, Mapping):
        return False
    if str(record.get("trajectory_format", "")).startswith("mini-swe-agent"):
        return "messages" in record
    return isinstance(record.get("trajectory"), list) and isinstance(record.get("history"), list)


def _read(records: Iterable[Record]) -> Iterator[Trace]:
    for record in records:
        if _knows(record):
            yield from _traces(record)


def _traces(record: Mapping[str, Any]) -> Iterator[Trace]:
    """The main agent's trace, and one of each other agent in the history."""
    agents: dict[str, list[Mapping[str, Any]]] = {}
    for message in record.get("history", record.get("messages")):
        if is_message(message) and not message.get("is_demo"):
            agents.setdefault(str(message.get("agent") or "main"), []).append(message)
    given = str(record.get("instance_id") or "")
    for agent, messages in agents.items():
        transcript = ChatTranscript()
        for message, after in zip(messages, [*messages[1:], {}], strict=True):
            _add(transcript, message, answered=after.get("role", "user") == "user")
        name = given if agent in ("main", "primary") else f"{given}/{agent}".lstrip("/")
        yield Trace(name, transcript.messages, model=_model(record), format="swe-agent")


def _add(transcript: ChatTranscript, message: Mapping[str, Any], *, answered: bool) -> None:
    """A message; an action that is told in text becomes a call, and the user message behind it its result."""
    action = message.get("action")
    if message["role"] == "assistant" and action and not message.get("tool_calls") and answered:
        transcript.begin()
        transcript.say(message.get("thought") or "")
        transcript.call("", "bash", {"command": str(action).strip()})
    elif message["role"] == "user" and transcript.waits():
        transcript.answer("", "bash", message.get("content"))
    else:
        transcript.add(message)


def _model(record: Mapping[str, Any]) -> str:
    """The model's name, where the settings of the run are in the record."""
    config = (record.get("info") or {}).get("config") or {}
    model = config.get("model") if isinstance(config, Mapping) else None
    return str(model.get("model_name") or "") if isinstance(model, Mapping) else ""


SWE_AGENT = TraceFormat("swe-agent", "`trajectory` and `history`, or `trajectory_format`", _knows, _read)
