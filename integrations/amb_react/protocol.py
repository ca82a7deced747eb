"""What a model wrote, as a move; and a transcript in OpenAI's form, as the tags of the text protocol."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from amb_agents.prompted.shapes import StatementShape
from amb_chat.replies import encodable
from amb_core.adapter import text_of
from amb_core.chat_io import ChatReply, ToolCall
from amb_core.rendering import strip_block

__all__ = ["Message", "Move", "as_text", "move_of"]

Message = Mapping[str, Any]
Written = Callable[[str, Sequence[tuple[str, str]]], str]

_THOUGHT = re.compile(r"<think>.*?(?:</think>|(?=<tool_call>|<answer>)|\Z)", re.DOTALL)
_CALL = re.compile(r"<tool_call>(.*?)(?:</tool_call>|(?=<tool_call>)|\Z)", re.DOTALL)
_ANSWER = re.compile(r"<answer>(.*?)(?:</answer>|\Z)", re.DOTALL)
_TAG = re.compile(r"</?(?:think|tool_call|tool_response|answer)>")
_FENCE = re.compile(r"\A```\w*\s*(.*?)\s*```\Z", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Move:
    """What a reply does: call tools, or answer; neither when it is `torn` or empty.

    `thought` is what the model wrote before its calls. `tagged` says that the answer, or the calls, stood in tags.
    `extracted` are statements it read off the newest results, where it was asked for them.
    """

    thought: str = ""
    calls: tuple[ToolCall, ...] = ()
    answer: str = ""
    tagged: bool = False
    torn: bool = False
    extracted: tuple[StatementShape, ...] = ()


def move_of(reply: ChatReply) -> Move:
    """Read a reply. Native tool calls count first; in text, whichever comes first of a call and an answer.

    Whatever follows a `<tool_response>` was made up by the model and is not read. Nothing is read of a torn reply
    but its words.
    """
    if reply.finish_reason == "length":
        return Move(thought=reply.text, torn=True)
    if reply.tool_calls:
        return Move(thought=reply.text, calls=reply.tool_calls)
    text = _visible(reply.text).partition("<tool_response>")[0]
    call, answer = _CALL.search(text), _ANSWER.search(text)
    if answer and (call is None or answer.start() < call.start()):
        return Move(answer=answer[1].strip(), tagged=True)
    if call:
        calls = tuple(_call_of(found[1].strip()) for found in _CALL.finditer(text))
        return Move(thought=reply.text[: reply.text.find(call[0])].strip(), calls=calls, tagged=True)
    return Move(answer=_TAG.sub("", text).strip())


def _visible(text: str) -> str:
    """The text without thoughts and repeated blocks of ours; some endpoints leave out the tag that opens a thought."""
    return strip_block(_THOUGHT.sub("", text).rpartition("</think>")[2])


def _call_of(text: str) -> ToolCall:
    """A call as JSON in a tag; one that cannot be read has no name and its text for arguments."""
    fence = _FENCE.match(text)
    try:
        wanted = encodable(json.loads(fence[1] if fence else text))
        name, arguments = wanted["name"], wanted.get("arguments", {})
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return ToolCall("", "", text)
    return ToolCall(
        "", str(name), arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)
    )


def as_text(messages: Iterable[Message], *, calls: Written | None = None) -> list[dict[str, Any]]:
    """The messages for an endpoint that knows no tools: calls and results in tags, no two user messages in a row.

    `calls` writes a thought and its calls (name, arguments) in another way.
    """
    shown: list[dict[str, Any]] = []
    for message in messages:
        plain = _without_tools(message, calls or _in_tags)
        if shown and plain["role"] == "user" == shown[-1]["role"]:
            shown[-1] = {"role": "user", "content": _joined(shown[-1]["content"], plain["content"])}
        else:
            shown.append(plain)
    return shown


def _without_tools(message: Message, written: Written) -> dict[str, Any]:
    if message["role"] == "tool":
        return {"role": "user", "content": f"<tool_response>\n{text_of(message['content'])}\n</tool_response>"}
    if not message.get("tool_calls"):
        return dict(message)
    calls = [(call["function"]["name"], call["function"]["arguments"]) for call in message["tool_calls"]]
    return {"role": "assistant", "content": written(text_of(message.get("content")), calls)}


def _in_tags(thought: str, calls: Sequence[tuple[str, str]]) -> str:
    return "\n".join(filter(None, [thought, *(_tagged(*call) for call in calls)]))


def _tagged(name: str, arguments: str) -> str:
    """A call in its tag; nothing in its arguments closes the tag, because JSON takes a slash with a backslash too."""
    call = json.dumps({"name": name, "arguments": json.loads(arguments)}, ensure_ascii=False)
    return "<tool_call>" + call.replace("</", "<\\/") + "</tool_call>"


def _joined(first: Any, second: Any) -> Any:
    """Two contents as one: text when both are, else parts."""
    if isinstance(first, str) and isinstance(second, str):
        return f"{first}\n\n{second}"
    parts = [[{"type": "text", "text": part}] if isinstance(part, str) else list(part) for part in (first, second)]
    return parts[0] + parts[1]
