"""Renders memory for a prompt: the `<task>` and `<memory>` blocks, escaping, and recognising AMB's own blocks."""

from amb_core.rendering.block_tags import has_block, strip_block, strip_turn_block
from amb_core.rendering.labels import Language
from amb_core.rendering.memory_items import MemoryBlock, MemoryItem
from amb_core.rendering.note_block import render_memory
from amb_core.rendering.safe_text import escape, escape_line, visible
from amb_core.rendering.short_forms import Reference, head_and_tail, index_line, private_line, reference_line, team_line
from amb_core.rendering.task import ReadSoFar, render_task

__all__ = [
    "Language",
    "MemoryBlock",
    "MemoryItem",
    "ReadSoFar",
    "Reference",
    "escape",
    "escape_line",
    "has_block",
    "head_and_tail",
    "index_line",
    "private_line",
    "reference_line",
    "render_memory",
    "render_task",
    "strip_block",
    "strip_turn_block",
    "team_line",
    "visible",
]
