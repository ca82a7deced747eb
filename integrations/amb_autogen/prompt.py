"""What a request gets: new lists of AutoGen messages; no message is ever changed in place."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from autogen_core import Image
from autogen_core.models import (
    AssistantMessage,
    FunctionExecutionResult,
    FunctionExecutionResultMessage,
    LLMMessage,
    SystemMessage,
    UserMessage,
)

from amb_autogen.transcript import ChatMessages
from amb_core.adapter import Placement
from amb_core.condensing import Action, Condensed
from amb_core.rendering import strip_block

__all__ = ["condensed", "placed", "without_blocks"]

_SOURCE = "amb"
"""Who the block and the index line say they are from."""


def without_blocks(messages: Sequence[LLMMessage]) -> list[LLMMessage]:
    """The messages without AMB's blocks, wherever somebody quoted one; a message that was only a block is left out."""
    kept: list[LLMMessage] = []
    for message in messages:
        content = message.content
        if isinstance(message, FunctionExecutionResultMessage):
            results = [_with_content(result, strip_block(result.content)) for result in message.content]
            kept.append(message if results == message.content else message.model_copy(update={"content": results}))
        elif isinstance(content, str):
            stripped = strip_block(content)
            if stripped or not content or isinstance(message, AssistantMessage):
                kept.append(message if stripped == content else message.model_copy(update={"content": stripped}))
        else:
            parts = [strip_block(part) if isinstance(part, str) else part for part in content]
            kept.append(message if parts == content else message.model_copy(update={"content": parts}))
    return kept


def condensed(
    messages: Sequence[LLMMessage], chat: Sequence[ChatMessages], outcome: Condensed, *, strict_roles: bool
) -> list[LLMMessage]:
    """The messages after condensing; the index is a user message, or with `strict_roles` heads the next result."""
    kept: list[LLMMessage] = []
    index, at = outcome.index, 0
    for message, pieces in zip(messages, chat, strict=True):
        actions = outcome.actions[at : at + len(pieces)]
        at += len(pieces)
        if index and at > outcome.index_at and not strict_roles:
            kept.append(UserMessage(content=index, source=_SOURCE))
            index = ""
        shown = _shown(message, actions)
        if shown is None:
            continue
        if index and at > outcome.index_at and isinstance(shown, FunctionExecutionResultMessage) and shown.content:
            first, *others = shown.content
            headed = [_with_content(first, f"{index}\n{first.content}"), *others]
            shown, index = shown.model_copy(update={"content": headed}), ""
        kept.append(shown)
    return kept


def _shown(message: LLMMessage, actions: Sequence[Action]) -> LLMMessage | None:
    """The message with what its actions leave of it; None when that is nothing."""
    if all(action.kind == "keep" for action in actions):
        return message
    if isinstance(message, FunctionExecutionResultMessage):
        results = [
            _with_content(result, action.text if action.kind == "replace" else result.content)
            for result, action in zip(message.content, actions, strict=True)
            if action.kind != "drop"
        ]
        return message.model_copy(update={"content": results}) if results else None
    (action,) = actions
    if action.kind == "drop":
        return None
    update: dict[str, Any] = {"content": action.text}
    return message.model_copy(update=update | ({"thought": None} if isinstance(message, AssistantMessage) else {}))


def _with_content(result: FunctionExecutionResult, content: str) -> FunctionExecutionResult:
    return result if result.content == content else result.model_copy(update={"content": content})


def placed(
    messages: Sequence[LLMMessage], text: str, *, images: Sequence[Image], placement: Placement, merge: bool
) -> list[LLMMessage]:
    """The messages with the block where `placement` says; `merge` joins a tail block to the last user message."""
    if placement == "system":
        shown = [UserMessage(content=list(images), source=_SOURCE)] if images else []
        return [SystemMessage(content=text), *messages, *shown]
    last = next((at for at in reversed(range(len(messages))) if isinstance(messages[at], UserMessage)), None)
    user = None if last is None else messages[last]
    if last is None or not isinstance(user, UserMessage) or (placement == "tail" and not merge):
        return [*messages, UserMessage(content=[text, *images] if images else text, source=_SOURCE)]
    before = placement == "user_prefix"
    if isinstance(user.content, str) and not images:
        joined: str | list[str | Image] = "\n\n".join([text, user.content] if before else [user.content, text])
    else:
        parts = [user.content] if isinstance(user.content, str) else list(user.content)
        joined = [text, *parts, *images] if before else [*parts, text, *images]
    return [*messages[:last], user.model_copy(update={"content": joined}), *messages[last + 1 :]]
