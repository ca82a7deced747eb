"""Recognises AMB's own blocks, so that none of them is ever taken in again or stands in a prompt twice."""

from __future__ import annotations

import re
from collections.abc import Iterable

from amb_core.rendering.labels import EXPERIENCE_HEADS, LABELS, MEMORIES_HEADS, STORY_HEADS, TEAM_HEADS

__all__ = [
    "EXPERIENCE_CLOSE",
    "EXPERIENCE_OPEN",
    "MEMORIES_CLOSE",
    "MEMORIES_OPEN",
    "MEMORY_CLOSE",
    "MEMORY_OPEN",
    "STORY_CLOSE",
    "STORY_OPEN",
    "TASK_CLOSE",
    "TASK_OPEN",
    "TEAM_CLOSE",
    "TEAM_OPEN",
    "block_pattern",
    "has_block",
    "strip_block",
    "strip_turn_block",
]

TASK_OPEN, TASK_CLOSE = "<task>", "</task>"
MEMORY_OPEN, MEMORY_CLOSE = "<memory>", "</memory>"
MEMORIES_OPEN, MEMORIES_CLOSE = "<memories>", "</memories>"
TEAM_OPEN, TEAM_CLOSE = "<team>", "</team>"
STORY_OPEN, STORY_CLOSE = "<story>", "</story>"
EXPERIENCE_OPEN, EXPERIENCE_CLOSE = "<experience>", "</experience>"


def block_pattern(opening: str, heads: Iterable[str], closing: str) -> str:
    """The regular expression of one genuine block: its tags, and behind the first one of the heads."""
    told = "|".join(map(re.escape, heads))
    return rf"{opening}\n(?:{told})(?:(?!{opening}).)*?{closing}"


_OF_A_TURN = (
    block_pattern(TASK_OPEN, [f"{labels.task_head}\n" for labels in LABELS.values()], TASK_CLOSE),
    block_pattern(MEMORY_OPEN, [labels.memory_head for labels in LABELS.values()], MEMORY_CLOSE),
    block_pattern(TEAM_OPEN, TEAM_HEADS.values(), TEAM_CLOSE),
    block_pattern(EXPERIENCE_OPEN, EXPERIENCE_HEADS.values(), EXPERIENCE_CLOSE),
)
_KINDS = (
    *_OF_A_TURN,
    block_pattern(MEMORIES_OPEN, MEMORIES_HEADS.values(), MEMORIES_CLOSE),
    block_pattern(STORY_OPEN, [f"{head}\n" for head in STORY_HEADS.values()], STORY_CLOSE),
)


def _any_of(kinds: Iterable[str]) -> re.Pattern[str]:
    one = f"(?:{'|'.join(kinds)})"
    # The blank line that joined the block to other text goes with it, on one side only.
    return re.compile(rf"\n\n{one}|{one}(?:\n\n)?", re.DOTALL)


_BLOCK, _TURN_BLOCK = _any_of(_KINDS), _any_of(_OF_A_TURN)


def has_block(text: str) -> bool:
    """Whether the text contains a whole block AMB rendered (a bare `<memory>` tag of somebody else is none)."""
    return _BLOCK.search(text) is not None


def strip_block(text: str) -> str:
    """The text without AMB's blocks; everything else is byte-identical."""
    return _BLOCK.sub("", text)


def strip_turn_block(text: str) -> str:
    """The text without the blocks that an adapter puts in anew at every turn; those of others, such as long-term
    memory's, stay.
    """
    return _TURN_BLOCK.sub("", text)
