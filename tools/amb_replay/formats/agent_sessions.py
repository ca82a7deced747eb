"""Sessions that coding agents write: Claude Code, Codex, SWE-agent and OpenHands.

One of Claude Code has a line for each message, in a tree that goes on from the newest line, helpers apart. One of Codex
has items of OpenAI's Responses among records of what the program did. SWE-agent tells calls, or actions in text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from amb_replay.formats.chat_transcript import ChatTranscript, is_item, is_message, plain_text, tool_schema
from amb_replay.trace import Record, Trace, TraceFormat

__all__ = ["CLAUDE_CODE", "CODEX_ROLLOUT", "OPENHANDS_EVENTS", "SWE_AGENT"]

_SAID = ("user", "assistant")


@dataclass(slots=True)
class _Session:
    """One agent's lines by their id, in order, and which line each follows."""

    lines: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    parents: dict[str, str] = field(default_factory=dict)
    newest: str = ""


def _knows(record: Record) -> bool:
    return isinstance(record, Mapping) and record.keys() >= {"sessionId", "uuid", "type", "parentUuid"}


def _read(records: Iterable[Record]) -> Iterator[Trace]:
    sessions: dict[str, _Session] = {}
    helpers: dict[str, str] = {}
    for record in records:
        if _knows(record):
            _take(sessions, helpers, record)
    for name, session in sessions.items():
        trace = _trace(name, session)
        if trace.messages:
            yield trace


def _take(sessions: dict[str, _Session], helpers: dict[str, str], record: Mapping[str, Any]) -> None:
    """Put a line where it belongs; of lines that say nothing only the place in the tree is kept.

    A helper's line that has no name for it is of the helper of the line before it, or of a new one.
    """
    uuid = str(record["uuid"])
    parent = str(record["parentUuid"] or record.get("logicalParentUuid") or "")
    helper = str(record.get("agentId") or "")
    if record.get("isSidechain") and not helper:
        helper = helpers[uuid] = helpers.get(parent, uuid)
    session = sessions.setdefault(f"{record['sessionId']}/{helper}".rstrip("/"), _Session())
    session.parents[uuid] = parent
    if record["type"] in _SAID and isinstance(record.get("message"), Mapping):
        session.lines[uuid] = {key: record.get(key) for key in ("type", "isMeta", "message")}
        session.newest = uuid


def _trace(name: str, session: _Session) -> Trace:
    transcript, model = ChatTranscript(), ""
    for line in _kept_lines(session):
        message = line["message"]
        mine = line["type"] == "assistant"
        if mine and message.get("model") != "<synthetic>":
            model = str(message.get("model") or model)
        role = "assistant" if mine else "system" if line["isMeta"] else "user"
        transcript.add(message, role=role, key=str(message.get("id") or "") if mine else "")
    return Trace(name, transcript.messages, model=model, format="claude-code")


def _kept_lines(session: _Session) -> list[Mapping[str, Any]]:
    """The lines from the first to the newest, without what was taken back; calls side by side are all kept.

    All lines are, where one of the places between the first and the newest is not in the file.
    """
    chain = _chain(session)
    if next(iter(session.parents)) not in chain:
        return list(session.lines.values())
    turns = {session.lines[name]["message"].get("id") for name in chain & session.lines.keys()} - {None}
    kept = {name for name, line in session.lines.items() if name in chain or line["message"].get("id") in turns}
    calls = set().union(*(_ids(session.lines[name], "id") for name in kept))
    return [line for name, line in session.lines.items() if name in kept or calls & _ids(line, "tool_use_id")]


def _chain(session: _Session) -> set[str]:
    """The newest line, the one it follows, and so on."""
    chain: set[str] = set()
    at = session.newest
    while at and at not in chain:
        chain.add(at)
        at = session.parents.get(at, "")
    return chain


def _ids(line: Mapping[str, Any], name: str) -> set[str]:
    """The ids of the calls in a line, or of those it answers."""
    content = line["message"].get("content")
    blocks = content if isinstance(content, list) else ()
    return {str(block[name]) for block in blocks if isinstance(block, Mapping) and block.get(name)}


CLAUDE_CODE = TraceFormat("claude-code", "`sessionId`, `uuid` and `parentUuid`", _knows, _read)


_KINDS = frozenset({"session_meta", "response_item", "turn_context", "event_msg"})
_OF_THE_PROGRAM = ("<environment_context>", "<user_instructions>", "<permissions instructions>", "# AGENTS.md")


def _knows_codex(record: Record) -> bool:
    return isinstance(record, Mapping) and record.get("type") in _KINDS and isinstance(record.get("payload"), Mapping)


def _read_codex(records: Iterable[Record]) -> Iterator[Trace]:
    transcript = ChatTranscript()
    session = model = ""
    for record in records:
        if not _knows_codex(record):
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


CODEX_ROLLOUT = TraceFormat("codex", "`type` session_meta or response_item with `payload`", _knows_codex, _read_codex)


def _knows_swe(record: Record) -> bool:
    if not isinstance(record, Mapping):
        return False
    if str(record.get("trajectory_format", "")).startswith("mini-swe-agent"):
        return "messages" in record
    return isinstance(record.get("trajectory"), list) and isinstance(record.get("history"), list)


def _read_swe(records: Iterable[Record]) -> Iterator[Trace]:
    for record in records:
        if _knows_swe(record):
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


SWE_AGENT = TraceFormat("swe-agent", "`trajectory` and `history`, or `trajectory_format`", _knows_swe, _read_swe)


_OWN = ("id", "source", "timestamp")
_OF_OPENHANDS = ("change_agent_state", "condensation", "condensation_request", "recall", "null")


def _knows_openhands(record: Record) -> bool:
    if not isinstance(record, Mapping) or not all(name in record for name in _OWN):
        return False
    new = isinstance(record.get("kind"), str) and record["kind"].endswith(("Event", "Observation", "Condensation"))
    return new or (record.keys() >= {"action", "args"} or record.keys() >= {"observation", "content"})


def _read_openhands(records: Iterable[Record]) -> Iterator[Trace]:
    transcript = ChatTranscript()
    tools: tuple[dict[str, Any], ...] = ()
    model = ""
    for record in records:
        if not _knows_openhands(record):
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
    elif event["source"] == "agent" and event["action"] not in _OF_OPENHANDS:
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
    _knows_openhands,
    _read_openhands,
    in_pieces=True,
)
