"""OpenAI-style messages: what stands in them, what it costs, and new lists made from old ones, never in place."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from hashlib import sha1
from math import ceil, inf
from numbers import Real
from typing import Any, Literal

from amb_core.adapter.message_facts import fact
from amb_core.adapter.transcript_turns import TranscriptItem
from amb_core.attachments import AttachmentContent, AttachmentType
from amb_core.errors import InvalidInput, InvalidParameter
from amb_core.memory.arguments import is_plain_json
from amb_core.models import ToolResult
from amb_core.rendering import strip_block, strip_turn_block
from amb_core.text import estimate_tokens
from amb_core.text.text_spans import known_text
from amb_core.text.tokens import as_json, image_tokens, message_tokens, request_tokens, text_of

__all__ = [
    "MATE",
    "RESULT_ROLES",
    "Calls",
    "Message",
    "NewMessage",
    "Placement",
    "TokenCounter",
    "absent",
    "answered_call",
    "attachment_part",
    "calls_of",
    "checked",
    "fingerprint_of",
    "is_signed",
    "item_reader",
    "joined",
    "note_calls",
    "parts_of",
    "placed",
    "result_mark",
    "roles_in_turn",
    "strip_blocks",
    "text_of",
    "tool_result",
    "tool_results_of",
]

Message = Mapping[str, Any]
NewMessage = dict[str, Any]
Calls = dict[str, tuple[str, dict[str, Any]]]
"""Call id → (tool, arguments)."""

_SYSTEM_ROLES = frozenset({"system", "developer", "marker"})
_FRAME = 48
"""Tokens of a call without its arguments, about."""
RESULT_ROLES = frozenset({"tool", "function"})
MATE = "mate"
"""What marks a user's message that another agent of the team wrote, where a framework hands it on like that."""
Placement = Literal["tail", "user_prefix", "system"]

_SIGNATURES = frozenset(
    {"signature", "thought_signature", "thoughtSignature", "encrypted_content", "redacted_thinking", "signed"}
)
_PROMPTS = frozenset({"user", "system", "developer"})


# --- content ----------------------------------------------------------------------------------------------------------


def parts_of(content: object) -> list[Any]:
    """Message content as a list of parts."""
    if isinstance(content, list | tuple):
        return list(content)
    text = text_of(content)
    return [{"type": "text", "text": text}] if text else []


def attachment_part(content: AttachmentContent) -> dict[str, Any] | None:
    """A waiting attachment as a message part: an image as a data URL; None for what is not to be looked at."""
    if content.type is not AttachmentType.IMAGE or content.encoding != "base64" or content.problem:
        return None
    url = f"data:{content.media_type or 'image/png'};base64,{content.file_content}"
    return {"type": "image_url", "image_url": {"url": url}}


def fingerprint_of(text: str) -> str:
    """A short fingerprint of a text."""
    return sha1(text.encode("utf-8", "surrogatepass"), usedforsecurity=False).hexdigest()


class TokenCounter:
    """Says what messages cost; a text that was counted once is not counted again.

    `count` counts one text exactly, or names what does (`exact_counter`); without it `estimate_tokens` does.
    """

    def __init__(self, count: Callable[[str], int] | str | None = None) -> None:
        if isinstance(count, str):
            count = _named(count) if count else None
        if count is not None and not callable(count):
            raise InvalidParameter(
                f"count_tokens is a function that counts a text, or a tokenizer's name, not {type(count).__name__}."
            )
        self._count_text = estimate_tokens if count is None else _whole_tokens(count)
        self._known: dict[str, int] = {}

    def text(self, text: str) -> int:
        """The cost of one text."""
        if len(text) < 200:
            return self._count_text(text)
        key = fingerprint_of(text)
        if key not in self._known:
            self._known[key] = self._count_text(text)
        return self._known[key]

    def message(self, message: Mapping[str, Any]) -> int:
        """The cost of one message with its tool calls and images."""
        return fact(message, self, self._message)

    def _message(self, message: Mapping[str, Any]) -> int:
        return message_tokens(message, count=self.text)

    def request(self, messages: Iterable[Mapping[str, Any]], *, tools: Sequence[object] = ()) -> int:
        """The cost of a request with these messages and tools."""
        return request_tokens(messages, beside=[tools], count=self.text)

    @staticmethod
    def images(message: Mapping[str, Any]) -> int:
        """The cost of the images in one message."""
        return image_tokens(message)


def _whole_tokens(count: Callable[[str], float]) -> Callable[[str], int]:
    """The same, rounded up to whole tokens; InvalidParameter for what is no number of tokens."""

    def counted(text: str) -> int:
        tokens = count(text)
        if not isinstance(tokens, Real) or not 0 <= float(tokens) < inf:
            shown = f"{tokens!r}"[:40]
            raise InvalidParameter(f"count_tokens returns how many tokens a text has, such as 12, not {shown}.")
        return ceil(tokens)

    return counted


def _named(count: str) -> Callable[[str], int]:
    from amb_core.text.exact_tokens import exact_counter  # few need it

    return exact_counter(count)


# --- calls and results ------------------------------------------------------------------------------------------------


def calls_of(message: Message) -> Calls:
    """The tool calls that one assistant message makes; whoever gets them must not change them."""
    return fact(message, "calls", _calls_of)


def _calls_of(message: Message) -> Calls:
    calls: Calls = {}
    for call in map(_fields, _list(message.get("tool_calls"))):
        named = _fields(call.get("function")) or _fields(call.get("custom"))
        call_id = call.get("id")
        known_as = _legacy_id(named) if call_id in (None, "") else text_of(call_id)
        calls[known_as] = (_name(named), _arguments(named.get("arguments", named.get("input"))))
    legacy = _fields(message.get("function_call"))
    if legacy:
        calls[_legacy_id(legacy)] = (_name(legacy), _arguments(legacy.get("arguments")))
    return calls


def note_calls(message: Message, calls: Calls) -> None:
    """Put the calls that a message makes behind the `calls` before it."""
    made = calls_of(message)
    for call_id in made:
        calls.pop(call_id, None)
    calls.update(made)


def result_mark(message: Message) -> str:
    """A fingerprint of what a result brought, as it is known again."""
    return fact(message, "result", lambda result: fingerprint_of(known_text(text_of(result.get("content")))))


def tool_results_of(messages: Iterable[Message], *, calls: Calls, run: str, agent: str | None) -> list[ToolResult]:
    """The results among the messages, each with its call's tool and arguments; `calls` grows as messages go by."""
    results: list[ToolResult] = []
    for message in messages:
        note_calls(message, calls)
        if message["role"] in RESULT_ROLES:
            results.append(tool_result(message, calls=calls, run=run, agent=agent))
    return results


def tool_result(message: Message, *, calls: Calls, run: str, agent: str | None) -> ToolResult:
    """A message that is a result, with the tool and arguments of its call, which is one of the `calls` before it."""
    call_id = _answered(message, calls)
    tool, arguments = calls.get(call_id, (_name(message), {}))
    return ToolResult(
        tool=tool,
        arguments=arguments,
        output=text_of(message.get("content")),
        call_id=call_id,
        run=run,
        agent=agent,
        is_error=message.get("is_error") is True,
    )


def item_reader(cost: Callable[[Message], int]) -> Callable[[Message], TranscriptItem]:
    """What makes the transcript items of messages, one after the other; `cost` says their tokens."""
    calls: Calls = {}

    def read(message: Message) -> TranscriptItem:
        note_calls(message, calls)
        answered, tool = answered_call(message, calls), ""
        if answered:
            tool = calls.get(answered, (_name(message), {}))[0]
        return _item_of(message, answered=answered, tool=tool, tokens=cost(message))

    return read


def _item_of(message: Message, *, answered: str, tool: str, tokens: int) -> TranscriptItem:
    made, text, role = calls_of(message), text_of(message.get("content")), message["role"]
    if made:
        asked = "\n".join(f"{called} {text_of(arguments)}" for called, arguments in made.values())
        frame, signed = _FRAME * len(made), is_signed(message)
        return TranscriptItem("call", f"{text}\n{asked}", tuple(made), tokens=tokens, frame=frame, signed=signed)
    if role in RESULT_ROLES:
        images, reference = image_tokens(message), message.get("reference") is True
        return TranscriptItem("result", text, (answered,), tool, tokens, beside=images, reference=reference)
    if role in _SYSTEM_ROLES:
        return TranscriptItem("system", text, tokens=tokens, signed=role == "marker")
    kind: Literal["assistant", "user"] = "assistant" if role == "assistant" else "user"
    images, signed = image_tokens(message), is_signed(message)
    return TranscriptItem(kind, text, tokens=tokens, beside=images, signed=signed, of_mate=message.get(MATE) is True)


def is_signed(value: object) -> bool:
    """Whether a message holds reasoning that its provider has signed and wants back byte for byte."""
    waiting = [value]
    while waiting:  # no recursion: content may be nested deeply
        one = waiting.pop()
        if isinstance(one, Mapping):
            kind = one.get("type")
            if any(one.get(key) for key in _SIGNATURES) or (isinstance(kind, str) and kind in _SIGNATURES):
                return True
            waiting += [inner for key, inner in one.items() if key not in ("arguments", "input")]
        elif isinstance(one, list | tuple):
            waiting += one
    return False


def _fields(value: Any) -> Mapping[str, Any]:
    """What a call has in it, a dict or an object of an SDK; nothing for what is neither."""
    if isinstance(value, Mapping):
        return value
    dumped = value.model_dump(exclude_none=True) if hasattr(value, "model_dump") else None
    return dumped if isinstance(dumped, Mapping) else {}


def _name(named: Mapping[str, Any]) -> str:
    return text_of(named.get("name") or named.get("tool_name")).strip() or "tool"


def answered_call(message: Message, calls: Calls | None = None) -> str:
    """The id of the call that a message answers, of the `calls` before it; "" for one that is no result."""
    return _answered(message, calls or {}) if message["role"] in RESULT_ROLES else ""


def _answered(message: Message, calls: Calls) -> str:
    """The id of the call that a result answers; one that names neither id nor tool answers the newest of the calls."""
    call_id = message.get("tool_call_id")
    if call_id not in (None, ""):
        return text_of(call_id)
    named = _legacy_id(message)
    is_nameless = not (message.get("name") or message.get("tool_name"))
    return next(reversed(calls)) if is_nameless and calls and named not in calls else named


def _legacy_id(named: Mapping[str, Any]) -> str:
    return f"function:{_name(named)}"


def _arguments(raw: object) -> dict[str, Any]:
    value = raw
    if isinstance(raw, str):
        try:
            value = json.loads(raw) if raw.strip() else {}
        except (ValueError, RecursionError):
            value = raw
    if value is None:
        return {}
    named = {str(key): item for key, item in value.items()} if isinstance(value, Mapping) else {"arguments": value}
    if not is_plain_json(named):
        return {"arguments": raw if isinstance(raw, str) else as_json(raw)}
    plain: dict[str, Any] = named if isinstance(raw, str) else json.loads(json.dumps(named))  # keys are texts then
    return plain


# --- new lists --------------------------------------------------------------------------------------------------------


def checked(messages: Iterable[Any]) -> list[NewMessage]:
    """The messages as dicts of their own; InvalidInput for what is no message."""
    found: list[NewMessage] = []
    for number, message in enumerate(messages):
        plain = message.model_dump(exclude_none=True) if hasattr(message, "model_dump") else message
        if not isinstance(plain, Mapping) or not isinstance(plain.get("role"), str):
            raise InvalidInput(f"message {number} is no OpenAI-style message: pass dicts with a 'role'.")
        found.append(dict(plain))
    return found


def strip_blocks(messages: Iterable[NewMessage]) -> list[NewMessage]:
    """The messages without AMB's blocks; one that was nothing but a block (and its images) is left out.

    Blocks that long-term or narrative memory put before the model stay in prompts; in what tools and models say there
    is no place for any.
    """
    kept: list[NewMessage] = []
    for message in messages:
        content, in_prompt = message.get("content"), message["role"] in _PROMPTS
        strip = strip_turn_block if in_prompt else strip_block
        if isinstance(content, str):
            stripped: object = strip(content)
        elif isinstance(content, list | tuple):
            stripped = _strip_parts(content, strip)
        else:
            stripped = content
        if stripped or not content or not in_prompt:
            kept.append(message if stripped == content else {**message, "content": stripped})
    return kept


def _strip_parts(parts: Sequence[Any], strip: Callable[[str], str]) -> list[Any]:
    kept: list[Any] = []
    block_gone = False
    for part in parts:
        text = part.get("text") if isinstance(part, Mapping) else part
        if not isinstance(text, str):
            kept.append(part)
            continue
        rest = strip(text)
        block_gone = block_gone or rest != text
        if rest or rest == text:
            kept.append(part if rest == text else rest if isinstance(part, str) else {**part, "text": rest})
    only_images = all(isinstance(part, Mapping) and part.get("type") == "image_url" for part in kept)
    return [] if block_gone and only_images else kept


def placed(
    messages: Sequence[NewMessage], text: str, *, images: Sequence[NewMessage], placement: Placement, merge: bool
) -> list[NewMessage]:
    """The messages with the block where `placement` says; `merge` joins a tail block to the last user message."""
    images = absent(images, messages)
    last_user = next((at for at in reversed(range(len(messages))) if messages[at]["role"] == "user"), None)
    if placement == "system":
        with_system = _join_to_system(messages, text)
        return [*with_system, {"role": "user", "content": list(images)}] if images else with_system
    if last_user is None or (placement == "tail" and not merge):
        block = {"type": "text", "text": text}
        return [*messages, {"role": "user", "content": [block, *images] if images else text}]
    spoken = messages[last_user]
    if images:
        spoken = {**spoken, "content": parts_of(spoken.get("content"))}
    full = joined(spoken, text, before=placement == "user_prefix")
    return [*messages[:last_user], joined(full, list(images)) if images else full, *messages[last_user + 1 :]]


def absent(images: Sequence[NewMessage], messages: Sequence[NewMessage]) -> list[NewMessage]:
    """The images that no message holds."""
    present = {_url(part) for message in messages for part in _list(message.get("content"))} if images else ()
    return [image for image in images if _url(image) not in present]


def _join_to_system(messages: Sequence[NewMessage], text: str) -> list[NewMessage]:
    for at, message in enumerate(messages):
        if message["role"] in ("system", "developer"):
            return [*messages[:at], joined(message, text), *messages[at + 1 :]]
    return [{"role": "system", "content": text}, *messages]


def _url(part: object) -> str | None:
    image = part.get("image_url") if isinstance(part, Mapping) else None
    return str(image.get("url")) if isinstance(image, Mapping) else None


def _list(content: object) -> Sequence[Any]:
    return content if isinstance(content, list | tuple) else ()


def roles_in_turn(messages: Iterable[NewMessage]) -> list[NewMessage]:
    """The messages with neighbouring ones of the user joined, for chat templates that take no two in a row."""
    turns: list[NewMessage] = []
    for message in messages:
        if turns and message["role"] == turns[-1]["role"] == "user":
            turns[-1] = joined(turns[-1], message.get("content"))
        else:
            turns.append(message)
    return turns


def joined(message: NewMessage, content: object, *, before: bool = False) -> NewMessage:
    """The message with more content behind its own, or before it."""
    own = message.get("content")
    first, second = (content, own) if before else (own, content)
    if isinstance(first, str | None) and isinstance(second, str | None):
        return {**message, "content": "\n\n".join(text for text in (first, second) if text)}
    return {**message, "content": [*parts_of(first), *parts_of(second)]}
