"""Events of OpenHands: a file each in a conversation's folder, or a list or lines of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from amb_replay.formats.chat_transcript import ChatTranscript
from amb_replay.formats.message_parts import tool_schema
from amb_replay.formats.trace_format import Record, TraceFormat
from amb_replay.trace import Trace

__all__ = ["OPENHANDS_EVENTS"]

_OWN = ("id", "source", "timestamp")
_OF_THE_PROGRAM = ("change_agent_state", "condensation", "condensation_request", "recall", "null")


def _knows(record: Record) -> bool:
    if not isinstance(record, Mapping) or not all(name in record for name in _OWN):
        return False
    new = isinstance(record.get("kind"), str) and record["kind"].endswith(("Event", "Observation", "Condensation"))
    return new or (record.keys() >= {"action", "args"} or record.keys() >= {"observation", "content"})


def _read(records: Iterable[Record]) -> Iterator[Trace]:
    transcript = ChatTranscript()
    tools: tuple[dict[str, Any], ...] = ()
    model = ""
    for record in records:
        if not _knows(record):
            continue
        given = record.get("tools") or (record.get("args") or {}).get("tools")
        tools = tools or tuple(map(_schema, given or ()))
        if "kind" in record:
            _add_event(transcript, record)
        else:
            _add_old_event(transcript, record)
            answer = (record.get("tool_call_metadata") or {}).get("model_response") or {}
            model = model or str(answer.get("model") or "")
    if transcript.messages:
        yield Trace("", transcript.messages, tools, model, "openhands")


def _add_event(transcript: ChatTranscript, event: Mapping[str, Any]) -> None:
    if "llm_message" in event:
        transcript.add(event["llm_message"])
    elif "system_prompt" in event:
        transcript.add({"role": "system", "content": [event["system_prompt"]]})
    elif "tool_call" in event:
        call = event["tool_call"] or {}
        key = str(event.get("llm_response_id") or "")
        said = {
            "role": "assistant",
            "content": event.get("thought") or [],
            "tool_calls": [{**call, "type": "function"}],
        }
        transcript.add(said | {"reasoning_content": event.get("reasoning_content")}, key=key)
    elif event.get("tool_call_id"):
        seen = event.get("observation")
        content = seen.get("content") if isinstance(seen, Mapping) else seen
        content = content or event.get("error") or event.get("rejection_reason")
        transcript.answer(event["tool_call_id"], event.get("tool_name"), content)


def _add_old_event(transcript: ChatTranscript, event: Mapping[str, Any]) -> None:
    """An event of a version before 1.0: an action of the agent is a call, what it brought about its result."""
    about = event.get("tool_call_metadata") or {}
    args = event.get("args") or {}
    if "observation" in event:
        called = about.get("tool_call_id") or f"event_{event.get('cause')}"
        if transcript.waits(called):
            transcript.answer(called, about.get("function_name"), event.get("content"))
        elif event["observation"] == "error":
            transcript.add({"role": "user", "content": event.get("content")})
    elif event["action"] in ("message", "system"):
        role = {"user": "user", "agent": "assistant"}.get(str(event["source"]), "system")
        role = "system" if event["action"] == "system" else role
        transcript.add({"role": role, "content": args.get("content")})
    elif event["source"] == "agent" and event["action"] not in _OF_THE_PROGRAM:
        _add_old_call(transcript, event, about, args)


def _add_old_call(
    transcript: ChatTranscript, event: Mapping[str, Any], about: Mapping[str, Any], args: Mapping[str, Any]
) -> None:
    """A call with the arguments the model gave; where the event does not say, with what the program made of them."""
    called = about.get("tool_call_id") or f"event_{event['id']}"
    answer = about.get("model_response") or {}
    message = (answer.get("choices") or [{}])[0].get("message") or {}
    calls = message.get("tool_calls") or [{}]
    made = {name: value for name, value in args.items() if name != "thought" and value not in (None, "")}
    made = next((call["function"]["arguments"] for call in calls if call.get("id") == called), made)
    call = {"id": called, "name": about.get("function_name") or event["action"], "args": made}
    said = {"role": "assistant", "content": args.get("thought"), "tool_calls": [call]}
    if calls[0].get("id") == called:
        said["reasoning_content"] = message.get("reasoning_content")
    transcript.add(said, key=str(answer.get("id") or ""))


def _schema(tool: Any) -> dict[str, Any]:
    named = {**tool, "name": tool.get("name") or tool.get("title")} if isinstance(tool, Mapping) else tool
    return tool_schema(named)


OPENHANDS_EVENTS = TraceFormat(
    "openhands",
    "`id`, `source`, `timestamp` and `kind` (or `action`, `observation`)",
    _knows,
    _read,
    in_pieces=True,
)
