"""Renders passages of results, step by step, as a `<memory>` block."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain, pairwise

from amb_core.rendering.labels import MEMORY_CLOSE, MEMORY_OPEN, Labels, Language, labels_for
from amb_core.rendering.safe_text import clip_line, escape_line, quoted, quoted_lines, quoted_name
from amb_core.text import clip_tokens, estimate_lines, estimate_tokens

__all__ = ["StepPassages", "frame_tokens", "part_shown", "record_head", "render_steps", "step_head"]

_HELP_FROM = 400
"""From this budget on a block explains how to open a step."""
_LONGEST_CALL = 2_000
_END_SHARE = 2
"""This part of what is shown of a long call is its end."""
_NAMED = re.compile(r"\[[^\[\]]*=([^\[\]=]{1,60})\]")
"""The value by which a path names a record."""
_FILE = re.compile(r"(\S+):\d+(?= |$)")
_NUMBERED = re.compile(r"\s*\d+(?:\t|:(?!\d)|→| ?\|)")


@dataclass(frozen=True, slots=True)
class StepPassages:
    """One step: its header, what must be said of it (which part is shown, newer states), and stretches of its text."""

    head: str
    marks: tuple[str, ...]
    texts: tuple[str, ...]


def part_shown(text: str, spans: Sequence[tuple[int, int]], *, path: str, head: str, language: Language) -> list[str]:
    """Which part of a result is shown: its file where the header does not name it, else its lines, counted from 1.

    Nothing for lines that show their own numbers, or for a text of one line.
    """
    file = _FILE.match(path)
    name = file[1].rpartition("/")[2] if file else ""
    found = [quoted_name(name)] if name and name not in head else []
    total = text.count("\n") + 1
    if spans and total > 1 and not _NUMBERED.match(text, spans[-1][0]):
        ends = chain.from_iterable(spans)
        counted = accumulate(text.count("\n", *part) for part in pairwise((0, *ends)))
        lines = zip(*[(number + 1 for number in counted)] * 2, strict=True)
        told = ", ".join(f"{first}-{last}" if last > first else str(first) for first, last in lines)
        found.append(labels_for(language).lines.format(lines=told, total=total))
    return found


def step_head(
    number: int,
    *,
    tool: str,
    arguments: Mapping[str, object],
    source: str,
    shared: bool,
    language: Language,
    tokens: int,
) -> str:
    """`step 12 · bash cat conf.py`: one line; of a long call the beginning and the end, in about `tokens`.

    Of a call with values of several lines the others are what tells it from the next one, such as a path.
    """
    labels = labels_for(language)
    step = (labels.shared_step if shared else labels.step).format(number)
    values = [value if isinstance(value, str) else repr(value) for value in arguments.values()]
    name = quoted_name(clip_line((tool or source)[:_LONGEST_CALL], tokens))
    what = " ".join(values) if tool else ""
    told, room = escape_line(what[:_LONGEST_CALL]), max(tokens - estimate_tokens(name), 2)
    if estimate_tokens(told) > room:
        short = " ".join(value for value in values if "\n" not in value)
        if estimate_tokens(short) > room:
            what, told = short, escape_line(short[:_LONGEST_CALL])
        end = "" if "\n" in what else clip_tokens(told[::-1], room // _END_SHARE)[::-1]
        told = f"{clip_tokens(told, room - room // _END_SHARE)}…{end}" if end else clip_tokens(told, room)
    asked = quoted(told) if told else ""
    return " · ".join(part for part in (step, f"{name} {asked}".strip()) if part)


def record_head(path: str, text: str) -> str:
    """`flights[2 id=HAT004]: `, where a text is a part of a record of data that it does not name itself; else "".

    Lines of a text stand below it, for more than that record may follow.
    """
    names = _NAMED.findall(path)
    named = not names or all(name in text for name in names)
    return "" if named else f"{path}:\n" if "\n" in text else f"{path}: "


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
        lines.append(" · ".join((step.head, *(["; ".join(step.marks)] if step.marks else []))))
        for text in step.texts:
            lines += quoted_lines(text)
    lines.append(MEMORY_CLOSE)
    return "\n".join(lines), estimate_lines(lines)
