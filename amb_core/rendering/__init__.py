"""Renders memory for a prompt: the `<task>` and `<memory>` blocks, escaping, and recognising AMB's own blocks.

note_marks.py    what has to be said of a note wherever it is shown; task.py: the `<task>` block
message_heads.py the line above what the agent or the user said, in a block of passages
passage_block.py the `<memory>` block of passages; amb_core/memory/passage_budget.py has filled its budget
memory_items.py  what goes into a block and what comes out
labels.py        every fixed word of a block, English and Chinese
safe_text.py     escaping
short_forms.py   what stands in a transcript for what was taken out of it
"""

from typing import TYPE_CHECKING

from amb_core.deferred import deferred
from amb_core.rendering.labels import Language, has_block, strip_block, strip_turn_block
from amb_core.rendering.memory_items import MemoryBlock, MemoryItem
from amb_core.rendering.safe_text import (
    escape,
    escape_line,
    indented,
    quoted,
    quoted_lines,
    quoted_name,
    unquoted,
    visible,
)

if TYPE_CHECKING:
    from amb_core.rendering.note_marks import render_memory
    from amb_core.rendering.short_forms import (
        Reference,
        condensed_result,
        head_and_tail,
        index_line,
        private_line,
        reference_line,
        team_line,
    )
    from amb_core.rendering.task import ReadSoFar, render_task, task_line

__all__ = [
    "Language",
    "MemoryBlock",
    "MemoryItem",
    "ReadSoFar",
    "Reference",
    "condensed_result",
    "escape",
    "escape_line",
    "has_block",
    "head_and_tail",
    "indented",
    "index_line",
    "private_line",
    "quoted",
    "quoted_lines",
    "quoted_name",
    "reference_line",
    "render_memory",
    "render_task",
    "strip_block",
    "strip_turn_block",
    "task_line",
    "team_line",
    "unquoted",
    "visible",
]

_SHORT = "Reference condensed_result head_and_tail index_line private_line reference_line team_line"
__getattr__ = deferred(
    __name__,
    {
        "render_memory": "note_marks",
        **dict.fromkeys(("ReadSoFar", "render_task", "task_line"), "task"),
        **dict.fromkeys(_SHORT.split(), "short_forms"),
    },
)
