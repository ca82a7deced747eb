"""How far a transcript has come: digests of what stands before each reply in it, whoever wrote it down and however."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from amb_core.adapter import text_of

__all__ = ["Prefixes", "is_unique", "prefixes_of", "reply_digest"]

_DIGITS = "0123456789"
_TAIL = re.compile(r"[A-Za-z0-9]*$")
_LONG_NUMBER, _LONG_TAIL, _LONG_HEAD = 15, 8, 6
_as_json = json.JSONEncoder(sort_keys=True, default=str).encode
_FORM_ONLY = ("cache_control", "made_from")
"""Members of a part that say nothing of its content."""


@dataclass(frozen=True, slots=True)
class Prefixes:
    """Digests of a transcript: of the `whole`, of what stands `before` each reply (the newest first), and of `beside`.

    What stands `beside` it are instructions and tools, which no other digest depends on: some clients write the time
    into them. `said` is the digest of the newest reply as `reply_digest` gives it, `ids` are its calls.
    """

    whole: str
    before: tuple[str, ...]
    beside: str
    said: str = ""
    ids: tuple[str, ...] = ()


def prefixes_of(chat: Iterable[Mapping[str, Any]], *, key: bytes, whose: str, beside: str = "") -> Prefixes:
    """The digests of OpenAI-style messages, keyed, for one caller; each message is read once.

    Texts count by their characters, what is at their ends and, in replies, blanks apart; JSON by what it says. Marks
    for caches and reasoning do not count.
    """
    messages = list(chat)
    opening = next((at for at, one in enumerate(messages) if one.get("role") not in ("system", "developer")), 0)
    instructions = json.dumps([whose, beside, *(text_of(one.get("content")) for one in messages[:opening])])
    running = hashlib.blake2b(json.dumps(["prefix", whose]).encode(), key=key, digest_size=16)
    before, last, is_reply = list[str](), list[Mapping[str, Any]](), False
    for message in messages[opening:]:
        was_reply, is_reply = is_reply, message.get("role") == "assistant"
        if is_reply and not was_reply:
            before.append(running.copy().hexdigest())
            last.clear()
        if is_reply:
            last.append(message)
        running.update(_told(message))
    ids = tuple(str(call.get("id")) for one in last for call in one.get("tool_calls") or ())
    said = reply_digest(" ".join(text_of(one.get("content")) for one in last), ids) if last else ""
    digest = hashlib.blake2b(instructions.encode(), key=key, digest_size=16).hexdigest()
    return Prefixes(running.hexdigest(), tuple(reversed(before)), digest, said, ids)


def reply_digest(text: str, ids: Sequence[str]) -> str:
    """A digest of a reply: by the ids of its calls, or where it made none by its words."""
    told = json.dumps(sorted(ids) if ids else " ".join(text.split()))
    return hashlib.blake2b(told.encode(), digest_size=8).hexdigest()


def is_unique(call_id: str) -> bool:
    """Whether a provider made an id for one call alone, by its looks; some only count: `call_0`, `read:00000012`."""
    tail = _TAIL.search(call_id)
    told = tail.group() if tail else ""
    head = told.rstrip(_DIGITS)
    if not head:
        return len(told) >= _LONG_NUMBER and not told.startswith("00")
    return len(told) >= _LONG_TAIL and len(head) >= _LONG_HEAD and any(digit in head for digit in _DIGITS)


def _told(message: Mapping[str, Any]) -> bytes:
    """What a message says: a line of JSON, which ends with the length of the text that follows."""
    role, content = message.get("role"), message.get("content")
    text = content if isinstance(content, str) else text_of(content)
    told: list[Any] = [role]
    if isinstance(content, list | tuple):
        told += [_plain(one) for one in content if isinstance(one, Mapping) and not isinstance(one.get("text"), str)]
    if role == "assistant":
        text = " ".join(text.split())
        told += [[call.get("id"), *_asked(call)] for call in message.get("tool_calls") or ()]
        told += [_asked(message)] if message.get("function_call") else []
    else:
        text = text.strip()
        told.append(message.get("tool_call_id") or message.get("name"))
    said = text.encode("utf-8", "surrogatepass")
    return f"{_as_json([*told, len(said)])}\n".encode() + said


def _plain(part: Mapping[str, Any]) -> dict[str, Any]:
    return {str(name): value for name, value in part.items() if name not in _FORM_ONLY}


def _asked(call: Mapping[str, Any]) -> list[Any]:
    """The name and the arguments of a call, as what they say."""
    function = call.get("function") or call.get("custom") or call.get("function_call") or {}
    given = function.get("arguments") if "arguments" in function else function.get("input")
    if isinstance(given, str):
        try:
            given = json.loads(given)
        except (ValueError, RecursionError):
            given = " ".join(given.split())
    return [function.get("name"), given]
