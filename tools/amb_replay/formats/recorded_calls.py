"""What went to a model and what came back, as logs and exports keep them: the messages, tools and model of each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from amb_replay.formats.chat_transcript import ChatTranscript, is_item, is_message
from amb_replay.formats.json_values import parse_text
from amb_replay.formats.message_parts import tool_schemas

__all__ = ["RecordedCall", "answers_in", "opened", "recorded_call"]

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
