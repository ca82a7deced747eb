"""Renders passages of results, step by step, as a `<memory>` block."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from amb_core.rendering.block_tags import MEMORY_CLOSE, MEMORY_OPEN
from amb_core.rendering.labels import Labels, Language, labels_for
from amb_core.rendering.safe_text import escape, escape_line
from amb_core.text import clip_tokens, estimate_lines

__all__ = ["StepPassages", "frame_tokens", "record_head", "render_steps", "step_head"]

_HELP_FROM = 400
"""From this budget on a block explains how to open a step."""
_CHARS_PER_TOKEN = 12
_NAMED = re.compile(r"\[[^\[\]]*=([^\[\]=]{1,60})\]")
"""The value by which a path names a record."""


@dataclass(frozen=True, slots=True)
class StepPassages:
    """One step: its header, what must be said of it (disputes, newer states), and stretches of its source text."""

    head: str
    marks: tuple[str, ...]
    texts: tuple[str, ...]


def step_head(
    number: int, *, tool: str, arguments: Mapping[str, object], source: str, team: bool, language: Language, tokens: int
) -> str:
    """`step 12 · bash cat conf.py`: one line, escaped, the call clipped to `tokens`."""
    labels = labels_for(language)
    step = (labels.team_step if team else labels.step).format(number)
    asked = " ".join(value if isinstance(value, str) else repr(value) for value in arguments.values())
    what = f"{tool} {asked}" if tool else source
    return f"{step} · {clip_tokens(escape_line(what[: _CHARS_PER_TOKEN * tokens]), tokens)}".rstrip(" ·")


def record_head(path: str, text: str) -> str:
    """`flights[2 id=HAT004]: `, where a text is a part of a record of data that it does not name itself; else ""."""
    names = _NAMED.findall(path)
    return f"{path}: " if names and any(name not in text for name in names) else ""


def _frame(labels: Labels, budget: int) -> list[str]:
    """The first line of the block, with how to open a step where there is room to say it."""
    head = f"{labels.memory_head} {labels.steps_help}" if budget >= _HELP_FROM else labels.memory_head
    return [MEMORY_OPEN, head]


def frame_tokens(*, budget_tokens: int, language: Language) -> int:
    """What a block costs without any step."""
    return estimate_lines([*_frame(labels_for(language), budget_tokens), MEMORY_CLOSE]) + 1


def render_steps(steps: Sequence[StepPassages], *, budget_tokens: int, language: Language) -> tuple[str, int]:
    """The block and its tokens."""
    lines = _frame(labels_for(language), budget_tokens)
    for step in steps:
        number, dot, call = step.head.partition(" · ")
        marks = f" ({'; '.join(step.marks)})" if step.marks else ""
        lines.append(f"{number}{marks}{dot}{call}")
        lines.extend(line for text in step.texts for line in escape(text).split("\n") if line.strip())
    lines.append(MEMORY_CLOSE)
    return "\n".join(lines), estimate_lines(lines)
