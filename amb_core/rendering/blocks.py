"""Recognises AMB's own blocks, so that none of them is ever taken in again or stands in a prompt twice."""

from __future__ import annotations

import re

from amb_core.rendering.labels import LABELS

__all__ = ["MEMORY_CLOSE", "MEMORY_OPEN", "TASK_CLOSE", "TASK_OPEN", "has_block", "strip_block"]

TASK_OPEN, TASK_CLOSE = "<task>", "</task>"
MEMORY_OPEN, MEMORY_CLOSE = "<memory>", "</memory>"

_TASK_HEADS = "|".join(re.escape(labels.task_head) for labels in LABELS.values())
_MEMORY_HEADS = "|".join(re.escape(labels.memory_head) for labels in LABELS.values())
_ONE = (
    rf"(?:{TASK_OPEN}\n(?:{_TASK_HEADS})\n(?:(?!{TASK_OPEN}).)*?{TASK_CLOSE}"
    rf"|{MEMORY_OPEN}\n(?:{_MEMORY_HEADS})(?:(?!{MEMORY_OPEN}).)*?{MEMORY_CLOSE})"
)
# The blank line that joined the block to other text goes with it, on one side only.
_BLOCK = re.compile(rf"\n\n{_ONE}|{_ONE}(?:\n\n)?", re.DOTALL)


def has_block(text: str) -> bool:
    """Whether the text contains a whole block AMB rendered (a bare `<memory>` tag of somebody else is none)."""
    return _BLOCK.search(text) is not None


def strip_block(text: str) -> str:
    """The text without AMB's blocks; everything else is byte-identical."""
    return _BLOCK.sub("", text)
