"""Smolagents' messages as the adapter sees them (OpenAI-style, a tool message for each result), and back again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from smolagents.memory import ActionStep, MemoryStep
from smolagents.models import ChatMessage, MessageRole

from amb_core import ContextAdapter, ToolResult
from amb_core.adapter import TranscriptItem, parts_of, text_of
from amb_core.rendering import private_line
from amb_smolagents.results import error_of, pieces_of

__all__ = ["chat_of", "for_mates", "messages_of"]

_FROM = "smolagents"
_ROLES = {MessageRole.SYSTEM: "system", MessageRole.ASSISTANT: "assistant", MessageRole.TOOL_CALL: "assistant"}


@dataclass(frozen=True, slots=True)
class _Origin:
    """What an OpenAI-style message was made from, and the messages that are written for it if it stays as it is."""

    content: Any
    shown: Sequence[ChatMessage]
    before: str = ""
    after: str = ""
    joins: bool = False
    result: ToolResult | None = None


def chat_of(step: MemoryStep | None, messages: Sequence[ChatMessage], *, found: Sequence[ToolResult],
            summary_mode: bool) -> Iterator[dict[str, Any]]:  # fmt: skip
    """The messages of one step; with `summary_mode`, those that smolagents leaves out then count but are not shown."""
    shown = messages if step is None or not summary_mode else step.to_messages(summary_mode=True)
    if not isinstance(step, ActionStep):
        for message in messages:
            yield _plain(
                _ROLES.get(message.role, "user"), parts_of(message.content), [m for m in shown if m == message]
            )
        return
    results = [piece for message in messages if _answers(message) for piece in _results(step, message, found)]
    calls = [
        {"id": result["tool_call_id"], "function": {"name": result["name"], "arguments": "{}"}} for result in results
    ]
    said = [part for message in messages if not _answers(message) for part in parts_of(message.content)]
    if said or calls:
        role = "assistant" if calls or any(message.role in _ROLES for message in messages) else "user"
        asked = _plain(role, said, [message for message in shown if not _answers(message)])
        yield asked | ({"tool_calls": calls} if calls else {})
    yield from results


def for_mates(
    chat: Iterable[dict[str, Any]], adapter: ContextAdapter, *, shares: Callable[[ToolResult], bool]
) -> list[dict[str, Any]]:
    """The messages as an agent's manager may read them: results in their short form, private ones named only."""
    language = adapter.bank.settings.language_for(adapter.bank.insight.task_goal)

    def short(result: ToolResult) -> str:
        if not shares(result):
            return private_line(result.tool, language)
        item = TranscriptItem("result", result.output, (result.call_id or "",), result.tool)
        return adapter.short_form(item, for_team=True)

    return [one | {"content": short(one[_FROM].result)} if one["role"] == "tool" else one for one in chat]


def messages_of(chat: Iterable[Mapping[str, Any]]) -> list[ChatMessage]:
    """The messages smolagents sends for what the adapter left of them."""
    written: list[ChatMessage] = []
    for message in chat:
        origin: _Origin | None = message.get(_FROM)
        content = parts_of(message["content"])
        if origin is None:
            written.append(ChatMessage(role=MessageRole(message["role"]), content=_merged(content)))
        elif message["role"] == "tool":
            text = f"{origin.before}{text_of(message['content'])}{origin.after}"
            if origin.joins and written and _answers(written[-1]):
                text = f"{text_of(written.pop().content)}{text}"
            written.append(ChatMessage(role=MessageRole.TOOL_RESPONSE, content=[{"type": "text", "text": text}]))
        elif content[: len(origin.content)] == origin.content:
            # A block that joins the system message stays a message of its own: the final answer drops the first one.
            added = content[len(origin.content) :]
            written += [*origin.shown, *([ChatMessage(MessageRole(message["role"]), added)] if added else [])]
        elif origin.shown:
            written.append(ChatMessage(role=origin.shown[0].role, content=_merged(content)))
    return written


def _merged(parts: list[Any]) -> list[Any]:
    """The parts with neighbouring texts made one: some models are given only the first text of a message."""
    merged: list[Any] = []
    for part in parts:
        if merged and part["type"] == merged[-1]["type"] == "text":
            merged[-1] = {"type": "text", "text": f"{merged[-1]['text']}\n\n{part['text']}"}
        else:
            merged.append(part)
    return merged


def _answers(message: ChatMessage) -> bool:
    return bool(message.role == MessageRole.TOOL_RESPONSE)


def _plain(role: str, content: list[Any], shown: Sequence[ChatMessage]) -> dict[str, Any]:
    return {"role": role, "content": content, _FROM: _Origin(content, shown)}


def _results(step: ActionStep, message: ChatMessage, found: Sequence[ToolResult]) -> list[dict[str, Any]]:
    """The results one message consists of; `before` and `after` of a result are what stands around it."""
    text = text_of(message.content)
    heading, observed = "Observation:\n", step.observations is not None
    if observed and text == f"{heading}{step.observations}":
        pieces = pieces_of(step, found)
        pieces[0] = (heading + pieces[0][0], *pieces[0][1:])
    else:
        pieces = [("", error_of(step, found, text), "")]
    return [
        {
            "role": "tool",
            "tool_call_id": result.call_id,
            "name": result.tool,
            "content": result.output,
            _FROM: _Origin(result.output, (), before, after, joins=at > 0, result=result),
        }
        for at, (before, result, after) in enumerate(pieces)
    ]
