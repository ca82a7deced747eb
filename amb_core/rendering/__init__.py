"""Renders memory for a prompt: the `<task>` and `<memory>` blocks, escaping, and recognising AMB's own blocks.

note_block.py        notes → the `<memory>` block, cut to its budget
excerpts.py          which sentences of which notes are worth their tokens
pieces.py            a passage in sentences and turns, and how well each answers the query
task.py              the `<task>` block, cut to its budget
memory_items.py      what goes in and comes out: MemoryItem, MemoryBlock
short_forms.py       one line in place of a tool result; the beginning and end of a long one
labels.py            our own words in both languages
safe_text.py         nothing of a source can pass for our tags
block_tags.py        the tags, and our own blocks taken out of a text
"""

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
