"""Long-term memory beside an agent's own: its block was put into the messages before and has to stay there."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from langchain_core.messages import BaseMessage, HumanMessage, SystemMessage

from amb_core.adapter import origin_of, text_of
from amb_core.rendering.blocks import MEMORIES_CLOSE, MEMORIES_OPEN, block_pattern
from amb_core.rendering.labels import MEMORIES_HEADS

__all__ = ["longterm_block", "with_longterm_block"]

_BLOCK = re.compile(block_pattern(MEMORIES_OPEN, MEMORIES_HEADS.values(), MEMORIES_CLOSE), re.DOTALL)


def longterm_block(messages: Sequence[BaseMessage]) -> tuple[BaseMessage | None, str]:
    """The last message that AMBSupervisor put a block into, and the block; (None, "") when there is none."""
    for message in reversed(messages):
        found = _BLOCK.search(text_of(message.content)) if isinstance(message, HumanMessage | SystemMessage) else None
        if found:
            return message, found.group()
    return None, ""


def with_longterm_block(
    chat: Sequence[dict[str, Any]], carrier: BaseMessage | None, block: str
) -> list[dict[str, Any]]:
    """The messages of a request with the block where it stood, or behind the system messages."""
    if not block:
        return list(chat)
    for at, told in enumerate(chat):
        if origin_of(told) is carrier:
            content = told["content"]
            joined = (
                f"{block}\n\n{content}" if isinstance(content, str) else [{"type": "text", "text": block}, *content]
            )
            return [*chat[:at], {**told, "content": joined}, *chat[at + 1 :]]
    head = next((at for at, told in enumerate(chat) if told["role"] != "system"), len(chat))
    return [*chat[:head], {"role": "system", "content": block}, *chat[head:]]
