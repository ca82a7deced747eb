"""Renders passages of results, step by step, as a `<memory>` block."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from amb_core.reading.shown_parts import TextPart
from amb_core.rendering.labels import MEMORY_CLOSE, MEMORY_OPEN, Labels, Language, labels_for
from amb_core.rendering.safe_text import clip_line, cut_line, escape_line, quoted, quoted_lines, quoted_name
from amb_core.text import estimate_lines, estimate_tokens
from amb_core.text.text_spans import GAP

__all__ = [
    "StepPassages",
    "empty_block",
    "file_of",
    "frame_tokens",
    "part_labels",
    "render_steps",
    "short_call",
    "step_head",
]

_HELP_FROM = 400
"""From this budget on a block explains how to open a step."""
_LONGEST_CALL = 2_000
_TELLS = re.compile(r"[\d_/@#]|\w\.\w")
"""What tells a command or an id from prose."""
_FILE = re.compile(r"(\S+):\d+(?= |$)")
_IN_FILE = re.compile(r"\S*:\d+(?: |$)")
_OWNER_TOKENS, _COLUMN_TOKENS, _COLUMNS = 12, 48, " | "
"""Tokens of what a part stands under, and more where these are the names of its columns."""
_NUMBERED = re.compile(r"\s*\d+(?:\t|:(?!\d)|→| ?\|)")


@dataclass(frozen=True, slots=True)
class StepPassages:
    """One step: its header, what must be said of it, such as newer states, and the parts of its text.

    Of each part there is what is said of it and its text; the label of the first stands in the header.
    """

    head: str
    marks: tuple[str, ...]
    parts: tuple[tuple[str, str], ...]


def part_labels(
    text: str, parts: Sequence[TextPart], *, name: str, head: str, are_lines: bool, language: Language
) -> list[str]:
    """What is said of each part that is shown of a result: its file or page, its lines, and what it stands under.

    The `name` of the file or page is told with the first part where the header does not; lines are counted from 1, and
    only with `are_lines` where they show no numbers of their own.
    """
    labels = labels_for(language)
    total = text.count("\n") + 1
    found: list[str] = []
    before = ""
    for number, part in enumerate(parts):
        said = [quoted_name(name)] if name and name not in head and not number else []
        under = _owner(part, f"{head} {name}")
        told = [labels.under.format(quoted(under))] if under and under != before else []
        if are_lines and total > 1 and not (number and told) and not _NUMBERED.match(text, parts[-1].start):
            first = text.count("\n", 0, part.start) + 1
            last = first + text.count("\n", part.start, part.end)
            label = (labels.lines, labels.rows) if last > first else (labels.line, labels.row)
            said.append(label[number > 0].format(lines=f"{first}-{last}" if last > first else first, total=total))
        said += told
        before = under
        found.append("; ".join(said))
    return found


def file_of(path: str) -> str:
    """The name of the file that a path such as `src/conf.py:120 def load` begins with; "" for none."""
    found = _FILE.match(path)
    return found[1].rpartition("/")[2] if found else ""


def _owner(part: TextPart, head: str) -> str:
    """What a part stands under, as far as neither the header nor the part itself says it."""
    titles = [title.strip().rstrip("…") for title in _IN_FILE.sub("", part.under).split(" > ")]
    first = part.text.lstrip().partition("\n")[0]  # further down the same words may be the title of something else
    unsaid = [title for title in titles if title and title.strip("# ") not in first and title not in head]
    columns = next((title for title in unsaid if _COLUMNS in title), "")
    return cut_line(escape_line(" > ".join(unsaid)), _COLUMN_TOKENS if columns else _OWNER_TOKENS)


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
    """`step 12 · bash cat conf.py`: one line; of a long call the paths, ids and first words, in about `tokens`."""
    labels = labels_for(language)
    step = (labels.shared_step if shared else labels.step).format(number)
    name = quoted_name(clip_line((tool or source)[:_LONGEST_CALL], tokens))
    asked = short_call(arguments, max(tokens - estimate_tokens(name), 2)) if tool else ""
    return " · ".join(part for part in (step, f"{name} {quoted(asked) if asked else ''}".strip()) if part)


def short_call(arguments: Mapping[str, object], tokens: int) -> str:
    """What a call asked for on one line, escaped, in about `tokens`: values without blanks before commands and prose.

    Of a text of several lines only the first is told. What is too long is cut between words, a path at its beginning.
    """
    values = [_one_line(value) for value in arguments.values()]
    ranked = sorted(range(len(values)), key=lambda at: (_rank(values[at]), at))
    told: dict[int, str] = {}
    for at in ranked:
        line, rank = escape_line(values[at]), _rank(values[at])
        said = cut_line(line, tokens, ends=rank == 1)
        if said and (said == line or rank < 2 or not told):
            told[at] = said
            tokens -= estimate_tokens(said) if said == line else tokens
    return " ".join(told[at] for at in sorted(told))


def _one_line(value: object) -> str:
    said = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=repr)
    first, _, more = said[:_LONGEST_CALL].strip().partition("\n")
    return f"{first.rstrip()} {GAP}" if more else first


def _rank(value: str) -> int:
    """Values of one word first, then those with a path, an id or a figure, then prose."""
    return 0 if " " not in value else 1 if _TELLS.search(value) else 2


def _frame(labels: Labels, budget: int) -> list[str]:
    """The first line of the block, with its order where there is room to say it."""
    head = f"{labels.memory_head} {labels.steps_order}" if budget >= _HELP_FROM else labels.memory_head
    return [MEMORY_OPEN, head]


def frame_tokens(*, budget_tokens: int, language: Language) -> int:
    """What a block costs without any step."""
    return estimate_lines([*_frame(labels_for(language), budget_tokens), MEMORY_CLOSE]) + 1


def empty_block(*, budget_tokens: int, language: Language) -> tuple[str, tuple[()], int]:
    """The block that says that nothing matches: its text, no receipts, and its tokens."""
    labels = labels_for(language)
    said = [labels.no_notes] if budget_tokens >= _HELP_FROM else []
    lines = [MEMORY_OPEN, labels.memory_head, *said, MEMORY_CLOSE]
    return "\n".join(lines), (), estimate_lines(lines)


def render_steps(steps: Sequence[StepPassages], *, budget_tokens: int, language: Language) -> tuple[str, int]:
    """The block and its tokens."""
    lines = _frame(labels_for(language), budget_tokens)
    for step in steps:
        first = [label for label, _ in step.parts[:1] if label]
        told = "; ".join([*first, *step.marks])
        lines.append(" · ".join(filter(None, (step.head, told))))
        for number, (label, text) in enumerate(step.parts):
            if number:
                lines.append(f"{GAP} {label}".rstrip())
            lines += quoted_lines(text)
    lines.append(MEMORY_CLOSE)
    return "\n".join(lines), estimate_lines(lines)
