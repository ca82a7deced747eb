"""New OpenAI-style message lists made from old ones; no message is ever changed in place."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal

from amb_core.adapter.content import parts_of
from amb_core.condensing import Action, Condensed
from amb_core.errors import InvalidInput
from amb_core.rendering import strip_block, strip_turn_block

__all__ = ["Placement", "checked", "condensed", "placed", "without_blocks"]

Placement = Literal["tail", "user_prefix", "system"]
NewMessage = dict[str, Any]

_PROMPTS = frozenset({"user", "system", "developer"})


def checked(messages: Iterable[Any]) -> list[NewMessage]:
    """The messages as dicts of their own; InvalidInput for what is no message."""
    found: list[NewMessage] = []
    for number, message in enumerate(messages):
        plain = message.model_dump(exclude_none=True) if hasattr(message, "model_dump") else message
        if not isinstance(plain, Mapping) or not isinstance(plain.get("role"), str):
            raise InvalidInput(f"message {number} is no OpenAI-style message: pass dicts with a 'role'.")
        found.append(dict(plain))
    return found


def without_blocks(messages: Iterable[NewMessage]) -> list[NewMessage]:
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
            stripped = _stripped_parts(content, strip)
        else:
            stripped = content
        if stripped or not content or not in_prompt:
            kept.append(message if stripped == content else {**message, "content": stripped})
    return kept


def _stripped_parts(parts: Sequence[Any], strip: Callable[[str], str]) -> list[Any]:
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
    present = {_url(part) for message in messages for part in _list(message.get("content"))}
    images = [image for image in images if _url(image) not in present]
    last_user = next((at for at in reversed(range(len(messages))) if messages[at]["role"] == "user"), None)
    if placement == "system":
        with_system = _joined_to_system(messages, text)
        return [*with_system, {"role": "user", "content": list(images)}] if images else with_system
    if last_user is None or (placement == "tail" and not merge):
        block = {"type": "text", "text": text}
        return [*messages, {"role": "user", "content": [block, *images] if images else text}]
    joined = _joined(messages[last_user], text, before=placement == "user_prefix", images=images)
    return [*messages[:last_user], joined, *messages[last_user + 1 :]]


def _joined_to_system(messages: Sequence[NewMessage], text: str) -> list[NewMessage]:
    for at, message in enumerate(messages):
        if message["role"] in ("system", "developer"):
            return [*messages[:at], _joined(message, text, before=False, images=()), *messages[at + 1 :]]
    return [{"role": "system", "content": text}, *messages]


def _joined(message: NewMessage, text: str, *, before: bool, images: Sequence[NewMessage]) -> NewMessage:
    content = message.get("content")
    if not images and isinstance(content, str | None):
        pair = (text, content) if before else (content, text)
        return {**message, "content": "\n\n".join(part for part in pair if part)}
    block = {"type": "text", "text": text}
    parts = parts_of(content)
    return {**message, "content": [block, *parts, *images] if before else [*parts, block, *images]}


def _url(part: object) -> str | None:
    image = part.get("image_url") if isinstance(part, Mapping) else None
    return str(image.get("url")) if isinstance(image, Mapping) else None


def _list(content: object) -> Sequence[Any]:
    return content if isinstance(content, list | tuple) else ()


def condensed(messages: Sequence[NewMessage], outcome: Condensed, *, strict_roles: bool) -> list[NewMessage]:
    """The messages after condensing; the index is a user message, or with `strict_roles` heads the next result."""
    kept: list[NewMessage] = []
    index = outcome.index
    for at, (message, action) in enumerate(zip(messages, outcome.actions, strict=True)):
        if index and at == outcome.index_at and not strict_roles:
            kept.append({"role": "user", "content": index})
            index = ""
        if action.kind == "drop":
            continue
        shown = message if action.kind == "keep" else {**message, "content": _with_text(message, action)}
        if index and at > outcome.index_at and message["role"] in ("tool", "function"):
            shown = {**shown, "content": [{"type": "text", "text": index}, *parts_of(shown.get("content"))]}
            if isinstance(message.get("content"), str):
                shown["content"] = f"{index}\n{message['content'] if action.kind == 'keep' else action.text}"
            index = ""
        kept.append(shown)
    return kept


def _with_text(message: NewMessage, action: Action) -> object:
    """The content with the action's text; when it is only shortened, with the images that were beside its text."""
    content = message.get("content")
    others = [part for part in _list(content) if isinstance(part, Mapping) and "text" not in part]
    if action.kind == "replace" or not others:
        return action.text
    return [{"type": "text", "text": action.text}, *others]
