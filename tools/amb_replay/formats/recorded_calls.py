"""What went to a model and what came back, as logs and exports keep them: the messages, tools and model of each."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

from amb_core.errors import UnreadableSource
from amb_replay.formats.chat_transcript import ChatTranscript, is_item, is_message, tool_schemas
from amb_replay.formats.json_values import parse_text
from amb_replay.trace import Trace

__all__ = ["MOST_TRACES", "GrowingRequests", "RecordedCall", "answers_in", "opened", "recorded_call"]

_MESSAGES = ("messages", "input", "inputs", "history", "conversation", "prompt")
_REQUESTS = ("request", "body", "kwargs", "inputs", "input")
_ANSWERS = ("response", "outputs", "output", "completion", "answer")


@dataclass(frozen=True, slots=True)
class RecordedCall:
    """The messages of one call of a model with its answer, in OpenAI's chat form, and what it was given."""

    messages: tuple[dict[str, Any], ...]
    tools: tuple[dict[str, Any], ...] = ()
    model: str = ""


def recorded_call(request: Any, answer: Any = None, *, tools: Any = None, model: str = "") -> RecordedCall | None:
    """The call that a request and its answer are, in the words of any API; None where there are no messages.

    Either may be a JSON text. What a record holds under `request` and `response` is looked for in it.
    """
    request, answer = opened(request), opened(answer)
    if isinstance(request, Mapping) and _conversation(request) is None:
        answer = answer if answer is not None else opened(_first(request, _ANSWERS))
        inner = opened(_first(request, _REQUESTS))
        if isinstance(inner, Mapping) and _conversation(inner) is not None:
            request = inner
    elif isinstance(request, Mapping) and answer is None:
        answer = opened(_first(request, ("response", "completion", "choices")))
    asked = _conversation(request)
    said = answers_in(answer)
    if asked is None or not (asked or said):
        return None
    about = request if isinstance(request, Mapping) else {}
    transcript = ChatTranscript()
    system = about.get("system", about.get("instructions"))
    if system:
        transcript.add({"role": "system", "content": system})
    _add_all(transcript, asked)
    _add_all(transcript, said)
    return RecordedCall(
        transcript.messages, tool_schemas(tools or about.get("tools")), str(model or about.get("model") or "")
    )


def _add_all(transcript: ChatTranscript, messages: Iterable[Any]) -> None:
    items = isinstance(messages, list) and any(map(is_item, messages))
    for message in messages:
        if items and not is_item(message):
            transcript.add_said(message)
        else:
            transcript.add(message)


def _first(record: Mapping[str, Any], names: Iterable[str]) -> Any:
    return next((record[name] for name in names if record.get(name) is not None), None)


def opened(value: Any) -> Any:
    """The value of what may be a JSON text; a text that is none stays one."""
    if isinstance(value, str) and value.lstrip()[:1] in ("{", "["):
        try:
            return parse_text(value)
        except (ValueError, RecursionError):
            return value
    return value


def _conversation(value: Any) -> list[Any] | None:
    """The messages that a request holds; None for no request."""
    if isinstance(value, str):
        return [{"role": "user", "content": value}]
    if isinstance(value, list):
        if value and all(isinstance(part, list) for part in value):
            value = value[0]
        return value if all(is_message(part) or is_item(part) for part in value) else None
    if is_message(value) and "messages" not in value:
        return [value]
    if not isinstance(value, Mapping):
        return None
    for name in _MESSAGES:
        held = value.get(name)
        if held is not None and (
            name == "messages" or isinstance(held, list) or (name == "input" and "model" in value)
        ):
            found = _conversation(opened(held))
            if found is not None:
                return found
    return None


def answers_in(value: Any) -> list[Any]:
    """The messages or items that an answer holds."""
    if isinstance(value, str):
        return [{"role": "assistant", "content": value}] if value else []
    if isinstance(value, list):
        return [one for part in value for one in answers_in(part)]
    if not isinstance(value, Mapping):
        return []
    if value.get("generations"):
        found = value["generations"]
        found = found[0] if isinstance(found[0], list) else found
        return answers_in(found[0].get("message") or found[0].get("text"))
    if value.get("choices"):
        return answers_in([choice.get("message") for choice in value["choices"][:1] if isinstance(choice, Mapping)])
    if value.get("type") == "message" and isinstance(value.get("content"), list) and "role" in value:
        return [value]
    if is_message(value) or is_item(value):
        return [value]
    for name in ("message", "messages", "output", "body", "response"):
        if isinstance(value.get(name), list | Mapping):
            return answers_in(value[name])
    return []


MOST_TRACES = 50_000
"""Traces of one file."""

Message = Mapping[str, Any]


@dataclass(slots=True)
class _Held:
    """A trace as far as it is known, and the digest of all of it."""

    id: str
    messages: list[dict[str, Any]]
    tools: tuple[dict[str, Any], ...]
    model: str
    end: bytes


class GrowingRequests:
    """Takes transcripts in the order they were made; one that goes on where another ended is joined to it.

    System messages at the beginning may differ, and a result is told by its call: an agent that shortens old results
    is one trace, and its messages are those that were seen first.
    """

    def __init__(self, format: str) -> None:
        self._format = format
        self._held: list[_Held] = []
        self._ends: dict[bytes, _Held] = {}

    def add(
        self,
        messages: Sequence[dict[str, Any]],
        *,
        id: str = "",
        tools: tuple[dict[str, Any], ...] = (),
        model: str = "",
    ) -> None:
        """Take in one request's transcript, with its answer where that is known."""
        digests = _digests(messages)
        for at in range(len(digests) - 1, -1, -1):
            held = self._ends.get(digests[at]) if digests[at] else None
            if held is not None:
                del self._ends[held.end]
                held.messages += messages[at + 1 :]
                held.tools, held.model = tools or held.tools, model or held.model
                break
        else:
            if len(self._held) >= MOST_TRACES:
                raise UnreadableSource(f"the file has more than {MOST_TRACES:,} traces; split it.")
            held = _Held(id, list(messages), tools, model, b"")
            self._held.append(held)
        held.end = digests[-1] if digests else b""
        if held.end:
            self._ends[held.end] = held

    def traces(self) -> list[Trace]:
        """The traces, in the order of their first request."""
        return [Trace(h.id, tuple(h.messages), h.tools, h.model, self._format) for h in self._held if h.messages]


def _digests(messages: Sequence[Message]) -> list[bytes]:
    """Of each message what stands for the transcript up to it; b"" for the system messages at the beginning."""
    made: list[bytes] = []
    so_far = b""
    for message in messages:
        if so_far or message["role"] != "system":
            so_far = blake2b(so_far + _told(message).encode(), digest_size=12).digest()
        made.append(so_far)
    return made


def _told(message: Message) -> str:
    """What tells a message from others, where two recordings of one may differ in the rest."""
    if message["role"] == "tool":
        return f"tool {message['tool_call_id']}"
    calls = message.get("tool_calls")
    if calls:
        return "calls " + json.dumps([(call["id"], call["function"]["name"], _same(call)) for call in calls])
    content = message["content"]
    return f"{message['role']} {content.strip() if isinstance(content, str) else json.dumps(content)}"


def _same(call: Mapping[str, Any]) -> str:
    """The arguments of a call, however they were laid out."""
    try:
        return json.dumps(json.loads(call["function"]["arguments"]), sort_keys=True)
    except (ValueError, RecursionError):
        return str(call["function"]["arguments"])
