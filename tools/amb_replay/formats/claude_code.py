"""Sessions of Claude Code: a line each message, in a tree that goes on from the newest line; helpers apart."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from amb_replay.formats.chat_transcript import ChatTranscript
from amb_replay.formats.trace_format import Record, TraceFormat
from amb_replay.trace import Trace

__all__ = ["CLAUDE_CODE"]

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
